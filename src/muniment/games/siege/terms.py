"""The nouns of 9 Card Siege as small whole numbers: units, spaces, status tracks, the tunnel (2.2, 2.3).

They are plain ints and not enums because states hold them by the million; the names for people stand beside them.
"""

from __future__ import annotations

from typing import Final

__all__ = [
    "BATTERING_RAM", "CASTLE", "CIRCLE", "CLOSE_COMBAT", "DAYS", "ENEMY_LINES", "FAR_TUNNEL", "LADDERS",
    "MAX_CLOSE_COMBAT", "MAX_RAIDED", "MAX_STATUS", "MAX_TREBUCHETS", "MORALE", "NEAR_TUNNEL", "REMOVED",
    "SIEGE_TOWER", "SPACE_NAMES", "START", "STATUSES", "STATUS_NAMES", "SUPPLIES", "TUNNEL_NAMES", "UNITS",
    "UNIT_NAMES", "WALL",
]  # fmt: skip

DAYS: Final = 3

# The three units, in the order in which they enter close combat together (S10).
LADDERS: Final = 0
BATTERING_RAM: Final = 1
SIEGE_TOWER: Final = 2
UNITS: Final = (LADDERS, BATTERING_RAM, SIEGE_TOWER)
UNIT_NAMES: Final = ("ladders", "battering ram", "siege tower")

# The spaces of an enemy track: how far the unit is from the castle (2.2.1, 2.2.2).
START: Final = 4
CIRCLE: Final = 1
CLOSE_COMBAT: Final = 0
REMOVED: Final = -1
SPACE_NAMES: Final = {START: "start", 3: "3", 2: "2", CIRCLE: "1", CLOSE_COMBAT: "close combat", REMOVED: "removed"}
MAX_CLOSE_COMBAT: Final = 2

MAX_TREBUCHETS: Final = 3

# The three status tracks (2.3.1).
WALL: Final = 0
MORALE: Final = 1
SUPPLIES: Final = 2
STATUSES: Final = (WALL, MORALE, SUPPLIES)
STATUS_NAMES: Final = ("wall", "morale", "supplies")
MAX_STATUS: Final = 4

# The tunnel (2.3.2, S17) and the raided supplies (2.3.3).
CASTLE: Final = 0
NEAR_TUNNEL: Final = 1
FAR_TUNNEL: Final = 2
ENEMY_LINES: Final = 3
TUNNEL_NAMES: Final = ("castle", "near tunnel", "far tunnel", "enemy lines")
MAX_RAIDED: Final = 2
