"""Sessions: choosing, explaining, taking back, keeping, and what is drawn meanwhile."""

import random
from pathlib import Path
from typing import Any

import pytest

from muniment.core.errors import MunimentError
from muniment.core.match import Match
from muniment.core.record import Record
from muniment.games.king import King
from muniment.terminal import session as session_module
from muniment.terminal.files import read_record
from muniment.terminal.session import save_record
from tests.terminal.conftest import Start


def fits(lines: list[str]) -> bool:
    """Whether a picture and the prompt fit on 80x24."""
    rows = sum(max(len(line) - 1, 0) // 80 + 1 for line in lines)
    return rows <= 23 and all(len(line) <= 80 for line in lines if not line.startswith(" The record: "))


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("typed", [False, True])
def test_every_picture_of_random_games_fits(start: Start, seed: int, typed: bool) -> None:
    dice = random.Random(seed)
    answers = [str(dice.randint(1, 14)) for _ in range(150)]
    session, screen = start(*answers, typed=typed, seed=str(seed))
    session.run()
    assert [lines for lines in screen.shown[:-1] if not fits(lines)] == []


def test_the_fullest_position_fits_with_two_lines_of_message(start: Start, full_position: dict[str, Any]) -> None:
    session, screen = start("r", "raid", position=full_position)
    session.run()
    assert len(session.match.legal_actions(0)) == 16
    assert "'r' can be: rally, rally supply." in screen.shown[1][-1]
    assert all(fits(lines) for lines in screen.shown[:-1])
    assert all(any(f"{number:>2}" in line for line in screen.shown[0][-8:]) for number in range(1, 17))


@pytest.mark.parametrize("topic", ["", " 1", " 15", " S3", " morale", " water", " raid", " 9.1", " end", " of"])
def test_explanations_fit(start: Start, full_position: dict[str, Any], topic: str) -> None:
    session, screen = start(f"?{topic}", position=full_position)
    session.run()
    assert all(len(line) <= 80 for line in screen.shown[1])


def test_choices_show_price_odds_and_what_loses_at_once(start: Start, full_position: dict[str, Any]) -> None:
    full_position["supplies"] = 0
    session, screen = start(position=full_position)
    session.run()
    board = "\n".join(screen.shown[0])
    assert "archers ladders       1 AP 5/6  83%" in board
    assert "!extra morale         loses the game" in board
    assert "!end" in board


def test_numbers_names_and_prefixes_choose(start: Start, full_position: dict[str, Any]) -> None:
    session, _ = start("1", "a b", "extra s", "FREE  lines", "q", position=full_position)
    assert session.run() is False
    chosen = [entry.notation for entry in session.match.entries if entry.seat == 0]
    assert chosen == ["archers ladders", "archers battering-ram", "extra supplies", "free lines"]


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        ("0", "no choice 0; they are numbered from 1 to 16"),
        ("17", "no choice 17"),
        ("9" * 5000, "no choice 999"),
        ("free", "'free' can be: free castle, free lines."),
        ("raid", "raid is not possible now: the soldiers are not in the enemy lines (9.1.7)."),
        ("xyzzy", "'xyzzy' is no choice and no command"),
        ("\x1b[2J\x07", "'?[2J?' is no choice"),
        ("undo", "Nothing can be undone"),
        ("save", "save needs the name of a file"),
        ("load", "load needs the name of a file"),
        ("load /nowhere", "/nowhere: No such file"),
        ("save /nowhere/at/all", "cannot be written"),
        ("save \0", "not a file name"),
        ("? xyzzy", "No choice and no rule"),
    ],
)  # fmt: skip
def test_what_cannot_be_done_is_told_and_changes_nothing(
    start: Start, full_position: dict[str, Any], typed: str, told: str
) -> None:
    session, screen = start(typed, position=full_position)
    session.run()
    assert told in " ".join(line.strip() for line in screen.text.split("\n"))
    assert "\x1b" not in screen.text
    assert session.match.entries == ()


@pytest.mark.parametrize(
    ("topic", "told"),
    [
        ("1", ["archers ladders", "costs     1 AP", "success   5/6", "die 2 3 4 5 6", "ladders to 2"]),
        ("1", ["9.1.1  Archers"]),
        ("a l", ["archers ladders"]),
        ("raid", ["Not possible now: the soldiers are not in the enemy lines (9.1.7).", "9.1.7  Supply raid"]),
        ("enter", ["the soldiers are in the tunnel already", "9.1.6.1  Into the tunnel"]),
        ("water", ["water can be:", "possible now", "9.1.2  Boiling water"]),
        ("S24", ["S24  Buying an action"]),
        ("99", ["No choice and no rule"]),
        ("bad weather", ["S25  Bad Weather"]),
    ],
)  # fmt: skip
def test_explanations(start: Start, full_position: dict[str, Any], topic: str, told: list[str]) -> None:
    session, screen = start(f"? {topic}", position=full_position)
    session.run()
    assert [words for words in told if words not in screen.text] == []


def test_undo_takes_a_choice_back_but_never_a_die(start: Start, full_position: dict[str, Any]) -> None:
    session, screen = start("free lines", "undo", "archers ladders", "undo", position=full_position)
    session.run()
    assert [entry.seat for entry in session.match.entries] == [0, -1]
    assert "Nothing can be undone" in screen.text


