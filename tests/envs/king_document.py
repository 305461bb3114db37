"""The tables of docs/encodings.md for the king game, written from those that the code uses.

``python -m tests.envs.king_document`` writes them anew into the page.
"""

from collections.abc import Iterator, Sequence
from itertools import groupby
from pathlib import Path

from muniment.envs.king_encoding import KingEncoding
from muniment.envs.king_fields import MOST, Column
from muniment.games.king import King

PAGE = Path(__file__).parents[2] / "docs" / "encodings.md"
BEGIN, END = "<!-- king: written by the code -->", "<!-- king: end -->"
_FEW = 12


def tables() -> str:
    """Both tables, for the rulebook's edition."""
    encoding = KingEncoding(King())
    return "\n".join((*_actions(encoding), "", *_axes(encoding), "", *_parts(encoding), "", *_columns(encoding)))


def _numbers(first: int, size: int) -> str:
    return str(first) if size == 1 else f"{first} to {first + size - 1}"


def _listed(names: Sequence[str]) -> str:
    if len(names) > _FEW:
        names = [*names[:3], "...", names[-1]]
    return ", ".join(f"`{name}`" if name != "..." else name for name in names)


def _actions(encoding: KingEncoding) -> Iterator[str]:
    yield "| numbers | action | particulars |"
    yield "|---|---|---|"
    for verb in encoding.actions.verbs:
        yield f"| {_numbers(verb.first, verb.size)} | `{verb.word}` | {' × '.join(verb.axes)} |"


def _axes(encoding: KingEncoding) -> Iterator[str]:
    yield "| particular | how many | which, in order |"
    yield "|---|---|---|"
    for name in dict.fromkeys(axis for verb in encoding.actions.verbs for axis in verb.axes):
        values = encoding.actions.axis(name)
        yield f"| {name} | {len(values)} | {_listed(values)} |"


def _parts(encoding: KingEncoding) -> Iterator[str]:
    yield "| places | part | shape | a row is |"
    yield "|---|---|---|---|"
    for part in encoding.observations.parts:
        place = encoding.observations.places[part.name]
        shape = ", ".join(map(str, part.shape))
        yield f"| {_numbers(place.start, part.size)} | `{part.name}` | ({shape}) | {part.rows} |"


def _columns(encoding: KingEncoding) -> Iterator[str]:
    yield "| part | columns | range | meaning |"
    yield "|---|---|---|---|"

    def same(column: Column) -> tuple[int, int, str]:
        return column.low, column.high, column.meaning

    for part in encoding.observations.parts:
        for (low, high, meaning), columns in groupby(part.columns, same):
            names = ", ".join(f"`{column.name}`" for column in columns)
            yield f"| {part.name} | {names} | {low} to {'any' if high == MOST else high} | {meaning} |"


def written(page: str) -> str:
    """The page with the tables in their place."""
    before, _, rest = page.partition(BEGIN)
    _, _, after = rest.partition(END)
    return f"{before}{BEGIN}\n\n{tables()}\n\n{END}{after}"


if __name__ == "__main__":
    PAGE.write_text(written(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
