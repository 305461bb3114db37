"""Simulations: the same numbers on any number of cores, and nothing left behind."""

import csv
import io
import json
import multiprocessing
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from muniment.agents.catalog import make_agent
from muniment.arena.simulate import Report, Setup, game_seed, simulate
from muniment.core.dice import seed_from_text
from muniment.core.errors import EditionError, MunimentError, OptionError
from muniment.core.match import Match
from muniment.core.playout import play_out
from muniment.games.siege import Siege

RANDOM = Setup("siege", ("random",))


def run(setup: Setup, games: int, seed: str, jobs: int = 1) -> tuple[Report, str]:
    stream = io.StringIO(newline="")
    return simulate(setup, games, seed, jobs=jobs, csv_stream=stream), stream.getvalue()


def test_two_processes_give_the_numbers_of_one() -> None:
    setup = Setup("siege", ("random",), options={"ones": "event_bonus_cancels"})
    alone, rows = run(setup, 260, "7")
    together, same_rows = run(setup, 260, "7", jobs=2)
    assert together.to_json() == alone.to_json()
    assert same_rows == rows


def test_another_seed_gives_other_games() -> None:
    assert run(RANDOM, 20, "7")[1] != run(RANDOM, 20, "8")[1]


def test_more_games_begin_with_the_same_games() -> None:
    assert run(RANDOM, 60, "7")[1].startswith(run(RANDOM, 20, "7")[1])


def test_rows_are_the_games_of_their_seeds() -> None:
    _, text = run(RANDOM, 12, "abc")
    rows = list(csv.DictReader(io.StringIO(text)))
    assert [row["game"] for row in rows] == [str(number) for number in range(1, 13)]
    game = Siege()
    for row in rows:
        state, decisions = play_out(game, [make_agent(game, "random")], seed_from_text(row["seed"]))
        assert (row["result"], row["day"], row["decisions"]) == (state.result, str(state.day), str(decisions))


def test_a_match_with_a_row_s_seed_is_that_game() -> None:
    report, text = run(Setup("siege", ("captain",)), 2, "7")
    row = list(csv.DictReader(io.StringIO(text)))[1]
    game = Siege()
    captain = make_agent(game, "captain")
    match = Match(game, ["captain"], seed=seed_from_text(game_seed("7", 2)))
    while match.over is None:
        match.act(0, match.ask(0, captain))
    assert match.over.reason == row["result"]
    assert report.totals.games == 2


def test_totals_are_those_of_the_rows() -> None:
    report, text = run(RANDOM, 130, "5")
    rows = list(csv.DictReader(io.StringIO(text)))
    told = json.loads(json.dumps(report.to_json()))
    assert told["games"] == len(rows) == 130
    for ending in told["endings"]:
        assert ending["games"] == sum(row["result"] == ending["result"] for row in rows)
    assert told["mean_status"]["wall"] == sum(int(row["wall"]) for row in rows) / 130
    assert sum(ending["games"] for ending in told["endings_by_turn"]) == 130
    assert told["agents"] == ["random"]
    assert told["options"]["ones"] == "natural"


def test_progress_counts_the_games_done() -> None:
    told: list[int] = []
    simulate(RANDOM, 120, "1", progress=told.append)
    assert told == sorted(told)
    assert told[-1] == 120


@pytest.mark.parametrize("jobs", [1, 2])
def test_interrupted_leaves_no_process(jobs: int) -> None:
    def interrupt(done: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        simulate(RANDOM, 100_000, "1", jobs=jobs, progress=interrupt)
    assert multiprocessing.active_children() == []


@pytest.mark.parametrize("name", ["SIGINT", "SIGKILL"])
@pytest.mark.skipif(os.name != "posix", reason="process groups")
def test_no_process_outlives_the_command(name: str) -> None:
    code = (
        "from muniment.arena.simulate import Setup, simulate\n"
        "simulate(Setup('siege', ('random',)), 10**7, '1', jobs=2, progress=lambda n: print(n, flush=True))"
    )
    command = subprocess.Popen(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, start_new_session=True
    )
    assert command.stdout is not None
    command.stdout.readline()  # its processes are at work
    if name == "SIGINT":  # Ctrl-C at a terminal reaches all of them
        os.killpg(command.pid, signal.SIGINT)
    else:
        command.kill()
    command.wait(30)
    command.stdout.close()
    for _ in range(300):
        try:
            os.killpg(command.pid, 0)
        except ProcessLookupError:
            return
        time.sleep(0.1)
    pytest.fail("a process is left")


@pytest.mark.parametrize(
    ("setup", "error", "words"),
    [
        (Setup("chess", ("random",)), MunimentError, "there is no game 'chess'"),
        (Setup("siege", ("nobody",)), MunimentError, "no agent 'nobody' for 9 Card Siege; there are: random, captain"),
        (Setup("siege", ("random", "random")), MunimentError, "for 1 player, not 2"),
        (Setup("siege", ("random",), options={"ones": "no"}), OptionError, "option ones"),
        (Setup("siege", ("random",), Path("nowhere.toml")), EditionError, "nowhere.toml"),
    ],
)
def test_a_setup_that_cannot_be_played_is_refused(setup: Setup, error: type[MunimentError], words: str) -> None:
    with pytest.raises(error, match=words):
        simulate(setup, 10, "1")


@pytest.mark.parametrize(("games", "jobs"), [(0, 1), (1, 0), (-5, 2)])
def test_numbers_below_one_are_refused(games: int, jobs: int) -> None:
    with pytest.raises(MunimentError, match="at least 1"):
        simulate(RANDOM, games, "1", jobs=jobs)
