"""What goes into the service and comes out of it: plain frozen values, nothing that a viewer may not see."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from muniment.agents.levels import Level
from muniment.core.game import Action, Facts, Game, View
from muniment.core.options import Option, OptionValue

__all__ = [
    "Answer", "Caller", "Choice", "Clock", "ClockFace", "Ending", "Frame", "GameInfo", "Joined", "Link", "LinkKind",
    "LogLine", "Message", "NewTable", "Replay", "ReplayStep", "SeatInfo", "SeatPlan", "Seen", "Spectators", "Status",
    "TableInfo",
]  # fmt: skip

Status = Literal["open", "running", "finished", "closed"]
"""open: seats are still free; running; finished: the game is over or was resigned; closed: by an administrator."""
Spectators = Literal["public", "link", "none"]
"""Who may watch: anybody (the table is listed), whoever has the watching link, nobody but the host."""
LinkKind = Literal["invite", "watch", "seat"]


@dataclass(frozen=True, slots=True)
class Caller:
    """Who asks. secret: of a browser's cookie or a seat's API token. watch: the token of a watching link."""

    secret: str | None = field(default=None, repr=False)
    watch: str | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True)
class GameInfo:
    """A game that can be played here. odds: whether ``Service.odds`` knows some.

    bots: the names of its agents. levels: those of them that people choose from first, the easiest first.
    """

    name: str
    facts: Facts
    options: tuple[Option, ...]
    editions: tuple[str, ...]
    bots: tuple[str, ...]
    default_bot: str
    levels: tuple[Level, ...]
    odds: bool


@dataclass(frozen=True, slots=True)
class Clock:
    """Thinking time: each seat has ``reserve`` seconds, and gets ``increment`` more with every answer.

    An answer may have many small steps; it ends when another seat is asked. When a seat's time is up, a bot finishes
    that answer. Secret interrupts have a time of their own.
    """

    reserve: int
    increment: int = 0


@dataclass(frozen=True, slots=True)
class SeatPlan:
    """A seat of a new table. kind: "me" (the maker), "open" (whoever has the invitation) or "bot"."""

    kind: Literal["me", "open", "bot"]
    bot: str = ""


@dataclass(frozen=True)
class NewTable:
    """A table to be made.

    name: of its maker. seats: one plan per seat. typed: real dice are typed in (one-seat games only). hold: a
    table that could start at once waits for ``Service.mix``, so that its maker sees the dice's commitment before adding
    to them. house_password: if the server asks for one. position, seed: for lessons, puzzles and tests;
    never taken from a request.
    """

    game: str
    name: str
    seats: Sequence[SeatPlan] = (SeatPlan("me"),)
    options: Mapping[str, object] = field(default_factory=dict)
    edition: str = ""
    clock: Clock | None = None
    spectators: Spectators = "link"
    typed: bool = False
    hold: bool = False
    house_password: str = field(default="", repr=False)
    position: Mapping[str, Any] | None = field(default=None, repr=False)
    seed: bytes | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True)
class SeatInfo:
    """A seat as everybody sees it.

    kind: "open", "person" or "bot". bot: the agent that plays, also where it stands in for a person (``stand_in``).
    present: whether the person has been seen lately. resigned: a bot plays on, if the game goes on.
    """

    seat: int
    kind: Literal["open", "person", "bot"]
    name: str
    bot: str = ""
    stand_in: bool = False
    present: bool = False
    resigned: bool = False


@dataclass(frozen=True, slots=True)
class Ending:
    """How a game ended: each seat's result from 0 to 1 as text ("1/2"), a stable code, the rule, a sentence."""

    returns: tuple[str, ...]
    reason: str
    rule: str
    sentence: str


