"""A game of several seats at one terminal: people in turns behind a curtain, and agents that play by themselves.

Who is asked at a stop is told to nobody else: the curtain only says to whom the device goes, and with one person alone
there is none. What agents do is shown as it happens, as far as the people at the table may see it.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

from rich.text import Text

from muniment.agents.catalog import agent_names, make_agent
from muniment.core.agent import Agent
from muniment.core.dice import RandomStream, new_seed
from muniment.core.errors import MunimentError
from muniment.core.game import Action, Chance, Decision, Over
from muniment.core.match import Match
from muniment.terminal.face import face_of, wrap
from muniment.terminal.journal import Journal
from muniment.terminal.screen import Line, Screen
from muniment.terminal.seats import Seat, seat_of
from muniment.terminal.session import Session

__all__ = ["TableSession"]

AnyMatch = Match[Any, Any, Any, Any]

_HELP: Final = """\
   resign yes        leave your seat to an agent for the rest of the game
   pace SECONDS      how long a line of what agents do is shown; Enter skips""".splitlines()
_THINKING: Final = " An agent is thinking …"  # which one is nobody's business at some stops (K10)
_SUBSTITUTES: Final = ("steward", "captain", "random")
_LONGEST_PACE: Final = 60.0


class TableSession(Session):
    """Several seats. pace: seconds for every line of what agents do."""

    def __init__(
        self, match: AnyMatch, screen: Screen, journal: Journal, edition: Path | None = None, pace: float = 0.0
    ) -> None:
        super().__init__(match, screen, journal, edition)
        self.pace = pace
        self._present: int | None = None
        self._shown = match.event_count
        self._watched = False
        self._hurry = False
        self._seated()
        self._commands |= {"resign": self._resign, "pace": self._pace}

    def _seated(self) -> None:
        """Read off the match who sits where."""
        self.seats: list[Seat] = [seat_of(kept) for kept in self.match.seats]
        self._agents: dict[int, Agent[Any, Any]] = {
            at: make_agent(self.match.game, seat.agent) for at, seat in enumerate(self.seats) if seat.agent
        }
        self.people = [at for at, seat in enumerate(self.seats) if not seat.agent]
        if self._present not in self.people:
            self._present = self.people[0] if len(self.people) == 1 else None

    def _loaded(self) -> None:
        self._present = None
        self._shown = self.match.event_count
        self._seated()
        if len(self.people) > 1:
            self.screen.enter_secret()
        else:
            self.screen.leave_secret()

    def run(self) -> bool:
        """As the session of one; with several people on a screen that keeps no trace."""
        if len(self.people) > 1:
            self.screen.enter_secret()
        try:
            return super().run()
        finally:
            self.screen.leave_secret()

    # -- who is there

    @property
    def _seat(self) -> int:
        return 0 if self._present is None else self._present

    @property
    def _viewer(self) -> int | None:
        if self.match.over and len(self.people) != 1:
            return None
        return self._present

    @property
    def _watching(self) -> bool:
        """Whether only agents play, and somebody looks on."""
        return not self.people and not self.match.over

    @property
    def _prompt(self) -> str:
        if self._watching or self.match.over or self._present is None:
            return "> "
        return f"{self.seats[self._present].name}> "

    # -- until somebody is asked

    def _ready(self) -> bool:
        """Let agents play, and call whom the game waits for to the screen."""
        while True:
            self._tell_news()
            pending = self.match.pending
            if not isinstance(pending, Decision):
                break
            seat = pending.seats[0]
            if seat in self._agents:
                if self._watching and self._rests():
                    break
                self._agent_plays(seat)
            elif (obvious := self._obvious(seat)) is not None:
                self.match.act(seat, obvious)
            else:
                break
            self._stale = True
        self._hurry = False
        if isinstance(pending, Over):
            if self._finished is None and self._unkept is None:
                self._keep()
            return True
        return self._called(self._who_types(pending) if isinstance(pending, Chance) else seat)

    def _agent_plays(self, seat: int) -> None:
        """Have the agent of the seat choose. Raises MunimentError if it fails; the game is kept as it stood before."""
        try:
            with self.screen.waiting(_THINKING):
                action = self.match.ask(seat, self._agents[seat])
        except Exception as error:
            self._keep()
            raise self._failed(seat, f"{type(error).__name__}: {error}") from error
        if action not in self.match.legal_actions(seat):
            self._keep()
            raise self._failed(seat, f"it chose {action!r}, which is not among its choices")
        self.match.act(seat, action)

    def _failed(self, seat: int, why: str) -> MunimentError:
        kept = "" if self._unkept else f"; the game is kept in {self.journal.path}"
        who = self.seats[seat]
        return MunimentError(f"the agent {who.agent} ({who.name}) failed: {' '.join(why.split())}{kept}")

    def _obvious(self, seat: int) -> Action | None:
        """What a person need not be asked, as long as nobody learns anything by it."""
        return None

    def _rests(self) -> bool:
        """Whether who looks on at agents is asked before the game goes on."""
        rests = self.screen.interactive and self._watched and self._chapter_over()
        self._watched = True
        return rests

    def _chapter_over(self) -> bool:
        """Whether something has come to an end since the person was last asked."""
        return False

    def _who_types(self, pending: Chance) -> int | None:
        """Who types a die or tile: one who may see it, if that is a person, else whoever is there."""
        people = [seat for seat in pending.audience or () if seat in self.people]
        if people:
            return people[0]
        return self._present if self._present is not None or not self.people else self.people[0]

    def _called(self, seat: int | None) -> bool:
        """Hand the screen to a seat, behind a curtain if there are several people; False if the input has ended."""
        if seat == self._present or seat is None or seat in self._agents:
            return True
        if len(self.people) > 1:
            self.screen.wipe()
            self.screen.draw(self._curtain(self.seats[seat].name))
            if self.screen.ask("") is None:
                return False
            self.screen.wipe()
        self._present = seat
        self._stale = True
        self._instead, self._messages = [], []
        self._say_unkept()
        return True

    def _curtain(self, name: str) -> list[Line]:
        """What stands on the screen while it changes hands: what all may see."""
        lines: list[Line] = ["", Text(f" Pass the device to {name}.", style="bold"), "", " Then press Enter."]
        if not (self.screen.styled and self.screen.interactive):
            lines.append(" (This screen cannot be cleared: look away from what is above.)")
        return lines

    # -- what happened meanwhile

    def _tell_news(self) -> None:
        """Write what has happened since the last time, at a pace at which it can be read."""
        since, self._shown = self._shown, self.match.event_count
        if since == self._shown or (self.people and not self._agents):
            return
        viewer = self._present if len(self.people) == 1 else None
        for line in self.face.log(self.match.events(viewer, since)):
            self.screen.write([Text(part, style="dim") for part in wrap(line)])
            if not self._hurry and self.screen.pause(self.pace):
                self._hurry = True

    def _leave(self) -> None:
        self.screen.leave_secret()
        super()._leave()

    def _moved(self) -> None:
        super()._moved()
        if len(self.people) > 1 and self._present is not None and not self._still_asked():
            self.screen.wipe()

    def _still_asked(self) -> bool:
        pending = self.match.pending
        return isinstance(pending, Decision) and pending.seats[0] == self._present

    # -- commands

    def _help_lines(self) -> list[str]:
        return _HELP

    def _resign(self, word: str) -> None:
        seat = self._present
        if seat is None or self.match.over:
            raise MunimentError("nobody sits here who could resign")
        if word.casefold() != "yes":
            raise MunimentError(f"{self.seats[seat].name} leaves the game to an agent for good? Then type: resign yes")
        agents = agent_names(self.match.game)
        agent = next(name for name in _SUBSTITUTES if name in agents)
        names = list(self.match.seats)
        names[seat] = Seat(self.seats[seat].name, agent, left=True).kept
        self.match.seats = tuple(names)
        self._present = None
        self._seated()
        self.face = face_of(self.match.game, self.match.seats)
        self._moved()
        self._say(f"{self.seats[seat].name} leaves the game; the {agent} plays on.")

    def _pace(self, text: str) -> None:
        try:
            pace = float(text)
        except ValueError:
            raise MunimentError(f"{text!r} is no number of seconds") from None
        if not 0 <= pace <= _LONGEST_PACE:
            raise MunimentError(f"a pace is 0 to {_LONGEST_PACE:.0f} seconds, not {text}")
        self.pace = pace
        self._say(f"Every line is shown for {pace:g} seconds.")

    def _enter(self, line: str) -> None:
        """A die or tile that was typed; "any" lets the program choose, for those without one at hand."""
        if line.casefold() == "any":
            game, state = self.match.game, self.match.state()
            self.match.enter(game.sample(state, RandomStream(new_seed())))
            self._moved()
            return
        super()._enter(line)

    def _undo(self, word: str) -> None:
        super()._undo(word)
        self._shown = min(self._shown, self.match.event_count)
