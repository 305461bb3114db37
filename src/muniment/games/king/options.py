"""The options of King of the Tabletop: what the rulings leave to the table (K1, K13, K35, K50 to K53, K60)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Literal, cast

from muniment.core.options import Option, OptionValue, read_options

__all__ = ["OPTIONS", "KingOptions"]

OPTIONS = (
    Option("edition", "K1", "rulebook", ("rulebook", "counters"),
           "Which tiles the playing deck has: the rulebook's contents list, or the original counter sheet."),
    Option("homeless", "K13", "deck", ("deck", "hand"),
           "Where characters go whose owner has lost the last land of their terrain."),
    Option("neutralised_forts", "K35", "roll", ("roll", "silent"),
           "Whether forts neutralised before the hand-to-hand stage still roll their dice."),
    Option("royal_influence", "K50", False, (False, True),
           "Whether the Elf Lord and the Dwarf King strengthen their people, and weaken those against them."),
    Option("terrain_bonus", "K51", False, (False, True),
           "Whether a character on its own terrain has 1 more combat value."),
    Option("army_reserves", "K52", False, (False, True),
           "Whether flying and special characters may be held back as reserves."),
    Option("trading", "K53", False, (False, True),
           "Whether a player may trade instead of going to war."),
    Option("turn_limit", "K60", None, (None,),
           "After how many turns the most prestige wins, if nobody has won before.", minimum=1),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class KingOptions:
    """The options of one game; the defaults are the rulings' own."""

    edition: Literal["rulebook", "counters"] = "rulebook"
    homeless: Literal["deck", "hand"] = "deck"
    neutralised_forts: Literal["roll", "silent"] = "roll"
    royal_influence: bool = False
    terrain_bonus: bool = False
    army_reserves: bool = False
    trading: bool = False
    turn_limit: int | None = None

    @classmethod
    def read(cls, given: Mapping[str, object]) -> KingOptions:
        """Options from texts or JSON values. Raises OptionError for an unknown name or value."""
        values = read_options(OPTIONS, given)
        return cls(
            edition=cast(Literal["rulebook", "counters"], values["edition"]),
            homeless=cast(Literal["deck", "hand"], values["homeless"]),
            neutralised_forts=cast(Literal["roll", "silent"], values["neutralised_forts"]),
            royal_influence=values["royal_influence"] is True,
            terrain_bonus=values["terrain_bonus"] is True,
            army_reserves=values["army_reserves"] is True,
            trading=values["trading"] is True,
            turn_limit=cast("int | None", values["turn_limit"]),
        )

    def values(self) -> dict[str, OptionValue]:
        """Every option's value by name."""
        return asdict(self)
