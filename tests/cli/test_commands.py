"""Every command of `muniment`, from record to replay, and every error a user can cause."""

import hashlib
import json
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

import muniment
from muniment.core.record import Record
from tests.cli.conftest import Run

CARDS = Path(muniment.__file__).parent / "games" / "siege" / "cards.toml"


def resealed(text: str) -> str:
    """A record whose end line fits again after it was changed, as a clever cheat would do it."""
    body = text[: text.rindex("end ")]
    moves = body.partition("\nmoves:\n")[2].partition("\nresult:")[0].count("\n") + 1
    return f"{body}end {moves} {hashlib.sha256(body.encode()).hexdigest()}\n"


def other_die(text: str) -> str:
    """The record with its first die turned over."""
    at = text.index("* roll ") + len("* roll ")
    return f"{text[:at]}{7 - int(text[at])}{text[at + 1 :]}"


def test_version_and_help(run: Run) -> None:
    assert run("--version").output == f"muniment {muniment.__version__}\n"
    assert "simulate" in run().output
    assert run().exit_code == 0


def test_a_pipe_plays_ends_cleanly_and_keeps_the_game(run: Run, state_home: Path) -> None:
    result = run("play", "siege", "--seed", "7", typed="1\n1\n")
    assert result.exit_code == 0
    assert result.stderr == ""
    assert "\x1b" not in result.output
    assert all(len(line) <= 80 for line in result.output.splitlines()[:-1])
    journal = Record.read_journal((state_home / "muniment" / "siege.journal").read_text())
    assert sum(entry.seat == 0 for entry in journal.entries) == 2


def test_the_same_seed_gives_the_same_game(run: Run, tmp_path: Path) -> None:
    for folder in ("one", "two"):
        run("play", "siege", "--seed", "a b", "--autosave", tmp_path / folder / "game", typed="1\n" * 200)
    (one,), (two,) = ((tmp_path / folder).glob("*.record") for folder in ("one", "two"))
    assert one.read_text() == two.read_text()


def test_going_on_and_beginning_anew(run: Run, state_home: Path) -> None:
    run("play", "siege", "--seed", "7", typed="1\n")
    journal = state_home / "muniment" / "siege.journal"
    kept = journal.read_text()
    for arguments in ([], ["--resume"], ["--seed", "7"], ["--seed", "7", "--resume"]):
        assert "Going on with the game" in run("play", "siege", *arguments).output
        assert journal.read_text() == kept
    result = run("play", "siege", "--new", "--seed", "7")
    assert "The game before this one is kept in" in result.output.replace("\n  ", "")
    (aside,) = (state_home / "muniment" / "records").iterdir()
    assert Record.read(aside.read_text()).entries == Record.read_journal(kept).entries
    assert "Going on" not in run("play", "siege", "--seed", "8").output
    assert len(list((state_home / "muniment" / "records").iterdir())) == 1  # nobody had chosen anything yet


def test_options_edition_position_and_name_reach_the_game(run: Run, tmp_path: Path) -> None:
    cards = tmp_path / "mine.toml"
    cards.write_text(CARDS.read_text().replace('"standard"', '"mine"').replace("ladders = 2", "ladders = 5"))
    position = {**json.loads(run("play", "siege", "--list-options").output and "{}")}
    run("play", "siege", "--autosave", tmp_path / "g", "--seed", "1", typed=f"save {tmp_path / 'r'}\n")
    position = json.loads(run("show", tmp_path / "r", "--json").output)
    position.update(wall=1, morale=2)
    (tmp_path / "p.json").write_text(json.dumps(position))
    saved = tmp_path / "saved"
    result = run(
        "play", "siege", "--edition", cards, "--position", tmp_path / "p.json", "--option", "ones=event_bonus_cancels",
        "--option", "bad_weather_free_movement=true", "--name", "Ada", "--autosave", tmp_path / "h",
        typed=f"save {saved}\n",
    )  # fmt: skip
    assert "ladders        5" in result.output
    record = Record.read(saved.read_text())
    assert record.options["ones"] == "event_bonus_cancels"
    assert record.options["bad_weather_free_movement"] is True
    assert record.seats == ("Ada",)
    assert record.position == position
    assert record.edition == "mine"
    assert run("show", saved, "--edition", cards).exit_code == 0


