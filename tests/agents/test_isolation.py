"""No agent of either game has a way to the hidden state: a walk over everything that it is given, and what it keeps.

Nor can it change the game for the others: nothing in what it is given can be changed, but for lists made for it alone.
"""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from types import MappingProxyType, SimpleNamespace
from typing import Any

import pytest

from muniment.agents.catalog import agent_names, make_agent
from muniment.core.agent import Agent
from muniment.core.chance import Source
from muniment.core.dice import RandomStream, SeededDice, seed_from_text
from muniment.core.game import Awaited, Decision, Game, Over
from muniment.core.match import Match
from muniment.core.playout import play_out
from muniment.games.king import King, KingOptions
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


ATOMS = (bool, int, float, str, bytes, Fraction, type(None))
EVERYTHING = KingOptions(royal_influence=True, terrain_bonus=True, army_reserves=True, trading=True)


def changeable(*roots: object, known: dict[int, object] | None = None) -> Iterator[object]:
    """Whatever can be changed in what these lead to. known: what has been walked over before, by id; it is added to."""
    seen, todo = {} if known is None else known, list(roots)
    while todo:
        thing = todo.pop()
        if type(thing) in ATOMS or id(thing) in seen:
            continue
        seen[id(thing)] = thing  # kept, so that no other object gets its id
        if isinstance(thing, tuple | frozenset):
            todo += thing
            continue
        if type(thing) is MappingProxyType:
            todo += [*thing.keys(), *thing.values()]
            continue
        slots = [name for kind in type(thing).__mro__ for name in getattr(kind, "__slots__", ())]
        todo += [getattr(thing, name) for name in slots]
        if (
            not hasattr(type(thing), "__slots__")
            or hasattr(thing, "__dict__")
            or any(settable(thing, name) for name in (*slots, "another"))
        ):
            yield thing


def settable(thing: object, name: str) -> bool:
    """Whether an attribute can be set (to what it is) or taken away."""
    value = getattr(thing, name, None)
    try:
        setattr(thing, name, value)
    except (AttributeError, TypeError):
        try:
            delattr(thing, name)
        except (AttributeError, TypeError):
            return False
    return True


@pytest.mark.parametrize("game", [Siege(), King(), King(options=EVERYTHING)], ids=["siege", "king", "king-everything"])
def test_nothing_that_an_agent_is_given_can_be_changed(game: AnyGame) -> None:
    known: dict[int, object] = {}
    for number in range(2):
        choices, dice = RandomStream(seed_from_text(f"choices {number}")), SeededDice(seed_from_text(f"dice {number}"))
        state = game.initial(game.facts.seats[1])
        for step in range(1200):
            pending = game.pending(state)
            if isinstance(pending, Over):
                break
            if not isinstance(pending, Decision):
                game.apply_outcome(state, game.sample(state, dice))
                continue
            for seat in range(game.facts.seats[1]):
                legal = game.legal_actions(state, seat)
                if step % 5 == 0:
                    assert list(changeable(game.view(state, seat), game.view(state), *legal, known=known)) == []
                if isinstance(legal, list):  # it is the agent's alone: what becomes of it is not seen by anybody
                    offered = tuple(legal)
                    legal.clear()
                    assert tuple(game.legal_actions(state, seat)) == offered
            seat = pending.seats[0]
            game.apply(state, choices.choice(game.legal_actions(state, seat)), seat)


@pytest.mark.parametrize(
    "thing",
    [[], {}, set(), bytearray(), object(), SimpleNamespace(a=1), RandomStream(SEED), KingState(King().box, 2)],
    ids=lambda thing: type(thing).__name__,
)
def test_the_walk_would_find_what_can_be_changed(thing: object) -> None:
    hidden = (1, MappingProxyType({"a": frozenset({"b"}), "c": Awaited(thing, "", you=True)}))  # type: ignore[arg-type]
    assert thing in list(changeable(hidden))


def test_an_agent_of_ones_own_cannot_change_the_game_of_the_others() -> None:
    box = King().box
    with pytest.raises(AttributeError, match=r"Box\.charm cannot be changed"):
        box.charm = -1
    with pytest.raises(AttributeError, match=r"Box\.charm cannot be changed"):
        del box.charm
    with pytest.raises(AttributeError, match=r"KingEdition\.forts cannot be changed"):
        box.edition.forts = ()
    with pytest.raises(TypeError, match="does not support item assignment"):
        box.edition.by_slug["elves-r3"] = 0  # type: ignore[index]
    assert King().box is box
