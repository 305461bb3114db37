"""Measures, prints a table, and writes it as JSON if asked."""

import argparse
import importlib
import json
import os
import pkgutil
import platform
from dataclasses import asdict
from pathlib import Path

import bench
from bench.registry import BENCHMARKS, Row


def main(arguments: list[str] | None = None) -> None:
    """Run the measurements of every module in this package, the calibration first."""
    parser = argparse.ArgumentParser(prog="python -m bench", description="Measure Muniment's speed.")
    parser.add_argument("--json", type=Path, metavar="FILE", help="also write the figures to FILE")
    parser.add_argument("--only", metavar="WORD", help="only modules with WORD in their name")
    options = parser.parse_args(arguments)

    modules = [module.name for module in pkgutil.iter_modules(bench.__path__)]
    modules.sort(key=lambda name: (name != "calibration", name))
    for name in modules:
        if name == "calibration" or (name != "__main__" and (options.only or "") in name):
            importlib.import_module(f"bench.{name}")

    rows: list[Row] = []
    for measure in BENCHMARKS:
        for row in measure():
            rows.append(row)
            print(f"{row.name:<40} {row.value:>16,.6g} {row.unit:<12} {row.note}".rstrip(), flush=True)

    if options.json:
        machine = {
            "python": f"{platform.python_implementation()} {platform.python_version()}",
            "system": platform.system(),
            "processor": platform.machine(),
            "cores": os.cpu_count(),
        }
        text = json.dumps({"machine": machine, "rows": [asdict(row) for row in rows]}, indent=2)
        options.json.write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
