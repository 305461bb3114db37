"""Playing many games with nobody watching: no record, no events, the same rules and the same dice."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from muniment.core.agent import Agent
from muniment.core.chance import Outcome
from muniment.core.dice import RandomStream, SeededDice
from muniment.core.game import Action, Chance, Decision, Game, Over, State, View

__all__ = ["play_out"]

S = TypeVar("S", bound=State)
A = TypeVar("A", bound=Action)
O = TypeVar("O", bound=Outcome)
V = TypeVar("V", bound=View)


def play_out(
    game: Game[S, A, O, V],
    agents: Sequence[Agent[A, V]],
    seed: bytes,
    *,
    state: S | None = None,
    watch: Callable[[S], None] | None = None,
    max_decisions: int | None = None,
) -> tuple[S, int]:
    """One game from the set-up (or a state, which is not changed) to its end.

    agents: one for each seat. seed: 32 bytes for dice and agents. watch: called with the state before each decision;
    it must not change or keep it. max_decisions: stop there, None for never.
    Returns the last state and the number of decisions.
    """
    now = game.initial(len(agents)) if state is None else state.copy()
    dice = SeededDice(seed)
    streams = [RandomStream.labelled(seed, "agent", seat) for seat in range(len(agents))]
    decisions = 0
    while True:
        pending = game.pending(now)
        if isinstance(pending, Decision):
            if decisions == max_decisions:
                return now, decisions
            if watch is not None:
                watch(now)
            seat = pending.seats[0]
            action = agents[seat].choose(game.view(now, seat), game.legal_actions(now, seat), streams[seat])
            game.apply(now, action, seat)
            decisions += 1
        elif isinstance(pending, Chance):
            game.apply_outcome(now, game.sample(now, dice))
        else:
            assert isinstance(pending, Over)
            return now, decisions
