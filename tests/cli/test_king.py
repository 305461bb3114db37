"""King of the Tabletop through the command: whole games, records, what is hidden, errors, being killed."""

import json
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from muniment.core.record import CHANCE, Record
from tests.cli.conftest import Run
from tests.cli.test_processes import COMMAND, environment, on_terminal, read_until

PLAY = ("play", "king")
BOTS = ("--seats", "random,random:Dora", "--option", "turn_limit=2", "--seed", "7")


@pytest.fixture
def record(run: Run, tmp_path: Path) -> Path:
    """The record of a finished game of agents."""
    folder = tmp_path / "finished"
    assert run(*PLAY, *BOTS, "--autosave", folder / "game").exit_code == 0
    (found,) = folder.glob("*.record")
    return found


@pytest.fixture
def running(run: Run, tmp_path: Path) -> Path:
    """The journal of a game that is not over, one person's tiles mustered."""
    journal = tmp_path / "running.journal"
    run(*PLAY, "--seats", "Ada,random:Bo", "--seed", "3", "--autosave", journal, typed="all done\n")
    return journal


def test_agents_play_a_whole_game_in_words(run: Run, tmp_path: Path) -> None:
    result = run(*PLAY, *BOTS, "--autosave", tmp_path / "game")
    assert result.exit_code == 0
    assert "═ Turn 2;" in result.stdout
    assert "the limit of turns" in result.stdout
    assert max(len(line) for line in result.stdout.splitlines() if "The record:" not in line) <= 80


def test_a_record_goes_round(run: Run, record: Path, tmp_path: Path) -> None:
    verified = run("verify", record)
    assert verified.exit_code == 0
    assert "the dice come from the seed" in verified.stdout
    printed = run("replay", record, "--print")
    assert printed.exit_code == 0
    assert "Players: Cleo (random), Dora (random)" in printed.stdout
    assert re.search(r"draws [A-Z]", printed.stdout)
    position = run("show", record, "--at", "60", "--json")
    (tmp_path / "position.json").write_text(position.stdout)
    assert json.loads(position.stdout)["players"]
    again = run(*PLAY, *BOTS, "--position", tmp_path / "position.json", "--autosave", tmp_path / "again")
    assert again.exit_code == 0
    assert "'s hand:" in run("show", record).stdout


def test_the_same_seed_is_the_same_game(run: Run, record: Path, tmp_path: Path) -> None:
    run(*PLAY, *BOTS, "--autosave", tmp_path / "b" / "game")
    (other,) = (tmp_path / "b").glob("*.record")
    assert other.read_text() == record.read_text()


def test_a_running_game_is_shown_without_its_secrets(run: Run, running: Path) -> None:
    entries = Record.read_journal(running.read_text()).entries
    drawn = {entry.notation.split()[1] for entry in entries if entry.notation.startswith("tile ")}
    assert drawn
    for result in (run("show", running), run("replay", running, "--print")):
        assert result.exit_code == 0
        assert not any(f"tile {slug}" in result.stdout for slug in drawn)
        assert "'s hand:" not in result.stdout
        assert "muster " not in result.stdout
        assert not re.search(r"draws [A-Z][a-z]+ [R∞☆C]*\d", result.stdout)
    everything = run("replay", running, "--print", "--all").stdout
    assert "muster " in everything
    assert "Ada's hand:" in run("show", running, "--all").stdout
    refused = run("show", running, "--json")
    assert (refused.exit_code, refused.stderr.count("\n")) == (2, 1)
    assert "--all shows them" in refused.stderr
    assert run("show", running, "--json", "--all").exit_code == 0


def test_a_game_is_taken_up_again_with_its_seats(run: Run, running: Path) -> None:
    result = run(*PLAY, "--autosave", running, typed="mine\n")
    assert result.exit_code == 0
    assert "Going on with the game that was left" in result.stdout
    assert "Ada> mine" in result.stdout
    other = run(*PLAY, "--autosave", running, "--seats", "Cy,Di", "--resume")
    assert other.exit_code == 2
    assert "began otherwise" in other.stderr


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--seats", "me"], "2 to 4 players, not 1"),
        (["--seats", "me,fool:Bo"], "there is no agent 'fool'"),
        (["--seats", "Bo,bo"], "both called"),
        (["--pace", "-1"], "--pace"),
        (["--option", "turn_limit=0"], "turn_limit"),
        (["--option", "edition=mine"], "edition"),
        (["--edition", "nowhere.toml"], "nowhere.toml"),
        (["--position", "nowhere.json"], "nowhere.json"),
        (["--seed", "1", "--dice", "mine"], "--seed is for the program's dice"),
    ],
)
def test_an_error_is_one_line_and_exit_code_2(run: Run, arguments: list[str], told: str, tmp_path: Path) -> None:
    result = run(*PLAY, *arguments, "--autosave", tmp_path / "game")
    assert (result.exit_code, result.stderr.count("\n"), result.stdout) == (2, 1, "")
    assert told in result.stderr


