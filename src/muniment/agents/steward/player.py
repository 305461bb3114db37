"""The agent ``steward``: a hand-written player of King of the Tabletop that reads its view and nothing else."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import ClassVar, Final

from muniment.agents.steward import battle, charm, deeds, home, land, magic, war
from muniment.agents.steward.table import GRAN, Lore, Table
from muniment.core.agent import Agent
from muniment.core.chance import Source
from muniment.games.king.actions import KingAction
from muniment.games.king.game import King
from muniment.games.king.turn import VICTORY_PRESTIGE
from muniment.games.king.views import KingView

__all__ = ["Steward"]

Choose = Callable[[Table, Sequence[KingAction]], KingAction]

_CHOICES: Final[Mapping[str, Choose]] = {
    "muster": home.muster,
    "special": home.seek,
    "build": home.build,
    "workers": home.workers,
    "for-sale": land.for_sale,
    "bid": land.bid,
    "purchase": land.purchase,
    "war": war.attack,
    "send": war.send,
    "reserve": war.reserve,
    "add": war.add,
    "run": war.run,
    "battle": war.battle,
    "bear": battle.bear,
    "shoot": battle.shoot,
    "hit": battle.hit,
    "stop": magic.stop,
    "revive": magic.revive,
    "charm": charm.charm,
    "deed-choice": deeds.deed,
    "offer": deeds.offer,
    "deal": deeds.deal,
}


class Steward(Agent[KingAction, KingView]):
    """Each kind of decision has its function; see the modules of this package.

    Nothing is remembered from one decision to the next but the plan of a line-up while it is carried out tile by tile,
    and that is a function of the view.
    """

    name = "steward"
    choices: ClassVar[Mapping[str, Choose]] = _CHOICES

    def __init__(self, game: King) -> None:
        self._lore = Lore(game.box)
        self._planned: tuple[Hashable, dict[str, list[int]]] | None = None
        self._squad: tuple[Hashable, tuple[str, ...]] | None = None

    def choose(self, view: KingView, legal: Sequence[KingAction], source: Source) -> KingAction:
        """The choice for this kind of decision; a treasure that wins the game is cashed before anything else."""
        if len(legal) == 1:
            return legal[0]
        t = Table(view, self._lore)
        winning = _winning_treasure(t, legal)
        if winning is not None:
            return winning
        kind = t.frame.kind
        if kind == "line":
            return war.line(t, legal, self._line_plan(t))
        if kind == "commit" and kind not in self.choices:
            return land.commit(t, legal, self._fight_squad(t))
        choice = self.choices.get(kind)
        return legal[0] if choice is None else choice(t, legal)

    def _line_plan(self, t: Table) -> dict[str, list[int]]:
        """The plan of this line-up, worked out at its first tile."""
        view = t.view
        key = (
            view.turn, view.clock, view.seat, view.gold, t.frame.data[0], view.war, view.hidden, view.lands,
            tuple(sorted(tile.tile for tile in t.tiles_of(t.me))),
            tuple(tile for tile in view.tiles if tile.zone & 7 != t.me),
        )  # fmt: skip
        if self._planned is None or self._planned[0] != key:
            self._planned = key, war.line_plan(t)
        return self._planned[1]

    def _fight_squad(self, t: Table) -> tuple[str, ...]:
        """Who fights for a land, worked out at the first of them."""
        view = t.view
        army = tuple(sorted(tile.tile for tile in t.tiles_of(t.me)))
        key = view.turn, view.clock, view.seat, view.gold, view.lands, t.frame.data[:2], view.owner_characters, army
        if self._squad is None or self._squad[0] != key:
            self._squad = key, land.squad(t)
        return self._squad[1]


def _winning_treasure(t: Table, legal: Sequence[KingAction]) -> KingAction | None:
    """With a Gran Muniment, treasures that make up 30 prestige points."""
    if not t.view.hand or t.best_fort(t.me) < GRAN:
        return None
    gold = t.gold
    if t.view.prestige[t.me] - gold // 10 + (gold + t.treasure) // 10 < VICTORY_PRESTIGE:
        return None
    return next((action for action in legal if action.word == "cash"), None)
