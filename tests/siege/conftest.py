"""What all tests of the siege game share."""

import pytest

from tests.siege.positions import STANDARD


@pytest.fixture(autouse=True)
def forgetful() -> None:
    """The shared game remembers legal actions and modifiers it has worked out; each test begins without.

    Otherwise `make mutants`, whose runs of the tests share a process, would ask a memory instead of changed rules.
    """
    STANDARD._legal.clear()
    STANDARD._modifiers.clear()
    STANDARD._draws.clear()
