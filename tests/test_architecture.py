"""The layers of the package, and what the rules may not import."""

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from importlinter.cli import lint_imports

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "src" / "muniment"


def sources(*packages: str) -> Iterator[tuple[str, ast.Module]]:
    """The path, for messages, and the syntax tree of every module in the packages, or in all."""
    for folder in [PACKAGE / package for package in packages] or [PACKAGE]:
        for path in sorted(folder.rglob("*.py")):
            yield str(path.relative_to(ROOT)), ast.parse(path.read_text(encoding="utf-8"))


def imports(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """The line and the full dotted name of everything a module imports, wherever in the module it does."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from ((node.lineno, f"{node.module}.{alias.name}") for alias in node.names)


def shared_randomness(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """The line and name of every use of the generator that the whole process shares.

    Generators of one's own, `random.Random` and `random.SystemRandom`, are no such use.
    """
    own = {"Random", "SystemRandom"}
    names = {
        alias.asname or alias.name
        for node in ast.walk(tree)
        if isinstance(node, ast.Import)
        for alias in node.names
        if alias.name == "random"
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module == "random":
            yield from ((node.lineno, alias.name) for alias in node.names if alias.name not in own)
        elif (
            isinstance(node, ast.Attribute)
            and isinstance(node.value, ast.Name)
            and node.value.id in names
            and node.attr not in own
        ):
            yield node.lineno, node.attr


def test_packages_import_only_from_the_layers_beneath_them(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(ROOT)
    status = lint_imports("pyproject.toml", no_cache=True, no_logo=True)
    assert status == 0, capsys.readouterr().out


def test_core_imports_only_the_standard_library() -> None:
    assert [
        f"{path}:{line} imports {name}"
        for path, tree in sources("core")
        for line, name in imports(tree)
        if name.split(".")[0] not in sys.stdlib_module_names and not name.startswith("muniment.core")
    ] == []


def test_rules_import_no_randomness() -> None:
    assert [
        f"{path}:{line} imports {name}"
        for path, tree in sources("core", "games")
        for line, name in imports(tree)
        if name.split(".")[0] == "random"
    ] == []


def test_nothing_uses_the_global_random_generator() -> None:
    assert [
        f"{path}:{line} uses random.{name}" for path, tree in sources() for line, name in shared_randomness(tree)
    ] == []


@pytest.mark.parametrize(
    ("code", "found"),
    [
        ("import random\nrandom.choice([1])", ["choice"]),
        ("import random as r\nr.seed(1)", ["seed"]),
        ("from random import shuffle, Random", ["shuffle"]),
        ("import random\nrandom.Random(1).choice([1])", []),
        ("def random(): ...\nrandom()", []),
    ],
)
def test_global_random_is_recognised(code: str, found: list[str]) -> None:
    assert [name for _, name in shared_randomness(ast.parse(code))] == found
