"""Exact walks, on a game of two coins whose whole tree fits on the back of an envelope.

The player may stop with what he has or toss, at most twice; a head (1 in 3) adds a point, a tail ends the game with
nothing. Two points win, one is half a win.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import pytest

from muniment.core.chance import ChanceNode
from muniment.core.explore import best_value, frontier
from muniment.core.game import Chance, Decision, Over


@dataclass
class Coins:
    points: int = 0
    tosses: int = 2
    flying: bool = False
    over: bool = False

    def copy(self) -> Coins:
        return replace(self)

    def key(self) -> Hashable:
        return (self.points, self.tosses, self.flying, self.over)


class Game:
    """As much of a game as a walk asks for."""

    def __init__(self, seats: int = 1) -> None:
        self.seats = seats

    def seats_of(self, state: Coins) -> int:
        return self.seats

    def pending(self, state: Coins) -> Any:
        if state.over:
            return Over((Fraction(state.points, 2),), "stopped", "1")
        return Chance("toss", "1", "a coin") if state.flying else Decision((0,), "toss?", "1")

    def legal_actions(self, state: Coins, seat: int) -> list[str]:
        return ["stop", "toss"] if state.tosses else ["stop"]

    def apply(self, state: Coins, action: str, seat: int) -> None:
        if action == "stop":
            state.over = True
        else:
            state.flying, state.tosses = True, state.tosses - 1

    def chance(self, state: Coins) -> ChanceNode[str]:
        return ChanceNode(("head", "tail"), (1, 2))

    def apply_outcome(self, state: Coins, outcome: str) -> None:
        state.flying = False
        if outcome == "head":
            state.points += 1
        else:
            state.points, state.over = 0, True


GAME: Any = Game()


def test_the_whole_tree() -> None:
    """Ends: stop with 0, 1 or 2 points; a tail at the first or the second toss. Decisions: 0, 1 and 2 points."""
    found = frontier(GAME, Coins(), lambda state: False)
    assert set(found.ends) == {(0, 2, False, True), (1, 1, False, True), (2, 0, False, True), (0, 1, False, True),
                               (0, 0, False, True)}  # fmt: skip
    assert (found.decisions, found.chances) == (3, 2)
    assert all(state.key() == key for key, state in found.ends.items())


def test_a_walk_stops_where_it_is_told() -> None:
    """But goes on from where it begins, although that is such a place."""
    found = frontier(GAME, Coins(), lambda state: not state.flying)
    assert set(found.ends) == {(0, 2, False, True), (1, 1, False, False), (0, 1, False, True)}
    assert (found.decisions, found.chances) == (1, 1)


def test_a_walk_begins_at_chance_too() -> None:
    found = frontier(GAME, Coins(tosses=0, flying=True), lambda state: not state.flying)
    assert (set(found.ends), found.decisions, found.chances) == ({(1, 0, False, False), (0, 0, False, True)}, 0, 1)
    ended = Coins(over=True)
    assert frontier(GAME, ended, lambda state: False).ends == {ended.key(): ended}


def test_values() -> None:
    """By hand: with a point, tossing is worth 1/3 and stopping 1/2; so the first toss is worth 1/3 of 1/2."""
    assert best_value(GAME, Coins(), lambda state: None, Fraction) == Fraction(1, 6)
    assert best_value(GAME, Coins(points=1, tosses=1), lambda state: None, Fraction) == Fraction(1, 2)
    assert best_value(GAME, Coins(), lambda state: None, float) == pytest.approx(1 / 6)


def test_leaves() -> None:
    """A leaf's value is used as given, not looked at again below; the first state is never one."""
    assert best_value(GAME, Coins(), lambda state: Fraction(9, 10) if state.points else None, Fraction) == Fraction(
        3, 10
    )
    assert best_value(GAME, Coins(), lambda state: Fraction(7), Fraction) == 7
    worth_nothing = best_value(GAME, Coins(), lambda state: Fraction(0) if state.over else None, Fraction)
    assert worth_nothing == 0


def test_nothing_changes() -> None:
    state = Coins()
    frontier(GAME, state, lambda state: False)
    best_value(GAME, state, lambda state: None, Fraction)
    assert state == Coins()


def test_values_are_for_one_player() -> None:
    several: Any = Game(2)
    with pytest.raises(ValueError, match="one player"):
        best_value(several, Coins(), lambda state: None, Fraction)
