"""The log: what happened, in lines that belong together, with players by name.

Events that only one seat may know are told of that seat by name, in place of the public event beside them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from muniment.core.events import Event
from muniment.games.king import King
from muniment.games.king.steps import ROLLS
from muniment.terminal.face import keep_together
from muniment.terminal.king.names import Names, counted, land_words

__all__ = ["Story"]

_PLAYER: Final = re.compile(r"\b[Pp]layer ([1-4])\b")
_COMPACT: Final = ("disaster-dice", "sickness-dice")
_HEADS: Final = frozenset(
    {
        "turn", "phase", "income", "land-drawn", "purchase", "war", "lined-up", "revealed", "volley", "magic",
        "treasure", "gift", "armed", "arms", "trade", "offer", "withdrawn", "deal", "bid", "passed", "over", "drawn",
        "tile", "fight", "declined", "owners", "owner-drawn", "battle-over", "war-over", "fort", "placed", "out",
        "ran", "mustered", "mustering", "first-player", "homeless", "bears", "reserves", "captured",
    }
)  # fmt: skip
_JOINED: Final = {("drawn", "tile"), ("mustered", "mustering"), ("armed", "arms")}
"""A public event and the private one that tells more of the same."""
_ROLL_HEADS: Final = frozenset(
    {
        "event-dice",
        "special-try",
        "initiative-dice",
        "deed-dice",
        "start-gold",
        "reserve-dice",
        "wall-value",
        "talisman-die",
    }
)


class Story:
    """Tells events of one game."""

    def __init__(self, game: King, names: Names) -> None:
        self.game = game
        self.names = names

    def starts(self, event: Event) -> bool:
        """Whether the event begins a line."""
        if event.kind == "roll":
            return str(event["purpose"]) in _ROLL_HEADS
        return event.kind in _HEADS

    def lines(self, events: Sequence[Event]) -> list[str]:
        """A line for everything that belongs together."""
        found: list[list[str]] = []
        last: tuple[str, object] = ("", None)
        for at, event in enumerate(events):
            after = events[at + 1] if at + 1 < len(events) else None
            if after is not None and (event.kind, after.kind) in _JOINED:
                continue
            if event.kind == "phase" or (event.kind == "turn" and not found and len(events) == 1):
                self._heading(found, event)
                continue
            words = self.tell(event)
            if not words:
                continue
            kind = (event.kind, dict(event.facts).get("seat"))
            if event.kind == "tile" and kind == last and found:  # drawn in a row
                found[-1][-1] = f"{found[-1][-1].rstrip('.')}, {self._tile(event)}."
            elif event.kind == "land-drawn" and kind == last and found:
                before = found[-1][-1].removesuffix(" from the land deck.")
                found[-1][-1] = f"{before}, {self._tile(event)} from the land deck."
            elif event.kind == "drawn" and kind == last and found:
                found[-1][-1] = _one_more(found[-1][-1])
            elif not found or self.starts(event):
                found.append([words])
            else:
                found[-1].append(words)
            last = kind
        return [" ".join(line) for line in found]

    def _heading(self, found: list[list[str]], event: Event) -> None:
        phases = ("", "collection & construction", "events", "acquiring tiles", "war")
        if event.kind == "phase":
            found.append([f"— Phase {event['number']}: {phases[int(str(event['number']))]} —"])

    def _tile(self, event: Event) -> str:
        return keep_together(self.names.tile(str(event["tile"])))

    def _who(self, event: Event, fact: str = "seat") -> str:
        return self.names.player(int(str(event[fact])))

    def _listed(self, event: Event, fact: str = "tiles") -> str:
        value = event[fact]
        tiles = value if isinstance(value, tuple) else (value,)
        return ", ".join(counted(keep_together(self.names.tile(str(tile))) for tile in tiles)) or "nothing"

    def tell(self, event: Event) -> str:
        """One event in a sentence; an empty text for what needs none."""
        kind = event.kind
        if kind == "roll":
            return self._roll(event)
        if kind == "volley":
            return self._volley(event)
        if kind == "land-drawn":
            return f"{self._who(event)} draws {self._tile(event)} from the land deck."
        if kind == "tile":
            return f"{self._who(event)} draws {self._tile(event)}."
        if kind == "turn":
            return f"═ Turn {event['number']}; {self._who(event, 'first')} begins. ═"
        if kind == "income":
            return f"{self._who(event)} collects {event['gold']} gold, prestige {event['prestige']}."
        if kind == "hits":
            hits, absorbed = int(str(event["hits"])), int(str(event["absorbed"]))
            by_forts = f" ({absorbed} absorbed by forts)" if absorbed else ""
            return f"{hits} hit{'s' * (hits != 1)}{by_forts}."
        if kind == "losses":
            lost = event["tiles"]
            return f"{self._who(event)} loses {self._listed(event)}." if lost else f"{self._who(event)} loses nobody."
        if kind == "revealed":
            return (
                f"Battle for {land_words(str(event['land']))}: {self._listed(event, 'attackers')} against "
                f"{self._listed(event, 'defenders')}, forts {event['forts']}."
            )
        if kind in ("owner-drawn", "mustering", "arms"):
            return self._private(event)
        if kind == "over":
            return "The game is over."
        return self._generic(event)

    def _generic(self, event: Event) -> str:
        text = self.game.tell(event)
        text = _PLAYER.sub(lambda found: self.names.player(int(found[1]) - 1), text)
        if event.audience is not None and len(event.audience) == 1 and text.startswith("You "):
            text = f"{self.names.player(next(iter(event.audience)))}: {text}"
        return text

    def _private(self, event: Event) -> str:
        assert event.audience is not None
        who = self.names.player(next(iter(event.audience)))
        if event.kind == "mustering":
            return f"{who} musters {self._listed(event)}."
        if event.kind == "arms":
            return f"{who} puts the {self._tile(event)} into the army."
        return f"{who} draws {self._tile(event)} for the land."

    def _roll(self, event: Event) -> str:
        purpose = str(event["purpose"])
        dice = " ".join(map(str, _numbers(event["dice"])))
        if purpose in _COMPACT:
            return keep_together(f"[{dice}]")
        return f"{self._who(event)} rolls {dice} ({ROLLS[purpose].what})."

    def _volley(self, event: Event) -> str:
        dice = [int(str(die)) for die in _numbers(event["dice"])]
        if event["thrown"] == "fold":
            hits = sum(dice[1::5]) + sum(dice[2::5])
            return f"{self._who(event)} rolls; {hits} dice hit."
        shown = " ".join(map(str, sorted(dice, reverse=True)))
        return f"{self._who(event)} rolls {shown}:"


def _numbers(value: object) -> tuple[object, ...]:
    return tuple(value) if isinstance(value, tuple) else (value,)


def _one_more(text: str) -> str:
    """Say "Ada draws a tile." once more: "Ada draws 2 tiles."."""
    found = re.search(r"draws (a|\d+) tiles?\.$", text)
    if found is None:
        return text
    number = 1 if found[1] == "a" else int(found[1])
    return f"{text[: found.start()]}draws {number + 1} tiles."
