"""The options of 9 Card Siege: what the rulings leave to the table (S3, S13, S25)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Literal, cast

from muniment.core.options import Option, OptionValue, read_options

__all__ = ["OPTIONS", "SiegeOptions"]

OPTIONS = (
    Option(
        "ones", "S3", "natural", ("natural", "event_bonus_cancels"),
        "Whether a natural 1 always counts, or an event's bonus on that very roll cancels it.",
    ),
    Option(
        "close_combat_drives_back", "S13", "one", ("one", "all"),
        "Whether a won close combat drives back one chosen unit or every unit in close combat.",
    ),
    Option(
        "bad_weather_free_movement", "S25", False, (False, True),
        "Whether free tunnel movement stays possible in Bad Weather.",
    ),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class SiegeOptions:
    """The options of one game; the defaults are the rulings' own."""

    ones: Literal["natural", "event_bonus_cancels"] = "natural"
    close_combat_drives_back: Literal["one", "all"] = "one"
    bad_weather_free_movement: bool = False

    @classmethod
    def read(cls, given: Mapping[str, object]) -> SiegeOptions:
        """Options from texts or JSON values. Raises OptionError for an unknown name or value."""
        values = read_options(OPTIONS, given)
        return cls(
            ones=cast(Literal["natural", "event_bonus_cancels"], values["ones"]),
            close_combat_drives_back=cast(Literal["one", "all"], values["close_combat_drives_back"]),
            bad_weather_free_movement=values["bad_weather_free_movement"] is True,
        )

    def values(self) -> dict[str, OptionValue]:
        """Every option's name and value."""
        return asdict(self)
