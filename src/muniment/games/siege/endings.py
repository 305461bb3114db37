"""How a game of 9 Card Siege ends (10.0, 11.0): a stable code, the rule, and words for people."""

from __future__ import annotations

from typing import Final, NamedTuple

__all__ = [
    "COLLAPSE",
    "ENDINGS",
    "HELD",
    "MORALE_GONE",
    "OVERRUN",
    "STATUS_GONE",
    "SUPPLIES_GONE",
    "WALL_GONE",
    "WON",
    "Ending",
]

WON: Final = "won"
OVERRUN: Final = "overrun"
COLLAPSE: Final = "collapse"
HELD: Final = "close-combat-held"
WALL_GONE: Final = "wall-0"
MORALE_GONE: Final = "morale-0"
SUPPLIES_GONE: Final = "supplies-0"


class Ending(NamedTuple):
    """rule: the rule or ruling; immediate: whether it ends the game at once, not at a check; words: for people."""

    rule: str
    immediate: bool
    words: str


ENDINGS: Final = {
    WON: Ending("11.0", False, "the relief army arrives: the fortress has held for three days"),
    OVERRUN: Ending("8.4", True, "overrun: a third unit reached close combat"),
    COLLAPSE: Ending("10.0", True, "collapse: a second status track fell to 0"),
    HELD: Ending("10.0", False, "two enemy units still held the close combat area at the end of a turn"),
    WALL_GONE: Ending("10.0", False, "the wall was at 0 at the end of a turn"),
    MORALE_GONE: Ending("10.0", False, "morale was at 0 at the end of a turn"),
    SUPPLIES_GONE: Ending("10.0", False, "supplies were at 0 at the end of a turn"),
}

STATUS_GONE: Final = (WALL_GONE, MORALE_GONE, SUPPLIES_GONE)
