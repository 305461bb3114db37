"""Exact walks over a game's decisions and chance nodes: small trees, counted or valued without sampling."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, TypeVar

from muniment.core.game import Chance, Decision, Game, Over, State

__all__ = ["Frontier", "best_value", "frontier"]

S = TypeVar("S", bound=State)


@dataclass
class Frontier:
    """Where a part of a game can end: the distinct positions, and how many of each kind of node led there."""

    ends: dict[Hashable, Any] = field(default_factory=dict)
    decisions: int = 0
    chances: int = 0


def frontier(game: Game[S, Any, Any, Any], state: S, stop: Callable[[S], bool]) -> Frontier:
    """Every distinct position reachable from the state at which ``stop`` holds or the game is over.

    The state itself is expanded even if ``stop`` holds for it. Decisions of every seat that must answer are followed.
    """
    found = Frontier()
    seen = {state.key()}
    todo = [state.copy()]
    first = True
    while todo:
        now = todo.pop()
        pending = game.pending(now)
        if isinstance(pending, Over) or (not first and stop(now)):
            found.ends[now.key()] = now
            continue
        first = False
        followers = []
        if isinstance(pending, Decision):
            found.decisions += 1
            for seat in pending.seats:
                for action in game.legal_actions(now, seat):
                    follower = now.copy()
                    game.apply(follower, action, seat)
                    followers.append(follower)
        else:
            found.chances += 1
            for outcome in game.chance(now).outcomes:
                follower = now.copy()
                game.apply_outcome(follower, outcome)
                followers.append(follower)
        for follower in followers:
            if (key := follower.key()) not in seen:
                seen.add(key)
                todo.append(follower)
    return found


N = TypeVar("N", Fraction, float)


def best_value(game: Game[S, Any, Any, Any], state: S, leaf: Callable[[S], N | None], number: Callable[[int], N]) -> N:
    """The expected result under the best choices of a one-player game, by plain recursion with a memory.

    leaf: the value of a state, or None to look deeper; asked of every state but the first, and of ended ones.
    number: ``Fraction`` for exact values, ``float`` for fast ones.
    Raises ValueError for a game of several seats.
    """
    if game.seats_of(state) != 1:
        raise ValueError("best_value is for games of one player")
    memory: dict[Hashable, N] = {}

    def value(now: S, root: bool) -> N:
        key = now.key()
        if not root and (known := memory.get(key)) is not None:
            return known
        pending = game.pending(now)
        result = None if root else leaf(now)
        if result is None:
            if isinstance(pending, Over):
                result = number(pending.returns[0].numerator) / number(pending.returns[0].denominator)
            elif isinstance(pending, Chance):
                node = game.chance(now)
                total = number(0)
                for outcome, weight in zip(node.outcomes, node.weights, strict=True):
                    follower = now.copy()
                    game.apply_outcome(follower, outcome)
                    total += number(weight) * value(follower, False)
                result = total / number(node.total)
            else:
                result = max(value(_after(game, now, action), False) for action in game.legal_actions(now, 0))
        memory[key] = result
        return result

    return value(state, True)


def _after(game: Game[S, Any, Any, Any], state: S, action: Any) -> S:
    follower = state.copy()
    game.apply(follower, action, 0)
    return follower
