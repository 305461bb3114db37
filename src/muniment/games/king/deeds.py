"""After all wars: the Master Thief and Assassin Primus (specials.master-thief, specials.assassin-primus, K41)."""

from __future__ import annotations

from muniment.core.chance import ChanceNode, Source
from muniment.core.frames import Frame
from muniment.games.king.actions import KingAction, KingOutcome
from muniment.games.king.state import ARMY, KingState
from muniment.games.king.steps import Choice, Drawing, Roll, push, register, roll_for

__all__: list[str] = []

THIEF = 0
ASSASSIN = 1


def _deeds(s: KingState, _f: Frame) -> None:
    """In turn order of their owners, the thief first if one player has both (K41)."""
    for seat in reversed(s.order(s.first)):
        push(s, "part-end", seat)
        push(s, "deed", seat, ASSASSIN)
        push(s, "deed", seat, THIEF)


def _deed(s: KingState, f: Frame) -> None:
    """Optional; barred to one who was sent in an attacking army this turn (K41)."""
    which = int(f.data[0])
    tile = s.box.assassin if which else s.box.thief
    if tile >= 0 and s.zone[tile] == ARMY | f.seat and not s.barred >> which & 1:
        s.acting = f.seat
        if _victims(s, f.seat, which):
            push(s, "deed-choice", f.seat, which)


def _victims(s: KingState, seat: int, which: int) -> list[int]:
    """The thief needs a victim with gold, the assassin one with an army (K41)."""
    return [other for other in s.others(seat) if (s.army if which else s.gold)[other]]


def _legal(s: KingState, f: Frame) -> list[KingAction]:
    which = int(f.data[0])
    act = s.box.kill if which else s.box.rob
    return [s.box.passing, *[act[other] for other in _victims(s, f.seat, which)]]


def _act(s: KingState, f: Frame, action: KingAction) -> None:
    s.frames.pop()
    if action.word != "pass":
        roll_for(s, "deed-dice", f.seat, 2, f.data[0], action.args[0], 0)


def _dice(s: KingState, f: Frame) -> None:
    """Higher succeeds, lower fails; a tie is rolled again, and then anything but higher kills him (K41)."""
    which, victim, again = map(int, f.data)
    mine, other = s.roll
    tile = s.box.assassin if which else s.box.thief
    rule = "specials.assassin-primus" if which else "specials.master-thief"
    if again:
        if mine <= other:
            s.note("deed", rule, seat=f.seat, victim=victim, result="killed")
            s.to_cup(tile)
        else:
            s.note("deed", rule, seat=f.seat, victim=victim, result="escaped")
    elif mine == other:
        roll_for(s, "deed-dice", f.seat, 2, which, victim, 1)
    elif mine < other:
        s.note("deed", rule, seat=f.seat, victim=victim, result="failed")
    elif which:
        if s.army[victim]:
            push(s, "victim", victim)
    else:
        gold = min(mine - other, s.gold[victim])
        s.pay(victim, gold)
        s.earn(f.seat, gold)
        s.note("stolen", rule, seat=f.seat, victim=victim, gold=gold)


def _concerns(s: KingState, f: Frame, seat: int) -> bool:
    """Whether one pip could change what becomes of it; what the thief steals goes by the difference (K10, K41)."""
    which, victim, again = map(int, f.data)
    ahead = s.roll[0] - s.roll[1]
    if seat not in (f.seat, victim):
        return False
    if again:
        return ahead in (0, 1)
    return abs(ahead) <= 1 or (which == THIEF and 0 < ahead <= s.gold[victim])


def _node(s: KingState, f: Frame) -> ChanceNode[KingOutcome]:
    drawn, counts = s.box.drawn, dict[KingOutcome, int]()
    for tile in s.army[f.seat]:
        counts[drawn[tile]] = counts.get(drawn[tile], 0) + 1
    return ChanceNode(tuple(counts), tuple(counts.values()))


def _sample(s: KingState, f: Frame, source: Source) -> KingOutcome:
    army = s.army[f.seat]
    return s.box.drawn[army[source.below(len(army))]]


def _came(s: KingState, f: Frame, outcome: KingOutcome) -> None:
    """One tile of the army, uniformly, specials, swords and bows included (K41)."""
    s.frames.pop()
    slugs = s.box.slug
    tile = next(tile for tile in s.army[f.seat] if slugs[tile] == outcome.args[0])
    s.note("murdered", "K41", seat=f.seat, tile=outcome.args[0])
    s.to_cup(tile)


register(
    flows={"deeds": _deeds, "deed": _deed, "deed-dice": _dice},
    choices={"deed-choice": Choice(_legal, _act, "K41", public=1)},
    chances={"victim": Drawing(_node, _sample, _came, "K41", "the assassin's victim")},
    rolls={"deed-dice": Roll("K41", "thief or assassin against his victim", _concerns)},
)
