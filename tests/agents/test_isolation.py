"""No agent of either game has a way to the hidden state: a walk over everything that it is given, and what it keeps."""

from collections.abc import Sequence
from typing import Any

import pytest

from muniment.agents.catalog import agent_names, make_agent
from muniment.core.agent import Agent
from muniment.core.chance import Source
from muniment.core.dice import RandomStream, SeededDice, seed_from_text
from muniment.core.game import Game
from muniment.core.match import Match
from muniment.core.playout import play_out
from muniment.games.king import King
from muniment.games.king.state import KingState
from muniment.games.siege import Siege
from muniment.games.siege.state import SiegeState
from tests.agents.test_agents import reachable

AnyGame = Game[Any, Any, Any, Any]
SECRETS = (KingState, SiegeState, SeededDice, Match)
GAMES: tuple[tuple[AnyGame, int], ...] = ((Siege(), 1), (King(), 3))
SEED = seed_from_text("isolation")
FAST = {"marshal": "marshal:3", "sentry": "sentry:3"}


class Watched(Agent[Any, Any]):
    """Lets another agent choose; looks at what it is given and, afterwards, at what it has kept."""

    name = "watched"

    def __init__(self, inner: Agent[Any, Any], look_every: int) -> None:
        self.inner = inner
        self.look_every = look_every
        self.decisions = 0

    def choose(self, view: Any, legal: Sequence[Any], source: Source) -> Any:
        """The other's choice."""
        choice = self.inner.choose(view, legal, source)
        if self.decisions % self.look_every == 0:
            found = reachable(view, legal, source, choice, self.inner).values()
            assert [thing for thing in found if isinstance(thing, SECRETS)] == []
            assert [thing for thing in found if isinstance(thing, RandomStream) and thing is not source] == []
            assert not any(thing == SEED for thing in found if isinstance(thing, bytes))
        self.decisions += 1
        return choice


@pytest.mark.parametrize(
    ("game", "seats", "name"),
    [(game, seats, FAST.get(name, name)) for game, seats in GAMES for name in agent_names(game)],
    ids=lambda value: value.facts.name if isinstance(value, Game) else str(value),
)
def test_nothing_leads_from_an_agent_to_the_state_the_dice_or_the_seed(game: AnyGame, seats: int, name: str) -> None:
    agents: list[Agent[Any, Any]] = [Watched(make_agent(game, name), 15)]
    agents += [make_agent(game, "random") for _ in range(seats - 1)]
    play_out(game, agents, SEED, max_decisions=700)
    assert isinstance(agents[0], Watched)
    assert agents[0].decisions > 10


@pytest.mark.parametrize(("game", "seats"), GAMES)
def test_the_walk_would_find_them(game: AnyGame, seats: int) -> None:
    hidden = {"deep": [(game.initial(seats),)], "dice": [SeededDice(SEED)], "seed": (SEED,)}
    found = reachable(hidden).values()
    assert sum(isinstance(thing, SECRETS) for thing in found) == 2
    assert any(thing == SEED for thing in found if isinstance(thing, bytes))
