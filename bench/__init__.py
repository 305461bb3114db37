"""Speed, measured: `python -m bench`, or `make bench`.

Each module here registers its measurements (see `bench.registry`); they are found by themselves.
"""
