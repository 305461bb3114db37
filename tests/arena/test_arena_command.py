"""``muniment arena``: what it prints and writes, how it is interrupted, and what it refuses."""

import csv
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from muniment.cli import main

ROOT = Path(__file__).parents[2]
KING = ("arena", "king", "--agents", "steward,random", "--option", "turn_limit=1", "--seed", "x", "--jobs", 1)
TEST = ("arena", "king", "--test", "steward,random", "--option", "turn_limit=1", "--seed", "x", "--jobs", 1)
SIEGE = ("arena", "siege", "--agents", "captain,random", "--seed", "x", "--jobs", 1)


def run(*arguments: object) -> Result:
    return CliRunner().invoke(main, [str(argument) for argument in arguments])


def numbers(*arguments: object) -> dict[str, Any]:
    result = run(*arguments, "--json")
    assert result.exit_code == 0, result.stderr
    found: dict[str, Any] = json.loads(result.stdout)
    return found


def test_a_round_robin_and_all_that_it_writes(tmp_path: Path) -> None:
    files = [tmp_path / name for name in ("games.csv", "games.parquet", "report.html")]
    kept = ("--out", tmp_path / "out", "--records")
    result = run(*KING, "-n", 5, "--csv", files[0], "--parquet", files[1], "--html", files[2], *kept)
    assert result.exit_code == 0
    assert result.stderr == ""
    assert "6 games at 2 seats" in result.stdout
    with files[0].open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert [row["agent_1"] for row in rows] == ["steward", "random"] * 3
    import pyarrow.parquet as pq

    assert pq.read_table(files[1]).column("seed").to_pylist() == [row["seed"] for row in rows]
    assert "<svg" in files[2].read_text(encoding="utf-8")
    record = tmp_path / "out" / "records" / "000006.record"
    assert "the dice come from the seed" in run("verify", record).stdout
    again = run(*KING, "-n", 5, *kept)
    assert again.stdout.splitlines()[:4] == result.stdout.splitlines()[:4]
    refused = run(*KING, "-n", 5, "--out", tmp_path / "out")
    assert (refused.exit_code, refused.stderr.count("\n")) == (2, 1)
    assert "holds another tournament" in refused.stderr


@pytest.mark.parametrize("jobs", [1, 2])
def test_what_an_agent_prints_is_no_part_of_the_report(jobs: int) -> None:
    talking = f"{ROOT}/tests/arena/own_agents.py:Talking"
    command = ("arena", "siege", "--agents", f"captain,{talking}", "-n", "4", "--jobs", str(jobs), "--json")
    told = subprocess.run([sys.executable, "-m", "muniment", *command], capture_output=True, text=True, check=True)
    assert json.loads(told.stdout)["games"] == 4
    assert "hm" in told.stderr


def test_a_folder_remembers_its_seed(tmp_path: Path) -> None:
    free = [argument for argument in KING if argument not in ("--seed", "x")]
    first = numbers(*free, "-n", 2, "--out", tmp_path)
    second = numbers(*free, "-n", 4, "--out", tmp_path)
    assert first["seed"] == second["seed"]
    assert second["games"] == 4


def test_numbers_of_a_test() -> None:
    found = numbers(*TEST, "--p1", 0.9, "-n", 200)
    assert found["result"]["verdict"] == "H1"
    assert found["result"]["hypotheses"] == {"p0": 0.5, "p1": 0.9, "alpha": 0.05, "beta": 0.05}
    assert found["result"]["llr_against_h0"] >= found["result"]["bound_against_h0"] == pytest.approx(2.995732)
    assert found["games"] == 2 * found["result"]["deals"]


def test_defaults_of_a_test_are_even_and_a_tenth_more() -> None:
    found = numbers(*TEST, "--seats", 4, "-n", 4)
    assert found["result"]["hypotheses"]["p0"] == 0.25
    assert found["result"]["hypotheses"]["p1"] == 0.35
    assert found["result"]["verdict"] is None


def test_solo_games() -> None:
    found = numbers(*SIEGE, "-n", 20)
    assert (found["seats"], found["deals"], found["games"]) == (1, 10, 20)
    (pair,) = found["pairs"]
    assert pair["both"] + pair["only_first"] + pair["only_second"] + pair["neither"] == 10
    assert pair["only_first"] + pair["both"] == found["standings"][0]["wins"]
    assert "rating" not in found["standings"][0]


