"""The actions of the player (9.0): frozen values with a JSON form, a notation and a sentence.

There are 23 of them in all, in a fixed order; an action's place in ``ACTIONS`` is its ``index``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from muniment.core.errors import NotationError
from muniment.games.siege.terms import UNIT_NAMES, UNITS

__all__ = [
    "ACTIONS", "ARCHERS", "BOILING_WATER", "CLOSE_COMBAT_ACTION", "COUPURE", "END_TURN", "ENTER", "EXTRA_MORALE",
    "EXTRA_SUPPLIES", "FAST_CASTLE", "FAST_LINES", "FREE_CASTLE", "FREE_LINES", "RALLY", "RALLY_SUPPLY", "SABOTAGE",
    "SUPPLY_RAID", "SiegeAction", "action_from_json", "parse_action",
]  # fmt: skip

# Kinds of action. Those from ARCHERS to SABOTAGE cost an action point.
ARCHERS: Final = 0
BOILING_WATER: Final = 1
CLOSE_COMBAT_ACTION: Final = 2
COUPURE: Final = 3
RALLY: Final = 4
RALLY_SUPPLY: Final = 5
ENTER: Final = 6
FAST_CASTLE: Final = 7
FAST_LINES: Final = 8
SUPPLY_RAID: Final = 9
SABOTAGE: Final = 10
FREE_CASTLE: Final = 11
FREE_LINES: Final = 12
EXTRA_MORALE: Final = 13
EXTRA_SUPPLIES: Final = 14
END_TURN: Final = 15

_ALL_UNITS = len(UNIT_NAMES)


@dataclass(frozen=True, slots=True, eq=False)
class SiegeAction:
    """One action. There is one object of each, so actions compare by identity.

    index: place in ``ACTIONS``. kind: one of the kinds above. unit: the target 0 to 2 of an attack, 3 for "all units"
    (S13), -1 where there is no target. rolls: whether a die decides it. rule: the rule that offers it.
    """

    index: int
    kind: int
    unit: int
    notation: str
    sentence: str
    rule: str
    rolls: bool

    @property
    def costs_point(self) -> bool:
        """Whether it costs an action point (9.1)."""
        return self.kind <= SABOTAGE

    def to_json(self) -> dict[str, Any]:
        """``{"action": verb}``, with "target" where the notation has a second word."""
        verb, _, target = self.notation.partition(" ")
        return {"action": verb, "target": target} if target else {"action": verb}

    def __repr__(self) -> str:
        return f"parse_action({self.notation!r})"

    def __reduce__(self) -> tuple[Any, tuple[str]]:
        return parse_action, (self.notation,)


def _key(unit: int) -> str:
    return UNIT_NAMES[unit].replace(" ", "-")


def _all() -> tuple[SiegeAction, ...]:
    rows: list[tuple[int, int, str, str, str, bool]] = []
    for unit in UNITS:
        rows.append((ARCHERS, unit, f"archers {_key(unit)}", f"Archers shoot at the {UNIT_NAMES[unit]}", "9.1.1", True))
    for unit in UNITS:
        rows.append(
            (BOILING_WATER, unit, f"water {_key(unit)}", f"Boiling water on the {UNIT_NAMES[unit]}", "9.1.2", True)
        )
    for unit in UNITS:
        rows.append(
            (CLOSE_COMBAT_ACTION, unit, f"fight {_key(unit)}", f"Close combat against the {UNIT_NAMES[unit]}", "9.1.3",
             True)
        )  # fmt: skip
    rows += [
        (CLOSE_COMBAT_ACTION, _ALL_UNITS, "fight all", "Close combat against every unit there", "S13", True),
        (COUPURE, -1, "coupure", "Coupure: repair the wall", "9.1.4", True),
        (RALLY, -1, "rally", "Rally the troops", "9.1.5", True),
        (RALLY_SUPPLY, -1, "rally supply", "Rally the troops with an extra supply", "9.1.5", True),
        (ENTER, -1, "enter", "Soldiers enter the tunnel", "9.1.6.1", False),
        (FAST_CASTLE, -1, "fast castle", "Fast movement through the tunnel to the castle", "9.1.6.2", False),
        (FAST_LINES, -1, "fast lines", "Fast movement through the tunnel to the enemy lines", "9.1.6.2", False),
        (SUPPLY_RAID, -1, "raid", "Raid the enemy's supplies", "9.1.7", True),
        (SABOTAGE, -1, "sabotage", "Sabotage a trebuchet", "9.1.8", True),
        (FREE_CASTLE, -1, "free castle", "Free movement one space towards the castle", "9.1.6.2", False),
        (FREE_LINES, -1, "free lines", "Free movement one space towards the enemy lines", "9.1.6.2", False),
        (EXTRA_MORALE, -1, "extra morale", "Additional action for 1 morale", "9.2", False),
        (EXTRA_SUPPLIES, -1, "extra supplies", "Additional action for 1 supply", "9.2", False),
        (END_TURN, -1, "end", "End the turn", "9.1", False),
    ]
    return tuple(SiegeAction(index, *row) for index, row in enumerate(rows))


ACTIONS: Final = _all()
_BY_NOTATION = {action.notation: action for action in ACTIONS}


def parse_action(text: str) -> SiegeAction:
    """The action with this notation. Raises NotationError if there is none."""
    action = _BY_NOTATION.get(" ".join(text.split()))
    if action is None:
        raise NotationError(f"{text!r} is not an action; they are: {', '.join(_BY_NOTATION)}")
    return action


def action_from_json(value: object) -> SiegeAction:
    """The action with this JSON form. Raises NotationError if there is none."""
    for action in ACTIONS:
        if action.to_json() == value:
            return action
    raise NotationError(f"{value!r} is not an action of the siege game")
