"""Is A better than B? A test that stops as soon as it knows, with guaranteed error rates.

The scores of deals, numbers from 0 to 1, come one by one. Two hypotheses are tested: H0, their mean is at most ``p0``;
H1, it is at least ``p1``. Each has a likelihood ratio against it, a product with one factor for each deal:

* against H0: 1 + a (score - p0), with 0 <= a < 1 / p0;
* against H1: 1 - b (score - p1), with 0 <= b < 1 / (1 - p1).

Whatever the scores' distribution, and whatever a and b as long as they are chosen before the score is known, the mean
of such a factor is at most 1 while its hypothesis holds. So the product ever reaches 1 / alpha with a probability of at
most alpha (Ville's inequality), at whatever deal one stops: H1 is accepted where the ratio against H0 reaches 1 /
alpha, H0 where that against H1 reaches 1 / beta. Nothing is assumed but that deals are independent: not that the games
of one deal are, which share their dice, and no distribution of results.

For wins and losses counted one by one and fixed a and b this is Wald's sequential probability ratio test. Here a and b
follow the variance of the scores so far, so that dice shared by both sides, and draws, shorten the test (cf.
Waudby-Smith and Ramdas, Estimating means of bounded random variables by betting, 2024).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import log, sqrt
from typing import Any

from muniment.arena.statistics import Interval
from muniment.core.errors import MunimentError

__all__ = ["Hypotheses", "SequentialTest", "anytime_interval"]

_PRIOR_DEALS = 8  # how many deals the first guess of the variance counts for
_BOLDEST = 0.9  # a and b stay below this share of their limits, so that no single deal decides
_HALVINGS = 16  # an interval's ends are found to within 2**-16


@dataclass(frozen=True, slots=True)
class Hypotheses:
    """What is tested: H0, the mean score is at most p0; H1, it is at least p1; with the probabilities of being wrong.

    alpha: of accepting H1 where H0 holds, at most. beta: of accepting H0 where H1 holds, at most.
    Raises MunimentError unless 0 < p0 < p1 < 1 and alpha and beta are between 0 and 1/2.
    """

    p0: float
    p1: float
    alpha: float = 0.05
    beta: float = 0.05

    def __post_init__(self) -> None:
        if not 0 < self.p0 < self.p1 < 1:
            raise MunimentError(f"the test needs 0 < p0 < p1 < 1, not p0 = {self.p0} and p1 = {self.p1}")
        for name, rate in (("alpha", self.alpha), ("beta", self.beta)):
            if not 0 < rate < 0.5:
                raise MunimentError(f"the error rate {name} must be above 0 and below 0.5, not {rate}")

    def to_json(self) -> dict[str, float]:
        """The keys p0, p1, alpha, beta."""
        return {"p0": self.p0, "p1": self.p1, "alpha": self.alpha, "beta": self.beta}


class _Spread:
    """The variance of scores that come one by one, begun with a guess that counts for a number of them."""

    def __init__(self, guess: float, weight: int) -> None:
        self._guess = guess * weight
        self._weight = weight
        self._count = 0
        self._sum = 0.0
        self._squares = 0.0

    def add(self, score: float) -> None:
        """The next one."""
        self._count += 1
        self._sum += score
        self._squares += score * score

    @property
    def variance(self) -> float:
        """Of the scores so far and the guess."""
        seen = max(0.0, self._squares - self._sum**2 / self._count) if self._count else 0.0
        return (self._guess + seen) / (self._weight + self._count)


def anytime_interval(scores: Sequence[float], error: float = 0.05) -> Interval:
    """The mean of scores from 0 to 1, with an interval that holds however it was decided when to stop.

    The true mean is outside with a probability of at most ``error``, over all numbers of scores at once: the bets of
    the module's text are made against every mean there could be, half the stake above it and half below, and those
    that lost 1 / ``error`` times the stake are ruled out. It is wider than one for a number of scores fixed before.
    Raises ValueError if there are no scores.
    """
    if not scores:
        raise ValueError("there are no scores")
    spread = _Spread(0.25, 1)
    bets = []
    for number, score in enumerate(scores, 1):
        bets.append((sqrt(2 * log(2 / error) / (spread.variance * number * log(1 + number))), score))
        spread.add(score)
    limit = log(2 / error)
    estimate = sum(scores) / len(scores)
    low, high = (_end(bets, far, estimate, limit) for far in (0.0, 1.0))
    return Interval(estimate, low, high)


def _end(bets: Sequence[tuple[float, float]], far: float, near: float, limit: float) -> float:
    """The last mean between near and far that is ruled out, or far: those that are not make one interval."""
    if _lost(bets, far) < limit:
        return far
    for _ in range(_HALVINGS):
        middle = (near + far) / 2
        if _lost(bets, middle) < limit:
            near = middle
        else:
            far = middle
    return far


def _lost(bets: Sequence[tuple[float, float]], mean: float) -> float:
    """The logarithm of what the better of two bets, that scores are above or below a mean, has made of its stake."""
    above = below = 0.0
    for pace, score in bets:
        above += log(1 + (min(pace, _BOLDEST / mean) if mean else pace) * (score - mean))
        below += log(1 - (min(pace, _BOLDEST / (1 - mean)) if mean < 1 else pace) * (score - mean))
    return max(above, below)


@dataclass
class SequentialTest:
    """The test as it goes on.

    games: how many games a deal's score is the mean of; only a first guess at its variance. course: after each deal the
    logarithms of the likelihood ratios against H0 and against H1. scores: of the deals so far. verdict: "H1", "H0", or
    None while it is open.
    """

    hypotheses: Hypotheses
    games: int = 1
    course: list[tuple[float, float]] = field(default_factory=list)
    verdict: str | None = None
    scores: list[float] = field(default_factory=list)
    _spread: _Spread = field(init=False)

    def __post_init__(self) -> None:
        middle = (self.hypotheses.p0 + self.hypotheses.p1) / 2
        self._spread = _Spread(middle * (1 - middle) / self.games, _PRIOR_DEALS)

    @property
    def deals(self) -> int:
        """How many scores came."""
        return len(self.scores)

    @property
    def mean(self) -> float:
        """The mean of the scores; 0 if there are none."""
        return sum(self.scores) / max(self.deals, 1)

    @property
    def llr(self) -> tuple[float, float]:
        """The logarithms of the likelihood ratios against H0 and against H1 now."""
        return self.course[-1] if self.course else (0.0, 0.0)

    @property
    def bounds(self) -> tuple[float, float]:
        """What they must reach: ln(1 / alpha) and ln(1 / beta)."""
        return log(1 / self.hypotheses.alpha), log(1 / self.hypotheses.beta)

    def add(self, score: float) -> str | None:
        """The next deal's score, from 0 to 1; gives the verdict. Nothing counts any more once there is one.

        Raises ValueError for a score out of range.
        """
        if not 0 <= score <= 1:
            raise ValueError(f"a score of {score} is not from 0 to 1")
        if self.verdict is None:
            h, (against_h0, against_h1) = self.hypotheses, self.llr
            gap, variance = h.p1 - h.p0, self._spread.variance
            pace = gap / (variance + gap * gap)  # what makes the logarithm grow fastest, about
            a, b = min(pace, _BOLDEST / h.p0), min(pace, _BOLDEST / (1 - h.p1))
            against_h0 += log(1 + a * (score - h.p0))
            against_h1 += log(1 - b * (score - h.p1))
            self.course.append((against_h0, against_h1))
            self.scores.append(score)
            self._spread.add(score)
            if against_h0 >= self.bounds[0]:
                self.verdict = "H1"
            elif against_h1 >= self.bounds[1]:
                self.verdict = "H0"
        return self.verdict

    def to_json(self) -> dict[str, Any]:
        """Hypotheses, verdict, log-likelihood ratios with their bounds, and the mean score."""
        return {
            "hypotheses": self.hypotheses.to_json(),
            "verdict": self.verdict,
            "deals": self.deals,
            "mean_score": self.mean,
            "mean_score_interval": anytime_interval(self.scores).to_json() if self.scores else None,
            "llr_against_h0": self.llr[0],
            "llr_against_h1": self.llr[1],
            "bound_against_h0": self.bounds[0],
            "bound_against_h1": self.bounds[1],
        }
