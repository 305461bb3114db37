"""A battle (war.battle, K31 to K36): revealed, swords and bows given, siege masters, charge dice, two stages, the end.

The arithmetic is in ``combat``; here is the order of things. Sides: 0 the attacker, 1 the defender.
"""

from __future__ import annotations

from muniment.core.frames import Frame
from muniment.games.king.actions import BEAR, HOLD, IDLE, SHOOT, KingAction
from muniment.games.king.box import Box
from muniment.games.king.capture import capture
from muniment.games.king.combat import (
    BOW,
    SHOOTS,
    SWORD,
    Fighter,
    Forts,
    captures,
    charge_rollers,
    counting,
    forts_of,
    may_choose_to_shoot,
    may_have_gear,
    siege_hits,
    undefended,
    volley_done,
)
from muniment.games.king.magic import ask
from muniment.games.king.state import KingState
from muniment.games.king.steps import Choice, Roll, push, register, roll_for
from muniment.games.king.war_state import Battle

__all__ = ["begin_battle", "fighter_named", "fighter_token", "forts_now", "side_dispelled"]


def forts_now(s: KingState, b: Battle, absorbed: int | None = None) -> Forts:
    """The forts of the battle's land as they stand: fortification, settlement, wall of fire (K35, K46).

    absorbed: hits they have taken, if not those taken until now.
    """
    if b.fight:
        return Forts()
    w, land = s.war, b.land
    wall = w.wall_value if w is not None and w.wall_land == land else 0
    dispelled = w is not None and w.wall_caster == s.dispelled
    taken = b.absorbed if absorbed is None else absorbed
    return forts_of(s.fort[land], s.settlement(land), wall, wall_dispelled=dispelled, absorbed=taken)


def side_dispelled(s: KingState, b: Battle, side: int) -> bool:
    """Whether the player of a side is under a dispell (K43)."""
    return s.dispelled >= 0 and s.dispelled == b.seat(side)


def fighter_token(box: Box, fighter: Fighter) -> str:
    """A fighter's name in a battle: its slug, what it bears, its charge die, whether it has chosen to shoot."""
    token = box.slug[fighter.tile]
    if fighter.gear:
        token += "+sword" * (fighter.gear & SWORD) + "+bow" * (fighter.gear >> 1 & 1)
    if fighter.charge_die >= 0:
        token += f"@{fighter.charge_die}"
    return token + "!" * bool(fighter.shoots)


def fighter_named(s: KingState, fighters: tuple[Fighter, ...], token: int | str) -> int:
    """The position of the first fighter of that name."""
    return next(at for at, fighter in enumerate(fighters) if fighter_token(s.box, fighter) == token)


# -- joining battle (K31, K32)


def _joined(s: KingState, f: Frame) -> None:
    w, land = s.war, int(f.data[0])
    if w is None or w.fought >> land & 1:  # dust of defense (K47)
        return
    w.fought |= 1 << land
    s.battle = Battle(land, w.attacker, w.defender, 0)
    push(s, "battle-over", w.attacker)
    begin_battle(
        s,
        [tile for tile in s.field if s.place[tile] == land],
        [tile for tile in s.army[w.defender] if s.place[tile] == land],
    )


def begin_battle(s: KingState, attackers: list[int], defenders: list[int]) -> None:
    """Both sides are revealed, and the battle's steps follow (K32)."""
    b, box = s.battle, s.box
    if b is None:
        return
    for tile in (*attackers, *defenders):
        s.show(tile)
    fights, fighter = box.fights, box.fighter
    b.sides = [tuple([fighter[t] for t in attackers if fights[t]]), tuple([fighter[t] for t in defenders if fights[t]])]
    if s.log is not None:
        s.note(
            "revealed", "K32", land=box.land_slug[b.land], attackers=tuple(box.slug[t] for t in attackers),
            defenders=tuple(box.slug[t] for t in defenders), forts=forts_now(s, b).value,
        )  # fmt: skip
    if not b.sides[0]:  # swords and bows alone capture nothing (K38)
        b.ended = 1
        return
    push(s, "stage", b.attacker, 1)
    push(s, "between-stages", b.attacker)
    push(s, "stage", b.attacker, 0)
    push(s, "charge", b.defender, 1)
    push(s, "charge", b.attacker, 0)
    push(s, "siege", b.attacker)
    push(s, "ask", -1, "fight-revealed" if b.fight else "revealed")
    for side, tiles in ((1, defenders), (0, attackers)):
        for item in (box.bow, box.sword):
            if item in tiles and any(may_have_gear(fighter) for fighter in b.sides[side]):
                push(s, "bear", b.seat(side), side, item)


# -- swords and bows, K32 and K48


def _bear_legal(s: KingState, f: Frame) -> list[KingAction]:
    b, box = s.battle, s.box
    if b is None:
        return []
    side, item = int(f.data[0]), box.slug[int(f.data[1])]
    names = dict.fromkeys(fighter_token(s.box, fighter) for fighter in b.sides[side] if may_have_gear(fighter))
    return [*[BEAR(item, name) for name in names], IDLE(item)]


