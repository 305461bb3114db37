"""Phase 4, a and b (war, war.army, war.initiative, K28, K29, K52): attack, payment, initiative, running away."""

from __future__ import annotations

from muniment.core.frames import Frame
from muniment.games.king.actions import KingAction
from muniment.games.king.magic import ask
from muniment.games.king.state import RESERVE, KingState
from muniment.games.king.steps import Choice, Roll, become, chosen, picks, push, register, roll_for
from muniment.games.king.war_state import War

__all__ = ["can_attack", "cost", "leave_war"]


def cost(tiles: int) -> int:
    """1 gold for every 2 tiles, rounded up (K28)."""
    return (tiles + 1) // 2


def _begin(s: KingState, f: Frame) -> None:
    if s.army[f.seat] or s.box.trading:
        push(s, "war", f.seat)


def can_attack(s: KingState, seat: int) -> bool:
    """With gold for one character, and a character: swords and bows alone cannot attack (K28, K38)."""
    fights = s.box.fights
    return s.gold[seat] > 0 and any(fights[tile] for tile in s.army[seat])


def _legal(s: KingState, f: Frame) -> list[KingAction]:
    box, seat = s.box, f.seat
    found = [box.peace]
    if can_attack(s, seat):
        found += [box.attack[other] for other in s.others(seat)]
    if box.trading:
        found += [box.trade[other] for other in s.others(seat)]
    return found


def _act(s: KingState, f: Frame, action: KingAction) -> None:
    s.frames.pop()
    if action.word == "attack":
        push(s, "send", f.seat, action.args[0])
    elif action.word == "trade":
        push(s, "deal-begin", f.seat, action.args[0])


# -- the attacking army (K28)


def _order(s: KingState, seat: int) -> list[int]:
    """Swords and bows first, so that the choice of characters can end the picking (K38)."""
    army, box = s.army[seat], s.box
    if box.sword in army or box.bow in army:
        fights = box.fights
        return sorted(army, key=lambda tile: (fights[tile], tile))
    return army


def _send_legal(s: KingState, f: Frame) -> list[KingAction]:
    box, seat = s.box, f.seat
    picked: tuple[int, ...] = f.data[1:]  # type: ignore[assignment]
    fights, gold, number = box.fights, s.gold[seat], len(picked)
    fighting = any(fights[tile] for tile in picked)
    found = [box.done] if fighting else []
    affordable, alone = cost(number + 1) <= gold, cost(number + 2) <= gold
    for tile in picks(_order(s, seat), box.kind, picked[-1] if picked else -1):
        # gold must be left for a character
        if affordable and (fighting or fights[tile] or alone):
            found.append(box.send[tile])
    return found


def _send_act(s: KingState, f: Frame, action: KingAction) -> None:
    seat, target, picked = f.seat, int(f.data[0]), f.data[1:]
    if action.word == "send":
        last = int(picked[-1]) if picked else -1
        become(s, "send", seat, *f.data, chosen(s, _order(s, seat), action.args[0], last))
        return
    s.frames.pop()
    price = cost(len(picked))
    s.pay(seat, price)
    for tile in picked:
        s.to_field(int(tile), seat)
    s.barred |= int(s.box.thief in picked) | int(s.box.assassin in picked) << 1
    s.war = War(seat, target)
    if s.log is not None:
        s.note("war", "K28", seat=seat, target=target, tiles=len(picked), gold=price)
    push(s, "homecoming", seat)
    push(s, "battles", seat)
    push(s, "ask", -1, "lined")
    if s.box.reserves:
        push(s, "reserves-join", seat)
    push(s, "line-ups", seat)
    push(s, "run-offer", seat)
    push(s, "ask", -1, "initiative")
    push(s, "initiative", seat)
    if s.box.reserves:
        push(s, "reserve-begin", target, 1)
        push(s, "reserve-begin", seat, 0)
    ask(s, "paid")


def _ask(s: KingState, f: Frame) -> None:
    ask(s, str(f.data[0]))


def leave_war(s: KingState) -> None:
    """What is left of the war is off; everybody goes home."""
    w = s.war
    if w is not None:
        w.off = 1
    while s.frames[-1].kind != "homecoming":
        s.frames.pop()


# -- reserves, K52


def _candidates(s: KingState, side: int) -> list[int]:
    w = s.war
    if w is None:
        return []
    may = s.box.may_reserve
    return [tile for tile in (s.army[w.defender] if side else s.field) if may[tile]]


