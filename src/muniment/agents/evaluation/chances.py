"""The evaluation itself: a score for each seat, a softmax over the seats still in the game."""

from __future__ import annotations

from functools import lru_cache
from math import exp
from operator import mul

from muniment.agents.evaluation.features import Measures
from muniment.agents.evaluation.weights import Weights, shipped_weights, table_of
from muniment.games.king.game import King
from muniment.games.king.state import KingState

__all__ = ["Evaluation", "chances"]


class Evaluation:
    """The winning chances of positions of one game. Without weights of one's own, those of the package.

    They were learned with the printed editions; a variant's tiles are measured by what is printed on them.
    """

    def __init__(self, game: King, weights: Weights | None = None) -> None:
        self._measures = Measures(game.box)
        self._weights = (weights or shipped_weights()).values

    def chances(self, state: KingState) -> tuple[float, ...]:
        """Each seat's chance of winning, from 0 to 1, in all 1.

        state: any position, in the middle of a battle, too; whatever it holds is taken as it is, so a player asks about
        states re-dealt from its view. A finished game gives its result: 1 and 0, equal shares where it is shared.
        """
        if state.over is not None:
            winners = state.over[1]
            return tuple([1 / len(winners) if seat in winners else 0.0 for seat in range(state.seats)])
        weights = self._weights[table_of(state.seats)]
        scores = [sum(map(mul, row, weights)) if row else None for row in self._measures.of(state)]
        best = max([score for score in scores if score is not None])
        powers = [0.0 if score is None else exp(score - best) for score in scores]
        total = sum(powers)
        return tuple([power / total for power in powers])


def chances(game: King, state: KingState) -> tuple[float, ...]:
    """``Evaluation.chances`` with the weights of the package; what follows from the edition is kept between calls."""
    return _evaluation(game).chances(state)


@lru_cache(maxsize=16)
def _evaluation(game: King) -> Evaluation:
    return Evaluation(game)
