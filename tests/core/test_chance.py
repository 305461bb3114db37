"""Chance nodes: exact probabilities, and sampling with them."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muniment.core.chance import ChanceNode
from muniment.core.dice import RandomStream


class Script:
    """A source that gives the numbers it was told to, and notes what it was asked."""

    def __init__(self, *numbers: int) -> None:
        self.numbers = list(numbers)
        self.asked: list[int] = []

    def below(self, n: int) -> int:
        self.asked.append(n)
        return self.numbers.pop(0)


def test_probabilities_are_exact() -> None:
    node = ChanceNode(("a", "b", "c"), (1, 2, 3))
    assert node.total == 6
    assert node.probabilities() == (("a", Fraction(1, 6)), ("b", Fraction(1, 3)), ("c", Fraction(1, 2)))
    assert ChanceNode.uniform(("a", "b", "c")).probabilities() == tuple((o, Fraction(1, 3)) for o in "abc")


@given(st.lists(st.integers(1, 10**6), min_size=1, max_size=30))
def test_probabilities_sum_to_exactly_1(weights: list[int]) -> None:
    node = ChanceNode(tuple(range(len(weights))), tuple(weights))
    assert sum(probability for _, probability in node.probabilities()) == 1


@pytest.mark.parametrize(
    ("outcomes", "weights"), [((), ()), (("a",), ()), (("a",), (0,)), (("a", "b"), (1, -1)), (("a", "b"), (1,))]
)
def test_bad_nodes(outcomes: tuple[str, ...], weights: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match="at least one outcome and one positive weight"):
        ChanceNode(outcomes, weights)


def test_sampling_follows_the_weights() -> None:
    """Every number below the total once: each outcome comes as often as its weight says, asking once."""
    node = ChanceNode(("a", "b", "c"), (1, 2, 3))
    script = Script(*range(6))
    assert [node.sample(script) for _ in range(6)] == ["a", "b", "b", "c", "c", "c"]
    assert script.asked == [6] * 6
    assert [ChanceNode.uniform(("a", "b")).sample(Script(n)) for n in (0, 1)] == ["a", "b"]
    assert ChanceNode(("a",), (5,)).sample(Script(4)) == "a"


def test_sampling_with_real_dice() -> None:
    node = ChanceNode(("a", "b"), (1, 3))
    stream = RandomStream(bytes(32))
    counts = [node.sample(stream) for _ in range(4_000)].count("a")
    assert 900 < counts < 1_100, "4 standard deviations are 110"
