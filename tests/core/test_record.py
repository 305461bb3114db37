"""Records as text: what is written is read back, and whatever was broken or changed is named with its line."""

from __future__ import annotations

from hashlib import sha256

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muniment.core.dice import seed_from_text
from muniment.core.errors import MunimentError, RecordError
from muniment.core.match import Match, verify
from muniment.core.record import Entry, Record
from muniment.games.siege import Siege, SiegeOptions
from muniment.games.siege.actions import parse_action

SEED = seed_from_text("records")


def record() -> Record:
    match = Match(Siege(), ["Ada Ü"], seed=SEED, nonces=[b"\x01\x02"])
    match.act(0, parse_action("enter"))
    match.act(0, parse_action("end"))
    return match.record()


TEXT = record().write()
LINES = TEXT.splitlines()


def rewritten(old: str, new: str) -> str:
    """The record with a line changed and its digest made to fit, as a forger would."""
    assert old in TEXT
    body = TEXT[: TEXT.index("\nend ") + 1].replace(old, new)
    moves = body[body.index("moves:\n") : body.index("result:")].count("\n") - 1
    return f"{body}end {moves} {sha256(body.encode()).hexdigest()}\n"


def test_the_written_form() -> None:
    """The form that the module documents, line by line."""
    head = [line.partition(":")[0] for line in LINES[:9]]
    assert head == [
        "muniment record 1", "game", "edition", "options", "seats", "dice", "commitment", "nonces", "moves",
    ]  # fmt: skip
    assert LINES[4] == r'seats: ["Ada \u00dc"]'
    assert LINES[7] == 'nonces: ["0102"]'
    assert LINES[10:12] == ["0 enter", "0 end"]
    assert LINES[13] == "result: running"
    assert LINES[14] == f"seed: {SEED.hex()}"
    assert LINES[15].startswith("end 4 ")
    assert len(LINES) == 16


def test_what_is_written_is_read_back() -> None:
    assert Record.read(TEXT) == record()
    assert Record.read_journal(record().write_journal()) == record()


def test_a_position_is_part_of_the_record() -> None:
    game = Siege()
    start = game.initial(1)
    start.trebuchets = 1
    match = Match(game, ["Ada"], seed=SEED, position=start)
    read = Record.read(match.record().write())
    assert read == match.record()
    assert Match.from_record(game, read).view(0).trebuchets == 1


@pytest.mark.parametrize("kept", range(len(LINES)))
def test_a_truncated_record_is_named_as_such(kept: int) -> None:
    cut = "".join(f"{line}\n" for line in LINES[:kept])
    with pytest.raises(RecordError, match="truncated" if kept else "not a record"):
        Record.read(cut)


@pytest.mark.parametrize(
    ("line", "changed", "message"),
    [
        (1, "muniment record 9", "not a record"),
        (2, "gome: siege", "line 2: expected 'game"),
        (4, "options: [", "line 4: not a JSON object"),
        (5, "seats: []", "line 5: seats must be a list of names"),
        (5, 'seats: {"a": 1}', "line 5: not a JSON array"),
        (6, "dice: loaded", "line 6: dice must be seeded or typed"),
        (8, 'nonces: ["xy"]', "line 8: not hexadecimal"),
        (8, "nonces: [1]", "line 8: not hexadecimal"),
        (11, "enter", "expected 'result"),
        (15, "seed: zz", "line 15: not hexadecimal"),
        (16, "end 4", "line 16: expected 'end"),
        (16, "end 5 " + "0" * 64, "counts 5 moves, the record has 4"),
        (16, "end 4 " + "0" * 64, "the record was changed"),
        (11, "0 coupure", "the record was changed"),
    ],
)
def test_a_broken_line_is_named(line: int, changed: str, message: str) -> None:
    lines = LINES[:]
    lines[line - 1] = changed
    with pytest.raises(RecordError) as error:
        Record.read("\n".join(lines) + "\n")
    assert message in str(error.value)
    assert "\n" not in str(error.value)


