"""Finished games: the record with its seed, and every step with nothing hidden."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from typing import Any

from muniment.core.events import EventLog
from muniment.core.game import View
from muniment.core.match import Match
from muniment.core.record import CHANCE, Entry
from muniment.tables.errors import Conflict, Invalid
from muniment.tables.house import House
from muniment.tables.live import LiveTable
from muniment.tables.play import AnyGame
from muniment.tables.showing import table_info, viewer
from muniment.tables.values import Caller, Frame, LogLine, Replay, ReplayStep

__all__ = ["Replays"]

_EVERY = 32
_KEPT = 8


class _Course:
    """A finished game's steps, and its state after each 32nd of them."""

    def __init__(self, game: AnyGame, start: Any, entries: tuple[Entry, ...]) -> None:
        self.game = game
        self.entries = entries
        self.steps: list[ReplayStep] = []
        self.views: list[View] = [game.view(start, None)]
        state = start.copy()
        self.states = [start]
        for number, entry in enumerate(entries, 1):
            log = EventLog()
            sentence = self._apply(state, entry, log)
            lines = tuple(
                LogLine(index, game.tell(event), event.rule, event.to_json()) for index, event in enumerate(log)
            )
            seat = None if entry.seat == CHANCE else entry.seat
            self.steps.append(ReplayStep(number, seat, entry.notation, sentence, lines))
            self.views.append(game.view(state, None))
            if number % _EVERY == 0:
                self.states.append(state.copy())

    def _apply(self, state: Any, entry: Entry, log: EventLog | None) -> str:
        game = self.game
        if entry.seat == CHANCE:
            game.apply_outcome(state, game.parse_outcome(entry.notation), log)
            return ""
        action = game.parse_action(entry.notation)
        sentence = "" if log is None else game.sentence(action)
        game.apply(state, action, entry.seat, log)
        return sentence

    def frame(self, step: int) -> Frame:
        """The table after so many steps."""
        game = self.game
        state = self.states[step // _EVERY].copy()
        for entry in self.entries[step // _EVERY * _EVERY : step]:
            self._apply(state, entry, None)
        views = tuple(game.view(state, seat) for seat in range(game.seats_of(state)))
        return Frame(step, game.view(state, None), views, game.state_to_json(state))


class Replays:
    """The finished games that were looked at lately."""

    def __init__(self, house: House) -> None:
        self._house = house
        self._courses: OrderedDict[tuple[str, int], _Course] = OrderedDict()

    async def match(self, table: str, caller: Caller) -> tuple[LiveTable, Match[Any, Any, Any, Any]]:
        """A finished table and its match. Raises NotFound, and Conflict while it runs."""

        def look(live: LiveTable) -> tuple[LiveTable, Match[Any, Any, Any, Any]]:
            viewer(live, caller)
            if live.play is None or live.data.status not in ("finished", "closed"):
                raise Conflict("the game is not over: all that is hidden is still hidden", "running")
            return live, live.play.match

        return await self._house.see(table, look)

    async def _course(self, table: str, caller: Caller) -> tuple[LiveTable, _Course]:
        live, match = await self.match(table, caller)
        key = (table, match.entry_count)
        course = self._courses.get(key)
        if course is None:
            record = match.record(seed=False)
            game = live.game
            start = (
                game.initial(len(record.seats)) if record.position is None else game.state_from_json(record.position)
            )
            course = await asyncio.to_thread(_Course, game, start, record.entries)
            self._courses[key] = course
            while len(self._courses) > _KEPT:
                self._courses.popitem(last=False)
        self._courses.move_to_end(key)
        return live, course

    async def record(self, table: str, caller: Caller) -> str:
        """See ``Service.record``."""
        _, match = await self.match(table, caller)
        return match.record().write()

    async def replay(self, table: str, caller: Caller) -> Replay:
        """See ``Service.replay``."""
        live, course = await self._course(table, caller)
        assert live.play is not None
        record = live.play.match.record()
        return Replay(
            table_info(self._house, live.data, live.seats, live), live.game, tuple(course.steps),
            None if record.seed is None else record.seed.hex(), tuple(nonce.decode() for nonce in record.nonces),
        )  # fmt: skip

    async def frame(self, table: str, caller: Caller, step: int) -> Frame:
        """See ``Service.frame``."""
        _, course = await self._course(table, caller)
        if not 0 <= step <= len(course.steps):
            raise Invalid(f"the game has 0 to {len(course.steps)} steps", "step")
        return course.frame(step)

    async def course(self, table: str, caller: Caller) -> tuple[View, ...]:
        """See ``Service.course``."""
        _, course = await self._course(table, caller)
        return tuple(course.views)
