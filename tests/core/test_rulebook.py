"""The rules pages: loaded from TOML, found by id or by words."""

from pathlib import Path

import pytest

from muniment.core.rulebook import Rule, Rulebook

TEXT = '''
[[rule]]
id = "1.0"
title = "The board"
text = """
Eight rows
and columns.
"""
see = ["R1"]
terms = ["squares"]

[[rule]]
id = "1.1"
title = "Pieces"
text = "The board begins empty. Rows fill."

[[rule]]
id = "R1"
title = "Rows"
text = "Which rows count."
option = "rows"
'''


@pytest.fixture
def book(tmp_path: Path) -> Rulebook:
    path = tmp_path / "rules.toml"
    path.write_text(TEXT, encoding="utf-8")
    return Rulebook.load(path)


def test_rules_are_loaded(book: Rulebook) -> None:
    assert book.rules == (
        Rule("1.0", "The board", "Eight rows and columns.", ("R1",), None, ("squares",)),
        Rule("1.1", "Pieces", "The board begins empty. Rows fill."),
        Rule("R1", "Rows", "Which rows count.", option="rows"),
    )
    assert "1.1" in book
    assert "1.2" not in book
    assert book["R1"].option == "rows"
    with pytest.raises(KeyError):
        book["1.2"]


@pytest.mark.parametrize(
    ("words", "ids"),
    [
        ("1.0", ["1.0"]),  # an id finds that rule alone
        ("r1", ["R1"]),
        ("SQUARES", ["1.0"]),
        ("board", ["1.0", "1.1"]),  # title before text
        ("rows", ["R1", "1.0", "1.1"]),
        ("board rows", ["1.0", "1.1"]),  # every word must occur
        ("board  rows empty", ["1.1"]),
        ("chess", []),
        ("", []),
        ("  ", []),
    ],
)
def test_rules_are_found(book: Rulebook, words: str, ids: list[str]) -> None:
    assert [rule.id for rule in book.search(words)] == ids
