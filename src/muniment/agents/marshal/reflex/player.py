"""The quick player: which of its parts chooses at which kind of decision."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from muniment.agents.marshal.reflex.home import Home
from muniment.agents.marshal.reflex.land import Land
from muniment.agents.marshal.reflex.lineup import Lineup
from muniment.agents.marshal.reflex.plain import first, last, second
from muniment.agents.marshal.reflex.war import War
from muniment.agents.marshal.reflex.worth import Worth
from muniment.core.frames import Frame
from muniment.games.king.actions import KingAction
from muniment.games.king.box import Box
from muniment.games.king.state import KingState

__all__ = ["Reflex"]


class Reflex:
    """See the package's text. One object serves any number of games of one box, one after the other.

    patience: the prestige from which on fortifications are built, by the number of players at the start; 0 where none
    is given. most_tiles: how many tiles are bought in a turn at most.
    """

    def __init__(self, box: Box, patience: Mapping[int, int] | None = None, most_tiles: int = 2) -> None:
        self.worth = worth = Worth(box)
        self.lineup = Lineup(worth)
        self.home = home = Home(worth, patience or {}, most_tiles)
        land, war = Land(worth), War(worth, self.lineup)
        self._choices: dict[str, Callable[[KingState, Frame], KingAction]] = {
            "muster": second,
            "special": home.special,
            "build": home.build,
            "workers": home.workers,
            "purchase": home.purchase,
            "for-sale": land.for_sale,
            "bid": land.bid,
            "commit": land.commit,
            "war": war.war,
            "send": war.send,
            "line": war.line,
            "hit": war.hit,
            "stop": war.stop,
            "reserve": second,
            "add": last,
            "revive": second,
            "deed-choice": second,
            "deal": lambda _s, _f: box.decline,
        }

    def choose(self, s: KingState) -> KingAction:
        """What the seat that is asked does; the first of what it may where nothing better is known."""
        f = s.frames[-1]
        return self._choices.get(f[0], first)(s, f)
