"""Who sits where: people by name and agents, as ``--seats`` says and as a record keeps it.

A record has names only. An agent's seat is named ``Cleo (steward)``, with a budget ``Cleo (marshal:300)``; that of
somebody who has left the game to an agent ``Ada (resigned, steward)``. So a game that is taken up again knows who
plays.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from rich.cells import cell_len

from muniment.agents.levels import agent_of, levels
from muniment.core.errors import MunimentError
from muniment.core.game import Game

__all__ = ["Seat", "read_seats", "seat_of", "seats_text"]

_AGENT_NAMES: Final = ("Cleo", "Dora", "Emil", "Fritz", "Gwen", "Hugo", "Ines", "Jan")
_KEPT: Final = re.compile(r"(?P<name>.+) \((?P<left>resigned, )?(?P<agent>[a-z][a-z0-9_-]*(:[0-9]+)?)\)")
_LONGEST: Final = 16
ME: Final = "me"


@dataclass(frozen=True, slots=True)
class Seat:
    """One seat: a name, and the agent that plays it, "" for a person. left: whether a person has resigned."""

    name: str
    agent: str = ""
    left: bool = False

    @property
    def kept(self) -> str:
        """The name as a record keeps it."""
        if not self.agent:
            return self.name
        return f"{self.name} ({'resigned, ' if self.left else ''}{self.agent})"


def seat_of(kept: str) -> Seat:
    """The seat that a record's name means."""
    found = _KEPT.fullmatch(kept)
    if found is None:
        return Seat(kept)
    return Seat(found["name"], found["agent"], left=bool(found["left"]))


def seats_text(seats: Sequence[Seat]) -> str:
    """All of them in words."""
    return ", ".join(seat.kept for seat in seats)


def read_seats(text: str, game: Game[Any, Any, Any, Any], me: str, agents: Sequence[str]) -> tuple[Seat, ...]:
    """Read ``me,squire,steward:Cleo,Bo``. me: the name of the person who says "me". agents: those there are.

    An agent may be named by its level (``agents.levels``) instead. A number after its colon is the budget of one that
    searches: ``regent:300``, ``regent:300:Cleo``.

    Raises MunimentError for a wrong number of seats, a name that is none or is given twice, an unknown agent, a budget
    that it cannot have.
    """
    words = [word.strip() for word in text.split(",")]
    low, high = game.facts.seats
    if not low <= len(words) <= high:
        many = f"{low} to {high}" if low < high else str(low)
        raise MunimentError(f"--seats: {game.facts.title} is for {many} player{'s' * (high > 1)}, not {len(words)}")
    found: list[Seat] = []
    for word in words:
        given, colon, name = word.partition(":")
        agent = agent_of(game.facts.name, given)
        if colon and agent not in agents:
            there = (*(level.key for level in levels(game.facts.name)), *agents)
            raise MunimentError(f"--seats: there is no agent {given!r}; there are: {', '.join(there)}")
        if not colon and agent not in agents:
            agent, name = "", me if word == ME else word
        budget, _, own = name.partition(":")
        if agent and budget.strip().isdecimal():
            agent, name = f"{agent}:{budget.strip()}", own
            _check_budget(game, agent)
        found.append(Seat(name.strip(), agent))
    taken = {seat.name.casefold() for seat in found}
    spare = iter([name for name in _AGENT_NAMES if name.casefold() not in taken])
    found = [seat if seat.name or not seat.agent else Seat(next(spare), seat.agent) for seat in found]
    for seat in found:
        _check(seat.name)
    names = [seat.name.casefold() for seat in found]
    for name in names:
        if names.count(name) > 1:
            raise MunimentError(f"--seats: two players are both called {name!r}")
    return tuple(found)


def _check_budget(game: Game[Any, Any, Any, Any], agent: str) -> None:
    from muniment.agents.catalog import make_agent

    try:
        make_agent(game, agent)
    except MunimentError as error:
        raise MunimentError(f"--seats: {error}") from None


def _check(name: str) -> None:
    if not name or not name.isprintable() or cell_len(name) > _LONGEST:
        raise MunimentError(f"--seats: {name!r} is no name of 1 to {_LONGEST} characters, or columns if they are wide")
    if not name[0].isalpha() or any(mark in name for mark in "(),:"):
        raise MunimentError(f"--seats: {name!r}: a name begins with a letter and has no brackets, commas or colons")