def test_impossible_positions_and_tampered_records(run: Run, record: Path, tmp_path: Path) -> None:
    bad = tmp_path / "bad.json"
    bad.write_text('{"players": [{"gold": -1, "lands": []}, {"gold": 1, "lands": []}]}')
    assert run(*PLAY, "--seats", "me,random", "--position", bad, "--autosave", tmp_path / "g").exit_code == 2
    three = tmp_path / "three.json"
    lands = [{"gold": 1, "lands": [{"land": f"forest-{n}"}]} for n in (1, 2, 3)]
    three.write_text(json.dumps({"players": lands}))
    result = run(*PLAY, "--seats", "me,random", "--position", three, "--autosave", tmp_path / "g")
    assert (result.exit_code, result.stderr.count("\n")) == (2, 1)
    assert "the position has 3 seats, not 2" in result.stderr
    tampered = tmp_path / "tampered.record"
    tampered.write_text(record.read_text().replace("* dice", "* dice 1", 1))
    assert run("verify", tampered).exit_code == 2


def test_editions_by_name(run: Run, tmp_path: Path) -> None:
    journal = tmp_path / "game"
    run(*PLAY, "--edition", "counters", "--autosave", journal, "--seats", "me,random", typed="done\n")
    assert Record.read_journal(journal.read_text()).options["edition"] == "counters"
    assert run("show", journal).exit_code == 0


def test_options_and_rules(run: Run) -> None:
    listed = run(*PLAY, "--list-options")
    assert "neutralised_forts: roll, silent (K35)" in listed.stdout
    assert "K30" in run("rules", "king", "K30").stdout
    assert "assassin" in run("rules", "king", "assassin").stdout.casefold()


def test_real_dice_through_a_pipe(run: Run, tmp_path: Path) -> None:
    typed = "34\n7\n25\n" + "any\n" * 30
    result = run(*PLAY, "--dice", "mine", "--seats", "Ada,random", "--autosave", tmp_path / "game", typed=typed)
    assert result.exit_code == 0
    assert "'7' is not 2 numbers from 1 to 6" in " ".join(result.stdout.split())
    kept = Record.read_journal((tmp_path / "game").read_text())
    assert kept.typed
    assert [entry.notation for entry in kept.entries[:2]] == ["dice 3 4", "dice 2 5"]


def test_killed_at_the_persons_turn_nothing_is_lost(state_home: Path) -> None:
    command = [*COMMAND, *PLAY, "--seats", "Ada,steward", "--seed", "4"]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment()
    ) as game:
        assert game.stdin is not None
        game.stdin.write("all done\npass\n")
        game.stdin.flush()
        read_until(game, "\nAda> ", 3)
        game.send_signal(signal.SIGKILL)
        game.communicate()
    journal = Record.read_journal((state_home / "muniment" / "king.journal").read_text())
    mine = [entry.notation for entry in journal.entries if entry.seat == 0]
    assert mine[-1] == "pass"
    again = subprocess.run(
        [*COMMAND, *PLAY], input="log\n", capture_output=True, text=True, env=environment(), check=True
    )
    assert "Ada musters" in again.stdout
    after = Record.read_journal((state_home / "muniment" / "king.journal").read_text())
    assert after.entries[: len(journal.entries)] == journal.entries
    assert [entry.seat for entry in after.entries if entry.seat != CHANCE]


def test_a_terminal_between_two_people_is_wiped(state_home: Path) -> None:
    arguments = [sys.executable, "-m", "muniment", *PLAY, "--seats", "Ada,Bo", "--seed", "5", "--pace", "0"]
    seen, code = on_curtains(arguments, ["", "done", "", "quit"])
    assert code == 0
    assert "\x1b[?1049h" in seen
    assert "\x1b[?1049l" in seen
    assert seen.count("Pass the device to") == 2
    before, between, after = seen.split("Pass the device to")
    assert "\x1b[3J" in before  # the screen and what is above it are wiped before each curtain and after it
    assert between.count("\x1b[3J") >= 2
    assert "\x1b[3J" in after
    assert "hand" not in between.rpartition("\x1b[3J")[2]


def on_curtains(arguments: list[str], typed: list[str]) -> tuple[str, int]:
    """As ``on_terminal``, where a curtain has no prompt."""
    return on_terminal(arguments, "\n".join(typed) + "\n", prompt=r"(> |\] |Then press Enter\.\r\n)")


def test_stepping_through_a_record_shows_hands_on_demand(record: Path) -> None:
    moves = len(Record.read(record.read_text()).entries)
    command = [*COMMAND, "replay", str(record)]
    seen, code = on_terminal(command, "n\n40\nhands\n\nend\nquit\n", prompt=r"(\d> )")
    assert code == 0
    assert "'s hand:" in seen
    assert re.findall(r"move (\d+) of", seen) == ["0", "1", "40", "40", str(moves)]
