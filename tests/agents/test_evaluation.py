"""The learned evaluation: what is measured, what it says, its weights' file, how it is learned."""

import json
import random
import sys
from math import exp, log, sqrt
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from muniment.agents.evaluation import Evaluation, chances
from muniment.agents.evaluation.features import FEATURE_VERSION, FEATURES, Measures
from muniment.agents.evaluation.fitting import fit, fitted_text
from muniment.agents.evaluation.selfplay import Sample, SelfPlay
from muniment.agents.evaluation.weights import TABLES, Weights, read_weights, shipped_weights
from muniment.agents.uniform import Uniform
from muniment.cli import main
from muniment.core.dice import seed_from_text
from muniment.core.errors import MunimentError
from muniment.core.game import Over
from muniment.core.playout import play_out
from muniment.games.king import King, KingOptions
from muniment.games.king.state import KingState
from muniment.games.king.tiles import EDITIONS, standard_edition
from tests.king.scripts import Player, Table, part, player

GAME = King()
ZERO = (0.0,) * len(FEATURES)


def measured(state: KingState, seat: int, game: King = GAME) -> dict[str, float]:
    return dict(zip(FEATURES, Measures(game.box).of(state)[seat], strict=True))


def at_war(one: Player, two: Player, *more: Player, **rest: Any) -> Table:
    """Seat 0 may make war in turn 3."""
    return Table(one, two, *more, frames=part(4, ["war", 0]), phase=4, turn=3, **rest)


# -- what is measured


def test_holdings_money_army_and_hand() -> None:
    """K11: 4 lands, forts 2 and 1, a village, a copper mine, 23 gold and a special character: 12 points."""
    table = at_war(
        player(
            "forest-1:2:village mountain-1:1:copper-mine forest-2 desert-1",
            hand="diamond city silver-mine elves-3 vampire-f4 lucky-charm magic-sword",
            army="bear-2 assassin-primus",
            gold=23,
        ),
        player("swamp-1:4", hand="gold-mine"),
    )
    assert measured(table.state, 0) == pytest.approx(
        {
            "prestige": 12, "lands": 4, "forts": 3,
            "greatest fort": 2, "second fort": 1, "settlements": 1, "mines": 1,
            "bare lands": 2, "terrains": 3,
            "gold": 2.3, "treasures": 2, "income to come": 0,
            "nobles": 1, "tiles": 2, "hits": 2 / 6 + 4 / 6, "root of hits": 1, "toughness": 2, "arms": 1,
            "Dwarf King": 0, "thief": 0, "assassin": 1,
            "recruits": 3 / 6, "strangers": 4 / 6, "settlements in hand": 2, "mines in hand": 2, "idle mines": 0,
            "magic": 1,
            "building to come": 0, "event to come": 0, "tiles to come": 0, "war to come": 0.5, "seats before": 1,
            "builds": 2, "turns to win": 16 / 2.6, "close": exp(-16 / 2.6 / 4), "closer": exp(-16 / 2.6 / 1.5),
            "prestige close": exp(-16 / 2.6 / 1.5), "fort close": exp(-3 / 1.5), "prestige at limit": 0,
            "attacks": 0, "is attacked": 0, "worth at stake": 0, "worth in reach": 0, "fort at stake": 0,
            "tiles at stake": 0,
        }
    )  # fmt: skip
    other = measured(table.state, 1)
    assert (other["idle mines"], other["mines in hand"]) == (4, 0)
    assert (other["war to come"], other["seats before"], other["builds"], other["fort close"]) == (
        1,
        0,
        0,
        exp(-1 / 1.5),
    )


def test_what_a_character_is_worth() -> None:
    """K34, K37: a knight's charge is 3.5 dice more, magic hits on 5 and 6, flyers and the Sword Master last longer."""
    army = "yellow-knight-c3 sphinx-m4 old-dragon-f4 sword-master"
    found = measured(at_war(player("desert-1", army=army), player("forest-1")).state, 0)
    assert found["hits"] == pytest.approx(6.5 / 6 + 4 / 3 + 4 / 6 + 4 / 6)
    assert found["root of hits"] == pytest.approx(sqrt(found["hits"]))
    assert found["toughness"] == 1 + 1 + 1.5 + 2


