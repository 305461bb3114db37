"""The table of rules: each numbered rule and each ruling is named by the docstring of at least one test."""

import ast
import re
from pathlib import Path

from muniment.games.siege import Siege

RULE_ID = re.compile(r"(?<![\w.])(?:S\d+|\d+\.\d+(?:\.\d+)*)(?![\w]|\.\d)")


def rules_named(text: str) -> set[str]:
    """The ids in a text: whole ones, so that 9.1.2 does not name 9.1."""
    return set(RULE_ID.findall(text))


def named_by_tests() -> set[str]:
    found: set[str] = set()
    for path in Path(__file__).parent.glob("test_*.py"):
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if path.name != Path(__file__).name and isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                found |= rules_named(ast.get_docstring(node) or "")
    return found


def test_ids_are_recognised() -> None:
    assert rules_named("S12, 9.1.2: and 9.1.6.1 (10.0), 5.1. Not 9x, S1x or v1.2.") == {
        "S12", "9.1.2", "9.1.6.1", "10.0", "5.1",
    }  # fmt: skip


def test_every_rule_has_a_test() -> None:
    rules = {rule.id for rule in Siege.rulebook().rules}
    assert {f"S{number}" for number in range(1, 30)} <= rules
    assert rules - named_by_tests() == set()


def test_no_test_names_a_rule_that_does_not_exist() -> None:
    assert named_by_tests() - {rule.id for rule in Siege.rulebook().rules} == set()


def test_the_rulebook_refers_to_itself() -> None:
    """Related ids and ids in texts exist; the rulebook's own sections are all there, in order, rulings last."""
    book = Siege.rulebook()
    ids = [rule.id for rule in book.rules]
    assert len(set(ids)) == len(ids)
    assert [i for i in ids if i[0] != "S"] == [
        "2.0", "2.1", "2.1.2", "2.1.3", "2.1.4", "2.2", "2.2.1", "2.2.2", "2.2.3", "2.3", "2.3.1", "2.3.2", "2.3.3",
        "3.0", "4.0", "5.0", "5.1", "6.0", "7.0", "7.1", "7.2", "8.0", "8.1", "8.2", "8.3", "8.4",
        "9.0", "9.1", "9.1.1", "9.1.2", "9.1.3", "9.1.4", "9.1.5", "9.1.6", "9.1.6.1", "9.1.6.2", "9.1.7", "9.1.8",
        "9.2", "10.0", "11.0", "12.0", "13.0", "14.0", "15.0",
    ]  # fmt: skip
    assert ids[-29:] == [f"S{number}" for number in range(1, 30)]
    for rule in book.rules:
        assert all(other in book and other != rule.id for other in rule.see), rule.id
        assert rules_named(rule.text) <= set(ids), rule.id
