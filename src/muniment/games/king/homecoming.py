"""The end of a war (K14, K40): talisman, homeless, golem and walls, elimination."""

from __future__ import annotations

from muniment.core.frames import Frame
from muniment.games.king.actions import KingAction
from muniment.games.king.magic import ask, revivable
from muniment.games.king.muster import leave_homeless
from muniment.games.king.state import ASIDE, KNOWN_IN_ARMY, NOWHERE, SHOWN, KingState
from muniment.games.king.steps import Choice, Roll, become, chosen, picks, push, register
from muniment.games.king.turn import eliminate_landless

__all__: list[str] = []

WAR_IS_OVER = 2


def _homecoming(s: KingState, _f: Frame) -> None:
    """The wars' dead are counted: the talisman's moment (K40)."""
    w = s.war
    if w is not None:
        w.off = WAR_IS_OVER
        push(s, "war-over", w.attacker)
        ask(s, "dead")


def _talisman_die(s: KingState, f: Frame) -> None:
    number = min(max(0, s.roll[0]), len(revivable(s, f.seat)))
    if number:
        push(s, "revive", f.seat, number)


def _legal(s: KingState, f: Frame) -> list[KingAction]:
    box, picked = s.box, f.data[1:]
    if len(picked) == f.data[0]:
        return [box.done]
    dead = revivable(s, f.seat)
    return [box.done, *[box.revive[tile] for tile in picks(dead, box.kind, int(picked[-1]) if picked else -1)]]


def _act(s: KingState, f: Frame, action: KingAction) -> None:
    """Up to that many of the dead return to the army, unwounded (K40)."""
    seat, picked = f.seat, f.data[1:]
    if action.word == "revive":
        last = int(picked[-1]) if picked else -1
        tile = chosen(s, revivable(s, seat), action.args[0], last)
        become(s, "revive", seat, *f.data, tile)
        return
    s.frames.pop()
    for picked_tile in picked:
        tile = int(picked_tile)
        s.to_army(tile, seat, s.box.bit[tile])
        if tile < s.box.deck:
            s.known[tile] = KNOWN_IN_ARMY
    s.note("revived", "K40", seat=seat, tiles=tuple(s.box.slug[int(tile)] for tile in picked))


def _war_over(s: KingState, _f: Frame) -> None:
    """Everybody goes home; then homeless, golem and walls, elimination, in this order (K14)."""
    w, box = s.war, s.box
    if w is None:
        return
    for tile in s.dead[:]:
        s.to_cup(tile)
    for tile in s.field[:]:
        s.go_home(tile)
    for tile in s.army[w.defender]:
        s.place[tile] = NOWHERE
        if s.known[tile] == SHOWN and tile < box.deck:
            s.known[tile] = KNOWN_IN_ARMY
    s.war = None
    s.note("war-over", "K32", seat=w.attacker)
    leave_homeless(s, w.defender)
    leave_homeless(s, w.attacker)
    for tile in (box.golem, box.wall):
        if tile >= 0 and (s.zone[tile] == ASIDE or (tile == box.golem and s.zone[tile] >> 3 == 2)):
            s.to_cup(tile)
    eliminate_landless(s)


register(
    flows={"homecoming": _homecoming, "talisman-die": _talisman_die, "war-over": _war_over},
    choices={"revive": Choice(_legal, _act, "K40", public=1)},
    rolls={"talisman-die": Roll("K40", "how many of the dead return", lambda _s, f, seat: seat == f.seat, battle=True)},
)
