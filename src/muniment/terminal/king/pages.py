"""Pages: one player's lands and what is known of him, one's own tiles in full, the bank."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby

from rich.text import Text

from muniment.games.king.state import ARMY, DEAD, FIELD, OWNERS
from muniment.games.king.tiles import CHARACTER, FORT_NAMES, MAGIC_ITEM, SPECIAL, TERRAINS, TREASURE, Kind
from muniment.games.king.views import KingView
from muniment.games.king.what_if import Attack
from muniment.terminal.face import keep_together, rule_line, wrap
from muniment.terminal.king.board import SEAT_STYLES, prestige_parts
from muniment.terminal.king.names import Names, counted, land_code, land_style, land_text, land_words
from muniment.terminal.screen import WIDTH, Line

__all__ = ["attack_page", "bank_page", "land_page", "lands_page", "own_page", "player_page"]

_SIGNS = {"R": "ranged", "C": "charge", "magic": "magic ability", "flying": "flying"}
_HOMELESS = "(no land of yours: cannot enter the army)"


def _titled(title: str, names: Iterable[str], *, hang: str = "        ") -> list[Line]:
    """A title and a list, wrapped."""
    text = ", ".join(map(keep_together, names)) or "none"
    return [*wrap(f"{title:<7} {text}", hang=hang)]


def player_page(view: KingView, names: Names, seat: int) -> list[Line]:
    """A player: how prestige adds up, the lands one by one, what is known of hand and army (K2, K11)."""
    lands, built, gold, nobles = prestige_parts(view, seat)
    lines: list[Line] = [rule_line(names.player(seat), style=SEAT_STYLES[seat])]
    if view.out >> seat & 1:
        return [*lines, " Out of the game (K14)."]
    lines.append(
        f" gold {view.gold[seat]}, income {view.income[seat]} a turn · hand {view.hand_sizes[seat]}"
        f" · army {view.army_sizes[seat]} at home"
    )
    lines.append(
        f" prestige {view.prestige[seat]} = {lands} lands + {built} built there + {gold} for gold + {nobles} specials"
    )
    lines += _land_rows(view, names, seat)
    lines += _titled("special", names.specials(view, seat))
    for title, zone in (("army", ARMY | seat), ("field", FIELD | seat), ("dead", DEAD | seat)):
        shown = [tile.tile for tile in view.tiles if tile.zone == zone]
        hidden = _hidden(view, seat, zone)
        parts = names.tiles(shown) + ([f"{hidden} face down"] if hidden else [])
        if parts:
            lines += _titled(title, parts)
    if view.seat == seat:
        lines += _titled("hand", names.tiles(view.hand))
    for other in view.hidden:
        if other.seat == seat and other.known_army:
            lines += _titled("seen", [*names.tiles(other.known_army), "(known to be in the army)"])
        if other.seat == seat and other.known:
            lines += _titled("seen", [*names.tiles(other.known), "(known to be in hand or army)"])
    return lines


def _hidden(view: KingView, seat: int, zone: int) -> int:
    return sum(number for h in view.hidden if h.seat == seat for where, _, number in h.lies if where == zone)


def _land_rows(view: KingView, names: Names, seat: int) -> list[Line]:
    """Every land with what stands on it, two in a row if there are many."""
    cells: list[Text] = []
    for land in view.lands[seat]:
        cell = Text("  ").append(f"{land_code(land.land):<4}", style="bold")
        cell.append(f"{land_words(land.land):<12}", style=land_style(land.land))
        cells.append(cell.append(names.standing(land)))
    if len(cells) <= 6:
        return list(cells)
    half = (len(cells) + 1) // 2
    lines: list[Line] = []
    for row in range(half):
        line = cells[row].copy()
        line.truncate(39)
        if row + half < len(cells):
            line.append(" " * (40 - line.cell_len))
            other = cells[row + half].copy()
            other.truncate(39)
            line.append_text(other)
        lines.append(line)
    return lines


def lands_page(view: KingView, names: Names) -> list[Line]:
    """Everybody's lands, grouped by what stands on them."""
    lines: list[Line] = [rule_line("lands", "+1 tower +2 keep +3 castle +4 Gran Muniment", style="dim")]
    for seat in range(view.seats):
        line = Text(" ").append(f"{names.player(seat):<16} ", style=SEAT_STYLES[seat])
        for land in view.lands[seat]:
            if line.cell_len > 72:
                lines.append(line)
                line = Text(" " * 18)
            line.append_text(land_text(view.box, land)).append(" ")
        lines.append(line)
    aside = [land_words(name) if name in view.box.land_named else names.tile(name) for name in view.land_aside]
    if aside:
        lines += _titled("drawn", aside)
    return [*lines, "", " Small letters: v village, c city. Capitals: G gold, S silver, C copper mine."]


