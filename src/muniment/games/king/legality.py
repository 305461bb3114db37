"""Why an action is not allowed: the predicates of the rules, asked for their reasons (K9, K10 and the rule at hand)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from muniment.core.frames import Frame
from muniment.core.refusal import Refusal
from muniment.games.king.actions import ACTION_RULES, KingAction
from muniment.games.king.build import fort_refusal, improvement_refusal, level_refusal
from muniment.games.king.magic import ITEMS, magic_uses
from muniment.games.king.muster import muster_mask
from muniment.games.king.purchase import PRICES
from muniment.games.king.state import KingState
from muniment.games.king.steps import CHOICES
from muniment.games.king.trade import deal_refusal
from muniment.games.king.war import can_attack

__all__ = ["explain"]

_OVER = Refusal("game-over", "the game is over", "K11")
_NO_SEAT = Refusal("no-such-seat", "there is no such player", "K4")
_OUT = Refusal("out", "you are out of the game", "K14")
_DICE = Refusal("dice-first", "the game waits for dice or a draw", "K59")
_NOT_ASKED = Refusal("not-asked", "nothing of the kind is asked of you now", "K10")
_NOT_HELD = Refusal("not-in-hand", "it is not in your hand", "K2")
_DISPELLED = Refusal("dispelled", "your magic is dispelled until this part of the phase is over", "K43")
_GIVEN = Refusal("given-already", "a magic item is given away at most once a phase", "K60")
_NO_TREASURE = Refusal("no-treasure", "only treasures are cashed", "K9")
_NO_MAGIC = Refusal("no-magic-item", "only magic items can be given to another player", "K49")
_BEFORE_PLAY = Refusal("before-play", "not before the first turn has begun", "K9")
_NO_RECEIVER = Refusal("no-such-receiver", "it can be given only to another player who is in the game", "K49")
_ARMS = Refusal("not-arms", "only swords and bows enter an army so", "K49")
_LINED_UP = Refusal("too-late-to-arm", "swords and bows enter an army outside wars, or before it lines up", "K49")
_STANDING = Refusal("no-change", "that is your answer already, or you do not hold the item", "K10")
_PICKED = Refusal("already-chosen", "the tile is part of the choice you are making", "K12")


def explain(s: KingState, action: KingAction, seat: int) -> Refusal:
    """Why an action that is not among the legal ones is refused."""
    if s.over is not None:
        return _OVER
    if not 0 <= seat < s.seats:
        return _NO_SEAT
    if not s.alive(seat):
        return _OUT
    f = s.frames[-1]
    if f.kind not in CHOICES:
        return _DICE
    reason = _ANY_TIME.get(action.word)
    if reason is not None:
        return reason(s, action, seat)
    if f.seat != seat:
        return _NOT_ASKED
    special = _REASONS.get((f.kind, action.word))
    if special is not None:
        found = special(s, f, action)
        if found is not None:
            return found
    words = {legal.word for legal in CHOICES[f.kind].legal(s, f)}
    if action.word not in words:
        possible = ", ".join(sorted(words))
        return Refusal("not-now", f"this is not possible now; you can choose: {possible}", ACTION_RULES[action.word])
    return Refusal("not-possible", "this is not among the choices you have", ACTION_RULES[action.word])


def _held(s: KingState, seat: int, slug: object) -> int:
    slugs = s.box.slug
    return next((tile for tile in s.hand[seat] if slugs[tile] == slug), -1)


def _cash(s: KingState, action: KingAction, seat: int) -> Refusal:
    tile = _held(s, seat, action.args[0])
    if tile < 0:
        return _NOT_HELD
    return _PICKED if s.box.treasures <= tile < s.box.magic else _NO_TREASURE


def _give(s: KingState, action: KingAction, seat: int) -> Refusal:
    tile, other = _held(s, seat, action.args[0]), int(action.args[1])
    if tile < 0:
        return _NOT_HELD
    if tile < s.box.magic:
        return _NO_MAGIC
    if not s.turn:
        return _BEFORE_PLAY
    if other == seat or other >= s.seats or not s.alive(other):
        return _NO_RECEIVER
    return _GIVEN if s.given >> tile - s.box.magic & 1 else _PICKED


def _arm(s: KingState, action: KingAction, seat: int) -> Refusal:
    tile = _held(s, seat, action.args[0])
    if tile < 0:
        return _NOT_HELD
    if tile not in (s.box.sword, s.box.bow):
        return _ARMS
    return _DISPELLED if s.dispelled == seat else _LINED_UP


def _standing(_s: KingState, _action: KingAction, _seat: int) -> Refusal:
    return _STANDING


def _magic(s: KingState, action: KingAction, seat: int) -> Refusal:
    """An item: held, not dispelled, within its own ruling."""
    tile: int = getattr(s.box, action.word)
    rule = ACTION_RULES[action.word]
    if tile < 0 or s.holder(tile) != seat:
        return _NOT_HELD
    if s.dispelled == seat:
        return _DISPELLED
    if not s.turn:
        return _BEFORE_PLAY
    if any(use.word == action.word for use in magic_uses(s, seat)):
        return Refusal("no-such-target", "it cannot be used there", rule)
    return Refusal("not-its-moment", f"{s.box.name(tile)} cannot be used at this moment", rule)


def _charm(s: KingState, _action: KingAction, seat: int) -> Refusal:
    if s.holder(s.box.charm) != seat:
        return _NOT_HELD
    if s.dispelled == seat:
        return _DISPELLED
    if s.frames[-1].kind != "charm":
        return Refusal("no-roll", "the charm changes a die of the roll just made, before any other is rolled", "K42")
    return Refusal("no-such-die", "no die of this roll can be changed so", "K42")


_ANY_TIME: Final[dict[str, Callable[[KingState, KingAction, int], Refusal]]] = {
    "cash": _cash,
    "give": _give,
    "arm": _arm,
    "standing": _standing,
    "charm": _charm,
    **dict.fromkeys(ITEMS, _magic),
}


# -- reasons of single decisions


def _muster(s: KingState, f: Frame, action: KingAction) -> Refusal | None:
    tile = _held(s, f.seat, action.args[0])
    if tile < 0:
        return _NOT_HELD
    if not s.box.bit[tile]:
        return Refusal("not-for-the-army", "only characters, swords and bows can be in the army", "K8")
    if not s.box.bit[tile] & muster_mask(s, f.seat):
        return Refusal("no-land-of-its-terrain", "you hold no land of its terrain", "K8")
    return Refusal("out-of-order", "tiles are chosen in one fixed order; this one has been passed over", "K12")


def _seek(_s: KingState, _f: Frame, _action: KingAction) -> Refusal | None:
    return Refusal("not-in-bank", "this special character is not in the bank", "K16")


def _fort(s: KingState, f: Frame, action: KingAction) -> Refusal | None:
    return fort_refusal(s, f.seat, s.box.land_named[str(action.args[0])])


def _place(s: KingState, f: Frame, action: KingAction) -> Refusal | None:
    tile = _held(s, f.seat, action.args[0])
    if tile < 0:
        return _NOT_HELD
    if not s.box.settlements <= tile < s.box.treasures:
        return Refusal("no-improvement", "only settlements and mines are placed on land", "K18")
    return improvement_refusal(s, f.seat, tile, s.box.land_named[str(action.args[1])])


def _improve(s: KingState, f: Frame, action: KingAction) -> Refusal | None:
    refused = level_refusal(s, f.seat, s.box.land_named[str(action.args[0])])
    return refused or Refusal("forts-first", "the workers improve a fort where there is one", "K20")


def _buy(_s: KingState, f: Frame, _action: KingAction) -> Refusal | None:
    return Refusal("not-enough-gold", f"the land costs {f.data[1]} gold", "K24")


def _bid(_s: KingState, f: Frame, action: KingAction) -> Refusal | None:
    if int(action.args[0]) <= int(f.data[2]):
        return Refusal("bid-too-low", f"a bid must beat the highest, {f.data[2]}", "K25")
    return Refusal("not-enough-gold", "a bid is covered by the bidder's gold", "K25")


def _purchase(s: KingState, _f: Frame, action: KingAction) -> Refusal | None:
    number = int(action.args[0])
    if number >= len(PRICES):
        return Refusal("too-many-tiles", "at most 4 tiles can be bought", "K27")
    if number > len(s.cup):
        return Refusal("cup-too-empty", f"fewer tiles are left in the cup: {len(s.cup)}", "K57")
    return Refusal("not-enough-gold", f"the price is {PRICES[number]} gold", "K27")


def _attack(s: KingState, f: Frame, action: KingAction) -> Refusal | None:
    if action.word == "trade" and not s.box.trading:
        return Refusal("no-trading", "trading is an optional rule that is not in force", "K53")
    target = int(action.args[0])
    if target == f.seat or target >= s.seats or not s.alive(target):
        return Refusal("no-such-opponent", "choose another player who is in the game", "K28")
    if action.word == "attack" and not can_attack(s, f.seat):
        if not s.gold[f.seat]:
            return Refusal("not-enough-gold", "an army is paid 1 gold for every 2 tiles", "K28")
        return Refusal("no-character", "without a character there is no attack", "K38")
    return None


def _send(s: KingState, f: Frame, action: KingAction) -> Refusal | None:
    if action.word == "done":
        return Refusal("no-character", "an army needs a character", "K38")
    if any(s.box.slug[tile] == action.args[0] for tile in s.army[f.seat]):
        return Refusal("not-enough-gold", "the gold does not suffice, or the tile has been passed over", "K28")
    return Refusal("not-in-army", "it is not in your army", "K28")


def _accept(s: KingState, f: Frame, _action: KingAction) -> Refusal | None:
    return Refusal("deal-fell-through", deal_refusal(s, f), "K53")


def _counter(_s: KingState, _f: Frame, _action: KingAction) -> Refusal | None:
    return Refusal("too-many-offers", "a trade sees at most three counter-offers", "K60")


_REASONS: Final[dict[tuple[str, str], Callable[[KingState, Frame, KingAction], Refusal | None]]] = {
    ("muster", "muster"): _muster,
    ("special", "seek"): _seek,
    ("build", "fort"): _fort,
    ("build", "place"): _place,
    ("workers", "improve"): _improve,
    ("for-sale", "buy"): _buy,
    ("bid", "bid"): _bid,
    ("purchase", "purchase"): _purchase,
    ("war", "attack"): _attack,
    ("war", "trade"): _attack,
    ("send", "send"): _send,
    ("send", "done"): _send,
    ("commit", "done"): _send,
    ("deal", "accept"): _accept,
    ("deal", "counter"): _counter,
}
