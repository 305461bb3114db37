"""The sentry in positions with known chances, with cards of anybody's own, and the judgement it has learned."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from math import exp
from pathlib import Path
from typing import Any

import pytest

from muniment.agents.captain import Captain
from muniment.agents.catalog import agent_names, make_agent
from muniment.agents.sentry import Estimate, Sentry, estimates, fitting
from muniment.agents.sentry.features import FEATURES, Features
from muniment.agents.sentry.judgement import Network, Seasoned, read_network, shipped_network
from muniment.agents.sentry.rounds import _Fate
from muniment.agents.sentry.turn import Turn
from muniment.agents.uniform import Uniform
from muniment.core.agent import Agent
from muniment.core.chance import Source
from muniment.core.dice import RandomStream, seed_from_text
from muniment.core.edition import digest_of
from muniment.core.errors import MunimentError
from muniment.core.playout import play_out
from muniment.games.siege import Siege, SiegeEdition, SiegeOptions, standard_edition
from muniment.games.siege.actions import SiegeAction, parse_action
from muniment.games.siege.edition import Card, Division, Drm, Only, StatusChange, TrebuchetChange
from muniment.games.siege.outcomes import D6
from muniment.games.siege.state import DRAW, OVER, ROLL, SiegeState
from muniment.games.siege.view import SiegeView
from tests.solve.games import small_edition

SOURCE = RandomStream(bytes(32))
LAST_TURN: dict[str, Any] = {
    "game": "siege", "day": 3, "deck": [], "card": 6, "step": "actions",
    "units": {"ladders": "start", "battering_ram": "start", "siege_tower": "start"},
    "trebuchets": 0, "wall": 4, "morale": 4, "supplies": 4, "soldiers": "castle", "raided": 0,
    "action_points": 1, "extra_used": True, "free_move": "left", "boiling_water_used": False,
    "rolling": None, "result": None,
}  # fmt: skip
HELD = {"ladders": "close combat", "battering_ram": "close combat", "siege_tower": 3}


def view_of(changes: dict[str, Any], game: Siege | None = None) -> SiegeView:
    game = game or Siege()
    return game.view(game.state_from_json(LAST_TURN | changes), 0)


def choice(changes: dict[str, Any], rollouts: int = 20) -> str:
    game = Siege()
    view = view_of(changes)
    legal = game.legal_actions(game.state_from_json(LAST_TURN | changes))
    return Sentry(game, rollouts).choose(view, legal, SOURCE).notation


@pytest.mark.parametrize(
    ("changes", "expected", "chance"),
    [
        # The game is won if the turn ends (11.0), and lost if the last morale or too much food is spent.
        ({"morale": 1, "supplies": 2, "action_points": 0, "extra_used": False}, "end", 1.0),
        # Two units in close combat lose at the end of the turn (10.0). Close combat has strength 4, and this card adds
        # 1 (9.1.3): 4, 5 and 6 succeed.
        ({"units": HELD}, "fight ladders", 1 / 2),
        # The wall is at 0 and needs a 5 or 6 (9.1.4).
        ({"wall": 0}, "coupure", 1 / 3),
        # Two points for the same: 1 - (2/3)**2.
        ({"wall": 0, "action_points": 2}, "coupure", 5 / 9),
        # Supplies that reach the castle are stored (13.0), one is eaten (11.0), and one is left.
        ({"soldiers": "near tunnel", "raided": 2, "supplies": 0, "action_points": 0}, "free castle", 1.0),
    ],
)  # fmt: skip
def test_chances_of_the_last_turn_are_exact(changes: dict[str, Any], expected: str, chance: float) -> None:
    assert choice(changes) == expected
    found = estimates(Siege(), view_of(changes), 3)
    assert found[0].value == pytest.approx(chance)
    assert found[0].action is not None
    assert all(one.added == [0.0] * 3 for one in found)


def test_a_forced_loss_is_seen_and_put_off() -> None:
    # Supplies 1, all eaten at the day's end (11.0): whatever is done, the game is lost.
    assert {one.value for one in estimates(Siege(), view_of({"supplies": 1}), 2)} == {0.0}
    # Morale 1 and no supplies to spare: buying an action with the last morale loses (10.0); ending wins.
    changes = {"morale": 1, "supplies": 2, "action_points": 0, "extra_used": False}
    values = {one.action.notation: one.value for one in estimates(Siege(), view_of(changes), 2) if one.action}
    assert values["end"] == 1.0
    assert values["extra supplies"] == 0.0
    assert choice(changes) == "end"


def test_the_same_view_and_budget_choose_the_same() -> None:
    game = Siege()
    busy, seen = Sentry(game, 30), []
    play_out(game, [busy], seed_from_text("sentry"), watch=lambda state: seen.append(state.copy()), max_decisions=8)
    busy = Sentry(game, 30)
    for state in reversed(seen):  # in another order, with what it remembers of other turns
        view, legal = game.view(state, 0), game.legal_actions(state)
        again = busy.choose(view, legal, RandomStream(bytes(32)))
        assert Sentry(Siege(), 30).choose(view, legal, RandomStream(bytes([7]) * 32)) is again
        assert game.view(state, 0) == view


def test_two_agents_play_the_same_game() -> None:
    one, other = (play_out(Siege(), [Sentry(Siege(), 10)], seed_from_text("twice"), max_decisions=12) for _ in range(2))
    assert one == other


def _own_cards(edition: SiegeEdition) -> SiegeEdition:
    """Cards with no points, many points, a limit, an event that brings food, and all units at once."""
    divisions = (
        Division("idle", 0, (0, 1, 2), slowest=False, events=()),
        Division("busy", 5, (), slowest=True, events=(StatusChange(2, 2), Drm("all_attacks", 2))),
        Division("storm", 2, (1,), slowest=False, events=(Only(("tunnel_movement", "rally")), TrebuchetChange(-1))),
    )
    cards = tuple(Card(40 + number, divisions[number:] + divisions[:number]) for number in (0, 1, 2))
    return replace(edition, name="own", digest="own", cards=cards, strength=(0, 6, 3), raise_wall_at=2)


@pytest.mark.parametrize(
    ("edition", "options"),
    [
        (_own_cards(standard_edition()), SiegeOptions()),
        (_own_cards(standard_edition()), SiegeOptions(ones="event_bonus_cancels", close_combat_drives_back="all")),
        (standard_edition(), SiegeOptions(close_combat_drives_back="all", bad_weather_free_movement=True)),
    ],
)
def test_plays_any_cards_and_options_by_the_rules(edition: SiegeEdition, options: SiegeOptions) -> None:
    game = Siege(edition, options)
    agent = Sentry(game, 6)

    class Watched(Agent[SiegeAction, SiegeView]):
        name = "watched"

        def choose(self, view: SiegeView, legal: Sequence[SiegeAction], source: Source) -> SiegeAction:
            chosen = agent.choose(view, legal, source)
            assert chosen in legal
            return chosen

    end, decisions = play_out(game, [Watched()], seed_from_text("own cards"), max_decisions=20)
    assert decisions == 20 or end.step == OVER


def test_the_turn_agrees_with_the_solved_game(tmp_path: Path) -> None:
    """With the solved game's chances at the end of the turn, each action has the solved game's chance."""
    solving = pytest.importorskip("muniment.solve.solving")
    values = pytest.importorskip("muniment.solve.values").Values
    edition = replace(small_edition(3, 5, points=1), name="small", digest="small")
    known = values(solving.solve(edition, SiegeOptions(), jobs=1, folder=tmp_path))

    class Knowing(Captain):
        def judge(self, state: SiegeState) -> float:
            chance: float = known.value(state)
            return chance

    game = Siege(edition)
    turn = Turn(game, Knowing(game))
    compared = 0

    def compare(state: SiegeState) -> None:
        nonlocal compared
        turn.begin(state)
        odds = known.odds(state)
        assert turn.worth(state) == pytest.approx(odds.value, abs=1e-6)
        for one in odds.actions:
            assert turn.after(state, one.action) == pytest.approx(one.value, abs=1e-6)
            compared += 1

    play_out(game, [Uniform()], seed_from_text("compare"), max_decisions=12, watch=compare)
    assert compared > 20


def test_rounds_deal_every_card_next_equally_often_and_the_same_to_all() -> None:
    game = Siege()
    state = game.initial()
    cards = [_Fate(bytes(32), number).outcome(game, state).value for number in range(14)]
    assert sorted(cards) == sorted([card.number for card in game.edition.cards] * 2)
    fates = [_Fate(bytes(32), 3) for _ in range(2)]
    state.step = ROLL  # one of the two rolls dice in the first turn, the other does not
    state.rolling = 0
    assert fates[0].outcome(game, state) in D6
    state.step = DRAW
    for fate in fates:
        fate.next_turn()
    first, second = ([fate.outcome(game, state) for _ in range(2)] for fate in fates)
    assert first == second


def test_an_estimate_of_two_rounds() -> None:
    # Mean 0.1; squares of the deviations 0.02, and 0.05 squared: the error is sqrt(0.0225) / 2.
    estimate = Estimate(0.4, [0.0, 0.2])
    assert estimate.value == pytest.approx(0.5)
    assert estimate.error == pytest.approx(0.075)
    assert estimate.interval == pytest.approx((0.353, 0.647))
    assert Estimate(0.9, [0.2]).value == 1.0
    assert Estimate(0.9, []).value == 0.9
    assert estimate.ahead_of(Estimate(0.4, [0.1, 0.1, 0.9]))[0] == pytest.approx(0.0)


def test_a_die_or_card_is_awaited() -> None:
    game = Siege()
    (start,) = estimates(game, game.view(game.initial(), 0), 9)
    assert start.action is None
    assert 0.65 < start.value < 0.9  # 78.99 % under perfect play
    state = game.state_from_json(LAST_TURN | {"wall": 0})
    game.apply(state, parse_action("coupure"))
    (rolling,) = estimates(game, game.view(state, 0), 2)
    assert rolling.value == pytest.approx(1 / 3)


def test_names_and_budgets() -> None:
    game = Siege()
    assert "sentry" in agent_names(game)
    assert isinstance(make_agent(game, "sentry"), Sentry)
    assert isinstance(make_agent(game, "sentry:7"), Sentry)
    for wrong in ("sentry:0", "sentry:-1", "sentry:many", "sentry:"):
        with pytest.raises(MunimentError, match="is not a budget"):
            make_agent(game, wrong)
    with pytest.raises(MunimentError, match="at least 1 rollout a decision, not 0"):
        Sentry(game, 0)


# -- the judgement


def test_a_network_by_hand() -> None:
    # 0.5 + 2 * 1 + 3 * max(0, -1 + 1 * 2) = 5.5, and the second unit is below 0.
    rest = (0.0,) * (len(FEATURES) - 2)
    network = Network(0.5, (2.0, 0.0, *rest), ((-1.0, (0.0, 1.0, *rest), 3.0), (-9.0, (1.0, 1.0, *rest), 4.0)))
    assert network.chance([1.0, 2.0, *rest]) == pytest.approx(1 / (1 + exp(-5.5)))
    assert Network(1e9, (0.0,) * len(FEATURES), ()).chance([0.0] * len(FEATURES)) == pytest.approx(1.0)


def test_features_of_the_set_up() -> None:
    game = Siege()
    figures = dict(zip(FEATURES, Features(game, Captain(game)).of(game.initial()), strict=True))
    assert figures["turns"] == pytest.approx(21 / 9)  # seven cards, three days
    assert figures["cards today"] == pytest.approx(7 / 9)
    shown = {name for name, value in figures.items() if value == 1.0 and name.split()[0] in ("day", "trebuchets")}
    assert shown == {"trebuchets 3"}
    assert not any(figures[f"ladders: {space}"] for space in ("removed", "close combat", "circle", "2", "3"))


def test_the_shipped_weights_are_read_back_and_damage_is_noticed(tmp_path: Path) -> None:
    file = tmp_path / "weights.json"
    file.write_text(shipped_network().to_text())
    assert read_network(file) == shipped_network()
    content = json.loads(file.read_text())
    for change, words in (
        ({"bias": 9.0}, "damaged"),
        ({"format": "another"}, "the format is not"),
    ):
        file.write_text(json.dumps({**content, **change}))
        with pytest.raises(MunimentError, match=f"weights.json: .*{words}"):
            read_network(file)
    older = {key: value for key, value in content.items() if key != "digest"} | {"feature_version": 0}
    file.write_text(json.dumps({**older, "digest": digest_of(older)}))
    with pytest.raises(MunimentError, match="learned for other features"):
        read_network(file)
    file.write_text("not JSON")
    with pytest.raises(MunimentError, match="not JSON"):
        read_network(file)
    with pytest.raises(MunimentError, match=r"missing\.json"):
        read_network(tmp_path / "missing.json")


def test_the_judgement_of_the_set_up_is_near_the_solved_value() -> None:
    """The winning chance of perfect play is 78.99 % (docs/siege-solved.md)."""
    game = Siege()
    assert Seasoned(game).judge(game.initial()) == pytest.approx(0.79, abs=0.08)


def test_fitting_finds_what_there_is_to_find() -> None:
    np = pytest.importorskip("numpy")
    rng = np.random.default_rng(5)
    figures = rng.normal(size=(3000, len(FEATURES))).astype(np.float32)
    figures[:, 3] = 1.0  # never changes, and counts for nothing
    chances = (1 / (1 + np.exp(-2 * np.maximum(figures[:, 0], 0) + 1))).astype(np.float32)
    network = fitting.fit([fitting.Examples(figures, chances)])
    assert network.trained["mean_error_held_out"][0] < 0.08
    assert network.direct[3] == 0.0
    assert {weights[3] for _, weights, _ in network.hidden} == {0.0}


def test_variants_are_always_the_same() -> None:
    assert fitting.variant(3) == fitting.variant(3)
    assert fitting.variant(3) != fitting.variant(4)
