"""Slices of long checks go on where they stopped."""

from pathlib import Path

import pytest

from tests.slices import digest_of, once


def fail() -> None:
    raise AssertionError("must not run")


def test_a_slice_that_passed_is_not_run_again(tmp_path: Path) -> None:
    source, notes = tmp_path / "source.py", tmp_path / "notes"
    source.write_text("1")
    assert once("a", [source], lambda: None, notes)
    assert not once("a", [source], fail, notes)
    assert once("b", [source], lambda: None, notes)
    source.write_text("2")
    assert once("a", [source], lambda: None, notes)


def test_a_slice_that_failed_runs_again(tmp_path: Path) -> None:
    source, notes = tmp_path / "source.py", tmp_path / "notes"
    source.write_text("1")
    with pytest.raises(AssertionError):
        once("a", [source], fail, notes)
    assert once("a", [source], lambda: None, notes)


def test_the_digest_covers_directories(tmp_path: Path) -> None:
    (tmp_path / "rules").mkdir()
    (tmp_path / "rules" / "one.py").write_text("1")
    before = digest_of([tmp_path / "rules"])
    (tmp_path / "rules" / "cards.toml").write_text("2")
    assert digest_of([tmp_path / "rules"]) != before
