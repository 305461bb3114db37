"""A fight for a land from the land deck (land-draw.fight, K26)."""

from __future__ import annotations

from muniment.core.frames import Frame
from muniment.games.king.actions import KingAction, KingOutcome
from muniment.games.king.battle import begin_battle
from muniment.games.king.combat import Forts, captures
from muniment.games.king.cups import cup_node, cup_sample, drawn_tile
from muniment.games.king.land import land_returns, win_land
from muniment.games.king.magic import ask
from muniment.games.king.state import CALLED, SHOWN, KingState
from muniment.games.king.steps import Choice, Drawing, become, chosen, picks, push, register
from muniment.games.king.war_state import Battle

__all__: list[str] = []

OWNER_TILES = 4


def _fight(s: KingState, f: Frame) -> None:
    """The player at the left draws 4 tiles, fewer if the cup is short (K26, K5)."""
    land, left = int(f.data[0]), s.left_of(f.seat)
    push(s, "owners-known", f.seat, land, left)
    if s.cup:
        push(s, "owner-tile", left, min(OWNER_TILES, len(s.cup)))


def _came(s: KingState, f: Frame, outcome: KingOutcome) -> None:
    tile = drawn_tile(s, outcome)
    s.draw_owner(tile)
    s.known[tile] = 3 << 2 * f.seat
    s.note("owner-drawn", "K26", only=(f.seat,), tile=outcome.args[0])
    left = int(f.data[0])
    s.frames.pop()
    if left > 1:
        push(s, "owner-tile", f.seat, left - 1)


def _owners_known(s: KingState, f: Frame) -> None:
    """Settlements, mines and treasures return; without a character or golem the land is free (K26)."""
    box = s.box
    land, left = int(f.data[0]), int(f.data[1])
    for tile in s.owners[:]:
        if box.settlements <= tile < box.magic:
            s.note("owner-returns", "K26", tile=box.slug[tile])
            s.to_cup(tile)
    owners = [tile for tile in s.owners if box.fights[tile]]
    s.note("owners", "K26", seat=left, characters=len([t for t in owners if t != box.golem]), tiles=len(s.owners))
    if not owners:
        _owners_return(s, left)
        win_land(s, f.seat, land)
    elif not s.army[f.seat]:
        _owners_return(s, left)
        land_returns(s, land)
    else:
        push(s, "commit", f.seat, land, left)


def _owners_return(s: KingState, left: int) -> None:
    """The tiles drawn return to the deck; if they were not revealed only the left player sees which (K26).

    The revealed ones first: the order in which tiles return must not tell what the others are (K2).
    """
    for tile in sorted(s.owners, key=lambda tile: s.known[tile] != SHOWN):
        s.to_cup(tile, -1 if s.known[tile] == SHOWN else left)


def _order(s: KingState, seat: int) -> list[int]:
    """Swords and bows first, so that the choice of characters can end the picking (K38)."""
    box = s.box
    return sorted(s.army[seat], key=lambda tile: (box.fights[tile], tile))


def _legal(s: KingState, f: Frame) -> list[KingAction]:
    box = s.box
    picked = f.data[2:]
    found = [] if picked else [box.decline]
    if any(box.fights[int(tile)] for tile in picked):
        found.append(box.done)
    order = _order(s, f.seat)
    found += [box.commit[tile] for tile in picks(order, box.kind, int(picked[-1]) if picked else -1)]
    return found or [box.decline]


def _act(s: KingState, f: Frame, action: KingAction) -> None:
    """The drawer declines, or commits any part of the army, unpaid (K26)."""
    seat, land, left = f.seat, int(f.data[0]), int(f.data[1])
    picked = f.data[2:]
    if action.word == "commit":
        last = int(picked[-1]) if picked else -1
        become(s, "commit", seat, *f.data, chosen(s, _order(s, seat), action.args[0], last))
        return
    s.frames.pop()
    if action.word == "decline":
        s.note("declined", "K26", seat=seat)
        _owners_return(s, left)
        land_returns(s, land)
        return
    for tile in picked:
        s.to_field(int(tile), seat)
    s.note("fight", "K26", seat=seat, left=left, tiles=len(picked), land=s.box.land_slug[land])
    s.battle = Battle(land, seat, left, 1)
    push(s, "fight-over", seat, land, left)
    push(s, "fight-joined", seat)
    ask(s, "fight")


def _joined(s: KingState, _f: Frame) -> None:
    b, box = s.battle, s.box
    if b is None or b.ended:
        return
    arms = (box.sword, box.bow)
    owners = [t for t in s.owners if (box.fights[t] or t in arms) and (t != box.golem or s.place[t] == CALLED)]
    begin_battle(s, list(s.field), owners)


def _over(s: KingState, f: Frame) -> None:
    """The land is won when no owner is left and at least one attacking character lives (K26)."""
    land, left = int(f.data[0]), int(f.data[1])
    b = s.battle
    won = False
    if b is not None and b.stage >= 0 and not b.ended:
        flags = (s.dispelled == b.attacker, s.dispelled == b.defender)
        won = captures(b.sides[0], b.sides[1], Forts(), *flags)
    s.battle = None
    for tile in s.dead[:]:
        s.to_cup(tile)
    for tile in s.field[:]:
        s.go_home(tile)
    _owners_return(s, left)
    if won:
        win_land(s, f.seat, land)
    else:
        land_returns(s, land)


register(
    flows={"fight": _fight, "owners-known": _owners_known, "fight-joined": _joined, "fight-over": _over},
    choices={"commit": Choice(_legal, _act, "K26", public=2)},
    chances={
        "owner-tile": Drawing(cup_node, cup_sample, _came, "K26", "an owner of the land", lambda _s, f: (f.seat,))
    },
)
