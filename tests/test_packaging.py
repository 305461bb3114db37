"""The locks agree with pyproject.toml and with each other, and name no place to install from."""

import re
import tomllib
from pathlib import Path

import pytest

import muniment

ROOT = Path(__file__).parent.parent
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
WANTED: dict[str, list[str]] = {
    "base": PYPROJECT["project"]["dependencies"],
    **PYPROJECT["project"].get("optional-dependencies", {}),
    **PYPROJECT["dependency-groups"],
}
LINE = re.compile(r"|\s*#.*|[a-z0-9-]+==\S+(?: ; .+)? \\|    --hash=sha256:[0-9a-f]{64}(?: \\)?")
PIN = re.compile(r"^([a-z0-9-]+)==(\S+)(?: ; .+)? \\$", re.MULTILINE)


def read_lock(name: str) -> str:
    """The text of the lock of the base, an extra or a dependency group."""
    return (ROOT / "requirements" / f"{name}.txt").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", WANTED)
def test_lock_pins_everything_asked_for(name: str) -> None:
    pinned = {package for package, _ in PIN.findall(read_lock(name))}
    wanted = {
        re.split(r"[^A-Za-z0-9._-]", requirement)[0].lower().replace("_", "-").replace(".", "-")
        for requirement in WANTED[name]
    }
    assert wanted - pinned == set(), "run `make lock`"


@pytest.mark.parametrize("name", WANTED)
def test_lock_is_hashed_and_names_no_address_and_no_path(name: str) -> None:
    for line in read_lock(name).splitlines():
        assert LINE.fullmatch(line), line
        assert not re.search(r"://|(^|\s)[/~]", line), line


def test_locks_agree_on_every_version() -> None:
    versions: dict[str, set[str]] = {}
    for name in WANTED:
        for package, version in PIN.findall(read_lock(name)):
            versions.setdefault(package, set()).add(version)
    assert {package: found for package, found in versions.items() if len(found) > 1} == {}


def test_citation_gives_the_version() -> None:
    citation = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert f"\nversion: {muniment.__version__}\n" in citation
