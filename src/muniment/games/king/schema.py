"""What the data of every kind of frame mean, for positions and views.

One letter a datum: s seat, l land, t tile, n a number from 0, i any number, w a word; a star repeats the last letter.
A tile or land that may be absent is ``T``: a tile or -1.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

__all__ = ["FRAME_DATA", "SEATLESS", "letters"]

FRAME_DATA: Final[dict[str, str]] = {
    # set-up and turns
    "turn": "", "turn-end": "", "phase": "n", "part": "", "part-end": "", "over": "",
    "deal-out": "", "first-player": "n", "first-army": "", "instructions-return": "",
    "start-lands": "", "start-hand": "", "start-land": "", "start-gold": "", "start-seat": "",
    "draw": "n", "muster-offer": "", "muster": "t*",
    # phase 1
    "collect": "", "special-offer": "", "special": "", "special-try": "tn", "build-begin": "", "build": "",
    # phase 2
    "event": "", "event-dice": "", "workers": "", "tax": "",
    "disaster": "l*", "disaster-dice": "l", "disaster-save": "l", "struck": "l",
    "plague-who": "s*", "plague-off": "s*", "sickness": "ni", "sickness-dice": "n",
    # phase 3
    "land-draw": "", "land-tile": "T", "instruction-returns": "t", "for-sale": "ln",
    "auction": "lnins", "bid": "slnins",
    "fight": "l", "owners-known": "ls", "owner-tile": "n", "commit": "lst*", "fight-joined": "", "fight-over": "ls",
    "purchase-begin": "", "purchase": "", "free-draw": "",
    # phase 4
    "war-begin": "", "war": "", "send": "st*", "homecoming": "", "war-over": "", "ask": "w",
    "reserve-begin": "n", "reserve": "nt*", "reserves-join": "", "reserve-dice": "",
    "initiative": "", "initiative-dice": "", "add": "nnn", "run-offer": "", "run": "",
    "line-ups": "", "line-begin": "n", "line": "nt*", "battles": "", "battle": "", "battle-at": "l",
    # a battle
    "battle-joined": "l", "battle-over": "", "bear": "nt", "siege": "", "charge": "n", "charge-dice": "n",
    "stage": "n", "between-stages": "", "shoot": "n", "shots-fired": "",
    "volley-begin": "n", "volley-dice": "nnn*", "volley": "n", "losses": "n", "hit": "ni*", "saves": "nnnnnn",
    "flyer-save": "", "capture-save": "lw", "captured": "l",
    "talisman-die": "", "revive": "nt*",
    # thief and assassin
    "deeds": "", "deed": "n", "deed-choice": "n", "deed-dice": "nsn", "victim": "",
    # magic
    "stops": "wn", "stop": "w", "charm": "", "charmed": "in", "magic": "w*", "wall-value": "l",
    # trading
    "deal-begin": "s", "offer": "snnnni*", "deal": "snnni*",
}  # fmt: skip

# The kinds of frame that are nobody's; all others have a seat.
SEATLESS: Final = frozenset((
    "turn", "turn-end", "phase", "over", "deal-out", "first-player", "instructions-return", "plague-who", "struck",
    "instruction-returns", "ask", "stops", "deeds",
))  # fmt: skip


def letters(form: str, number: int) -> Iterator[str]:
    """The letter of each of so many data."""
    plain = form.rstrip("*")
    for at in range(number):
        yield plain[at] if at < len(plain) else (plain[-1] if form.endswith("*") else "")