def _reserve_begin(s: KingState, f: Frame) -> None:
    w = s.war
    if w is not None and (s.army[w.defender] if f.data[0] else s.field):
        push(s, "reserve", f.seat, *f.data)


def _reserve_legal(s: KingState, f: Frame) -> list[KingAction]:
    box, picked = s.box, f.data[1:]
    tiles = _candidates(s, int(f.data[0]))
    return [box.done, *[box.reserve[t] for t in picks(tiles, box.kind, int(picked[-1]) if picked else -1)]]


def _reserve_act(s: KingState, f: Frame, action: KingAction) -> None:
    """Flying and special characters may be set aside, face up (K52)."""
    side, picked = int(f.data[0]), f.data[1:]
    if action.word == "reserve":
        last = int(picked[-1]) if picked else -1
        tile = chosen(s, _candidates(s, side), action.args[0], last)
        become(s, "reserve", f.seat, *f.data, tile)
        return
    s.frames.pop()
    tiles = [int(tile) for tile in picked]
    for kept in tiles:
        s.place[kept] = RESERVE
        s.show(kept)
    s.note("reserves", "K52", seat=f.seat, tiles=tuple(s.box.slug[kept] for kept in tiles))


# -- initiative, K29


def _initiative(s: KingState, f: Frame) -> None:
    roll_for(s, "initiative-dice", f.seat, 2)


def _fewer(s: KingState) -> int:
    """The side with fewer tiles: the attackers sent against the whole defending army; -1 if they are equal (K29)."""
    w = s.war
    if w is None:
        return -1
    sent, defending = len(s.field), len(s.army[w.defender])
    if w.golem >= 0 and w.golem == s.dispelled:  # it does not count (K43)
        sent, defending = (sent - 1, defending) if w.golem == w.attacker else (sent, defending - 1)
    return 0 if sent < defending else 1 if defending < sent else -1


def _initiative_dice(s: KingState, _f: Frame) -> None:
    """The side with fewer tiles may add one, asked only where it matters (K29)."""
    w, side = s.war, _fewer(s)
    if w is None:
        return
    if side >= 0:
        mine, other = s.roll[side], s.roll[1 - side]
        if mine == other or mine + 1 == other:
            push(s, "add", w.seat(side), side, s.roll[0], s.roll[1])
            return
    _decide(s, s.roll[0], s.roll[1])


def _decide(s: KingState, attacker: int, defender: int) -> None:
    w = s.war
    if w is None:
        return
    if attacker == defender:
        push(s, "initiative", w.attacker)
        return
    w.higher = 0 if attacker > defender else 1
    s.note("initiative", "K29", seat=w.seat(w.higher))


def _add_legal(s: KingState, _f: Frame) -> list[KingAction]:
    return [s.box.add_one, s.box.add_nothing]


def _add_act(s: KingState, f: Frame, action: KingAction) -> None:
    s.frames.pop()
    side, attacker, defender = map(int, f.data)
    one = action.args[0] == "one"
    _decide(s, attacker + (one and side == 0), defender + (one and side == 1))


def _concerns(s: KingState, _f: Frame, seat: int) -> bool:
    w = s.war
    behind = s.roll[1] - s.roll[0]
    lower = 0 if behind > 0 else 1
    return w is not None and w.side(seat) >= 0 and abs(behind) <= 1 + (_fewer(s) == lower)


def _run_offer(s: KingState, _f: Frame) -> None:
    """An attacker whose die total was lower may run away (K29)."""
    w = s.war
    if w is not None and w.higher == 1:
        push(s, "run", w.attacker)


def _run_legal(s: KingState, _f: Frame) -> list[KingAction]:
    return [s.box.stand, s.box.run]


def _run_act(s: KingState, f: Frame, action: KingAction) -> None:
    s.frames.pop()
    if action.word == "run":
        s.note("ran", "K29", seat=f.seat)
        leave_war(s)


register(
    flows={
        "war-begin": _begin,
        "ask": _ask,
        "reserve-begin": _reserve_begin,
        "initiative": _initiative,
        "initiative-dice": _initiative_dice,
        "run-offer": _run_offer,
    },
    choices={
        "war": Choice(_legal, _act, "war"),
        "send": Choice(_send_legal, _send_act, "K28", public=1),
        "reserve": Choice(_reserve_legal, _reserve_act, "K52", public=1),
        "add": Choice(_add_legal, _add_act, "K29", public=3),
        "run": Choice(_run_legal, _run_act, "K29"),
    },
    rolls={"initiative-dice": Roll("K29", "initiative, attacker and defender", _concerns, battle=True)},
)