def test_a_level_that_can_still_be_built_this_turn() -> None:
    """K17: one level a land and turn; before its part of phase 1 a seat has that, after it has built no more."""
    table = Table(
        player("forest-1:2", gold=10), player("swamp-1:3"), frames=part(1, ["build", 0]), phase=1, turn=3, acting=0
    )
    assert [measured(table.state, seat)["builds"] for seat in (0, 1)] == [1, 0]
    assert measured(table.state, 1)["income to come"] == pytest.approx(0.4)
    table.do("fort forest-1")
    assert measured(table.state, 0)["builds"] == 1
    assert measured(table.state, 0)["greatest fort"] == 3


def test_prestige_counts_more_towards_the_limit() -> None:
    """K60: with a limit of 5 turns, in turn 3, 2 points count a third."""
    table = at_war(player("forest-1 forest-2"), player("swamp-1"), options={"turn_limit": 5})
    assert measured(table.state, 0, table.game)["prestige at limit"] == pytest.approx(2 / 3)


def test_a_land_without_defence_falls() -> None:
    """K31, K39: the attacker captures a bare land worth 1; a castle is out of a single skeleton's reach."""
    at = at_war(player("desert-1", hand="the-mist", army="skeletons-1", gold=9), player("swamp-1 swamp-2:3"), first=0)
    at.do("attack 1", "send skeletons-1", "done", "pass")
    at.roll(6, 1)
    while at.asks[0] != "line":
        at.do("pass")
    at.do("line skeletons-1 swamp-1")
    attacker, defender = (measured(at.state, seat) for seat in (0, 1))
    assert (attacker["attacks"], attacker["is attacked"], attacker["worth in reach"]) == (1, 0, 1)
    assert (defender["attacks"], defender["is attacked"], defender["worth at stake"]) == (0, 1, 1)
    assert defender["fort at stake"] == 0
    assert attacker["tiles"] == 1, "who is in the field is still of the army"


# -- what it says


def test_chances_of_whole_games() -> None:
    """One chance a seat, in all 1; at the end, exactly the result."""
    for number in range(6):
        game = King(options=KingOptions(trading=number % 2 == 0, turn_limit=(None, 3)[number % 2]))
        evaluation = Evaluation(game)
        seen: list[tuple[float, ...]] = []

        def watch(state: KingState, evaluation: Evaluation = evaluation, seen: list[Any] = seen) -> None:
            found = evaluation.chances(state)
            assert len(found) == state.seats
            assert sum(found) == pytest.approx(1)
            assert all((chance > 0) == state.alive(seat) for seat, chance in enumerate(found))
            seen.append(found)

        end, decisions = play_out(game, [Uniform()] * (2 + number % 3), seed_from_text(f"{number}"), watch=watch)
        over = game.pending(end)
        assert isinstance(over, Over)
        assert evaluation.chances(end) == tuple(float(share) for share in over.returns)
        assert len(seen) == decisions


def test_who_is_out_has_no_chance() -> None:
    """K14."""
    state = at_war(player("forest-1"), player(out=True), player("desert-1")).state
    found = chances(GAME, state)
    assert found[1] == 0
    assert found[0] + found[2] == pytest.approx(1)
    assert Measures(GAME.box).of(state)[1] == []


def test_a_shared_victory_is_shared() -> None:
    state = at_war(player("forest-1"), player("swamp-1"), player("desert-1")).state
    state.over = ("turn-limit", (0, 2))
    assert chances(GAME, state) == (0.5, 0.0, 0.5)


def test_seats_are_alike() -> None:
    """With seats exchanged, and the first player with them, chances are exchanged."""
    one = player("forest-1:2 forest-2", hand="diamond", army="elves-3", gold=12)
    two = player("swamp-1 swamp-2:1:city mountain-1", hand="golem", army="ghosts-f1", gold=3)
    here = at_war(one, two, first=0, acting=0)
    there = Table(two, one, frames=part(4, ["war", 1], seat=1), phase=4, turn=3, first=1, acting=1)
    first, second = chances(GAME, here.state)
    assert chances(GAME, there.state) == pytest.approx((second, first))
    assert first != pytest.approx(second)


