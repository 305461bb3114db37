"""Comparing moves: the same deals and dice for each, halving the field as doubts go, a tree of what comes after."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import sqrt
from typing import Final

from muniment.agents.evaluation.chances import Evaluation
from muniment.agents.marshal.budget import Clock
from muniment.agents.marshal.moves import Move, carry_out
from muniment.agents.marshal.reflex import Reflex
from muniment.agents.marshal.tree import Node
from muniment.core.chance import Source
from muniment.core.dice import SEED_BYTES, RandomStream
from muniment.games.king.actions import KingAction
from muniment.games.king.game import King
from muniment.games.king.state import KingState
from muniment.games.king.steps import CHANCES, CHOICES
from muniment.games.king.views import KingView

__all__ = ["Search"]

_BRANCHING: Final = frozenset(("war", "purchase", "build", "for-sale", "stop"))
_MOST_STEPS: Final = 2_000
_SURE: Final = 1.0
"""How many standard errors another move must be ahead to be made in place of the doctrine's."""
_HOPELESS: Final = 2.5
"""How many standard errors behind the leader a move is given up."""
_TRIFLE: Final = 0.005
_LEAST: Final = 6
"""How many deals are compared at least before a move is given up."""
_DECIDED: Final = 0.01
"""Closer than this to 0 or 1 the game is decided, and the moves do not matter."""


@dataclass(slots=True)
class _Candidate:
    """A move with the searcher's chances on each deal, and the tree below it."""

    move: Move
    node: Node
    results: list[float] = field(default_factory=list)

    @property
    def mean(self) -> float:
        """The average of the results."""
        return sum(self.results) / len(self.results)


def _lead(one: _Candidate, other: _Candidate) -> tuple[float, float]:
    """How far one candidate is ahead of another on the same deals, and the standard error of that."""
    ahead = [a - b for a, b in zip(one.results, other.results, strict=True)]
    number = len(ahead)
    mean = sum(ahead) / number
    if number == 1:
        return mean, 1.0
    return mean, sqrt(sum([(a - mean) ** 2 for a in ahead]) / (number - 1) / number)


def _behind(one: _Candidate, leader: _Candidate) -> bool:
    """Whether a candidate is so far behind that more deals will hardly change it."""
    lead, error = _lead(leader, one)
    return lead > _HOPELESS * error + _TRIFLE


class Search:
    """Monte Carlo tree search over re-dealt states. mine, theirs: how the searcher and the others are played on."""

    def __init__(self, game: King, mine: Reflex, theirs: Reflex, evaluation: Evaluation) -> None:
        self._game = game
        self._mine = mine
        self._theirs = theirs
        self._evaluation = evaluation
        self.iterations = 0

    def best(self, view: KingView, moves: Sequence[Move], clock: Clock, source: Source) -> Move:
        """The move to make: the first one, unless another is better by more than chance would have it.

        Each deal is played on once for every move still in the field, with the same dice as long as they lead the same
        way. The weaker half of the field goes when its share of the budget is used up, a move that is clearly behind
        at any time; the search ends early when nothing is left to decide.
        """
        alive = [_Candidate(move, Node(view.seats)) for move in moves]
        first = alive[0]
        share = clock.left // max(1, (len(moves) - 1).bit_length())
        spent = 0
        while len(alive) > 1 and not clock.over:
            deal = self._game.redeal(view, source)
            seed = bytes([source.below(256) for _ in range(SEED_BYTES)])
            for one in alive:
                one.results.append(self._iterate(view.seat, deal.copy(), one, RandomStream(seed)))
            clock.left -= len(alive)
            spent += len(alive)
            self.iterations += len(alive)
            if len(first.results) >= _LEAST:
                if all(not _DECIDED < one.mean < 1 - _DECIDED for one in alive):
                    break
                leader = max(alive, key=lambda one: one.mean)
                alive = [one for one in alive if one is leader or not _behind(one, leader)]
            if spent >= share and len(alive) > 2:
                spent = 0
                order = sorted(alive, key=lambda one: -one.mean)[: (len(alive) + 1) // 2]
                alive = order if first in order or first not in alive else [*order, first]
        leader = max(alive, key=lambda one: one.mean if one.results else 0.0)
        if first in alive and leader is not first:
            ahead, error = _lead(leader, first)
            return leader.move if ahead > _SURE * error else first.move
        return leader.move if leader.results else first.move

    def _iterate(self, seat: int, s: KingState, one: _Candidate, dice: RandomStream) -> float:
        """Play a move on to the horizon; what it is worth to the searcher.

        In a duel that is the start of the next turn. With more seats it is the end of the part in which the move is
        made: to play the rest of the turn, too, takes three times as long, and moves were not chosen better for it.
        """
        game, turn, part, duel = self._game, s.turn, (s.acting, s.phase), s.seats == 2
        carry_out(game, s, one.move)
        node: Node | None = one.node
        path = [one.node]
        for _ in range(_MOST_STEPS):
            f = s.frames[-1]
            kind = f[0]
            if s.over is not None or (s.turn > turn if duel else (s.acting, s.phase) != part):
                break
            if kind in CHOICES:
                quick = self._mine if f.seat == seat else self._theirs
                action = quick.choose(s)
                if node is not None and kind in _BRANCHING:
                    options = self._options(s, action)
                    if len(options) > 1:
                        action = node.select(f.seat, options)
                        after = node.child(f.seat, action)
                        path.append(after)
                        node = after if after.visits else None
                game.apply(s, action, f.seat)
            else:
                game.apply_outcome(s, CHANCES[kind].sample(s, f, dice))
        values = self._evaluation.chances(s)
        for passed in path:
            passed.add(values)
        return values[seat]

    def _options(self, s: KingState, first: KingAction) -> list[KingAction]:
        """What is branched on: the quick player's choice, then the others that are worth a thought."""
        f = s.frames[-1]
        legal = CHOICES[f[0]].legal(s, f)
        if f.kind == "build":
            if first.word == "place":
                return [first]
            legal = [a for a in legal if a.word in ("fort", "done")]
        elif f.kind == "war":
            legal = [a for a in legal if a.word != "trade"]
        elif f.kind == "stop":
            legal = [a for a in legal if a.word != "dispell"]
        return [first, *[a for a in legal if a != first]]
