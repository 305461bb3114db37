"""The sequential test: its first steps by hand, its guarantee exactly, its error rates by simulation."""

from collections.abc import Callable, Iterator
from itertools import product
from math import exp, isclose, log

import pytest

from muniment.arena.sequential import Hypotheses, SequentialTest, anytime_interval
from muniment.core.dice import RandomStream
from muniment.core.errors import MunimentError

Model = Callable[[RandomStream, float, int], Iterator[float]]
NEVER = 1e-12  # an error rate at which a short test is never decided


def test_the_first_deal_by_hand() -> None:
    """gap 0.1, first variance 0.55 * 0.45 / 1 = 0.2475: both paces are 0.1 / (0.2475 + 0.01) = 0.38835."""
    won, lost = SequentialTest(Hypotheses(0.5, 0.6)), SequentialTest(Hypotheses(0.5, 0.6))
    won.add(1)
    lost.add(0)
    assert won.llr == pytest.approx((log(1 + 0.1 / 0.2575 * 0.5), log(1 - 0.1 / 0.2575 * 0.4)))
    assert lost.llr == pytest.approx((log(1 - 0.1 / 0.2575 * 0.5), log(1 + 0.1 / 0.2575 * 0.6)))
    assert [round(value, 4) for value in won.llr] == [0.1775, -0.1688]


def test_the_second_deal_goes_by_the_variance_seen() -> None:
    """After one win the variance is (8 * 0.2475 + 0) / 9 = 0.22."""
    test = SequentialTest(Hypotheses(0.5, 0.6))
    test.add(1)
    before = test.llr[0]
    test.add(1)
    assert test.llr[0] - before == pytest.approx(log(1 + 0.1 / 0.23 * 0.5))


def test_the_bounds_are_those_of_the_error_rates() -> None:
    bounds = SequentialTest(Hypotheses(0.5, 0.6, alpha=0.05, beta=0.01)).bounds
    assert [round(bound, 4) for bound in bounds] == [2.9957, 4.6052]


@pytest.mark.parametrize("chances", [{0.0: 0.5, 1.0: 0.5}, {0.0: 0.2, 0.5: 0.6, 1.0: 0.2}, {0.25: 0.9, 1.0: 0.1}])
def test_the_mean_likelihood_ratio_is_one_whatever_the_distribution(chances: dict[float, float]) -> None:
    """All sequences of five deals whose mean is a hypothesis: the ratio against it is 1 on average (a martingale)."""
    mean = sum(score * chance for score, chance in chances.items())
    against_h0 = against_h1 = 0.0
    for scores in product(chances, repeat=5):
        weight = 1.0
        below = SequentialTest(Hypotheses(mean, mean + 0.2, NEVER, NEVER), games=2)
        above = SequentialTest(Hypotheses(mean - 0.2, mean, NEVER, NEVER), games=2)
        for score in scores:
            weight *= chances[score]
            below.add(score)
            above.add(score)
        against_h0 += weight * exp(below.llr[0])
        against_h1 += weight * exp(above.llr[1])
    assert isclose(against_h0, 1, rel_tol=1e-9)
    assert isclose(against_h1, 1, rel_tol=1e-9)


def independent(stream: RandomStream, share: float, seats: int) -> Iterator[float]:
    """The games of a deal have nothing to do with each other."""
    while True:
        yield sum(stream.below(10_000) < share * 10_000 for _ in range(seats)) / seats


def all_alike(stream: RandomStream, share: float, seats: int) -> Iterator[float]:
    """The dice alone decide: a deal is won in every seat or in none."""
    while True:
        yield float(stream.below(10_000) < share * 10_000)


def balanced(stream: RandomStream, share: float, seats: int) -> Iterator[float]:
    """What the dice give to one seat they take from another."""
    while True:
        first = stream.below(10_000) / 10_000
        yield sum((first + seat / seats) % 1 < share for seat in range(seats)) / seats


