"""Runs the `muniment` command as `python -m muniment`."""

from muniment.cli import main

if __name__ == "__main__":
    main()