@dataclass(frozen=True, slots=True)
class TableInfo:
    """A table as everybody who may know of it sees it. Times are seconds since 1970.

    While the game runs ``changed`` is told by the minute, and ``moves`` (the record's lines) is 0: moves can be secret.
    """

    id: str
    game: str
    title: str
    status: Status
    seats: tuple[SeatInfo, ...]
    options: Mapping[str, OptionValue]
    edition: str
    clock: Clock | None
    spectators: Spectators
    typed: bool
    commitment: str | None
    created: float
    changed: float
    moves: int
    ending: Ending | None
    next: str | None = None
    """The id of the rematch, if there is one."""


@dataclass(frozen=True, slots=True)
class Choice:
    """A legal action. action: the game's own value; notation is what ``Service.act`` takes."""

    action: Action
    notation: str
    sentence: str
    rule: str

    def to_json(self) -> dict[str, Any]:
        """The choice as a JSON object."""
        return {
            "notation": self.notation,
            "action": self.action.to_json(),
            "sentence": self.sentence,
            "rule": self.rule,
        }


@dataclass(frozen=True, slots=True)
class LogLine:
    """An event that the viewer may know. number: its place among those, from 0. event: its JSON form, for animation."""

    number: int
    text: str
    rule: str
    event: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Message:
    """Table talk; only the players of a table see it."""

    id: int
    seat: int
    name: str
    text: str
    at: float


@dataclass(frozen=True, slots=True)
class ClockFace:
    """A seat's clock. left: seconds at the time ``at``; running: whether it runs since then, if that is public."""

    seat: int
    left: float
    running: bool
    at: float


@dataclass(frozen=True, slots=True)
class Seen:
    """All that one viewer sees of a table at one moment.

    seat: the viewer's, None for a spectator. version: opaque, changes exactly when something here changes for this
    viewer. view: the game's own view, None before the start. decision: what a move must name, None when this seat may
    do nothing. actions: what it may do. outcomes: what real dice can show, None unless they are awaited from this seat.
    log: the last lines; ``Service.log`` has all. invite and watch: the tokens of the links the viewer may hand out.
    """

    info: TableInfo
    seat: int | None
    host: bool
    version: str
    game: Game[Any, Any, Any, Any]
    view: View | None
    decision: str | None
    actions: tuple[Choice, ...]
    outcomes: tuple[str, ...] | None
    undo: bool
    log: tuple[LogLine, ...]
    talk: tuple[Message, ...]
    clocks: tuple[ClockFace, ...]
    invite: str | None = field(default=None, repr=False)
    watch: str | None = field(default=None, repr=False)

    @property
    def your_turn(self) -> bool:
        """Whether the game waits for this seat (it may act out of turn also when it does not)."""
        awaited = getattr(self.view, "awaited", None)
        return self.seat is not None and (self.outcomes is not None or bool(awaited is not None and awaited.you))


@dataclass(frozen=True, slots=True)
class Joined:
    """A seat taken, or a table made. secret: what authorises the browser or token from now on; seat None: only host."""

    table: str
    seat: int | None
    secret: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class Link:
    """What a link gives, before anything is done with it. seat: only for a seat's link."""

    kind: LinkKind
    table: TableInfo
    seat: int | None = None


@dataclass(frozen=True, slots=True)
class Answer:
    """What a move brought: the same whenever it is sent again with its key. log: what the seat saw happen."""

    table: str
    version: str
    log: tuple[LogLine, ...]
    repeated: bool = False


@dataclass(frozen=True, slots=True)
class ReplayStep:
    """One line of the record. seat: who chose, None for chance. log: what happened, nothing hidden."""

    number: int
    seat: int | None
    notation: str
    sentence: str
    log: tuple[LogLine, ...]


@dataclass(frozen=True, slots=True)
class Replay:
    """A finished game, step by step. seed: of its dice, in hexadecimal, None for real ones."""

    info: TableInfo
    game: Game[Any, Any, Any, Any]
    steps: tuple[ReplayStep, ...]
    seed: str | None
    nonces: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Frame:
    """The table after so many steps. views: every seat's own, which together hide nothing; position: all as JSON."""

    step: int
    spectator: View
    views: tuple[View, ...]
    position: Mapping[str, Any]
