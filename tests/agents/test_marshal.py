"""The marshal: legal to the end, the same play for the same view and iterations, wins that are there to be taken."""

import os
import subprocess
import sys
from collections import Counter
from dataclasses import replace

import pytest

from muniment.agents.careless import Careless
from muniment.agents.catalog import agent_names, make_agent
from muniment.agents.marshal import Budget, Marshal
from muniment.agents.marshal.moves import begin, carry_out, line_moves, line_variants
from muniment.agents.marshal.reflex import Reflex
from muniment.agents.marshal.tree import Node
from muniment.agents.steward import Steward
from muniment.agents.steward.table import Lore, Table
from muniment.agents.steward.war import line_plan
from muniment.core.dice import RandomStream, SeededDice, seed_from_text
from muniment.core.errors import MunimentError
from muniment.core.game import Decision, Over
from muniment.games.king import King, KingOptions
from muniment.games.king.actions import KingAction
from muniment.games.king.state import KingState
from muniment.games.king.views import KingView
from muniment.games.siege import Siege
from tests.agents.king_games import KingAgent, decisions

GAME = King()
ANY = RandomStream(bytes(32))
FEW = 6


def played(game: King, agents: list[KingAgent], seed: str) -> list[str]:
    return [action.notation for _, _, action in decisions(game, agents, seed_from_text(seed))]


@pytest.mark.parametrize("edition", ["rulebook", "counters"])
def test_legal_to_the_end_with_all_optional_rules(edition: str) -> None:
    """K50 to K53 in both editions (K1): ``decisions`` refuses an illegal choice."""
    options = KingOptions(
        edition="counters" if edition == "counters" else "rulebook",
        homeless="hand", royal_influence=True, terrain_bonus=True, army_reserves=True, trading=True, turn_limit=6,
    )  # fmt: skip
    game = King(options=options)
    for seats in (2, 3):
        agents: list[KingAgent] = [Marshal(game, FEW), *[Careless(game) for _ in range(seats - 1)]]
        assert sum(1 for _ in decisions(game, agents, seed_from_text(f"legal/{edition}/{seats}")))


def test_an_equal_view_is_answered_equally_whatever_went_before() -> None:
    """A new agent, in the middle of line-ups and squads too, with another random stream, chooses the same."""
    agents: list[KingAgent] = [Marshal(GAME, FEW), Steward(GAME)]
    middle = 0
    for number, (state, view, action) in enumerate(decisions(GAME, agents, seed_from_text("again"))):
        top = view.frames[-1]
        begun = (top.kind == "line" and len(top.data) > 1) or (top.kind == "commit" and len(top.data) > 2)
        middle += begun
        if view.seat == 0 and (begun or not number % 4):
            legal = GAME.legal_actions(state, 0)
            assert Marshal(GAME, FEW).choose(GAME.view(state.copy(), 0), legal, ANY) == action
    assert middle > 5


def test_it_does_not_matter_what_only_others_see() -> None:
    """On states that were dealt again and look the same to it, the marshal chooses the same (K2)."""
    agents: list[KingAgent] = [Steward(GAME), Marshal(GAME, FEW), Steward(GAME)]
    dealer, looked = RandomStream(seed_from_text("dealer")), 0
    for number, (_, view, action) in enumerate(decisions(GAME, agents, seed_from_text("others"))):
        if view.seat == 1 and number % 5 == 0:
            other = GAME.redeal(view, dealer)
            legal = GAME.legal_actions(other, 1)
            assert Marshal(GAME, FEW).choose(GAME.view(other, 1), legal, ANY) == action
            looked += 1
    assert looked > 5