def test_list_options(run: Run) -> None:
    output = run("play", "siege", "--list-options").output
    assert "ones: natural, event_bonus_cancels (S3)" in output
    assert max(map(len, (output + run("play", "king", "--list-options").output).splitlines())) <= 80


def test_real_dice(run: Run, tmp_path: Path) -> None:
    typed = f"3\na l\n9\n2\nundo\n5\nsave {tmp_path / 'r'}\nend\n3\n4\n"
    result = run("play", "siege", "--dice", "mine", typed=typed)
    assert result.exit_code == 0
    assert "'9' is not a number from 1 to 6" in result.output
    assert "'3' is not one of the cards that are left: 1 2 4 5 6 7" in result.output
    assert [entry.notation for entry in Record.read((tmp_path / "r").read_text()).entries] == [
        "draw 3", "archers ladders", "roll 5",
    ]  # fmt: skip
    assert "real dice were typed in" in run("verify", tmp_path / "r").output


def test_record_replay_verify_show_round_trip(run: Run, finished: Path) -> None:
    record = Record.read(finished.read_text())
    verified = run("verify", finished)
    assert verified.exit_code == 0
    assert str(record.commitment) in verified.output
    assert f"result: {record.result}" in verified.output
    printed = run("replay", finished).output
    assert printed == run("replay", "--print", finished).output
    assert [str(n) for n, e in enumerate(record.entries, 1) if f"{n}. {e.notation}:" not in printed] == []
    assert "DEFEAT" in printed
    assert all(len(line) <= 80 for line in printed.splitlines())
    for move in (0, 1, 2, len(record.entries)):
        position = json.loads(run("show", finished, "--at", move, "--json").output)
        assert position["game"] == "siege"
        assert (position["result"] is not None) == (move == len(record.entries))
        board = run("show", finished, "--at", move).output
        assert f"move {move} of {len(record.entries)}" in board
        assert len(board.splitlines()) <= 23


def test_a_shown_position_can_be_played(run: Run, finished: Path, tmp_path: Path) -> None:
    for move in range(12):
        (tmp_path / "p.json").write_text(run("show", finished, "--at", move, "--json").output)
        result = run("play", "siege", "--position", tmp_path / "p.json", "--new", typed="1\n")
        assert (result.exit_code, result.stderr) == (0, "")


def test_a_running_game_can_be_replayed_from_its_journal(run: Run, state_home: Path) -> None:
    run("play", "siege", typed="1\n1\n")
    result = run("replay", state_home / "muniment" / "siege.journal")
    assert result.exit_code == 0
    assert "The game is not over." in result.output


def test_rules(run: Run) -> None:
    every = run("rules", "siege").output.splitlines()
    assert any(line.split() == ["9.1.7", "Supply", "raid"] for line in every)
    assert any(line.split()[0] == "S29" for line in every)
    assert "S14  Two units: you must fight" in run("rules", "siege", "s14").output
    assert "Captured soldiers" in run("rules", "siege", "captured", "soldiers").output
    assert run("rules", "king", "magic").exit_code == 0


def test_simulate(run: Run, tmp_path: Path) -> None:
    arguments = ("simulate", "siege", "-n", 60, "--agent", "random", "--seed", "x", "--jobs", 1)
    result = run(*arguments, "--csv", tmp_path / "games.csv")
    assert result.exit_code == 0
    assert result.stderr == ""
    assert "60 games by random" in result.output
    assert "95% interval" in result.output
    assert "overrun" in result.output
    assert "day 3" in result.output
    assert "wall " in result.output
    assert len((tmp_path / "games.csv").read_text().splitlines()) == 61
    numbers = json.loads(run(*arguments, "--json").output)
    assert numbers["games"] == 60
    assert sum(ending["games"] for ending in numbers["endings"]) == 60


Prepare = Callable[[Path, Path], list[object]]
Given = Prepare | Sequence[object]