def attack_page(found: Sequence[Attack], names: Names, *, picked: bool) -> list[Line]:
    """The odds of sending an army against one or several players, land by land. picked: whether it was chosen."""
    first = found[0]
    army = f"{', '.join(map(keep_together, names.tiles(first.army)))}: {first.gold} gold"
    lines: list[Line] = [
        rule_line("if you attacked"),
        *wrap(f"{'With' if picked else 'With all you can pay,'} {army}."),
    ]
    for attack in found:
        lines.append(Text(f" {names.player(attack.target)}", style=SEAT_STYLES[attack.target]))
        for land in attack.lands:
            lines += wrap(
                f"{land_code(land.land):<4}forts alone: {land.alone.text}; whole army met: {land.met.text}",
                indent="   ",
            )
    told = " ".join(dict.fromkeys(f"With the whole army met, {attack.label}." for attack in found))
    return [
        *lines,
        *wrap(
            f"As if all you send stood at that land. {told} Losses are characters expected to die, yours : theirs. "
            "Both sides are taken to lose first what costs them least, and to play no magic."
        ),
    ]


def land_page(view: KingView, names: Names, land: str) -> list[Line]:
    """One land: whose it is, what stands on it, who is lined up there."""
    for seat in range(view.seats):
        for found in view.lands[seat]:
            if found.land == land:
                what = names.standing(found) or "nothing"
                lines: list[Line] = [rule_line(land_words(land), names.player(seat), style=SEAT_STYLES[seat])]
                lines.append(f" {what[0].upper()}{what[1:]} stands there.")
                return lines + _lined_up(view, names, view.box.land_named[land])
    return [rule_line(land_words(land)), " Nobody holds it."]


def _lined_up(view: KingView, names: Names, place: int) -> list[Line]:
    lines: list[Line] = []
    if view.war is None:
        return lines
    for side, title in ((0, "attack"), (1, "defend")):
        seat = view.war_side(side)
        zone = (ARMY if side else FIELD) | seat
        parts = names.tiles(tile.tile for tile in view.tiles if tile.zone == zone and tile.place == place)
        hidden = sum(n for h in view.hidden if h.seat == seat for z, p, n in h.lies if (z, p) == (zone, place))
        lines += _titled(title, [*parts, *([f"{hidden} face down"] if hidden else [])])
    return lines


# -- one's own


def own_page(view: KingView, names: Names) -> list[Line]:
    """One's own hand and army, sorted, with what each tile does."""
    lines: list[Line] = []
    terrains = {land.land.rpartition("-")[0] for land in view.lands[view.seat]}
    for title, tiles in (("hand", view.hand), ("army", view.army)):
        lines.append(rule_line(title, f"{len(tiles)} tiles"))
        lines += _sorted_tiles(names, tiles, terrains if title == "hand" else None)
    away = [t for t in view.tiles if t.zone == FIELD | view.seat]
    if away:
        lines.append(rule_line("field", f"{len(away)} tiles"))
        lines += _sorted_tiles(names, [t.tile for t in away], None)
    owners = [t.tile for t in view.tiles if t.zone == OWNERS]
    if owners:
        lines.append(rule_line("owners of the land", f"{len(owners)} tiles"))
        lines += _sorted_tiles(names, owners, None)
    return lines


def _sorted_tiles(names: Names, tiles: Sequence[str], terrains: set[str] | None) -> list[Line]:
    """Tiles by terrain and sort; of a hand it is told what may enter the army."""
    edition = names.box.edition
    kinds = sorted(
        (edition.kinds[edition.by_slug[slug]] for slug in tiles), key=lambda kind: edition.by_slug[kind.slug]
    )
    lines: list[Line] = []
    for head, group in groupby(kinds, key=_heading):
        lines += _titled(head, counted(names.tile(kind.slug) for kind in group), hang=" " * 10)
        if terrains is not None and head in TERRAINS and head not in terrains:
            if len(str(lines[-1])) + 1 + len(_HOMELESS) > WIDTH:
                lines.append(" " * 8)
            lines[-1] = Text(str(lines[-1])).append(f" {_HOMELESS}", style="dim")
    return lines or [" none"]


def _heading(kind: Kind) -> str:
    if kind.sort == CHARACTER:
        return TERRAINS[kind.terrain]
    return {TREASURE: "treasure", MAGIC_ITEM: "magic", SPECIAL: "special"}.get(kind.sort, "build")


# -- the bank


def bank_page(view: KingView, names: Names) -> list[Line]:
    """The special characters and fortifications that can be had, and how full the cup is (K3, K16)."""
    lines: list[Line] = [rule_line("bank", f"{view.cup_size} tiles in the cup")]
    bonus = view.prestige[view.seat] // 10 if view.seat >= 0 else 0
    for slug in view.bank:
        kind = view.box.edition.kinds[view.box.edition.by_slug[slug]]
        need = 2 * kind.value - bonus
        abilities = ", ".join(_SIGNS[a] for a in kind.abilities)
        line = Text(f"  {names.tile(slug):<22}")
        lines.append(
            line.append(f"{need}+ on two dice for you  " if view.seat >= 0 else "").append(abilities, style="dim")
        )
    forts = [f"{FORT_NAMES[level]} {number}" for level, number in enumerate(view.bank_forts, 1)]
    return [*lines, f" forts left: {', '.join(forts)}"]
