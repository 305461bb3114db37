"""The overview: every player's gold, prestige, counts, special characters and lands; one's own hand and army (K2)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from rich.cells import set_cell_size
from rich.text import Text

from muniment.games.king.state import DEAD, FIELD
from muniment.games.king.views import KingView
from muniment.terminal.face import rule_line
from muniment.terminal.king.names import Names, join_within, land_text
from muniment.terminal.screen import WIDTH, Line

__all__ = ["PHASES", "SEAT_STYLES", "head_line", "overview", "prestige_parts", "when"]

PHASES: Final = ("set-up", "building", "events", "new tiles", "war")
SEAT_STYLES: Final = ("bold cyan", "bold yellow", "bold magenta", "bold green")
_HEIGHT: Final = 12
_NAME: Final = 16


def when(view: KingView) -> str:
    """The turn and the phase."""
    return f"turn {view.turn} · {PHASES[view.phase]}" if view.turn else "set-up"


def prestige_parts(view: KingView, seat: int) -> tuple[int, int, int, int]:
    """How prestige adds up (K11): lands, what stands on them, gold, special characters."""
    lands = len(view.lands[seat])
    gold = view.gold[seat] // 10
    box = view.box
    built = sum(
        land.fort + (box.value[box.tiles_named(land.improvement)[0]] if land.improvement else 0)
        for land in view.lands[seat]
    )
    return lands, built, gold, view.prestige[seat] - lands - built - gold


def overview(view: KingView, names: Names) -> list[Line]:
    """At most twelve lines, whatever is on the table."""
    lines: list[Line] = [head_line(view)]
    for seat in range(view.seats):
        lines += [_player(view, names, seat), _lands(view, seat)]
    if view.seat >= 0:
        lines += _own(view, names, _HEIGHT - len(lines))
    return lines


def head_line(view: KingView) -> Text:
    """When it is, and the heads of the columns."""
    line = rule_line(when(view))
    line.truncate(38)
    heads = " gold  prestige = land built gold spec  hand army specials"
    line.truncate(WIDTH - len(heads))
    line.append("─" * (WIDTH - len(heads) - line.cell_len), style="dim")
    return line.append(heads, style="dim")


def _player(view: KingView, names: Names, seat: int) -> Text:
    line = Text("▶" if seat == view.acting and view.over is None else " ", style="bold")
    name = set_cell_size(names.player(seat), _NAME)
    line.append(f"{seat + 1} ", style="dim").append(name, style=SEAT_STYLES[seat])
    line.append(("1st " if seat == view.first and view.turn else "    "), style="dim")
    if view.out >> seat & 1:
        return line.append("out of the game", style="dim")
    lands, built, gold, nobles = prestige_parts(view, seat)
    line.append(f"{view.gold[seat]:>4}", style="yellow")
    line.append(f"  {view.prestige[seat]:>8}", style="bold" if view.prestige[seat] < 25 else "bold red")
    line.append(f" = {lands:>4} {built:>5} {gold:>4} {nobles:>4}  {view.hand_sizes[seat]:>4} {_army(view, seat):>4} ")
    room = WIDTH - line.cell_len - 1
    return line.append(join_within(names.specials(view, seat), room), style="cyan")


def _army(view: KingView, seat: int) -> int:
    """Everything in the army, at home or in the field."""
    field = view.war is not None or (view.battle is not None and view.battle.fight)
    away = [tile for tile in view.tiles if tile.zone == FIELD | seat] if field else []
    hidden = sum(number for h in view.hidden if h.seat == seat for zone, _, number in h.lies if zone == FIELD | seat)
    return view.army_sizes[seat] + len(away) + hidden


def _lands(view: KingView, seat: int) -> Text:
    """The lands in one line; what does not fit is counted."""
    line = Text("    ")
    lands = view.lands[seat]
    for at, land in enumerate(lands):
        mark = land_text(view.box, land)
        left = len(lands) - at - 1
        if line.cell_len + mark.cell_len + (5 if left else 0) > WIDTH:
            return line.append(f"+{left + 1}", style="dim")
        line.append_text(mark).append(" ")
    line.rstrip()
    return line


def _own(view: KingView, names: Names, room: int) -> list[Line]:
    """One's own hand, army, field and dead."""
    parts: list[tuple[str, Sequence[str]]] = [("hand", view.hand), ("army", view.army)]
    for title, zone in (("field", FIELD | view.seat), ("dead", DEAD | view.seat)):
        there = [tile.tile for tile in view.tiles if tile.zone == zone]
        if there:
            parts.append((title, there))
    shown = [(title, names.tiles(tiles)) for title, tiles in parts[: max(room, 1)]]
    spare = room - len(shown)
    lines: list[Line] = []
    for title, tiles in shown:
        rows = _rows(title, tiles, 1 + max(spare, 0))
        spare -= len(rows) - 1
        lines += rows
    return lines


def _rows(title: str, tiles: Sequence[str], most: int) -> list[Line]:
    """A title and tiles in at most so many lines."""
    rows: list[list[str]] = [[]]
    for at, tile in enumerate(tiles):
        row = rows[-1]
        width = 9 + len(", ".join([*row, tile]))
        last = len(rows) == most
        if width > WIDTH - (10 if last and at < len(tiles) - 1 else 1):
            if last:
                row.append(f"+{len(tiles) - at} more")
                break
            rows.append([])
        rows[-1].append(tile)
    lines: list[Line] = []
    for at, row in enumerate(rows):
        text = ", ".join(row) + ("," if at < len(rows) - 1 else "") or "none"
        lines.append(Text(f" {title if not at else '':<6} ", style="dim").append(text, style="" if row else "dim"))
    return lines
