"""Who sits where: as the command line says it and as a record keeps it."""

import pytest

from muniment.core.errors import MunimentError
from muniment.games.king import King
from muniment.terminal.seats import Seat, read_seats, seat_of

AGENTS = ("random", "steward")


def read(text: str) -> tuple[Seat, ...]:
    return read_seats(text, King(), "Ada", AGENTS)


def test_people_and_agents() -> None:
    assert read("me,steward:Cleo, Bo ,random") == (
        Seat("Ada"), Seat("Cleo", "steward"), Seat("Bo"), Seat("Dora", "random"),
    )  # fmt: skip


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


@pytest.mark.parametrize("seat", [Seat("Ada"), Seat("Cleo", "steward"), Seat("Bo", "random", left=True)])
def test_what_a_record_keeps(seat: Seat) -> None:
    assert seat_of(seat.kept) == seat
