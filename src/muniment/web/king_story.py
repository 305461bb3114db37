"""What happened in a King game, from the lines of its log: by turn and phase, with the latest dice."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from markupsafe import Markup

from muniment.core.words import capital, listed
from muniment.games.king.views import KingView
from muniment.tables.values import LogLine
from muniment.web.boards.dice import die
from muniment.web.boards.king import land_name
from muniment.web.king_texts import PHASES, named
from muniment.web.siege_story import Series
from muniment.web.texts import count

__all__ = ["Entry", "KingRoll", "KingStory", "Part", "king_story", "prestige_of"]

_HEADS = frozenset({"war", "fight", "event", "income", "revealed", "over", "out", "captured", "magic"})
_DRAWS = frozenset({"drawn", "tile"})
_DICE_KEPT = 12  # rolls that a page can show one after the other
_LATEST = 90  # lines among which they are looked for


@dataclass(frozen=True, slots=True)
class Entry:
    """A line of the log with players' names."""

    number: int
    text: str
    rule: str
    head: bool
    dice: tuple[Markup, ...] = ()


@dataclass(slots=True)
class Part:
    """A phase of a turn."""

    turn: int
    phase: int
    entries: list[Entry] = field(default_factory=list)

    @property
    def title(self) -> str:
        """Which it was."""
        return f"Turn {self.turn}: {PHASES[self.phase].lower()}" if self.turn else PHASES[0]


@dataclass(frozen=True, slots=True)
class KingRoll:
    """Dice that were rolled: whose, what for, what came of it."""

    number: int
    what: str
    dice: tuple[Markup, ...]
    verdict: str


@dataclass(frozen=True, slots=True)
class KingStory:
    """parts: the latest first. rolls: the latest dice. latest: the newest sentences."""

    parts: tuple[Part, ...]
    rolls: tuple[KingRoll, ...]
    latest: tuple[str, ...]
    left_out: int


def king_story(lines: Sequence[LogLine], names: Sequence[str], most: int | None = None) -> KingStory:
    """The story so far; ``most``: only so many of the newest parts."""
    parts = [Part(0, 0)]
    drawn: list[LogLine] = []
    for line in lines:
        kind = line.event["event"]
        if drawn and (kind not in _DRAWS or (kind == "drawn" and line.event["seat"] != drawn[0].event.get("seat"))):
            parts[-1].entries.append(_draws(drawn, names))
            drawn = []
        if kind == "turn":
            parts.append(Part(int(line.event["number"]), 0))
        elif kind == "phase":
            if parts[-1].phase == 0 and parts[-1].turn:
                parts[-1].phase = int(line.event["number"])
            else:
                parts.append(Part(parts[-1].turn, int(line.event["number"])))
            continue
        if kind in _DRAWS:
            drawn.append(line)
            continue
        parts[-1].entries.append(
            Entry(line.number, named(line.text, names), line.rule, kind in _HEADS, _dice(line, "die die-small"))
        )
    if drawn:
        parts[-1].entries.append(_draws(drawn, names))
    full = [part for part in reversed(parts) if part.entries]
    shown = full if most is None else full[:most]
    return KingStory(
        tuple(shown),
        _rolls(lines, names),
        tuple(named(line.text, names) for line in lines[-6:]),
        len(full) - len(shown),
    )


def _draws(lines: Sequence[LogLine], names: Sequence[str]) -> Entry:
    """Tiles drawn one after the other by one seat, in one sentence; the names of those the viewer may know."""
    first = lines[0]
    number = max(sum(line.event["event"] == "drawn" for line in lines), 1)
    known = [line.text.removeprefix("You draw ").removesuffix(".") for line in lines if line.event["event"] == "tile"]
    who = named(first.text, names).partition(" draw")[0]
    text = f"{who} draws {count(number, 'tile')}" if who != "You" else "You draw"
    return Entry(first.number, f"{text}: {listed(known)}." if known else f"{text}.", first.rule, False)


def _dice(line: LogLine, css: str) -> tuple[Markup, ...]:
    """The dice of a line; a battle's roll that was only counted has none."""
    if line.event["event"] not in ("roll", "volley") or line.event.get("thrown") == "fold":
        return ()
    return tuple(die(int(face), css) for face in line.event["dice"] if int(face) in range(1, 7))


def _rolls(lines: Sequence[LogLine], names: Sequence[str]) -> tuple[KingRoll, ...]:
    """The last dice among the newest lines, each with what followed it."""
    found: list[KingRoll] = []
    newest = lines[-_LATEST:]
    land = ""
    for place, line in enumerate(newest):
        if line.event["event"] == "revealed":
            land = land_name(str(line.event["land"]))
        dice = _dice(line, "die die-middle")
        if not dice:
            continue
        after: list[str] = []
        for later in newest[place + 1 :]:
            if later.event["event"] in ("roll", "volley", "phase", "turn"):
                break
            after.append(named(later.text, names))
        who = names[int(line.event["seat"])] if 0 <= int(line.event["seat"]) < len(names) else ""
        combat = f"combat dice for {land}" if land else "combat dice"
        what = str(line.event.get("purpose", combat)).replace("-", " ").removesuffix(" dice")
        found.append(KingRoll(line.number, f"{who}: {capital(what)}", dice, " ".join(after[:2])))
    return tuple(found[-_DICE_KEPT:])


def prestige_of(views: Sequence[KingView], names: Sequence[str]) -> tuple[tuple[str, ...], tuple[Series, ...]]:
    """The names of the turns, and everybody's prestige at the end of each of them."""
    last = {view.turn: view for view in views}
    titles = tuple(f"turn {turn}" if turn else "set-up" for turn in last)
    series = tuple(
        Series(name, tuple(view.prestige[seat] for view in last.values())) for seat, name in enumerate(names)
    )
    return titles, series