def _file(name: str, content: Callable[[str], str | bytes], *arguments: object) -> Prepare:
    """Arguments with a file, made from the text of a finished record; None stands for the file."""

    def prepare(folder: Path, record: Path) -> list[object]:
        made = content(record.read_text())
        (folder / name).write_bytes(made if isinstance(made, bytes) else made.encode())
        return [folder / name if argument is None else argument for argument in arguments]

    return prepare


def _edition(change: Callable[[str], str]) -> Prepare:
    return _file("e.toml", lambda _: change(CARDS.read_text()), "play", "siege", "--edition", None)


def _loop(folder: Path, _: Path) -> list[object]:
    (folder / "loop").symlink_to(folder / "loop")
    return ["play", "siege", "--autosave", folder / "loop"]


GARBAGE = bytes(range(256)) * 20
ERRORS: dict[str, tuple[Given, str]] = {
    "unknown command": (["conquer"], "No such command"),
    "unknown option": (["play", "siege", "--frobnicate"], "No such option"),
    "no game": (["play"], "Missing argument"),
    "unknown game": (["play", "chess"], "no game 'chess'"),
    "seats of a game for one": (["play", "siege", "--seats", "me,random"], "is for one player"),
    "unknown game option": (["play", "siege", "--option", "x=1"], "no option 'x'"),
    "option without value": (["play", "siege", "--option", "ones"], "'ones' is not NAME=VALUE"),
    "bad option value": (["play", "siege", "--option", "ones=2"], "'2' is not one of natural"),
    "seed and real dice": (["play", "siege", "--seed", "1", "--dice", "mine"], "--seed"),
    "list over a letter": (
        _file("f", lambda _: "Dear Ada\n", "simulate", "siege", "-n", "1", "--agent", "random", "--csv", None),
        "exists and is no list of games",
    ),
    "seed of no text": (["play", "siege", "--seed", "\udcff"], "is not a text for a seed"),
    "bad name": (["play", "siege", "--name", "a\nb"], "is not a name"),
    "nothing to resume": (["play", "siege", "--resume"], "no game to go on with"),
    "journal is a device": (["play", "siege", "--new", "--autosave", "/dev/null"], "is not an ordinary file"),
    "journal is a loop": (_loop, "a loop of symbolic links"),
    "journal is a directory": (["play", "siege", "--autosave", "/"], "is a directory"),
    "journal nowhere": (["play", "siege", "--autosave", "/dev/null/x"], "cannot be kept"),
    "journal is a letter": (_file("f", lambda _: "Dear Ada\n", "play", "siege", "--autosave", None), "not a journal"),
    "journal is a letter, new": (
        _file("f", lambda _: "Dear Ada\n", "play", "siege", "--new", "--autosave", None), "no game of this program",
    ),
    "journal is a record": (_file("f", str, "play", "siege", "--autosave", None), "not a journal"),
    "no such edition": (["play", "siege", "--edition", "/nowhere"], "/nowhere: No such file"),
    "edition is a directory": (["play", "siege", "--edition", "/"], "Is a directory"),
    "edition is garbage": (_file("e", lambda _: GARBAGE, "play", "siege", "--edition", None), "not a UTF-8 text file"),
    "edition is no TOML": (_edition(lambda _: "[["), "not valid TOML"),
    "edition misspelt": (_edition(lambda text: text.replace("actions = 3", "action = 3", 1)), "'actions' is missing"),
    "edition out of range": (_edition(lambda text: text.replace("wall = 4", "wall = 9")), "from 1 to 4, not 9"),
    "no such position": (["play", "siege", "--position", "/nowhere"], "/nowhere: No such file"),
    "edition too large": (_edition(lambda text: text + "#" * 2**20), "too large to be an edition"),
    "edition without end": (["play", "siege", "--edition", "/dev/zero"], "too large to be an edition"),
    "edition with a long word": (_edition(lambda text: text + f"\n[{'x' * 9999}]"), "xxx …"),
    "position is garbage": (_file("p", lambda _: GARBAGE, "play", "siege", "--position", None), "not a UTF-8"),
    "position is no JSON": (_file("p", lambda _: "{", "play", "siege", "--position", None), "not JSON"),
    "position too deep": (_file("p", lambda _: "[" * 99999, "play", "siege", "--position", None), "not JSON"),
    "position is a list": (_file("p", lambda _: "[]", "play", "siege", "--position", None), "impossible position"),
    "impossible position": (_file("p", lambda _: "{}", "play", "siege", "--position", None), "'day' is missing"),
    "unknown agent": (["simulate", "siege", "--agent", "bob"], "no agent 'bob'"),
    "no games": (["simulate", "siege", "-n", "0"], "-n"),
    "csv nowhere": (["simulate", "siege", "-n", "1", "--csv", "/nowhere/x"], "No such file"),
    "unknown rule": (["rules", "siege", "xyzzy"], "no rule is found for 'xyzzy'"),
    "rules of no game": (["rules", "chess"], "no game 'chess'"),
    "move too far": (_file("r", str, "show", None, "--at", "9999"), "no move 9999"),
    "move before": (_file("r", str, "show", None, "--at", "-1"), "--at"),
    **{
        f"{verb}, {name}": (prepare, told)
        for verb in ("replay", "verify", "show")
        for name, prepare, told in (
            ("no file", [verb, "/nowhere"], "/nowhere: No such file"),
            ("directory", [verb, "/"], "Is a directory"),
            ("endless", [verb, "/dev/zero"], "too large"),
            ("garbage", _file("r", lambda _: GARBAGE, verb, None), "not a UTF-8 text file"),
            ("empty", _file("r", lambda _: "", verb, None), "not a record"),
            ("truncated", _file("r", lambda text: text[: text.index("\nresult")], verb, None), "truncated"),
            ("changed", _file("r", other_die, verb, None), "was changed"),
            ("tampered dice", _file("r", lambda text: resealed(other_die(text)), verb, None), "tampered"),
            (
                "other seed",
                _file("r", lambda t: resealed(t.replace("\nseed: ", "\nseed: 00")[:-1]), verb, None),
                "the seed does not fit the commitment",
            ),
            ("chess", _file("r", lambda t: resealed(t.replace("game: siege", "game: chess")), verb, None), "'chess'"),
            ("edition", _file("r", lambda t: resealed(t.replace("standard ", "x 0", 1)), verb, None), "of the edition"),
            (
                "illegal move",
                _file("r", lambda t: resealed(t.replace("0 archers", "0 sabotage\n0 archers", 1)), verb, None),
                "not allowed",
            ),
        )
    },
}  # fmt: skip


