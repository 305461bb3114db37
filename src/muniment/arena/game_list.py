"""The games of a tournament as a table, one row each: CSV, and Parquet with the extra ``arena``.

The columns: game, deal, seed, the agent of each seat, then those of the game's ``Totals``. Nothing in them depends on
when or where a game was played.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from muniment.arena.tournament import Result, Tournament
from muniment.core.errors import MunimentError

__all__ = ["games_csv", "need_parquet", "write_parquet"]


def _columns(tournament: Tournament) -> tuple[list[str], list[int]]:
    """The names of the columns, and which values of a game's own row they take: none of seats that are not there."""
    seats = tournament.plan.seats
    own = tournament.totals().columns
    taken = [at for at, name in enumerate(own) if not _of_seat_above(name, seats)]
    names = ["game", "deal", "seed", *(f"agent_{seat}" for seat in range(1, seats + 1)), *(own[at] for at in taken)]
    return names, taken


def _of_seat_above(column: str, seats: int) -> bool:
    seat = column.rpartition("_")[2]
    return seat.isdigit() and int(seat) > seats


def _rows(tournament: Tournament, results: Sequence[Result]) -> tuple[list[str], list[list[int | str]]]:
    names, taken = _columns(tournament)
    agents = tournament.plan.agents
    rows: list[list[int | str]] = [
        [
            result.number,
            result.deal,
            result.seed,
            *(agents[agent] for agent in result.agents),
            *(result.row[at] for at in taken),
        ]
        for result in results
    ]
    return names, rows


def games_csv(tournament: Tournament, results: Sequence[Result]) -> str:
    """A header and a line for each game."""
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\n")
    names, rows = _rows(tournament, results)
    writer.writerow(names)
    writer.writerows(rows)
    return text.getvalue()


def need_parquet() -> None:
    """Raise MunimentError if Parquet files cannot be written."""
    if find_spec("pyarrow") is None:
        raise MunimentError("Parquet files need more packages: pip install 'muniment[arena]'")


def write_parquet(tournament: Tournament, results: Sequence[Result], path: Path) -> None:
    """The same columns as a Parquet file; numbers are 64-bit integers. Raises OSError if it cannot be written."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    names, rows = _rows(tournament, results)
    columns: dict[str, Any] = {name: [row[at] for row in rows] for at, name in enumerate(names)}
    pq.write_table(pa.table(columns), path)
