"""A small game, solved once for all tests of a process."""

from pathlib import Path

import pytest

from muniment.games.siege import SiegeEdition
from muniment.solve.solving import solve
from muniment.solve.table import Table
from muniment.solve.values import Values
from tests.solve.games import small_edition


@pytest.fixture(scope="session")
def edition() -> SiegeEdition:
    return small_edition(3, 5, points=2)


@pytest.fixture(scope="session")
def table(edition: SiegeEdition, tmp_path_factory: pytest.TempPathFactory) -> Table:
    return solve(edition, jobs=2, folder=tmp_path_factory.mktemp("tables"))


@pytest.fixture(scope="session")
def values(table: Table) -> Values:
    return Values(table)


@pytest.fixture
def folder(table: Table, tmp_path: Path) -> Path:
    """A folder of one's own with a copy of the table."""
    (tmp_path / table.path.name).write_bytes(table.path.read_bytes())
    return tmp_path
