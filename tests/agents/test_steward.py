"""The steward and the careless one: legal, deterministic, from the view alone; what they do where it is plain."""

import gc
import random
from collections.abc import Callable
from types import BuiltinFunctionType, FunctionType, ModuleType

import pytest

from muniment.agents.careless import Careless
from muniment.agents.catalog import agent_names, make_agent
from muniment.agents.steward import Steward
from muniment.agents.steward.force import NOBODY, Force, clash
from muniment.agents.steward.home import chance_of_two_dice
from muniment.agents.steward.lineup import Post, Unit, answer, assault, guard, invade
from muniment.agents.uniform import Uniform
from muniment.core.dice import RandomStream, seed_from_text
from muniment.core.game import Over
from muniment.games.king import King, KingOptions
from muniment.games.king.actions import KingAction
from muniment.games.king.state import KingState
from muniment.games.king.views import KingView
from tests.agents.king_games import KingAgent, decisions

GAME = King()


def mixed(number: int) -> tuple[King, list[KingAgent]]:
    """A game with options, an edition and players drawn at random."""
    chance = random.Random(number)
    options = KingOptions(
        edition=chance.choice(("rulebook", "counters")),
        homeless=chance.choice(("deck", "hand")),
        neutralised_forts=chance.choice(("roll", "silent")),
        royal_influence=chance.random() < 0.5,
        terrain_bonus=chance.random() < 0.5,
        army_reserves=chance.random() < 0.6,
        trading=chance.random() < 0.6,
        turn_limit=chance.choice((None, None, 5)),
    )
    game = King(options=options)
    makers: tuple[Callable[[], KingAgent], ...] = (
        lambda: Steward(game), lambda: Steward(game), lambda: Careless(game), Uniform,
    )  # fmt: skip
    return game, [chance.choice(makers)() for _ in range(chance.choice((2, 3, 4)))]


@pytest.mark.parametrize("slice_", range(6))
def test_legal_to_the_end_whatever_the_options(slice_: int) -> None:
    """``decisions`` refuses an illegal choice, and a game that does not end."""
    for number in range(5 * slice_, 5 * slice_ + 5):
        game, agents = mixed(number)
        assert sum(1 for _ in decisions(game, agents, seed_from_text(f"mixed/{number}")))


@pytest.mark.parametrize("make", [Steward, Careless])
def test_the_choice_is_a_function_of_the_view(make: type[Steward]) -> None:
    """A new agent without a past, given an equal view, chooses the same at once."""
    used: list[KingAgent] = [make(GAME)] * 4
    for number, (state, view, action) in enumerate(decisions(GAME, used, seed_from_text("again"))):
        if number % 5 and view.frames[-1].kind not in ("stop", "hit", "commit"):
            continue
        legal = GAME.legal_actions(state, view.seat)
        again = GAME.view(state.copy(), view.seat)
        assert make(GAME).choose(again, legal, RandomStream(bytes(32))) == action


def test_nothing_leads_from_what_an_agent_gets_to_the_state_the_dice_or_the_seed() -> None:
    agents: list[KingAgent] = [Steward(GAME), Careless(GAME), Uniform()]
    seed = seed_from_text("reach")
    for number, (state, view, action) in enumerate(decisions(GAME, agents, seed)):
        if number % 40:
            continue
        found = reachable([view, action, GAME.legal_actions(state, view.seat), agents[view.seat]])
        assert not any(isinstance(thing, (KingState, RandomStream)) for thing in found)
        assert not any(thing is seed or thing == seed for thing in found if isinstance(thing, bytes))
    stream = RandomStream.labelled(seed, "agent", 0)
    assert seed not in [thing for thing in reachable([stream]) if isinstance(thing, bytes)]


def reachable(roots: list[object]) -> list[object]:
    """Every object that can be reached, classes, functions and modules apart."""
    found: dict[int, object] = {}
    waiting = list(roots)
    while waiting:
        thing = waiting.pop()
        if id(thing) in found or isinstance(thing, (type, ModuleType, FunctionType, BuiltinFunctionType)):
            continue
        found[id(thing)] = thing
        waiting += gc.get_referents(thing)
    return list(found.values())


def test_it_does_not_matter_what_only_others_see() -> None:
    """On states that were dealt again and look the same to it, the steward chooses the same."""
    agents: list[KingAgent] = [Steward(GAME)] * 3
    dealer = RandomStream(seed_from_text("dealer"))
    for number, (_, view, action) in enumerate(decisions(GAME, agents, seed_from_text("others"))):
        if number % 25 == 7:
            other = GAME.redeal(view, dealer)
            legal = GAME.legal_actions(other, view.seat)
            assert Steward(GAME).choose(GAME.view(other, view.seat), legal, RandomStream(bytes(32))) == action


def score(agents: Callable[[], list[KingAgent]], seat: int, seed: str) -> float:
    made = agents()
    state = GAME.initial(len(made))
    for state, _, _ in decisions(GAME, made, seed_from_text(seed)):  # noqa: B007
        pass
    over = GAME.pending(state)
    assert isinstance(over, Over)
    return float(over.returns[seat])


