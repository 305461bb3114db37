"""Weights from samples of games, and how good they are on games they were not learned from.

In every position each pair of seats with different results is an example: which of the two did better, told by the
difference of their features. A logistic regression over these, without an intercept, gives weights whose softmax over
the seats is the chance of winning (the model of Bradley and Terry, and of Luce for several). Games of two have weights
of their own. Every game counts the same, however long it was.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Final

from muniment.agents.evaluation.features import FEATURES
from muniment.agents.evaluation.selfplay import Sample
from muniment.agents.evaluation.weights import TABLES, Weights, table_of
from muniment.core.errors import MunimentError
from muniment.games.king.tiles import EDITIONS, standard_edition

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Truths = NDArray[np.bool_]

__all__ = ["fit", "fitted_text", "need_training"]

_SEATS: Final = 4
_HELD_OUT: Final = 5  # of so many games one is held out
_STRENGTH: Final = 1.0  # inverse of the regularisation, of features scaled to a standard deviation of 1
_BINS: Final = 10
_LEAST: Final = 1e-6


def need_training() -> None:
    """Raise MunimentError if scikit-learn is not installed."""
    if find_spec("sklearn") is None:
        raise MunimentError("training needs more packages: pip install 'muniment[train]'")


@dataclass(frozen=True)
class _Table:
    """Positions as arrays: features (position, seat, feature), who is in, results (position, seat), games, weights.

    kind: which of ``TABLES`` the game was.
    """

    features: Floats
    alive: Truths
    results: Floats
    game: NDArray[np.int64]
    weight: Floats
    kind: NDArray[np.int64]

    def of(self, chosen: Truths) -> _Table:
        """Some of the positions."""
        return _Table(
            self.features[chosen], self.alive[chosen], self.results[chosen], self.game[chosen], self.weight[chosen],
            self.kind[chosen],
        )  # fmt: skip

    def chances(self, values: Floats) -> Floats:
        """What weights, a row for each of ``TABLES``, say of every position."""
        import numpy as np

        scores = np.where(self.alive, np.einsum("psf,pf->ps", self.features, values[self.kind]), -np.inf)
        powers = np.exp(scores - scores.max(axis=1, keepdims=True))
        return np.asarray(powers / powers.sum(axis=1, keepdims=True))

    def log_loss(self, chances: Floats) -> float:
        """The mean of -ln of the chance given to who won, over games."""
        import numpy as np

        losses = -(self.results * np.log(np.maximum(chances, _LEAST))).sum(axis=1)
        return float(np.average(losses, weights=self.weight))


def _table(samples: Sequence[Sample]) -> _Table:
    import numpy as np

    positions = sum(len(sample.positions) for sample in samples)
    features = np.zeros((positions, _SEATS, len(FEATURES)))
    alive = np.zeros((positions, _SEATS), bool)
    results = np.zeros((positions, _SEATS))
    game = np.zeros(positions, np.int64)
    kind = np.array([table_of(len(sample.returns)) for sample in samples], np.int64)
    at = 0
    for number, sample in enumerate(samples):
        for rows in sample.positions:
            for seat, row in enumerate(rows):
                if row:
                    features[at, seat], alive[at, seat] = row, True
            results[at, : len(rows)] = sample.returns
            game[at] = number
            at += 1
    weight = 1 / np.bincount(game, minlength=len(samples))[game]
    return _Table(features, alive, results, game, weight, kind[game])


def _learn(table: _Table, columns: Sequence[int]) -> Floats:
    """A weight for each of ``TABLES`` and each feature: learned for these columns, 0 for all others.

    Of a kind of table without decided games the weights are those of all games.
    """
    import numpy as np

    own = [_learn_one(table.of(table.kind == kind), columns) for kind in range(len(TABLES))]
    if any(found is None for found in own):
        everything = _learn_one(table, columns)
        if everything is None:
            raise MunimentError("too few games to learn from: play more of them")
        own = [everything if found is None else found for found in own]
    return np.array(own)


def _learn_one(table: _Table, columns: Sequence[int]) -> Floats | None:
    """The weights of one kind of table, None if no pair of seats there did better and worse."""
    import numpy as np
    from sklearn.linear_model import LogisticRegression
    from threadpoolctl import threadpool_limits

    used = table.features[:, :, columns]
    differences, better, weight = [], [], []
    for one in range(_SEATS):
        for other in range(one):
            gap = table.results[:, one] - table.results[:, other]
            pair = table.alive[:, one] & table.alive[:, other] & (gap != 0)
            differences.append(used[pair, one] - used[pair, other])
            better.append(gap[pair] > 0)
            weight.append(table.weight[pair] * abs(gap[pair]))
    outcomes = np.concatenate(better)
    if outcomes.all() or not outcomes.any():
        return None
    scale = used[table.alive].std(axis=0)
    scale[scale == 0] = 1.0
    model = LogisticRegression(C=_STRENGTH, fit_intercept=False, max_iter=2000)
    with threadpool_limits(1):  # sums in the same order whatever the number of cores
        model.fit(np.concatenate(differences) / scale, outcomes, sample_weight=np.concatenate(weight))
    values = np.zeros(len(FEATURES))
    values[list(columns)] = model.coef_[0] / scale
    return values


def fit(samples: Sequence[Sample], seed: str, agents: Sequence[str]) -> Weights:
    """The weights learned from all games, with the figures of weights learned in the same way from four fifths of them.

    The figures (``Weights.trained``) are of every fifth game, which those weights have not met: the log loss of the
    learned chances, of a softmax of prestige alone, and of equal chances; and the calibration, for every tenth of
    the range of chances: the mean chance, how often the seat won, and the share of seats. Equal samples give equal
    weights, but for the rounding of the machine's linear algebra.

    Raises MunimentError if there are too few games to learn from.
    """
    import numpy as np

    table = _table(samples)
    held_out = table.game % _HELD_OUT == 0
    rest, test = table.of(~held_out), table.of(held_out)
    if not len(rest.game) or not len(test.game):
        raise MunimentError("too few games to learn from: play more of them")
    everything = range(len(FEATURES))
    chances = test.chances(_learn(rest, everything))
    prestige = test.chances(_learn(rest, [FEATURES.index("prestige")]))
    uniform = test.chances(np.zeros((len(TABLES), len(FEATURES))))
    losses: dict[str, dict[str, float]] = {}
    for at, kind in enumerate(TABLES):
        chosen = test.kind == at
        if chosen.any():
            told = {"learned": chances, "prestige": prestige, "uniform": uniform}
            part = test.of(chosen)
            losses[kind] = {name: round(part.log_loss(found[chosen]), 4) for name, found in told.items()}
    trained = {
        "seed": seed,
        "agents": list(agents),
        "games": len(samples),
        "positions": len(table.game),
        "held_out": {
            "games": len(np.unique(test.game)),
            "log_loss": losses,
            "calibration": _calibration(test, chances),
        },
    }
    values = _learn(table, everything)
    editions = {name: standard_edition(name).digest for name in EDITIONS}
    return Weights(tuple([tuple(map(float, found)) for found in values]), editions, trained)


def _calibration(table: _Table, chances: Floats) -> list[list[float]]:
    """For each tenth of the range that occurs: mean chance, share of wins, share of seats."""
    import numpy as np

    weight = np.repeat(table.weight[:, None], _SEATS, axis=1)[table.alive]
    given, won = chances[table.alive], table.results[table.alive]
    bins = np.minimum((given * _BINS).astype(int), _BINS - 1)
    found: list[list[float]] = []
    for number in range(_BINS):
        chosen = bins == number
        if (total := weight[chosen].sum()) > 0:
            means = [np.average(values[chosen], weights=weight[chosen]) for values in (given, won)]
            found.append([round(float(x), 3) for x in (*means, total / weight.sum())])
    return found


def fitted_text(weights: Weights) -> list[str]:
    """What was learned and how good it is, for people."""
    trained: dict[str, Any] = dict(weights.trained)
    held_out = trained["held_out"]
    lines = [
        f"{trained['games']:,} games by {', '.join(trained['agents'])}, seed {trained['seed']}",
        f"{trained['positions']:,} positions",
        "",
        f"log loss on {held_out['games']:,} games held out",
        *[
            f"  {table:<14}{name:<10}{loss:8.4f}"
            for table, losses in held_out["log_loss"].items()
            for name, loss in losses.items()
        ],
        "",
        "chance given   won     of seats",
    ]
    lines += [f"  {given:9.1%}{won:9.1%}{share:11.1%}" for given, won, share in held_out["calibration"]]
    return lines
