"""What holds for every agent: it is given views and never the table itself, and what it answers is legal."""

import gc
import random
from collections.abc import Sequence
from types import BuiltinFunctionType, FunctionType, MethodType, ModuleType
from typing import Any

import pytest

from muniment.agents.catalog import agent_names, make_agent
from muniment.core.agent import Agent
from muniment.core.chance import Source
from muniment.core.dice import RandomStream, SeededDice, seed_from_text
from muniment.core.errors import MunimentError
from muniment.core.match import Match
from muniment.core.playout import play_out
from muniment.games.siege import Siege, SiegeOptions
from muniment.games.siege.actions import SiegeAction
from muniment.games.siege.edition import (
    ACTION_NAMES,
    DRM_TARGETS,
    Card,
    Collapse,
    Division,
    Drm,
    EventEffect,
    Only,
    SiegeEdition,
    StatusChange,
    TrebuchetAttack,
    TrebuchetChange,
)
from muniment.games.siege.state import SiegeState
from muniment.games.siege.view import SiegeView

NAMES = tuple("sentry:2" if name == "sentry" else name for name in agent_names(Siege()))  # it takes its time
SECRETS = (SiegeState, SeededDice, Match)


def reachable(*roots: object) -> dict[int, object]:
    """Every object that can be reached from these, code and types left out."""
    found: dict[int, object] = {}
    todo = list(roots)
    while todo:
        thing = todo.pop()
        code = (type, ModuleType, FunctionType, BuiltinFunctionType, MethodType)
        if id(thing) not in found and not isinstance(thing, code):
            found[id(thing)] = thing
            todo += gc.get_referents(thing)
    return found


class Watched(Agent[SiegeAction, SiegeView]):
    """Lets another agent choose, and checks what it was given and what it answers."""

    name = "watched"

    def __init__(self, inner: Agent[SiegeAction, SiegeView], *, look_every: int) -> None:
        self.inner = inner
        self.look_every = look_every
        self.choices: list[SiegeAction] = []

    def choose(self, view: SiegeView, legal: Sequence[SiegeAction], source: Source) -> SiegeAction:
        choice = self.inner.choose(view, legal, source)
        assert choice in legal
        if len(self.choices) % self.look_every == 0:
            seen = reachable(view, legal, source, self.inner).values()
            assert [thing for thing in seen if isinstance(thing, SECRETS)] == []
        self.choices.append(choice)
        return choice


@pytest.mark.parametrize("name", NAMES)
def test_agents_never_see_the_state_or_the_dice(name: str) -> None:
    game = Siege()
    agent = Watched(make_agent(game, name), look_every=7)
    play_out(game, [agent], seed_from_text("1"))
    match = Match(game, ["x"], seed=seed_from_text("2"))
    for _ in range(10):
        if match.over is None:
            match.act(0, match.ask(0, agent))
    assert len(agent.choices) > 10


def test_the_walk_would_find_a_state_and_dice() -> None:
    game = Siege()
    hidden = {"deep": [(game.initial(),)], "dice": [SeededDice(bytes(32))]}
    assert sum(isinstance(thing, SECRETS) for thing in reachable(hidden).values()) == 2


@pytest.mark.parametrize("name", NAMES)
def test_the_choice_depends_on_what_the_agent_is_given_alone(name: str) -> None:
    game = Siege()
    agent = make_agent(game, name)
    used, fresh = Watched(agent, look_every=10**9), Watched(make_agent(Siege(), name), look_every=10**9)
    play_out(game, [agent], seed_from_text("warm up"))
    play_out(game, [used], seed_from_text("3"))
    play_out(game, [fresh], seed_from_text("3"))
    assert used.choices == fresh.choices


def test_random_takes_every_legal_action_equally_often() -> None:
    game = Siege()
    state = game.initial()
    game.apply_outcome(state, game.parse_outcome("draw 5"))
    legal = game.legal_actions(state)
    source = RandomStream(bytes(32))
    agent = make_agent(game, "random")
    view = game.view(state, 0)
    counts = dict.fromkeys(legal, 0)
    for _ in range(1000 * len(legal)):
        counts[agent.choose(view, legal, source)] += 1
    assert all(880 < count < 1120 for count in counts.values())


def test_an_unknown_agent_is_refused() -> None:
    with pytest.raises(MunimentError, match="no agent 'nobody' for 9 Card Siege; there are: random, captain"):
        make_agent(Siege(), "nobody")


def any_event(rng: random.Random) -> EventEffect:
    events: list[EventEffect] = [
        StatusChange(rng.randrange(3), rng.randint(-4, 4)),
        TrebuchetChange(rng.randint(-3, 3)),
        Drm(rng.choice(DRM_TARGETS), rng.randint(-5, 5)),
        Drm(rng.choice(DRM_TARGETS), rng.randint(-5, 5)),
        Collapse(rng.randrange(3)),
    ]
    return rng.choice(events)


def any_division(rng: random.Random) -> Division:
    if rng.random() < 0.15:
        return Division("Fire", rng.randint(0, 6), (), False, (TrebuchetAttack(),))
    events = [any_event(rng) for _ in range(rng.randint(0, 3))]
    if rng.random() < 0.15:
        events.append(Only(tuple(rng.sample(ACTION_NAMES, rng.randint(0, 4)))))
    slowest = rng.random() < 0.2
    orders = () if slowest else tuple(sorted(rng.sample(range(3), rng.randint(0, 3))))
    return Division("Any", rng.randint(0, 6), orders, slowest, tuple(events))


def any_edition(rng: random.Random) -> SiegeEdition:
    """Cards that anybody could have made up, most of them not to be recommended."""
    cards = tuple(Card(n, tuple(any_division(rng) for _ in range(3))) for n in range(1, rng.randint(1, 9) + 1))
    return SiegeEdition(
        name="any",
        digest="",
        cards=cards,
        strength=(rng.randint(0, 6), rng.randint(0, 6), rng.randint(0, 6)),
        close_combat_strength=rng.randint(0, 6),
        start_trebuchets=rng.randint(0, 3),
        start_status=(rng.randint(1, 4), rng.randint(1, 4), rng.randint(1, 4)),
        raise_wall_at=rng.randint(1, 7),
        raise_morale_at=rng.randint(1, 7),
    )


@pytest.mark.parametrize(
    ("name", "number"), [(name, number) for name in NAMES for number in range(2 if name == "sentry:2" else 40)]
)
def test_agents_play_any_edition_with_any_options(name: str, number: int) -> None:
    rng = random.Random(number)
    options = SiegeOptions(
        rng.choice(("natural", "event_bonus_cancels")), rng.choice(("one", "all")), rng.random() < 0.5
    )
    game = Siege(any_edition(rng), options)
    agent: Any = Watched(make_agent(game, name), look_every=10**9)
    for seed in range(3):
        state, _ = play_out(game, [agent], seed_from_text(f"{number}/{seed}"))
        assert state.result