def test_the_order_of_hashes_does_not_matter() -> None:
    """The same game in processes whose strings have other hashes."""
    code = (
        "from muniment.agents.catalog import make_agent;from muniment.core.playout import play_out;"
        "from muniment.games.king import King;game = King();"
        "end, _ = play_out(game, [make_agent(game, n) for n in ('marshal:4', 'steward')], bytes(32));"
        "print(game.state_to_json(end))"
    )
    texts = {
        subprocess.run(
            [sys.executable, "-c", code], env={**os.environ, "PYTHONHASHSEED": seed}, capture_output=True, text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }  # fmt: skip
    assert len(texts) == 1
    assert "over" in texts.pop()


def test_more_iterations_are_another_player() -> None:
    """Else the budget would not arrive."""
    few, more = (played(GAME, [Marshal(GAME, n), Steward(GAME)], "budget") for n in (2, 12))
    assert few != more


# Wins that one action takes


def _asked(kind: str) -> KingState:
    """A position of a game in which seat 0 is asked such a question."""
    for number in range(20):
        agents: list[KingAgent] = [Steward(GAME), Steward(GAME)]
        for state, view, _ in decisions(GAME, agents, seed_from_text(f"win/{number}")):
            if view.frames[-1].kind == kind and view.seat == 0 and state.turn > 1:
                return state.copy()
    raise AssertionError(kind)


def _crowned(state: KingState, level: int, prestige: int) -> KingState:
    """The same with one fort, of this level, and gold enough for so many prestige points (K11)."""
    for land in state.lands[0]:
        state.set_fort(land, 0)
    state.set_fort(state.lands[0][0], level)
    state.gold[0] = 0
    state.gold[0] = 10 * (prestige - state.prestige(0))
    assert state.prestige(0) == prestige
    return GAME.state_from_json(GAME.state_to_json(state))


def _wins_with(state: KingState, iterations: int) -> KingAction:
    action = Marshal(GAME, iterations).choose(GAME.view(state, 0), GAME.legal_actions(state, 0), ANY)
    GAME.apply(state, action, 0)
    over = GAME.pending(state)
    assert isinstance(over, Over)
    assert list(map(float, over.returns)) == [1.0, 0.0]
    return action


def test_it_builds_the_level_that_wins() -> None:
    """With 30 points a castle made a Gran Muniment wins: 10 gold less, a level more (K11, K17)."""
    state = _crowned(_asked("build"), 3, 30)
    land = state.lands[0][0]
    assert _wins_with(state, 2) == GAME.box.fort[land]


def test_it_buys_the_land_that_wins() -> None:
    """With a Gran Muniment and 29 points a land is the last one, if its price costs no full 10 gold (K11, K24)."""
    state = _crowned(_asked("for-sale"), 4, 29)
    state.gold[0] += 9
    price = int(state.frames[-1].data[1])
    state.frames[-1] = state.frames[-1]._replace(data=(state.frames[-1].data[0], min(price, 9)))
    assert _wins_with(state, 2) == GAME.box.buy


# Budgets


def test_a_budget_of_time_ends_the_search() -> None:
    """With no time left not one iteration is made, and the doctrine's choice stands."""
    agents: list[KingAgent] = [Steward(GAME), Steward(GAME)]
    hurried = Marshal(GAME, Budget(1_000_000_000, seconds=1e-9))
    for number, (state, view, _) in enumerate(decisions(GAME, agents, seed_from_text("time"))):
        if number % 10 == 0:
            legal = GAME.legal_actions(state, view.seat)
            assert hurried.choose(view, legal, ANY) in legal


@pytest.mark.parametrize(("iterations", "seconds"), [(0, None), (-3, None), (10, 0.0), (10, -1.0), (10, float("nan"))])
def test_a_budget_is_positive(iterations: int, seconds: float | None) -> None:
    with pytest.raises(MunimentError, match="a search needs"):
        Budget(iterations, seconds)


def test_names_with_a_budget() -> None:
    assert "marshal" in agent_names(GAME)
    assert isinstance(make_agent(GAME, "marshal"), Marshal)
    agents = make_agent(GAME, "marshal:3"), make_agent(GAME, "regent:3"), Marshal(GAME, 3)
    one, other, third = (played(GAME, [agent, Steward(GAME)], "named") for agent in agents)
    assert one == other == third


@pytest.mark.parametrize(
    ("game", "name", "said"),
    [
        (GAME, "steward:20", "the agent steward takes no number; those that do: marshal"),
        (GAME, "marshal:", "'' is not a budget"),
        (GAME, "marshal:0", "'0' is not a budget"),
        (GAME, "marshal:ten", "'ten' is not a budget"),
        (GAME, "marshal:-5", "'-5' is not a budget"),
        (GAME, "nobody:5", "no agent 'nobody' for King of the Tabletop; there are: squire, castellan, regent, r"),
        (GAME, "regent:0", "'0' is not a budget"),
        (Siege(), "captain:5", "the agent captain takes no number"),
    ],
)
def test_names_that_are_refused(game: King | Siege, name: str, said: str) -> None:
    with pytest.raises(MunimentError, match=said):
        make_agent(game, name)


# The parts


def test_a_line_up_is_seen_as_it_began() -> None:
    """The view in the middle of a line-up, rewound, is the one that its seat had when it began (K30)."""
    agents: list[KingAgent] = [Steward(GAME), Steward(GAME)]
    first: dict[int, KingView] = {}
    rewound = 0
    for _, view, _ in decisions(GAME, agents, seed_from_text("begin")):
        top = view.frames[-1]
        if top.kind in ("line", "commit"):
            if len(top.data) == (1 if top.kind == "line" else 2):
                first[view.seat] = view
                assert begin(view) is view
            else:
                assert begin(view) == first[view.seat]
                rewound += 1
    assert rewound > 20


def test_line_ups_are_varied_by_a_tile_or_two() -> None:
    """K30: the first is what was asked about; each other one moves a tile or exchanges two, none comes twice, and all
    can be carried out."""
    agents: list[KingAgent] = [Steward(GAME), Steward(GAME), Steward(GAME)]
    quick, lore, source, varied = Reflex(GAME.box), Lore(GAME.box), RandomStream(seed_from_text("vary")), 0
    for state, view, _ in decisions(GAME, agents, seed_from_text("variants")):
        if view.frames[-1].kind != "line" or len(view.frames[-1].data) > 1:
            continue
        best = line_moves(view, state, line_plan(Table(view, lore)), quick)[0]
        found = line_variants(view, state, best, quick, source)
        plans = [Counter((slug, land) for slug, lands in move.line for land in lands) for move in found]
        assert found[0] == best
        assert len(found) <= 9
        for number, plan in enumerate(plans):
            assert (plan - plans[0]).total() <= 2
            assert plan not in plans[:number]
            after = state.copy()
            carry_out(GAME, after, found[number])
            assert after.frames[-1] != state.frames[-1]
        varied += len(found) - 1
    assert varied > 20


@pytest.mark.parametrize("number", range(6))
def test_the_quick_player_does_what_is_legal(number: int) -> None:
    """In games of 2 to 4 with all options, a seat that builds late among others: nobody checks it in a search."""
    options = KingOptions(
        edition="counters" if number % 2 else "rulebook",
        homeless="hand" if number % 3 else "deck", neutralised_forts="silent" if number % 2 else "roll",
        royal_influence=True, terrain_bonus=True, army_reserves=True, trading=True,
    )  # fmt: skip
    game, seats = King(options=options), 2 + number % 3
    players = [Reflex(game.box, dict.fromkeys((2, 3, 4), 20), 3), *[Reflex(game.box)] * 3]
    for again in range(4):
        state, dice = game.initial(seats), SeededDice(seed_from_text(f"quick/{number}/{again}"))
        while not isinstance(pending := game.pending(state), Over):
            if isinstance(pending, Decision):
                seat = pending.seats[0]
                action = players[seat].choose(state)
                assert action in game.legal_actions(state, seat), f"{pending.kind}: {action.notation}"
                game.apply(state, action, seat)
            else:
                game.apply_outcome(state, game.sample(state, dice))
        assert state.turn < 40


def test_the_tree_widens_and_prefers_what_did_well() -> None:
    """One option at first, another after some visits; then the one with the better chances most often."""
    good, bad = KingAction("pass"), KingAction("done")
    node, chosen = Node(2), list[KingAction]()
    for _ in range(60):
        action = node.select(1, [bad, good])
        chosen.append(action)
        values = (0.1, 0.9) if action is good else (0.9, 0.1)
        node.child(1, action).add(values)
        node.add(values)
    assert chosen[0] is bad
    assert chosen.count(good) > 40
    assert node.visits == 60
    assert node.child(1, good).total[1] == pytest.approx(0.9 * chosen.count(good))


def test_views_are_not_changed() -> None:
    """A search leaves the view that it was given as it was."""
    agents: list[KingAgent] = [Marshal(GAME, FEW), Steward(GAME)]
    for number, (state, view, _) in enumerate(decisions(GAME, agents, seed_from_text("unchanged"))):
        if number > 60:
            break
        assert view == replace(GAME.view(state, view.seat))
