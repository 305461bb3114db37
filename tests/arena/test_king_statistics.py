"""The numbers of many games of King of the Tabletop: those of the single games, whatever the number of processes."""

import csv
import io
import json
from collections import Counter

import pytest

from muniment.agents.catalog import make_agent
from muniment.arena.king_statistics import HOLDINGS, VICTORIES, KingObserver, KingTotals
from muniment.arena.simulate import Report, Setup, simulate
from muniment.core.dice import seed_from_text
from muniment.core.game import Over
from muniment.core.playout import play_out
from muniment.games.king import King
from muniment.terminal.report import report_lines

SETUP = Setup("king", ("random", "steward", "random"))


def run(setup: Setup, games: int, seed: str, jobs: int = 1) -> tuple[Report, list[dict[str, str]]]:
    stream = io.StringIO()
    report = simulate(setup, games, seed, jobs=jobs, csv_stream=stream)
    return report, list(csv.DictReader(io.StringIO(stream.getvalue())))


@pytest.fixture(scope="module")
def found() -> tuple[Report, list[dict[str, str]]]:
    return run(SETUP, 24, "statistics")


def test_the_number_of_processes_does_not_matter(found: tuple[Report, list[dict[str, str]]]) -> None:
    report, rows = run(SETUP, 24, "statistics", jobs=2)
    assert report.to_json() == found[0].to_json()
    assert rows == found[1]


def test_totals_are_those_of_the_rows(found: tuple[Report, list[dict[str, str]]]) -> None:
    report, rows = found
    told = json.loads(json.dumps(report.to_json()))
    assert told["games"] == len(rows) == 24
    for seat in told["seats"]:
        assert seat["wins"] == sum(row["winner"] == str(seat["seat"]) for row in rows)
        assert seat["mean_final_prestige"] == sum(int(row[f"prestige_{seat['seat']}"]) for row in rows) / 24
        assert seat["win_rate"]["low"] <= seat["win_rate"]["estimate"] <= seat["win_rate"]["high"]
    assert len(told["seats"]) == 3
    assert {v["victory"]: v["games"] for v in told["victories"] if v["games"]} == Counter(r["victory"] for r in rows)
    assert told["mean_turns"] == sum(int(row["turns"]) for row in rows) / 24
    first = next(row for row in told["prestige_by_turn"] if row["turn"] == 1)
    assert first["games"] == 24
    assert first["mean_prestige"][0] == sum(int(row["path_1"].split()[1]) for row in rows) / 24
    assert rows[0]["prestige_4"] == rows[0]["tiles_4"] == ""


def test_lifts_are_those_of_the_rows(found: tuple[Report, list[dict[str, str]]]) -> None:
    report, rows = found
    totals = report.totals
    assert isinstance(totals, KingTotals)
    base = sum(totals.wins) / (24 * 3)
    for holding in HOLDINGS:
        lifts = totals.lifts(holding)
        assert lifts == sorted(lifts, key=lambda lift: (-lift.lift, lift.tile))
        for lift in lifts:
            holders = [
                row["winner"] == str(seat)
                for row in rows for seat in (1, 2, 3) if lift.tile in row[f"{holding}_{seat}"].split()
            ]  # fmt: skip
            assert (lift.held, lift.wins) == (len(holders), sum(holders))
            assert lift.lift == pytest.approx(lift.wins / lift.held / base)


def test_agents_of_several_seats_are_counted_together(found: tuple[Report, list[dict[str, str]]]) -> None:
    totals = found[0].totals
    assert isinstance(totals, KingTotals)
    assert totals.by_agent(SETUP.agents) == {
        "random": (totals.wins[0] + totals.wins[2], 48),
        "steward": (totals.wins[1], 24),
    }
    assert totals.wins[1] > totals.wins[0] + totals.wins[2]


def test_a_row_is_the_game_of_its_seed(found: tuple[Report, list[dict[str, str]]]) -> None:
    row = found[1][4]
    game = King()
    agents = [make_agent(game, name) for name in SETUP.agents]
    observer = KingObserver()
    end, decisions = play_out(game, agents, seed_from_text(row["seed"]), watch=observer.watch)
    over = game.pending(end)
    assert isinstance(over, Over)
    assert (str(end.turn), str(decisions), over.reason) == (row["turns"], row["decisions"], row["result"])
    assert observer.victory(game.view(end), over) == row["victory"]
    held = {game.box.slug[tile] for tile in observer.held[1] if tile < game.box.deck}
    assert held == set(row["tiles_2"].split())
    assert {game.box.slug[tile] for tile in end.hand[1] if tile < game.box.deck} <= held


@pytest.mark.parametrize(
    ("options", "victory"), [({"turn_limit": 1}, "turn-limit"), ({}, "built")]
)  # fmt: skip
def test_how_games_are_won(options: dict[str, object], victory: str) -> None:
    totals = simulate(Setup("king", ("random", "random"), options=options), 6, "ways").totals
    assert isinstance(totals, KingTotals)
    assert totals.victories[victory] > 0
    assert set(totals.victories) <= set(VICTORIES)
    assert sum(totals.wins) + totals.shared == 6


def test_a_captured_gran_muniment_is_told_from_a_built_one() -> None:
    game = King()
    state = game.initial(2)
    observer = KingObserver()
    state.turn = 1
    state.gain_land(0, 3)
    state.gain_land(1, 4)
    observer.watch(state)
    state.set_fort(3, 4)
    observer.watch(state)
    assert observer.origin == {3: "built"}
    state.lose_land(3)
    state.gain_land(1, 3)
    observer.watch(state)
    assert observer.origin == {3: "captured"}


def test_the_report_in_words(found: tuple[Report, list[dict[str, str]]]) -> None:
    lines = [str(line) for line in report_lines(found[0])]
    text = "\n".join(lines)
    assert all(len(line) <= 80 for line in lines)
    for words in ("player 2 steward", "how games are won", "Gran Muniment built", "turns on average", "mean prestige",
                  "lift", "random: "):  # fmt: skip
        assert words in text