def test_nothing_may_follow_the_end() -> None:
    with pytest.raises(RecordError, match="line 17: there is something after the end line"):
        Record.read(TEXT + "0 end\n")


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (LINES[9], "* draw 9", "move 1: .* the top event card cannot bring that"),
        (LINES[9], "* draw 2" if LINES[9] != "* draw 2" else "* draw 3", "move 1: .*the dice were tampered with"),
        (LINES[10], "0 raid", "move 2: 'raid' is not allowed: the soldiers are not in the enemy"),
        (LINES[10], "0 dance", "move 2: 'dance' is not an action"),
        (LINES[10], "1 enter", "move 2: 'enter' is not allowed: the game has one seat"),
        (LINES[10], "* roll 3", "move 2: 'roll 3' is not allowed: no die or card is awaited"),
        (f"seed: {SEED.hex()}", f"seed: {bytes(32).hex()}", "the seed does not fit the commitment"),
        ("result: running", "result: won", "says 'won', its moves lead to 'running'"),
        ("game: siege", "game: king", "of the game 'king', not 'siege'"),
        ("edition: standard", "edition: other", None),
        ('"natural"', '"event_bonus_cancels"', "other options"),
    ],
)
def test_a_forged_record_is_found_out(old: str, new: str, message: str | None) -> None:
    forged = Record.read(rewritten(old, new))
    if message is None:  # the edition's name is only a name, its digest counts
        Match.from_record(Siege(), forged)
        return
    with pytest.raises(RecordError, match=message):
        verify(Siege(), forged)


def test_a_record_of_another_edition_is_refused() -> None:
    digest = record().edition_digest
    with pytest.raises(RecordError, match=r"of the edition 'standard' \(000000000000\)"):
        Match.from_record(Siege(), Record.read(rewritten(digest, "0" * 64)))


def test_a_record_of_other_options_needs_those_options() -> None:
    game = Siege(options=SiegeOptions(ones="event_bonus_cancels"))
    match = Match(game, ["Ada"], seed=SEED)
    with pytest.raises(RecordError, match="other options"):
        Match.from_record(Siege(), match.record())
    assert Match.from_record(game, match.record()).record() == match.record()


def test_an_impossible_starting_position_is_named() -> None:
    start = Siege().state_to_json(Siege().initial(1))
    start["wall"] = 0
    broken = Record("siege", "standard", Siege().edition_digest, Siege().option_values, ("Ada",), None, position=start)
    with pytest.raises(RecordError, match="position: impossible position: a wall at 0"):
        Match.from_record(Siege(), broken)


def test_a_journal_drops_a_last_line_that_was_cut_short() -> None:
    journal = record().write_journal()
    assert Record.read_journal(journal + "0 arch").entries == record().entries
    with pytest.raises(RecordError, match="'rubbish' is not a move"):
        Record.read_journal(journal + "rubbish\n")


def test_a_journal_is_not_a_record_nor_a_record_a_journal() -> None:
    with pytest.raises(RecordError, match="line 1: not a record: the first line must be 'muniment record 1'"):
        Record.read(record().write_journal())
    with pytest.raises(RecordError, match="line 1: not a journal: the first line must be 'muniment journal 1'"):
        Record.read_journal(TEXT)


def test_names_with_odd_line_ends_and_files_with_other_ones_are_read() -> None:
    match = Match(Siege(), ["Ada\u2028\x85\nBo"], seed=SEED)
    assert Record.read(match.record().write()) == match.record()
    assert Record.read(TEXT.replace("\n", "\r\n")) == record()


def test_an_entry_names_its_seat() -> None:
    assert str(Entry(3, "pass")) == "3 pass"
    assert str(Entry(-1, "roll 2")) == "* roll 2"


@given(st.data())
def test_no_damage_ever_raises_anything_but_a_clear_error(data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(TEXT) - 1))
    length = data.draw(st.integers(0, 40))
    damaged = TEXT[:at] + data.draw(st.text(max_size=10)) + TEXT[at + length :]
    message = "undamaged"
    try:
        Match.from_record(Siege(), Record.read(damaged))
    except MunimentError as error:
        message = str(error)
    assert len(message.splitlines()) == 1
