"""Words of the King page: what each decision asks, how a turn is divided, and players' names instead of numbers."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from muniment.core.words import capital
from muniment.tables.values import SeatInfo

__all__ = ["ASKS", "PHASES", "named", "seat_names"]

PHASES: Final = ("Set-up", "Collection and construction", "Events", "Acquiring tiles", "War")

# For every kind of decision: what is asked, and what it means.
ASKS: Final = {
    "muster": ("Muster your army", "Choose characters of your hand to enter your army."),
    "special": ("Try for a special character", "Two dice, and 1 for each full 10 prestige: twice its value wins."),
    "build": ("Build", "A level of fortification costs 10 gold. A settlement or mine placed draws a tile."),
    "workers": ("Willing workers", "They build one level for you, for nothing. Where?"),
    "for-sale": ("Land for sale", "Pay its price, or it returns to the land deck."),
    "bid": ("Auction", "Bid more than the highest bid, or pass for good."),
    "commit": ("Fight for the land", "Commit characters of your army, or decline and leave the land."),
    "purchase": ("Buy tiles", "1 tile for 2 gold, 2 for 5, 3 for 10, 4 for 20. One more is free afterwards."),
    "war": ("War or peace?", "You may attack one other player."),
    "send": ("Send an army", "1 gold for every 2 tiles sent, rounded up."),
    "reserve": ("Reserves", "Flying and special characters may be held back, face up, and join after the line-up."),
    "add": ("Initiative", "Your side has fewer tiles and may add one to its die."),
    "run": ("Stand or run?", "You lost the initiative. Running away loses the gold, not the army."),
    "line": ("Line up", "Put every tile against one of the lands."),
    "battle": ("Which battle next?", "You choose the order."),
    "bear": ("Who bears it?", "Give your sword or bow to a character in this battle."),
    "shoot": ("Shoot or strike?", "A bearer of the bow may shoot first instead of fighting hand to hand."),
    "hit": ("Place the hits", "You choose who takes them."),
    "revive": ("Bring back the dead", "The talisman returns as many as the die shows."),
    "deed-choice": ("Thief and assassin", "Send him to somebody, or let him rest."),
    "stop": ("A moment for magic", "You may answer with magic, or let it pass."),
    "charm": ("The lucky charm", "One die of this roll may be changed by one, before anything else is rolled."),
    "offer": ("Make an offer", "What you give, and what you ask for it. Nothing for nothing withdraws."),
    "deal": ("An offer for you", "Accept, decline or make a counter-offer."),
}  # fmt: skip
_PLAYER = re.compile(r"\b([Pp])layer ([1-4])\b")


def seat_names(seats: Sequence[SeatInfo]) -> tuple[str, ...]:
    """The players' names, each told apart from the others: "Steward 2" where several have one name."""
    plain = [capital(seat.name) or f"Player {seat.seat + 1}" for seat in seats]
    return tuple(f"{name} {number}" if plain.count(name) > 1 else name for number, name in enumerate(plain, 1))


def named(text: str, names: Sequence[str]) -> str:
    """The text with players' names where it counts them from 1."""

    def name(found: re.Match[str]) -> str:
        seat = int(found[2]) - 1
        return names[seat] if seat < len(names) else found[0]

    return _PLAYER.sub(name, text)