def test_the_example_of_an_own_agent() -> None:
    file = ROOT / "examples" / "own_agent.py"
    assert len(file.read_text(encoding="utf-8").splitlines()) < 30
    own = f"{file}:Hothead"
    found = numbers("arena", "king", "--agents", f"random,{own}", "-n", 2, "--option", "turn_limit=2", "--seed", "x",
                    "--jobs", 1)  # fmt: skip
    assert {row["agent"]: row["wins"] for row in found["standings"]} == {own: 2, "random": 0}
    assert list(found["own_agents"]) == [own]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("arena", "king"), "either --agents or --test"),
        ((*KING, "--test", "steward,random"), "either --agents or --test"),
        ((*KING, "--records"), "--records needs --out"),
        ((*KING, "--p0", 0.5), "--p0 and --p1 are for --test"),
        ((*TEST, "--p0", 0.7, "--p1", 0.6), "0 < p0 < p1 < 1"),
        ((*KING, "--seats", 5), "2 to 4 players"),
        (("arena", "chess", "--agents", "a,b"), "there is no game 'chess'"),
        (("arena", "king", "--agents", "steward"), "at least 2 agents"),
        (("arena", "king", "--agents", "steward,nowhere.py:Mine"), "nowhere.py: there is no such file"),
        (("arena", "king", "--agents", "steward,"), "no agent ''"),
        ((*KING, "-n", 2, "--parquet", "."), "is a directory"),
        ((*KING, "-n", 2, "--html", "nowhere/report.html"), "nowhere/report.html: there is no such folder"),
        ((*KING, "-n", 2, "--html", "a" * 300), f"{'a' * 300}: File name too long"),
        ((*KING, "-n", 2, "--out", ""), "an empty name is no folder"),
    ],
)
def test_what_it_refuses(arguments: tuple[object, ...], words: str) -> None:
    result = run(*arguments)
    assert result.exit_code == 2
    assert words in result.stderr
    assert result.stdout == ""


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--csv", "x", "--html", "x"), "x: both --csv and --html would write it"),
        (("--csv", "x", "--parquet", "./below/../x"), "both --csv and --parquet would write it"),
        (("--html", "link", "--csv", "mine.txt"), "both --csv and --html would write it"),
        (("--csv", "kept/games.jsonl", "--out", "kept"), "--csv would write where --out kept keeps its games"),
        (("--csv", "below/../bare/records", "--out", "bare"), "--csv would write where --out bare keeps its games"),
        (("--html", "kept/records/000001.record", "--out", "kept"), "--html would write where --out kept keeps"),
        (("--html", "new", "--out", "new"), "--html would write where --out new keeps its games"),
        (("--html", "new", "--out", "new/deep/down"), "--html would write where --out new/deep/down keeps its games"),
        (("--parquet", "mine.py"), "mine.py: --parquet would write over what is played with"),
        (("--html", "twin.txt"), "twin.txt: --html would write over what is played with"),
        (("--csv", "tiles.toml", "--edition", "tiles.toml"), "tiles.toml: --csv would write over what is played with"),
        (("--seed", "\udcff", "--out", "new"), "is not a text for a seed"),
    ],
)
def test_nothing_is_written_in_the_place_of_something_else(
    arguments: tuple[str, ...], words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "below").mkdir()
    (tmp_path / "bare").mkdir()
    (tmp_path / "kept" / "records").mkdir(parents=True)
    (tmp_path / "mine.py").write_text((ROOT / "tests/arena/own_agents.py").read_text(encoding="utf-8"))
    (tmp_path / "mine.txt").write_text("")
    (tmp_path / "link").symlink_to("mine.txt")
    (tmp_path / "twin.txt").hardlink_to("mine.py")
    (tmp_path / "tiles.toml").write_text(
        (ROOT / "src/muniment/games/king/tiles.toml").read_text(encoding="utf-8"), encoding="utf-8"
    )
    before = sorted(tmp_path.rglob("*"))
    options = ("-n", 2, "--option", "turn_limit=1", "--jobs", 1)
    result = run("arena", "king", "--agents", f"random,{tmp_path}/mine.py:First", *options, *arguments)
    assert (result.exit_code, result.stderr.count("\n"), result.stdout) == (2, 1, "")
    assert words in result.stderr
    assert sorted(tmp_path.rglob("*")) == before


def test_files_of_ones_own_in_the_folder_of_results(tmp_path: Path) -> None:
    for _ in range(2):
        result = run(*KING, "-n", 2, "--out", tmp_path, "--csv", tmp_path / "games.csv")
        assert (result.exit_code, result.stderr) == (0, "")
    assert {file.name for file in tmp_path.iterdir()} == {"games.csv", "games.jsonl"}


@pytest.mark.parametrize(
    ("module", "package", "arguments"),
    [
        ("muniment.arena.ratings.find_spec", "arena", KING),
        ("muniment.arena.game_list.find_spec", "arena", (*SIEGE, "-n", 2, "--parquet", "games.parquet")),
    ],
)
def test_a_missing_extra_is_named(
    module: str, package: str, arguments: tuple[object, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, lambda _: None)
    result = run(*arguments)
    assert result.exit_code == 2
    assert f"pip install 'muniment[{package}]'" in result.stderr


@pytest.mark.skipif(os.name != "posix", reason="process groups")
def test_interrupted_it_tells_what_there_is_and_goes_on(tmp_path: Path) -> None:
    arguments = ["arena", "siege", "--agents", "captain,random", "-n", "100000", "--seed", "x", "--out", str(tmp_path)]
    command = subprocess.Popen(
        [sys.executable, "-m", "muniment", *arguments, "--jobs", "2"],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True,
    )  # fmt: skip
    file = tmp_path / "games.jsonl"
    while not (file.exists() and file.read_bytes().count(b"\n") > 40):
        assert command.poll() is None
        time.sleep(0.02)
    os.killpg(command.pid, signal.SIGINT)  # as Ctrl-C at a terminal: to all of its processes
    out, error = command.communicate(timeout=60)
    assert command.returncode == 130
    kept = file.read_bytes().count(b"\n") - 1
    assert f"Interrupted after {kept:,} games; the same command goes on from there" in error
    assert f"{kept // 2 * 2:,} games at one seat" in out
    going_on = numbers("arena", "siege", "--agents", "captain,random", "-n", kept + 2, "--out", tmp_path, "--jobs", 1)
    assert going_on["games"] == (kept + 3) // 2 * 2
