"""The benchmarks' own tools."""

import json
from pathlib import Path

import pytest

from bench.__main__ import main
from bench.calibration import xorshift
from bench.registry import rate


def test_rate_calls_the_work_once_more_than_it_counts() -> None:
    calls: list[int] = []
    assert rate(lambda: calls.append(1), 10, repeats=3) > 0
    assert len(calls) == 4


def test_calibration_is_the_same_work_everywhere() -> None:
    assert xorshift(1_000) == 3_298_996_594


def test_figures_are_printed_and_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "figures.json"
    main(["--only", "calibration", "--json", str(file)])
    (row,) = json.loads(file.read_text(encoding="utf-8"))["rows"]
    assert row["name"] == "calibration"
    assert row["value"] > 0
    assert capsys.readouterr().out.startswith("calibration ")
