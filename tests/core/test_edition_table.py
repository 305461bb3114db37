"""Editions are read through tables that name the place of every fault."""

import hashlib
from collections.abc import Callable
from datetime import date
from pathlib import Path

import pytest

from muniment.core.edition import Table, digest_of, read_toml
from muniment.core.errors import EditionError


def table(**content: object) -> Table:
    return Table(content, "file.toml")


def test_values_are_taken() -> None:
    root = table(name="x", size=3, flag=True, sub={"a": 1}, rows=[{"b": 2}, {"b": 3}], words=["p", "q"])
    assert root.has("name")
    assert not root.has("nothing")
    assert root.text("name") == root.text("name", choices=("x", "y")) == "x"
    assert root.integer("size", 3, 3) == 3
    root.true("flag")
    sub = root.table("sub")
    assert (sub.integer("a", 0, 1), sub.place) == (1, "file.toml, sub")
    rows = root.tables("rows", 2, 2)
    assert [(row.integer("b", 0, 9), row.place) for row in rows] == [(2, "file.toml, rows 1"), (3, "file.toml, rows 2")]
    assert root.texts("words", ("p", "q", "r")) == ("p", "q")
    root.done()
    sub.done()


@pytest.mark.parametrize(
    ("take", "reason"),
    [
        (lambda t: t.text("gone"), "'gone' is missing"),
        (lambda t: t.text("size"), "size must be a line of text, not 3"),
        (lambda t: t.text("blank"), "blank must be a line of text, not '  '"),
        (lambda t: t.text("lines"), "lines must be a line of text, not 'a\\nb'"),
        (lambda t: t.text("control"), "control must be a line of text, not 'a\\x1b'"),
        (lambda t: t.text("name", choices=("y", "z")), "name must be one of y, z, not 'x'"),
        (lambda t: t.integer("size", 4, 9), "size must be a whole number from 4 to 9, not 3"),
        (lambda t: t.integer("size", 0, 2), "size must be a whole number from 0 to 2, not 3"),
        (lambda t: t.integer("flag", 0, 2), "flag must be a whole number from 0 to 2, not True"),
        (lambda t: t.integer("lost", 0, 2), "'lost' is missing"),
        (lambda t: t.true("size"), "size can only be true, not 3"),
        (lambda t: t.true("away"), "'away' is missing"),
        (lambda t: t.table("size"), "size must be a table, not 3"),
        (lambda t: t.tables("size", 0, 1), "size must be a list of tables, not 3"),
        (lambda t: t.tables("words", 0, 1), "words must be a list of tables, not ['p', 'q', 'p']"),
        (lambda t: t.tables("rows", 0, 1), "there must be 0 to 1 of rows, not 2"),
        (lambda t: t.tables("rows", 3, 4), "there must be 3 to 4 of rows, not 2"),
        (lambda t: t.texts("name", ("x",)), "name must be a list, not 'x'"),
        (lambda t: t.texts("words", ("p",)), "words must be of p, not 'q'"),
        (lambda t: t.texts("words", ("p", "q")), "words names something twice"),
    ],
)
def test_faults_are_named(take: Callable[[Table], object], reason: str) -> None:
    root = table(
        name="x", size=3, flag=True, blank="  ", lines="a\nb", control="a\x1b", rows=[{}, {}], words=["p", "q", "p"]
    )
    with pytest.raises(EditionError) as caught:
        take(root)
    assert str(caught.value) == f"file.toml: {reason}"


def test_what_nobody_asked_for_is_a_fault() -> None:
    root = table(name="x", size=3, extra=1)
    root.integer("size", 0, 9)
    root.text("name")
    with pytest.raises(EditionError, match=r"^file\.toml: 'extra' is not known here; expected: name, size$"):
        root.done()


def test_digests_are_of_the_content() -> None:
    assert digest_of({"b": 1, "a": "é"}) == digest_of({"a": "é", "b": 1})
    assert digest_of({"b": 1, "a": "é"}) == hashlib.sha256(b'{"a":"\\u00e9","b":1}').hexdigest()
    assert digest_of({"a": 1}) != digest_of({"a": 2})


def test_files_are_read(tmp_path: Path) -> None:
    path = tmp_path / "e.toml"
    path.write_text('name = "é"', encoding="utf-8")
    assert read_toml(path).text("name") == "é"
    assert read_toml(path).place == str(path)


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"\xff", "not a UTF-8 text file"),
        (b"a = ", "not valid TOML: Invalid value (at end of document)"),
        (b"a = 1\na = 2", "not valid TOML: Cannot overwrite a value (at end of document)"),
        (b"a = " + b"[" * 5000, "not valid TOML: nested too deeply"),
        (b"a = " + b"1" * 5000, "not valid TOML: Exceeds the limit"),
    ],
)
def test_unreadable_files(tmp_path: Path, content: bytes, reason: str) -> None:
    path = tmp_path / "e.toml"
    path.write_bytes(content)
    with pytest.raises(EditionError) as caught:
        read_toml(path)
    assert str(caught.value).startswith(f"{path}: {reason}")
    assert len(str(caught.value).splitlines()) == 1


def test_missing_files(tmp_path: Path) -> None:
    with pytest.raises(EditionError, match="No such file or directory"):
        read_toml(tmp_path / "gone.toml")


def test_any_toml_has_a_digest() -> None:
    assert len(digest_of({"made": date(1979, 5, 27)})) == 64
