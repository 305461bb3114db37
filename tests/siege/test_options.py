"""The options of the game, and that each is one of the rulings."""

import pytest

from muniment.core.errors import OptionError
from muniment.games.siege import Siege, SiegeOptions
from muniment.games.siege.options import OPTIONS

# From the rulings: those marked "option", with the default first.
RULED = {
    "S3": ("ones", ("natural", "event_bonus_cancels")),
    "S13": ("close_combat_drives_back", ("one", "all")),
    "S25": ("bad_weather_free_movement", (False, True)),
}

NAMES = [name for name, _ in RULED.values()]


def test_every_ruling_with_an_option_has_it() -> None:
    """S3, S13, S25: names, values and defaults as ruled; the rules page names the same."""
    assert {o.ruling: (o.name, o.choices) for o in OPTIONS} == RULED
    assert all(o.default == o.choices[0] for o in OPTIONS)
    assert {rule.id: rule.option for rule in Siege.rulebook().rules if rule.option} == {
        ruling: name for ruling, (name, _) in RULED.items()
    }
    assert Siege.option_definitions == OPTIONS


def test_defaults() -> None:
    """S3, S13, S25: what holds if nobody says otherwise."""
    assert SiegeOptions.read({}) == SiegeOptions() == SiegeOptions("natural", "one", False)


@pytest.mark.parametrize(
    ("given", "options"),
    [
        ({"ones": "event_bonus_cancels"}, SiegeOptions(ones="event_bonus_cancels")),
        ({"close_combat_drives_back": "all"}, SiegeOptions(close_combat_drives_back="all")),
        ({"bad_weather_free_movement": True}, SiegeOptions(bad_weather_free_movement=True)),
        ({"bad_weather_free_movement": "true"}, SiegeOptions(bad_weather_free_movement=True)),
        ({"bad_weather_free_movement": "false"}, SiegeOptions()),
    ],
)
def test_options_are_read(given: dict[str, object], options: SiegeOptions) -> None:
    """S3, S13, S25: from texts and JSON values, and written back."""
    assert SiegeOptions.read(given) == options
    assert SiegeOptions.read(options.values()) == options


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"ones": "never"}, "option ones: 'never' is not one of natural, event_bonus_cancels"),
        ({"bad_weather_free_movement": 1}, "option bad_weather_free_movement: 1 is not one of false, true"),
        ({"bad_weather_free_movement": "yes"}, "option bad_weather_free_movement: 'yes' is not one of false, true"),
        ({"twos": 1}, f"there is no option 'twos'; the options are: {', '.join(sorted(NAMES))}"),
    ],
)  # fmt: skip
def test_bad_options_are_refused(given: dict[str, object], message: str) -> None:
    with pytest.raises(OptionError) as caught:
        SiegeOptions.read(given)
    assert str(caught.value) == message