def test_the_steward_beats_the_careless_one() -> None:
    """A small sample; the slow checks have a large one."""
    won = sum(score(lambda: [Steward(GAME), Careless(GAME)], 0, f"careless/{n}") for n in range(10))
    won += sum(score(lambda: [Careless(GAME), Steward(GAME)], 1, f"careless/{n}") for n in range(10))
    assert won >= 14


def test_the_steward_beats_random_players() -> None:
    def seats(at: int) -> list[KingAgent]:
        return [Steward(GAME) if seat == at else Uniform() for seat in range(4)]

    assert sum(score(lambda at=n % 4: seats(at), n % 4, f"randoms/{n}") for n in range(12)) >= 9  # type: ignore[misc]


def test_the_agents_are_in_the_catalog() -> None:
    assert agent_names(GAME) == ("random", "steward", "careless", "marshal")
    assert isinstance(make_agent(GAME, "steward"), Steward)
    assert isinstance(make_agent(GAME, "careless"), Careless)


def test_plain_decisions() -> None:
    """What the steward does at single decisions of some games, by word."""
    seen: set[str] = set()
    for number in range(12):
        game, _ = mixed(number)
        agents: list[KingAgent] = [Steward(game) for _ in range(3)]
        for state, view, action in decisions(game, agents, seed_from_text(f"words/{number}")):
            frame = view.frames[-1]
            seen.add(action.word)
            assert action.word not in ("give", "trade", "counter", "standing"), "it gives nothing away"
            if frame.kind == "muster":
                legal = game.legal_actions(state, view.seat)
                assert (action.word == "muster") == any(a.word == "muster" for a in legal)
            if frame.kind == "add":
                assert action.args == ("nothing",)
            if frame.kind == "bid" and action.word == "bid":
                assert action.args[0] == int(frame.data[2]) + 1
            if frame.kind == "build" and action.word == "done":
                legal = game.legal_actions(state, view.seat)
                assert not any(a.word == "place" and _improves(view, a) for a in legal)
    assert {"muster", "seek", "fort", "place", "attack", "send", "line", "hit", "purchase", "bid", "cash"} <= seen


def _improves(view: KingView, action: KingAction) -> bool:
    box = view.box
    land = next(one for lands in view.lands for one in lands if one.land == action.args[1])
    old = box.value[box.tiles_named(land.improvement)[0]] if land.improvement else 0
    return box.value[box.tiles_named(str(action.args[0]))[0]] > old


def test_two_dice() -> None:
    assert [round(36 * chance_of_two_dice(n)) for n in (-3, 2, 7, 8, 12, 13)] == [36, 36, 21, 15, 1, 0]


# Battles at a glance

ONE = Force(hand6=3, tough=1, cost=0.4)


def test_an_empty_land_is_walked_into() -> None:
    assert clash(ONE, NOBODY) == (1.0, 0.0, 0.0)
    assert clash(NOBODY, ONE) == (0.0, 0.0, 0.0)


def test_more_attackers_capture_more_often_and_forts_help_the_defender() -> None:
    chances = [clash(ONE.times(n), ONE.times(2)).capture for n in range(1, 8)]
    assert chances == sorted(chances)
    forts = [clash(ONE.times(6), ONE, fort).capture for fort in range(5)]
    assert forts == sorted(forts, reverse=True)
    assert clash(ONE.times(6), ONE, 3, siege=2).capture > clash(ONE.times(6), ONE, 3).capture


def unit(name: str, dice: float) -> Unit:
    return Unit(name, Force(hand6=dice, tough=1, cost=0.1 + dice / 12))


LANDS = [Post(1, 2.0, 2.0, 0), Post(2, 3.0, 3.0, 0), Post(3, 6.0, 6.0, 4)]


def test_line_ups_place_everybody_once() -> None:
    units = [unit(str(n), n) for n in range(1, 7)] + [Unit("sword", NOBODY)]
    for plan in (
        assault(LANDS, units, {2: ONE.times(2)}, {}),
        answer(LANDS, units, {1: ONE, 3: ONE.times(4)}, {}),
        guard(LANDS, units, {}),
        invade(LANDS, units, [unit("?", 2)] * 3, {}),
    ):
        placed = [one.slug for there in plan.units.values() for one in there]
        assert sorted(placed) == sorted(one.slug for one in units)
        assert set(plan.units) <= {1, 2, 3}


def test_the_weakest_take_what_nobody_defends() -> None:
    plan = assault(LANDS, [unit("weak", 1), unit("strong", 5)], {1: ONE}, {})
    assert [one.slug for one in plan.units[2]] == ["weak"]


def test_nobody_is_wasted_on_lands_that_are_not_attacked() -> None:
    plan = answer(LANDS, [unit("a", 4), unit("b", 4)], {2: ONE}, {})
    assert "a" in [one.slug for one in plan.units[2]] or "b" in [one.slug for one in plan.units[2]]
    assert 3 not in plan.units