@pytest.mark.parametrize(
    "better",
    [
        {"lands": "forest-1:1 forest-2 forest-3"},
        {"lands": "forest-1:2 forest-2"},
        {"lands": "forest-1:1:city forest-2"},
        {"gold": 25},
        {"hand": "chest"},
        {"hand": "city"},
        {"hand": "golem"},
        {"army": "elves-3 walking-tree-5"},
        {"army": "elves-3 sir-launcelot"},
    ],
)
def test_more_is_better(better: dict[str, Any]) -> None:
    plain: dict[str, Any] = {"lands": "forest-1:1 forest-2", "army": "elves-3", "gold": 12}
    other = player("swamp-1:1 swamp-2", army="giant-snake-3", gold=12)
    before = chances(GAME, at_war(player(**plain), other).state)
    after = chances(GAME, at_war(player(**{**plain, **better}), other).state)
    assert after[0] > before[0]


def test_almost_won() -> None:
    """K11: a Gran Muniment and 29 points against two lands."""
    crown = player("forest-1:4:city forest-2:3:city forest-3:3 forest-4:2 forest-5", army="walking-tree-5", gold=89)
    state = at_war(crown, player("swamp-1 swamp-2", army="ghosts-f1")).state
    assert state.prestige(0) == 29
    assert chances(GAME, state)[0] > 0.95


# -- the weights' file


def test_the_shipped_weights_are_of_these_editions_and_beat_the_baselines() -> None:
    weights = shipped_weights()
    assert weights.editions == {name: standard_edition(name).digest for name in EDITIONS}
    for table in TABLES:
        loss = weights.trained["held_out"]["log_loss"][table]
        assert loss["learned"] < loss["prestige"] < loss["uniform"]
    for given, won, share in weights.trained["held_out"]["calibration"]:
        if share > 0.05:
            assert given == pytest.approx(won, abs=0.1)


def test_weights_are_read_back(tmp_path: Path) -> None:
    """As written, to five digits."""
    values = tuple(at / 7 - 2 for at in range(len(FEATURES))), tuple(3 - at / 9 for at in range(len(FEATURES)))
    text = Weights(values, {"rulebook": "0"}, {"games": 3}).to_text()
    (tmp_path / "weights.json").write_text(text)
    found = read_weights(tmp_path / "weights.json")
    assert [*found.values[0], *found.values[1]] == pytest.approx([*values[0], *values[1]], rel=1e-4)
    assert (found.editions, found.trained) == ({"rulebook": "0"}, {"games": 3})
    assert found.to_text() == text


def test_own_weights_decide() -> None:
    """The softmax of 1 and 3 lands, at ln 2 a land, is 1 to 4; with a third seat it is that of its own weights."""
    lands = [0.0] * len(FEATURES)
    lands[FEATURES.index("lands")] = 0.6931471805599453
    evaluation = Evaluation(GAME, Weights((tuple(lands), ZERO)))
    one, two, three = player("forest-1"), player("swamp-1 swamp-2 swamp-3"), player("desert-1")
    assert evaluation.chances(at_war(one, two).state) == pytest.approx((0.2, 0.8))
    assert evaluation.chances(at_war(one, two, three).state) == pytest.approx((1 / 3,) * 3)
    assert Evaluation(GAME, Weights((ZERO, tuple(lands)))).chances(at_war(one, two, three).state) == pytest.approx(
        (1 / 6, 4 / 6, 1 / 6)
    )


