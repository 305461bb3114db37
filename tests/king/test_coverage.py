"""Every ruling and every section of the rulebook is named by a test."""

import re
from pathlib import Path

from muniment.games.king import King

TESTS = sorted(Path(__file__).parent.glob("test_*.py"))


def named() -> set[str]:
    """Every id that a test's name or text mentions; ranges such as "K50 to K53" are spelled out."""
    found: set[str] = set()
    for file in TESTS:
        if file.name == "test_coverage.py":
            continue
        text = file.read_text(encoding="utf-8")
        found |= set(re.findall(r"\bK\d+\b", text))
        found |= {f"K{number}" for number in re.findall(r"_k(\d+)", text)}
        for first, last in re.findall(r"K(\d+) to K?(\d+)", text):
            found |= {f"K{number}" for number in range(int(first), int(last) + 1)}
        found |= set(re.findall(r"\b[a-z][a-z0-9-]*(?:\.[a-z0-9-]+)?\b", text))
    return found


def test_every_ruling_is_named_by_a_test() -> None:
    """K1 to K60."""
    assert [f"K{number}" for number in range(1, 61) if f"K{number}" not in named()] == []


def test_every_section_is_named_by_a_test() -> None:
    """The sections of the rulebook, as ``rules.toml`` has them."""
    ids = named()
    assert [rule.id for rule in King.rulebook().rules if rule.id not in ids] == []
