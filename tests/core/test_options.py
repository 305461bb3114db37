"""Options: values from the command line, from JSON, and what is refused."""

import pytest

from muniment.core.errors import OptionError
from muniment.core.options import Option, OptionValue, read_options

MODE = Option("mode", "R1", "plain", ("plain", "wild"), "How it is played.")
SWITCH = Option("switch", "R2", False, (False, True), "Whether it is on.")
LIMIT = Option("limit", "R3", None, (None,), "How many turns at most.", minimum=5)
ALL = (MODE, SWITCH, LIMIT)


@pytest.mark.parametrize(
    ("option", "given", "value"),
    [
        (MODE, "plain", "plain"),
        (MODE, "wild", "wild"),
        (SWITCH, True, True),
        (SWITCH, False, False),
        (SWITCH, "true", True),
        (SWITCH, "false", False),
        (LIMIT, None, None),
        (LIMIT, "none", None),
        (LIMIT, 5, 5),
        (LIMIT, "12", 12),
        (LIMIT, 999_999_999, 999_999_999),
    ],
)
def test_values_are_read(option: Option, given: object, value: OptionValue) -> None:
    found = option.read(given)
    assert found == value
    assert type(found) is type(value)


@pytest.mark.parametrize(
    ("option", "given", "values"),
    [
        (MODE, "Plain", "plain, wild"),
        (MODE, None, "plain, wild"),
        (MODE, 0, "plain, wild"),
        (MODE, ["plain"], "plain, wild"),
        (SWITCH, 1, "false, true"),
        (SWITCH, 0, "false, true"),
        (SWITCH, "True", "false, true"),
        (LIMIT, 4, "none, a whole number from 5"),
        (LIMIT, "-5", "none, a whole number from 5"),
        (LIMIT, 5.0, "none, a whole number from 5"),
        (LIMIT, True, "none, a whole number from 5"),
        (LIMIT, "٧", "none, a whole number from 5"),
        (LIMIT, "1" * 10, "none, a whole number from 5"),
        (LIMIT, "1" * 5000, "none, a whole number from 5"),
    ],
)
def test_other_values_are_refused(option: Option, given: object, values: str) -> None:
    with pytest.raises(OptionError) as caught:
        option.read(given)
    assert str(caught.value) == f"option {option.name}: {given!r} is not one of {values}"


def test_all_options_of_a_game() -> None:
    assert read_options(ALL, {}) == {"mode": "plain", "switch": False, "limit": None}
    assert read_options(ALL, {"limit": "7", "mode": "wild"}) == {"mode": "wild", "switch": False, "limit": 7}
    with pytest.raises(OptionError) as caught:
        read_options(ALL, {"speed": 1})
    assert str(caught.value) == "there is no option 'speed'; the options are: limit, mode, switch"
    with pytest.raises(OptionError, match="option mode: 3 is not one of plain, wild"):
        read_options(ALL, {"mode": 3})