def _bear_act(s: KingState, f: Frame, action: KingAction) -> None:
    """Swords and bows are given to characters there, openly (K32)."""
    s.frames.pop()
    b = s.battle
    if b is None or action.word == "idle":
        return
    side, item = int(f.data[0]), int(f.data[1])
    fighters = b.sides[side]
    at = fighter_named(s, fighters, action.args[1])
    gear = fighters[at].gear | (SWORD if item == s.box.sword else BOW)
    b.sides[side] = (*fighters[:at], fighters[at]._replace(gear=gear), *fighters[at + 1 :])
    s.note("bears", "K48", seat=f.seat, item=action.args[0], bearer=action.args[1])


# -- before the dice (K36, K34)


def _siege(s: KingState, _f: Frame) -> None:
    """Baron Munchausen and the Grand Duke hit the forts before the dice (K36)."""
    b = s.battle
    if b is not None and not b.ended:
        b.stage = 0
        hits = siege_hits(b.sides[0], forts_now(s, b))
        if hits:
            b.absorbed += hits
            s.note("siege", "K36", seat=b.attacker, hits=hits)


def _open_land(s: KingState, b: Battle) -> bool:
    """Whether nobody and nothing defends the land: it is captured without a fight (K31)."""
    return undefended(b.sides[1], forts_now(s, b), side_dispelled(s, b, 1))


def _charge(s: KingState, f: Frame) -> None:
    b = s.battle
    if b is not None and not b.ended and not _open_land(s, b):
        dice = len(charge_rollers(b.sides[int(f.data[0])]))
        if dice:
            roll_for(s, "charge-dice", f.seat, dice, f.data[0])


def _charge_dice(s: KingState, f: Frame) -> None:
    """Charge adds one die's result to the combat value, once a battle (K34)."""
    b, side = s.battle, int(f.data[0])
    if b is not None:
        fighters = list(b.sides[side])
        for at, die in zip(charge_rollers(b.sides[side]), s.roll, strict=True):
            fighters[at] = fighters[at]._replace(charge_die=die)
        b.sides[side] = tuple(fighters)


def _in_battle(s: KingState, _f: Frame, seat: int) -> bool:
    b = s.battle
    return b is not None and seat in (b.attacker, b.defender)


# -- the two stages (K33)


def _stage(s: KingState, f: Frame) -> None:
    """The attacker rolls, then the defender; then the attacker removes losses, then the defender (K33)."""
    b = s.battle
    if b is None or b.ended:
        return
    stage = int(f.data[0])
    if not counting(b.sides[0], side_dispelled(s, b, 0)):
        return
    b.stage, b.rolled, b.hits, b.stood = stage, 0, [0, 0], b.absorbed
    push(s, "losses", b.defender, 1)
    push(s, "losses", b.attacker, 0)
    if stage == 0:
        push(s, "shots-fired", b.attacker)
    push(s, "volley-begin", b.defender, 1)
    push(s, "volley-begin", b.attacker, 0)
    if stage == 0:
        for side in (1, 0):
            for fighter in b.sides[side]:
                if fighter.gear and may_choose_to_shoot(fighter, side_dispelled(s, b, side)):
                    push(s, "shoot", b.seat(side), side)


def _shoot_legal(s: KingState, f: Frame) -> list[KingAction]:
    b = s.battle
    if b is None:
        return []
    name = next(fighter_token(s.box, fighter) for fighter in b.sides[int(f.data[0])] if fighter.gear & BOW)
    return [SHOOT(name), HOLD(name)]


def _shoot_act(s: KingState, f: Frame, action: KingAction) -> None:
    """The bearer of a bow who has no ranged weapons may shoot with it instead of fighting hand to hand (K48)."""
    s.frames.pop()
    b, side = s.battle, int(f.data[0])
    if b is not None and action.word == "shoot":
        b.sides[side] = tuple([x._replace(shoots=SHOOTS) if x.gear & BOW else x for x in b.sides[side]])
        s.note("shoots", "K48", seat=f.seat, bearer=action.args[0])


def _shots_fired(s: KingState, _f: Frame) -> None:
    b = s.battle
    if b is not None:
        b.sides = [volley_done(b.sides[side], side_dispelled(s, b, side)) for side in (0, 1)]


def _between(s: KingState, _f: Frame) -> None:
    """Between the stages, for mist and dispell (K10); a land that nobody ever defended has no stages (K31)."""
    b = s.battle
    if b is not None and not b.ended and b.sides[0] and (b.rolled or not _open_land(s, b)):
        ask(s, "fight-stages" if b.fight else "stages")


# -- the end (K39)


def _over(s: KingState, _f: Frame) -> None:
    b = s.battle
    if b is None:
        return
    s.battle = None
    captured = not b.ended and captures(
        b.sides[0], b.sides[1], forts_now(s, b), side_dispelled(s, b, 0), side_dispelled(s, b, 1)
    )
    s.note("battle-over", "K39", land=s.box.land_slug[b.land], captured=captured)
    if captured:
        capture(s, b.attacker, b.land)


register(
    flows={
        "battle-joined": _joined,
        "siege": _siege,
        "charge": _charge,
        "charge-dice": _charge_dice,
        "stage": _stage,
        "shots-fired": _shots_fired,
        "between-stages": _between,
        "battle-over": _over,
    },
    choices={
        "bear": Choice(_bear_legal, _bear_act, "K48", public=2),
        "shoot": Choice(_shoot_legal, _shoot_act, "K48", public=1),
    },
    rolls={"charge-dice": Roll("K34", "charge", _in_battle, battle=True)},
)