def test_real_dice_with_a_typo_taken_back(start: Start, tmp_path: Path) -> None:
    session, screen = start("8", "3", "undo", "5", "a b", "7", "6", "undo", "1", "log", typed=True)
    session.run()
    assert [str(entry) for entry in session.match.entries] == ["* draw 5", "0 archers battering-ram", "* roll 1"]
    assert "type its number (1 2 3 4 5 6 7)" in "\n".join(screen.shown[0])
    assert "'8' is not one of the cards that are left" in "\n".join(screen.shown[1])
    assert any("Roll a die for archers battering-ram" in line for line in screen.shown[5])
    assert any("'7' is not a number from 1 to 6" in line for line in screen.shown[6])
    assert "The die shows 1" in screen.text
    assert Record.read_journal((tmp_path / "a.journal").read_text()).entries == session.match.entries


def test_a_typo_that_lost_the_game_can_be_taken_back(
    start: Start, full_position: dict[str, Any], tmp_path: Path
) -> None:
    full_position.update(morale=1, supplies=0)
    session, screen = start("w s", "1", "undo", "6", position=full_position, typed=True)
    session.run()
    assert any("DEFEAT" in line for line in screen.shown[2])
    assert session.match.over is None
    assert list(tmp_path.glob("*.record")) == []


def test_the_end_tells_why_and_where_the_record_is(start: Start, full_position: dict[str, Any], tmp_path: Path) -> None:
    full_position.update(morale=1, supplies=0)
    session, screen = start("extra morale", "what?", "yes", position=full_position)
    assert session.run() is True
    (record,) = tmp_path.glob("*.record")
    end = "\n".join(screen.shown[1])
    assert "DEFEAT  Collapse: a second status track fell to 0 (rule 10.0)." in end
    assert str(record) in end
    assert "Another game? (yes or no)" in end
    assert "Please answer yes or no" in "\n".join(screen.shown[2])
    assert read_record(record).result == "collapse"
    assert not (tmp_path / "a.journal").exists()


def test_victory(start: Start, full_position: dict[str, Any]) -> None:
    full_position.update(wall=3, morale=3, supplies=3, deck=[])
    session, screen = start("end", position=full_position)
    session.run()
    assert "end" in "\n".join(screen.shown[0])
    assert "wins the game" in "\n".join(screen.shown[0])
    assert "VICTORY  The relief army arrives" in "\n".join(screen.shown[1])


def test_save_and_load(start: Start, full_position: dict[str, Any], tmp_path: Path) -> None:
    saved = tmp_path / "saved.record"
    first, _ = start("a l", f"save {saved}", "a b", position=full_position)
    first.run()
    second, screen = start(f"load {saved}", "a b")
    second.run()
    assert second.match.position() == first.match.position()  # the same dice too
    assert " Loaded " in "\n".join(screen.shown[1])


def test_loading_keeps_the_game_before(start: Start, full_position: dict[str, Any], tmp_path: Path) -> None:
    saved = tmp_path / "saved.record"
    start(f"save {saved}", position=full_position)[0].run()
    session, _ = start("a l", f"load {saved}", "load " + str(tmp_path / "nothing"), position=full_position)
    session.run()
    (kept,) = tmp_path.glob("siege-running-*.record")
    assert [entry.notation for entry in read_record(kept).entries][:1] == ["archers ladders"]
    assert session.match.entries == ()


def test_save_does_not_overwrite_what_is_no_record(start: Start, tmp_path: Path) -> None:
    mine = tmp_path / "letter.txt"
    mine.write_text("Dear Ada")
    session, screen = start(f"save {mine}", f"save {tmp_path / 'a.record'}", f"save {tmp_path / 'a.record'}")
    session.run()
    assert mine.read_text() == "Dear Ada"
    assert "exists and is no record" in " ".join(screen.shown[1])
    assert "Saved as" in " ".join(screen.shown[3])


def test_a_full_disk_is_told_and_ends_with_an_error(start: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(path: Path, text: str) -> None:
        raise MunimentError(f"{path}: cannot be written: No space left on device")

    session, screen = start("1", "q")
    monkeypatch.setattr("muniment.terminal.journal.write_whole", full)
    with pytest.raises(MunimentError, match="No space left"):
        session.run()
    assert "The game is NOT kept" in " ".join(screen.shown[0])


def test_what_tab_completes(start: Start, full_position: dict[str, Any]) -> None:
    session, screen = start(position=full_position)
    session.run()
    assert {"archers ladders", "undo", "? rally supply"} <= set(screen.offered[0])


def test_help_names_every_command() -> None:
    text = "\n".join(session_module._HELP)
    assert [verb for verb in ("undo", "log", "board", "save", "load", "quit", "?") if verb not in text] == []
    assert all(len(line) <= 80 for line in session_module._HELP)


def test_what_cannot_be_undone_is_told_in_a_sentence(start: Start) -> None:
    session, screen = start("undo")
    session.run()
    assert " Nothing can be undone: a die, a card or another player" in "\n".join(screen.shown[1])


def test_an_explanation_longer_than_the_screen_is_paged(start: Start) -> None:
    session, screen = start("? S3", "? morale")
    session.run()
    assert screen.paged == 1
    assert "9 Card Siege" in screen.shown[3][0]


def test_a_record_of_another_game_is_not_loaded(start: Start, tmp_path: Path) -> None:
    other = tmp_path / "king.record"
    save_record(Match(King(), ["Ada", "Bo"]), other)
    session, screen = start(f"load {other}", "1")
    session.run()
    assert "a game of King of the Tabletop; muniment play king can load it" in " ".join(
        " ".join(screen.shown[1]).split()
    )
    assert session.match.game.facts.name == "siege"