@pytest.mark.parametrize("name", ERRORS)
def test_an_error_is_one_line_and_exit_code_2(run: Run, finished: Path, tmp_path: Path, name: str) -> None:
    given, told = ERRORS[name]
    arguments = given(tmp_path, finished) if callable(given) else given
    result = run(*arguments)
    assert result.exit_code == 2, result.output
    assert result.stdout == ""
    assert result.stderr.startswith("muniment: ")
    assert result.stderr.count("\n") == 1
    assert told in result.stderr


def test_a_file_that_must_not_be_read(run: Run, finished: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def forbidden(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "open", forbidden)
    result = run("verify", finished)
    assert (result.exit_code, result.stderr) == (2, f"muniment: {finished}: Permission denied\n")


def test_a_record_of_another_edition_file(run: Run, finished: Path, tmp_path: Path) -> None:
    cards = tmp_path / "mine.toml"
    cards.write_text(CARDS.read_text().replace("ladders = 2", "ladders = 5"))
    result = run("verify", finished, "--edition", cards)
    assert result.exit_code == 2
    assert "the record is of the edition" in result.stderr


def test_who_can_play_is_listed(run: Run) -> None:
    text = run("agents").stdout
    assert "\n  captain    Weighs" in text
    assert "\n  castellan  1000  Counts" in text
    assert "The squire won 23 of 400 games of two against the agent steward" in text
    (king,) = json.loads(run("agents", "king", "--json").stdout)
    assert [(level["name"], level["agent"]) for level in king["levels"]] == [
        ("squire", "careless"), ("castellan", "steward"), ("regent", "marshal"),
    ]  # fmt: skip
    assert king["levels"][1]["rating"] == 1000
    assert "castellan  1000  " in run("play", "--help").stdout
    assert "there is no game 'chess'" in run("agents", "chess").stderr
