"""The boards of war: who stands where against whom, and a battle stage by stage (K28 to K39)."""

from __future__ import annotations

from typing import Final

from rich.text import Text

from muniment.games.king.battle import fighter_token
from muniment.games.king.combat import HAND_STAGE, RANGED_STAGE, STAGES, Fighter, stage_dice
from muniment.games.king.prospects import Prospect, battle_forts, battle_now, land_prospects
from muniment.games.king.state import ARMY, FIELD, RESERVE
from muniment.games.king.tiles import FORT_NAMES
from muniment.games.king.views import BattleView, KingView, LandView
from muniment.games.king.war_state import War
from muniment.terminal.face import rule_line, wrap
from muniment.terminal.king.board import SEAT_STYLES
from muniment.terminal.king.names import Names, counted, join_within, land_mark, land_words
from muniment.terminal.screen import WIDTH, Line

__all__ = ["battle_board", "dice_words", "in_battle", "in_war", "war_board"]

_ODDS: Final = 14  # columns for chance and dead
_STAGES: Final = {-1: "before the dice", RANGED_STAGE: "ranged stage", HAND_STAGE: "hand-to-hand stage"}


def in_battle(view: KingView) -> bool:
    """Whether a battle is under way, its tiles revealed."""
    return view.battle is not None and bool(view.battle.attackers or view.battle.defenders)


def in_war(view: KingView) -> bool:
    """Whether an army is in the field and its war not over."""
    return view.war is not None and _war(view)["off"] != 2


def _war(view: KingView) -> dict[str, int]:
    assert view.war is not None
    return dict(zip(War.__slots__, view.war, strict=True))


# -- the war


def war_board(view: KingView, names: Names, most: int = 12) -> list[Line]:
    """Both armies and every land of the defender, in at most so many lines."""
    war = _war(view)
    attacker, defender = war["attacker"], war["defender"]
    higher = war["higher"]
    right = "" if higher < 0 else f"initiative: {names.player((attacker, defender)[higher])}"
    lines: list[Line] = [rule_line(f"{names.player(attacker)} attacks {names.player(defender)}", right)]
    for seat, zone, title in ((attacker, FIELD, "field"), (defender, ARMY, "army")):
        lines.append(_force(view, names, seat, zone | seat, title))
    prospects = land_prospects(view)
    rows: list[Line] = []
    rest: list[str] = []
    for land in view.lands[defender]:
        number = view.box.land_named[land.land]
        sides = [_there(view, names, seat, zone | seat, number) for seat, zone in ((attacker, FIELD), (defender, ARMY))]
        fought = bool(war["fought"] >> number & 1)
        wall = war["wall_value"] if war["wall_land"] == number else 0
        if sides[0][0] and not fought:
            rows.append(_row(view, land, sides, prospects.get(land.land), wall))
        else:
            guards = f":{sides[1][0]}" if sides[1][0] else ""
            rest.append(
                f"{land_mark(view.box, land)}{guards}{' fought' if fought else ''}{f' wall {wall}' * bool(wall)}"
            )
    room = most - len(lines)
    tail: list[Line] = []
    if rest:
        text = f"not attacked{' (:guards)' if any(':' in x for x in rest) else ''}: {'  '.join(rest)}"
        tail = list(wrap(text, most=2))
    room -= len(tail)
    if prospects:
        deals = max(prospect.deals for prospect in prospects.values())
        told = " At the right: the chance that the land falls, the dead expected on each side."
        if deals > 1:
            told = f" Right, expected over {deals} deals of the hidden tiles: the land falls; the dead."
        tail.append(Text(told, style="dim"))
        room -= 1
    if len(rows) > room:
        cut = len(rows) - room + 1
        rows = [*rows[: room - 1], Text(f" and {cut} more lands; war lists them all", style="dim")]
    return [*lines, *rows, *tail]


def _force(view: KingView, names: Names, seat: int, zone: int, title: str) -> Text:
    """One army of the war in a line: what is still at hand of it, and how many tiles."""
    shown = [tile.tile for tile in view.tiles if tile.zone == zone]
    hidden = sum(n for h in view.hidden for where, _, n in h.lies if where == zone)
    reserve = sum(tile.zone == zone and tile.place == RESERVE for tile in view.tiles)
    total = len(shown) + hidden
    line = Text(" ").append(f"{names.player(seat)}", style=SEAT_STYLES[seat])
    line.append(f", {total} tile{'s' * (total != 1)} in the {title}")
    line.append(f" ({reserve} in reserve)" if reserve else "")
    parts = [*names.tiles(shown), *([f"{hidden} face down"] if hidden else [])]
    if parts:
        line.append(": ").append(join_within(parts, WIDTH - line.cell_len - 2), style="dim")
    return line


def _there(view: KingView, names: Names, seat: int, zone: int, place: int) -> tuple[int, list[str]]:
    """How many of a seat's tiles stand at a land, and which, as far as they are seen."""
    shown = [tile.tile for tile in view.tiles if tile.zone == zone and tile.place == place]
    hidden = sum(n for h in view.hidden if h.seat == seat for where, at, n in h.lies if (where, at) == (zone, place))
    parts = names.tiles(shown)
    return len(shown) + hidden, [*parts, *([f"{hidden} face down"] if hidden else [])]


