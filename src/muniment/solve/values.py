"""The winning chance of any position under perfect play, and of every action in it.

Draws are looked up in the table; a turn is worked out again from its end, only where the position can go. The rules of
the engine lead from an action or a die to the next position, so that an action's value is that of what it really does.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass
from typing import Any

import numpy as np

from muniment.core.game import Over
from muniment.games.siege.actions import SiegeAction
from muniment.games.siege.game import Siege
from muniment.games.siege.state import ACTIONS_STEP, DRAW, SiegeState
from muniment.games.siege.terms import CLOSE_COMBAT, START
from muniment.solve.ruleset import Ruleset
from muniment.solve.space import cell_of, row_of
from muniment.solve.table import ERROR, Table
from muniment.solve.turn import Turn

__all__ = ["NOISE", "ActionValue", "PositionValue", "Values"]

NOISE = 1e-12  # actions closer than this have the same value but for rounding


@dataclass(frozen=True)
class ActionValue:
    """An action and the winning chance once it is chosen, before its die."""

    action: SiegeAction
    value: float


@dataclass(frozen=True)
class PositionValue:
    """A position's winning chance under perfect play, and that of every legal action, in the order of ``ACTIONS``."""

    value: float
    actions: tuple[ActionValue, ...]

    @property
    def best(self) -> ActionValue | None:
        """The best action, the first of equals; None where there is nothing to choose."""
        return next((a for a in self.actions if a.value >= self.value - NOISE), None)

    def of(self, action: SiegeAction) -> float:
        """The value of a legal action."""
        return next(a.value for a in self.actions if a.action is action)

    def to_json(self) -> dict[str, Any]:
        """The chances as a JSON object; ``error`` is the most by which any of them can be off."""
        best = self.best
        return {
            "value": self.value,
            "error": ERROR,
            "best": best.action.notation if best else None,
            "actions": [
                {"action": a.action.notation, "sentence": a.action.sentence, "value": a.value} for a in self.actions
            ],
        }


class Values:
    """Answers for one table. Safe to be asked by several threads at a time; they wait for each other."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.rules: Ruleset = table.rules
        self.game = Siege(self.rules.edition, self.rules.options)
        self._turn = Turn(self.rules, Turn.layers_needed(self.rules, complete=True))
        self._ready: tuple[int, int, int] | None = None
        self._blocks: frozenset[int] = frozenset()
        self._lock = threading.Lock()
        self._load_kernel()

    def _load_kernel(self) -> None:
        """Bring the compiled kernel to memory, so that the first question is as fast as the others."""
        state = self.game.initial()
        self.game.apply_outcome(state, self.game.chance(state).outcomes[0])
        self._value(state)

    def value(self, state: SiegeState) -> float:
        """The winning chance of the position, whatever it waits for. The state is not changed."""
        with self._lock:
            return self._value(state)

    def odds(self, state: SiegeState) -> PositionValue:
        """The winning chance of the position and of every legal action. The state is not changed."""
        with self._lock:
            legal = self.game.legal_actions(state)
            if legal:
                self._prepare(state)
            found = []
            for action in legal:
                after = state.copy()
                self.game.apply(after, action)
                found.append(ActionValue(action, self._value(after)))
            value = max(a.value for a in found) if found else self._value(state)
            return PositionValue(value, tuple(found))

    def _value(self, state: SiegeState) -> float:
        pending = self.game.pending(state)
        if isinstance(pending, Over):
            return float(pending.returns[0])
        block = self.rules.space.encode(state.units)
        if state.step == DRAW:
            return self.table.draw(state.day, state.deck, block, row_of(state.status), cell_of(state))
        if state.step == ACTIONS_STEP:
            self._prepare(state)
            number = self._turn.number(state.extra_used, state.points, state.boiled, block)
            return self._turn.at(number, block, row_of(state.status), cell_of(state))
        total = 0.0
        node = self.game.chance(state)
        for outcome in node.outcomes:
            after = state.copy()
            self.game.apply_outcome(after, outcome)
            total += self._value(after)
        return total / node.total

    def _prepare(self, state: SiegeState) -> None:
        """Work out the turn of the state's card, unless what there is covers the state."""
        here = (state.day, state.deck, state.card)
        blocks = self._within_reach(state)
        has = self._turn.has(state.extra_used, state.points, state.boiled)
        if self._ready == here and has and self._blocks.issuperset(blocks):
            return
        chosen = np.array(blocks, np.int64)
        self._turn.load(state.day, state.deck, self.table.after(state.day, state.deck), chosen)
        moves = self.rules.moves(state.day, state.card)
        self._turn.fill(moves, state.points - state.extra_used, chosen, complete=state.boiled)
        self._ready, self._blocks = here, frozenset(blocks)

    def _within_reach(self, state: SiegeState) -> list[int]:
        """The blocks that the turn can still lead to: with each action a unit goes back by a space at most (9.1)."""
        times = state.points + (not state.extra_used)
        farthest = [min(space + times, START) if space >= CLOSE_COMBAT else space for space in state.units]
        encode = self.rules.space.encode
        return [
            encode((a, b, c))
            for a in range(state.units[0], farthest[0] + 1)
            for b in range(state.units[1], farthest[1] + 1)
            for c in range(state.units[2], farthest[2] + 1)
        ]