def changed(**changes: object) -> str:
    """The file of zero weights with changes, and a digest that fits them."""
    from muniment.core.edition import digest_of

    content = json.loads(Weights((ZERO, ZERO)).to_text())
    content.update(changes)
    content.pop("digest")
    return json.dumps({**content, "digest": digest_of(content)})


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "not JSON"),
        ("[" * 100_000, "not JSON"),
        ("[1]", "the format is not"),
        ("{}", "the format is not"),
        (Weights((ZERO, ZERO)).to_text().replace('"lands": 0.0', '"lands": 1.0'), "damaged"),
        (changed(feature_version=0), "other features"),
        (changed(weights={"lands": 1.0}), "other features"),
        (changed(weights=[1.0]), "other features"),
        (changed(weights={TABLES[0]: dict.fromkeys(FEATURES, 1.0)}), "other features"),
        (changed(weights={table: {"lands": 1.0} for table in TABLES}), "other features"),
        (changed(weights=dict.fromkeys(TABLES, dict.fromkeys(FEATURES, "1"))), "not a finite number"),
        (changed(weights=dict.fromkeys(TABLES, dict.fromkeys(FEATURES, float("inf")))), "not a finite number"),
        (changed(weights=dict.fromkeys(TABLES, dict.fromkeys(FEATURES, 10**400))), "not a finite number"),
        (changed(weights=dict.fromkeys(TABLES, dict.fromkeys(FEATURES, True))), "not a finite number"),
        (changed(feature_version=float(FEATURE_VERSION)), "other features"),
        (changed(feature_version=True), "other features"),
        (changed(editions=["rulebook"]), "its editions are not digests by name"),
        (changed(editions={"rulebook": 1}), "its editions are not digests by name"),
        (changed(editions=None), "its editions are not digests by name"),
        (changed(extra={}), "'extra' is not known here"),
        (changed(trained=3), "does not tell how it was trained"),
        (changed(trained=[["games", 3]]), "does not tell how it was trained"),
    ],
)
def test_unusable_weights(text: str, reason: str, tmp_path: Path) -> None:
    file = tmp_path / "weights.json"
    file.write_text(text)
    with pytest.raises(MunimentError, match=reason) as error:
        read_weights(file)
    assert str(error.value).startswith(str(file))
    assert "\n" not in str(error.value)


def test_weights_nested_at_any_depth_are_refused(tmp_path: Path) -> None:
    """Reading JSON and writing it, for the digest, do not give up at the same depth."""
    file = tmp_path / "weights.json"
    for begin, end in (("[", "]"), ('{"a":', "}")):
        for depth in range(sys.getrecursionlimit() - 200, sys.getrecursionlimit()):
            file.write_text(f'{{"format":"muniment king evaluation 2","trained":{begin * depth}1{end * depth}}}')
            with pytest.raises(MunimentError, match=r"weights.json: (damaged|these are no weights)"):
                read_weights(file)


def test_no_weights(tmp_path: Path) -> None:
    with pytest.raises(MunimentError, match="No such file"):
        read_weights(tmp_path / "weights.json")
    with pytest.raises(MunimentError, match="not a file name") as error:
        read_weights(tmp_path / "weights\0.json")
    assert "\0" not in str(error.value)


# -- learning


def test_a_game_to_learn_from_depends_on_seed_and_number_alone() -> None:
    """At most four positions of a turn, every seat measured; another number is another game."""
    play = SelfPlay("7", ("steward", "random"))
    sample = play.sample(2)
    assert sample == play.prepare()(range(2, 3), lambda: False)[0]
    assert sample.positions != play.sample(3).positions
    assert sum(sample.returns) == 1
    assert all(len(rows) == len(sample.returns) for rows in sample.positions)
    assert all(len(row) in (0, len(FEATURES)) for rows in sample.positions for row in rows)
    assert play.prepare()(range(1, 9), lambda: True) == []


def test_agents_that_do_not_exist() -> None:
    with pytest.raises(MunimentError, match="there is no agent 'nobody'"):
        SelfPlay("7", ("steward", "nobody")).prepare()


def made_up(games: int, seats: int, weight: float) -> list[Sample]:
    """Games in which the chance of winning is the softmax of the lands, 0 to 5, times a weight."""
    chance = random.Random(5)
    lands, samples = FEATURES.index("lands"), []
    for _ in range(games):
        rows = [[0.0] * len(FEATURES) for _ in range(seats)]
        for row in rows:
            row[lands] = float(chance.randrange(6))
        (winner,) = chance.choices(range(seats), [exp(weight * row[lands]) for row in rows])
        samples.append(Sample([rows, rows], tuple(float(seat == winner) for seat in range(seats))))
    return samples


