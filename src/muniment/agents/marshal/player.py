"""The agent ``marshal``."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import fields
from typing import Final

from muniment.agents.evaluation.chances import Evaluation
from muniment.agents.marshal.budget import Budget
from muniment.agents.marshal.doctrine import MOST_TILES, PATIENCE, Doctrine, waits
from muniment.agents.marshal.moves import (
    SHARES,
    Move,
    begin,
    line_moves,
    line_variants,
    next_step,
    plain_moves,
    squad_moves,
)
from muniment.agents.marshal.reflex import Reflex
from muniment.agents.marshal.search import Search
from muniment.agents.steward.land import squad
from muniment.agents.steward.table import GRAN, Lore, Table
from muniment.agents.steward.war import line_plan
from muniment.core.agent import Agent
from muniment.core.chance import Source
from muniment.core.dice import RandomStream
from muniment.games.king.actions import KingAction
from muniment.games.king.game import King
from muniment.games.king.turn import VICTORY_PRESTIGE
from muniment.games.king.views import KingView

__all__ = ["ITERATIONS", "Marshal"]

ITERATIONS: Final = 300
"""The usual budget of a decision."""


_ECONOMY: Final = ("build", "purchase")
"""Not searched while the doctrine waits with building: what tiles bring later lies beyond the search's horizon."""
_WINNING: Final = frozenset(("fort", "place", "improve", "cash", "buy"))
_STEP: Final = 4  # prestige points that one of these can bring: a gold mine, a chest


class Marshal(Agent[KingAction, KingView]):
    """Information-set Monte Carlo tree search; see the package's text.

    budget: iterations a decision, or a ``Budget``, which can also limit the time. The random numbers of a search come
    from a stream whose key is the view that it began with: the choice depends on the view and the iterations alone, so
    a new agent in the middle of a line-up goes on with it as planned. Nothing else is remembered.
    """

    name = "marshal"

    def __init__(self, game: King, budget: Budget | int = ITERATIONS) -> None:
        self._game = game
        self._budget = Budget(budget) if isinstance(budget, int) else budget
        self._lore = Lore(game.box)
        self._doctrine = Doctrine(game)
        self._mine = Reflex(game.box, PATIENCE, MOST_TILES)
        self._search = Search(game, self._mine, Reflex(game.box), Evaluation(game))
        self._going_on: tuple[bytes, Move] | None = None

    @property
    def iterations(self) -> int:
        """How many iterations all searches of this agent have made so far."""
        return self._search.iterations

    def choose(self, view: KingView, legal: Sequence[KingAction], source: Source) -> KingAction:
        """The doctrine's choice, unless the search finds a clearly better one; trivial decisions are not searched."""
        if len(legal) == 1:
            return legal[0]
        won = self._victory(view, legal)
        if won is not None:
            return won
        kind = view.frames[-1].kind
        if kind in ("line", "commit"):
            return self._as_planned(view, legal)
        first = self._doctrine.choose(view, legal, source)
        share = SHARES.get(kind)
        if share is None or first.word == "cash" or first.word == "place":
            return first
        if kind in _ECONOMY and waits(view):
            return first
        moves = plain_moves(view, legal, first, self._mine)
        return self._best(view, moves, share, _stream(view)).action

    def _victory(self, view: KingView, legal: Sequence[KingAction]) -> KingAction | None:
        """An action that makes it king at once (K11); looked for only when one could."""
        seat, game = view.seat, self._game
        near = view.prestige[seat] >= VICTORY_PRESTIGE - _STEP
        if not near or all(land.fort < GRAN - 1 for land in view.lands[seat]):
            return None
        state = game.redeal(view, _stream(view))
        for action in legal:
            if action.word in _WINNING:
                after = state.copy()
                game.apply(after, action, seat)
                if after.over is not None and seat in after.over[1]:
                    return action
        return None

    def _as_planned(self, view: KingView, legal: Sequence[KingAction]) -> KingAction:
        """The next tile of a line-up or squad that was decided on as a whole."""
        start = begin(view)
        key = _digest(start)
        if self._going_on is None or self._going_on[0] != key:
            self._going_on = key, self._whole(start)
        step = next_step(view, legal, self._going_on[1])
        return legal[0] if step is None else step

    def _whole(self, view: KingView) -> Move:
        source, kind = _stream(view), view.frames[-1].kind
        table = Table(view, self._lore)
        if kind == "line":
            moves = line_moves(view, self._game.redeal(view, source), line_plan(table), self._mine)
        else:
            moves = squad_moves(view, squad(table), self._mine)
        best = self._best(view, moves, SHARES[kind], source)
        if kind == "line":
            again = line_variants(view, self._game.redeal(view, source), best, self._mine, source)
            best = self._best(view, again, SHARES[kind], source)
        return best

    def _best(self, view: KingView, moves: Sequence[Move], share: float, source: RandomStream) -> Move:
        return moves[0] if len(moves) == 1 else self._search.best(view, moves, self._budget.start(share), source)


def _digest(view: KingView) -> bytes:
    """32 bytes that stand for everything in the view."""
    content = repr([getattr(view, field.name) for field in fields(view) if field.name != "box"])
    return hashlib.sha256(content.encode()).digest()


def _stream(view: KingView) -> RandomStream:
    return RandomStream(_digest(view))
