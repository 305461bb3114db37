"""Who sits where: as the command line says it and as a record keeps it."""

from pathlib import Path

import pytest

from muniment.agents.levels import levels
from muniment.core.errors import MunimentError
from muniment.core.match import Match
from muniment.games.king import King
from muniment.games.siege import Siege
from muniment.terminal.journal import Journal
from muniment.terminal.play import Wish, _seats_of, play
from muniment.terminal.seats import Seat, read_seats, seat_of
from tests.terminal.conftest import Script

AGENTS = ("random", "steward")


def read(text: str) -> tuple[Seat, ...]:
    return read_seats(text, King(), "Ada", AGENTS)


def test_people_and_agents() -> None:
    assert read("me,steward:Cleo, Bo ,random") == (
        Seat("Ada"), Seat("Cleo", "steward"), Seat("Bo"), Seat("Dora", "random"),
    )  # fmt: skip


def test_agents_by_their_levels() -> None:
    assert read("me,castellan,castellan:Bo,random") == (
        Seat("Ada"), Seat("Cleo", "steward"), Seat("Bo", "steward"), Seat("Dora", "random"),
    )  # fmt: skip
    assert read("me,regent") == (Seat("Ada"), Seat("regent"))  # its agent is not among those that there are


def test_a_number_after_the_colon_is_the_budget() -> None:
    seats = read_seats("me,regent:300,marshal:20:Bo", King(), "Ada", (*AGENTS, "marshal"))
    assert seats == (Seat("Ada"), Seat("Cleo", "marshal:300"), Seat("Bo", "marshal:20"))
    match = Match(King(), [seat.kept for seat in seats], seed=bytes(32))
    assert match.seats == ("Ada", "Cleo (marshal:300)", "Bo (marshal:20)")
    assert tuple(map(seat_of, match.seats)) == seats
    assert _seats_of(match) == "Ada,marshal:300:Cleo,marshal:20:Bo"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("me,castellan:300", "the agent steward takes no number; those that do: marshal"),
        ("me,regent:0", "'0' is not a budget"),
        ("me,regent:٣", "'٣' is not a budget"),
        ("me,regent:-5", "begins with a letter"),
        ("me,regent:300:7up", "begins with a letter"),
        ("me,regent:Cleo:300", "no brackets, commas or colons"),
        ("Bo:300,regent", "no agent 'Bo'"),
    ],
)
def test_what_a_budget_cannot_be(text: str, told: str) -> None:
    with pytest.raises(MunimentError, match=r"^--seats: ") as error:
        read_seats(text, King(), "Ada", (*AGENTS, "marshal"))
    assert told in str(error.value)


def test_who_plays_is_asked_where_nobody_said(tmp_path: Path) -> None:
    screen = Script(["me,fool:Cleo", "Ada,random:Cleo"])
    play(Wish("king"), screen, Journal(tmp_path / "game"))
    assert "squire" in screen.offered[0]
    asked = "\n".join(line for page in screen.shown for line in page)
    assert "no agent 'fool'" in asked
    assert all(f"{level.rating}  {level.sentence}" in asked for level in levels("king"))
    assert Journal(tmp_path / "game").read().seats == ("Ada", "Cleo (random)")  # type: ignore[union-attr]


def test_the_next_game_has_the_seats_of_the_last() -> None:
    king = Match(King(), ["Ada (resigned, steward)", "Cleo (careless)", "Bo"], seed=bytes(32))
    assert _seats_of(king) == "Ada,careless:Cleo,Bo"
    assert _seats_of(Match(Siege(), ["Ada"], seed=bytes(32))) is None


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("me", "2 to 4 players, not 1"),
        ("a,b,c,d,e", "not 5"),
        ("me,fool:Cleo", "no agent 'fool'"),
        ("me,Ada", "both called 'ada'"),
        ("me,", "'' is no name"),
        ("me,\x1b[2J", "is no name"),
        ("me,Bo (steward)", "no brackets"),
        ("me,steward:" + "x" * 40, "is no name"),
        ("me,7up", "begins with a letter"),
        ("me," + "李" * 9, "columns if they are wide"),
    ],
)
def test_what_seats_cannot_be(text: str, told: str) -> None:
    with pytest.raises(MunimentError, match="--seats") as error:
        read(text)
    assert told in str(error.value)


@pytest.mark.parametrize(
    "seat", [Seat("Ada"), Seat("Cleo", "steward"), Seat("Bo", "random", left=True), Seat("Jan", "marshal:7")]
)
def test_what_a_record_keeps(seat: Seat) -> None:
    assert seat_of(seat.kept) == seat