def _row(
    view: KingView,
    land: LandView,
    sides: list[tuple[int, list[str]]],
    prospect: Prospect | None,
    wall: int,
) -> Text:
    line = Text(f" {land_mark(view.box, land)}{f'+wall {wall}' if wall else ''}", style="bold")
    line.append(" " * max(9 - line.cell_len, 1))
    odds = ""
    if prospect is not None:
        odds = f"{prospect.capture:>4.0%} {prospect.attacker_loss:>4.1f}:{prospect.defender_loss:.1f}"
    width = (WIDTH - line.cell_len - _ODDS - 6) // 2
    for (number, parts), mark in zip(sides, ("←", "│"), strict=True):
        text = join_within(parts, width - 3) if parts else "nobody"
        line.append(f"{mark} {f'{number} {text}' if len(parts) > 1 else text:<{width}} ")
    line.append(" " * max(WIDTH - line.cell_len - len(odds), 0))
    return line.append(odds, style="bold")


# -- a battle


def battle_board(view: KingView, names: Names, most: int = 12) -> list[Line]:
    """A battle: forts, both sides with their dice, and the odds where a stage is about to begin."""
    b = view.battle
    assert b is not None
    stage = "over" if b.ended else _STAGES[b.stage]
    lines: list[Line] = [rule_line(f"{'fight' if b.fight else 'battle'} for {land_words(b.land)}", stage)]
    if not b.fight:
        lines.append(_forts(view, names, b))
    for side, fighters in enumerate((b.attackers, b.defenders)):
        seat = b.defender if side else b.attacker
        lines += _side(view, names, b, side, seat, fighters)
    prospect = battle_now(view)
    if prospect is not None:
        lines.append(Text(f" From here: {prospect.text} (odds if no more magic is used)", style="bold"))
    others = [f"{land}: {p.capture:.0%}" for land, p in land_prospects(view).items()] if view.war is not None else []
    if others and len(lines) < most - 1:
        lines.append(Text(f" Still to be fought: {', '.join(land_words(x) for x in others)}", style="dim"))
    return lines[:most]


def _forts(view: KingView, names: Names, b: BattleView) -> Text:
    forts = battle_forts(view)
    line = Text(" forts ")
    land = next((x for lands in view.lands for x in lands if x.land == b.land), None)
    if land is None or not forts.value:
        return line.append("none", style="dim")
    war = _war(view) if view.war is not None else {}
    parts = [f"{FORT_NAMES[land.fort]} {land.fort}"] if land.fort else []
    if land.improvement:
        tile = view.box.tiles_named(land.improvement)[0]
        if tile < view.box.mines:
            parts.append(f"{names.tile(land.improvement).lower()} {view.box.value[tile]}")
    if war.get("wall_value") and war["wall_land"] == view.box.land_named[b.land]:
        parts.append(f"wall of fire {war['wall_value']}")
    line.append("■" * min(forts.left, 20), style="bold").append("□" * min(forts.value - forts.left, 20), style="dim")
    return line.append(f"  {forts.left} of {forts.value} left ({' + '.join(parts)})")


def dice_words(dice: tuple[tuple[int, int], ...]) -> str:
    """``((9, 6), (3, 5))`` as "9 dice on 6, 3 on 5-6"."""
    if not dice:
        return "no dice"
    words = [f"{number} on {threshold if threshold == 6 else f'{threshold}-6'}" for number, threshold in dice]
    first, *others = words
    number, _, rest = first.partition(" ")
    return ", ".join([f"{number} {'die' if number == '1' else 'dice'} {rest}", *others])


def _side(
    view: KingView, names: Names, b: BattleView, side: int, seat: int, fighters: tuple[Fighter, ...]
) -> list[Line]:
    """A side: who is alive, its dice in each stage still to come, the hits it has still to place."""
    who = names.player(seat)
    if b.fight and side:
        who = f"owners (played by {who})"
    line = Text(" ").append(who, style=SEAT_STYLES[seat])
    line.append(f" {'defends' if side else 'attacks'} with {len(fighters)}")
    foes = b.attackers if side else b.defenders
    terms = view.box.terms[view.box.land_terrain[view.box.land_named[b.land]]]
    words = []
    for stage in STAGES:
        if stage >= b.stage and not (stage == b.stage and b.rolled >> side & 1):
            forts = battle_forts(view) if side else None
            dice = stage_dice(fighters, foes, stage, terms, view.dispelled == seat, forts)
            if dice:
                words.append(f"{'ranged' if stage == RANGED_STAGE else 'hand to hand'} {dice_words(dice)}")
    line.append(f" · {'; '.join(words)}" if words else " · has rolled" if b.rolled >> side & 1 else "")
    line.append(" · magic dispelled" if view.dispelled == seat else "", style="bold red")
    line.truncate(WIDTH, overflow="ellipsis")
    lines: list[Line] = [line]
    tokens = [names.tile(fighter_token(view.box, f)) + " (wounded)" * bool(f.wounds) for f in fighters]
    lines += wrap(", ".join(counted(tokens)) or "nobody left", most=2, indent="   ", hang="")
    if b.hits[side]:
        lines.append(Text(f"   {b.hits[side]} hit{'s' * (b.hits[side] != 1)} to place", style="bold red"))
    return lines
