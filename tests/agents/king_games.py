"""Games of the king between agents, a decision at a time."""

from collections.abc import Iterator

from muniment.core.agent import Agent
from muniment.core.dice import RandomStream, SeededDice
from muniment.core.game import Chance, Decision, Over
from muniment.games.king import King
from muniment.games.king.actions import KingAction
from muniment.games.king.state import KingState
from muniment.games.king.views import KingView

KingAgent = Agent[KingAction, KingView]


def decisions(game: King, agents: list[KingAgent], seed: bytes) -> Iterator[tuple[KingState, KingView, KingAction]]:
    """Every decision of a game before it is carried out; an illegal one fails."""
    state = game.initial(len(agents))
    dice = SeededDice(seed)
    streams = [RandomStream.labelled(seed, "agent", seat) for seat in range(len(agents))]
    for _ in range(20_000):
        pending = game.pending(state)
        if isinstance(pending, Decision):
            seat = pending.seats[0]
            legal = game.legal_actions(state, seat)
            view = game.view(state, seat)
            action = agents[seat].choose(view, legal, streams[seat])
            assert action in legal, f"{agents[seat].name} at {pending.kind}: {action.notation}"
            yield state, view, action
            game.apply(state, action, seat)
        elif isinstance(pending, Chance):
            game.apply_outcome(state, game.sample(state, dice))
        else:
            assert isinstance(pending, Over)
            return
    raise AssertionError("the game does not end")