@pytest.mark.parametrize("seats", [2, 4])
def test_what_is_true_is_learned(seats: int) -> None:
    """The weight comes out within its error, about 0.03 for 2000 games; features that say nothing get none."""
    weights = fit(made_up(2000, seats, 0.5), "x", ["steward"])
    assert weights.values[0] == weights.values[1], "what was not played is as what was"
    found = dict(zip(FEATURES, weights.values[0], strict=True))
    assert found.pop("lands") == pytest.approx(0.5, abs=0.1)
    assert set(found.values()) == {0}
    held_out = weights.trained["held_out"]
    assert held_out["games"] == 400
    ((table, loss),) = held_out["log_loss"].items()
    assert table == {2: "2 seats", 4: "3 or 4 seats"}[seats]
    assert loss["uniform"] == round(log(seats), 4)
    assert loss["learned"] < loss["prestige"] == loss["uniform"]
    assert sum(share for _, _, share in held_out["calibration"]) == pytest.approx(1, abs=0.01)
    assert sum(share * abs(given - won) for given, won, share in held_out["calibration"]) < 0.07
    assert any("2,000 games" in line for line in fitted_text(weights))


def test_duels_have_weights_of_their_own() -> None:
    """Where a land is worth 0.7 in a duel and nothing at a table of three, both come out."""
    weights = fit(made_up(1500, 2, 0.7) + made_up(1500, 3, 0.0), "x", ["steward"])
    duel, table = (values[FEATURES.index("lands")] for values in weights.values)
    assert duel == pytest.approx(0.7, abs=0.12)
    assert table == pytest.approx(0.0, abs=0.06)
    assert {*weights.trained["held_out"]["log_loss"]} == {*TABLES}


@pytest.mark.parametrize("games", [0, 1, 2])
def test_too_few_games(games: int) -> None:
    with pytest.raises(MunimentError, match="too few games"):
        fit(made_up(games, 2, 0.0), "x", ["steward"])


# -- the command


def train(*arguments: object) -> Result:
    return CliRunner().invoke(main, ["train", *[str(argument) for argument in arguments]])


def test_the_command_writes_the_same_file_for_the_same_seed(tmp_path: Path) -> None:
    """Weights that can be used, and what they are worth; another seed gives others."""
    files = [tmp_path / f"{number}.json" for number in range(3)]
    for file, seed in zip(files, ("a", "a", "b"), strict=True):
        result = train("king", "--games", 7, "--seed", seed, "--agents", "random", "--jobs", 1, "-o", file)
        assert result.exit_code == 0, result.output
        assert "7 games by random, seed" in result.output
        assert "log loss on 2 games held out" in result.output
    assert files[0].read_text() == files[1].read_text() != files[2].read_text()
    weights = read_weights(files[0])
    assert (weights.trained["games"], weights.trained["agents"], weights.trained["seed"]) == (7, ["random"], "a")
    state = at_war(player("forest-1"), player("swamp-1")).state
    assert sum(Evaluation(GAME, weights).chances(state)) == pytest.approx(1)


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (("siege", "-o", "weights.json"), "only king has an evaluation to train, not siege"),
        (("king", "--agents", "steward,nobody", "-o", "weights.json"), "there is no agent 'nobody'"),
        (("king", "--agents", "", "-o", "weights.json"), "there is no agent ''"),
        (("king", "-o", "nowhere/weights.json"), "there is no folder nowhere"),
        (("king", "-o", "."), "is a directory"),
        (("king", "--games", "1", "--agents", "random", "-o", "weights.json"), "too few games"),
        (("king", "--games", "0", "-o", "weights.json"), "--games"),
        (("king",), "-o"),
    ],
)
def test_what_the_command_refuses(
    arguments: tuple[str, ...], reason: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    result = train(*arguments, "--jobs", 1)
    assert result.exit_code == 2
    assert reason in result.stderr
    assert result.stderr.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


def test_the_extra_is_named_where_it_is_missing(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("muniment.agents.evaluation.fitting.find_spec", lambda _name: None)
    result = train("king", "-o", tmp_path / "weights.json")
    assert result.exit_code == 2
    assert "pip install 'muniment[train]'" in result.stderr
