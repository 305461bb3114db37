"""What happened in a siege, from the lines of its log: by turns, with the last dice, and in figures."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup

from muniment.core.words import capital, signed
from muniment.games.siege.actions import parse_action
from muniment.games.siege.terms import STATUS_NAMES
from muniment.games.siege.view import SiegeView
from muniment.tables.values import LogLine
from muniment.web.boards.dice import die

__all__ = ["DiceCount", "Entry", "Roll", "Series", "Story", "Turn", "course_of", "dice_of", "story_of"]

_DIE_FOR = {"5.1": "Enemy line check", "7.2": "The single trebuchet"}
_GOOD = ("undetected", "trebuchet-missed")
_NEW = ("action", "card", "day-ends", "over")


def _face(line: LogLine) -> int:
    return int(line.event["face"])


@dataclass(frozen=True, slots=True)
class Entry:
    """A line of the log. head: whether it begins something new: an action, a card, the end of a day."""

    line: LogLine

    @property
    def kind(self) -> str:
        """What kind of event it is."""
        return str(self.line.event["event"])

    @property
    def head(self) -> bool:
        """Whether it begins something new."""
        return self.kind in _NEW

    @property
    def die(self) -> Markup | None:
        """The die, if one was rolled."""
        return die(_face(self.line), "die die-small") if self.kind == "die" else None


@dataclass(slots=True)
class Turn:
    """The log of one turn."""

    day: int
    number: int
    card: str
    entries: list[Entry]

    @property
    def title(self) -> str:
        """Which turn it was."""
        return f"Day {self.day}, turn {self.number}"


@dataclass(frozen=True, slots=True)
class Roll:
    """One die that was rolled: what for, what it showed, what was added, what came of it."""

    number: int
    what: str
    face: int
    total: int | None
    good: bool
    verdict: str

    @property
    def added(self) -> str:
        """The modifiers, signed; empty if there are none."""
        return "" if self.total is None or self.total == self.face else signed(self.total - self.face)

    @property
    def die(self) -> Markup:
        """The die as a picture."""
        return die(self.face)


@dataclass(frozen=True, slots=True)
class Story:
    """turns: the latest first. rolls: of the last choice that rolled dice. latest: what the last choice brought."""

    turns: tuple[Turn, ...]
    rolls: tuple[Roll, ...]
    latest: tuple[LogLine, ...]
    count: int


def story_of(lines: Sequence[LogLine]) -> Story:
    """The story so far."""
    blocks = _blocks(lines)
    with_dice = next((block for block in reversed(blocks) if any(_kind(line) == "die" for line in block)), [])
    return Story(_turns(lines), _rolls(with_dice), tuple(blocks[-1]) if blocks else (), len(lines))


def _kind(line: LogLine) -> str:
    return str(line.event["event"])


def _blocks(lines: Sequence[LogLine]) -> list[list[LogLine]]:
    """The lines by what set them off: each choice of the player begins a block."""
    blocks: list[list[LogLine]] = []
    for line in lines:
        if _kind(line) == "action" or not blocks:
            blocks.append([])
        blocks[-1].append(line)
    return blocks


def _turns(lines: Sequence[LogLine]) -> tuple[Turn, ...]:
    turns: list[Turn] = []
    ended = True
    number = 0
    for line in lines:
        kind = _kind(line)
        if ended and (kind == "card" or (kind == "die" and line.rule == "5.1")):
            number += 1
            turns.append(Turn(turns[-1].day if turns else 1, number, "", []))
            ended = False
        if not turns:  # a position given, not the set-up
            turns.append(Turn(1, 1, "", []))
            number = 1
        if kind == "card":
            turns[-1].day, turns[-1].card = int(line.event["day"]), str(line.event["title"])
        elif kind == "day-ends":
            number = 0
        turns[-1].entries.append(Entry(line))
        ended = ended or (kind == "action" and line.event["action"] == "end")
    return tuple(reversed(turns))


def _rolls(block: Sequence[LogLine]) -> tuple[Roll, ...]:
    """Every die of a block with what came of it, up to the next die or card."""
    found: list[Roll] = []
    action = next((str(line.event["action"]) for line in block if _kind(line) == "action"), "")
    for place, line in enumerate(block):
        if _kind(line) != "die":
            continue
        after: list[LogLine] = []
        for later in block[place + 1 :]:
            if _kind(later) in ("die", "card"):
                break
            after.append(later)
        what = _DIE_FOR.get(line.rule) or (parse_action(action).sentence if action else "The die")
        judged = next((later for later in after if _kind(later) == "judged"), None)
        total = int(judged.event["total"]) if judged is not None else None
        good = bool(judged.event["success"]) if judged is not None else any(_kind(later) in _GOOD for later in after)
        told = " ".join(later.text for later in after if _kind(later) != "judged")
        found.append(Roll(line.number, what, _face(line), total, good, told or "Nothing changes."))
    return tuple(found)


@dataclass(frozen=True, slots=True)
class Series:
    """A line of the plot: its name and its value after each turn, the set-up first."""

    name: str
    values: tuple[int, ...]


def course_of(views: Sequence[SiegeView]) -> tuple[tuple[str, ...], tuple[Series, ...]]:
    """The names of the turns, and the status tracks and trebuchets at the end of each of them."""
    last: dict[tuple[int, int], SiegeView] = {}
    for view in views:
        if view.card >= 0:
            last[view.day, view.turn] = view
    start = views[0]
    ends = [start, *last.values()]
    names = ("set-up", *(f"day {day}, turn {turn}" for day, turn in last))
    series = [Series(capital(name), tuple(v.status[track] for v in ends)) for track, name in enumerate(STATUS_NAMES)]
    return names, (*series, Series("Trebuchets", tuple(view.trebuchets for view in ends)))


@dataclass(frozen=True, slots=True)
class DiceCount:
    """How often each face came, and what was to be expected."""

    counts: tuple[int, ...]

    @property
    def rolled(self) -> int:
        """How many dice."""
        return sum(self.counts)

    @property
    def expected(self) -> float:
        """How often each face comes on average in so many rolls."""
        return self.rolled / 6

    @property
    def mean(self) -> float:
        """The average face, 0 without a roll."""
        return sum(face * times for face, times in enumerate(self.counts, 1)) / self.rolled if self.rolled else 0.0


def dice_of(lines: Sequence[LogLine]) -> DiceCount:
    """All dice of a game, of either game."""
    counted: Counter[int] = Counter()
    for line in lines:
        if _kind(line) == "die":
            counted[_face(line)] += 1
        elif _kind(line) in ("roll", "volley") and line.event.get("thrown") != "fold":
            counted.update(line.event["dice"])
    return DiceCount(tuple(counted[face] for face in range(1, 7)))