@pytest.mark.parametrize("model", [independent, all_alike, balanced])
@pytest.mark.parametrize(("p0", "p1", "seats"), [(0.5, 0.6, 2), (0.35, 0.5, 4)])
def test_error_rates_by_simulation(p0: float, p1: float, seats: int, model: Model) -> None:
    """300 tests under each hypothesis: at most 5% wrong verdicts, plus three standard deviations (8.8%)."""
    stream = RandomStream.labelled(b"error rates", model.__name__, seats)
    for truth, wrong in ((p0, "H1"), (p1, "H0")):
        verdicts = []
        for _ in range(300):
            test = SequentialTest(Hypotheses(p0, p1), seats)
            scores = model(stream, truth, seats)
            while test.verdict is None:
                test.add(next(scores))
            verdicts.append(test.verdict)
        assert verdicts.count(wrong) <= 26


def test_it_is_nearly_as_short_as_wald_s() -> None:
    """Independent games at p1: Wald's expects ((1 - b) ln((1 - b) / a) + b ln(b / (1 - a))) / E[llr] = 132 games."""
    stream = RandomStream.labelled(b"length", 1)
    games = 0
    for _ in range(300):
        test = SequentialTest(Hypotheses(0.5, 0.6), 2)
        for score in independent(stream, 0.6, 2):
            games += 2
            if test.add(score):
                break
    assert 110 < games / 300 < 180


def test_nothing_counts_after_the_verdict() -> None:
    test = SequentialTest(Hypotheses(0.5, 0.9))
    while test.add(1) is None:
        pass
    before = test.to_json()
    test.add(0)
    assert test.to_json() == before
    assert before["verdict"] == "H1"
    assert before["mean_score"] == 1.0


@pytest.mark.parametrize(
    ("p0", "p1", "alpha", "beta", "words"),
    [
        (0.6, 0.5, 0.05, 0.05, "p0 = 0.6 and p1 = 0.5"),
        (0.5, 0.5, 0.05, 0.05, "0 < p0 < p1 < 1"),
        (0.0, 0.5, 0.05, 0.05, "0 < p0"),
        (0.5, 1.0, 0.05, 0.05, "p1 < 1"),
        (0.5, 0.6, 0.0, 0.05, "error rate alpha"),
        (0.5, 0.6, 0.05, 0.5, "error rate beta"),
        (float("nan"), 0.6, 0.05, 0.5, "p0 = nan"),
    ],
)
def test_hypotheses_that_cannot_be_tested(p0: float, p1: float, alpha: float, beta: float, words: str) -> None:
    with pytest.raises(MunimentError, match=words):
        Hypotheses(p0, p1, alpha, beta)


def test_a_score_out_of_range_is_refused() -> None:
    with pytest.raises(ValueError, match="from 0 to 1"):
        SequentialTest(Hypotheses(0.5, 0.6)).add(2)


@pytest.mark.parametrize(("p0", "p1", "truth", "seats"), [(0.5, 0.6, 0.55, 2), (0.25, 0.35, 0.4, 4)])
def test_the_interval_holds_though_the_test_chose_when_to_stop(p0: float, p1: float, truth: float, seats: int) -> None:
    """At most 5% of 60 intervals miss, plus three standard deviations (13%)."""
    stream = RandomStream.labelled(b"interval", seats)
    missed = 0
    for _ in range(60):
        test = SequentialTest(Hypotheses(p0, p1), seats)
        scores = independent(stream, truth, seats)
        while test.deals < 200 and test.verdict is None:
            test.add(next(scores))
        interval = anytime_interval(test.scores)
        assert interval.low <= interval.estimate <= interval.high
        missed += not interval.low <= truth <= interval.high
    assert missed <= 8


def test_the_interval_narrows_with_the_deals() -> None:
    few, many = anytime_interval([1.0, 0.0] * 20), anytime_interval([1.0, 0.0] * 200)
    assert few.estimate == many.estimate == 0.5
    assert 0.1 < few.low < many.low < 0.45
    assert 0.55 < many.high < few.high < 0.9
    assert anytime_interval([0.5] * 200).low > many.low


def test_one_deal_says_next_to_nothing() -> None:
    assert anytime_interval([1.0]).low < 0.1
    with pytest.raises(ValueError, match="no scores"):
        anytime_interval([])
