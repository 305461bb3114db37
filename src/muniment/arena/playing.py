"""One game of the arena: agents that may be anybody's are watched, and what they do wrong is told by name."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from muniment.arena.foreign import shown, told
from muniment.arena.statistics import Row, Totals
from muniment.core.agent import Agent
from muniment.core.chance import Source
from muniment.core.dice import seed_from_text
from muniment.core.errors import MunimentError, NotationError
from muniment.core.game import Action, Game, Over, State, View
from muniment.core.match import Match
from muniment.core.playout import play_out
from muniment.core.refusal import Refused

__all__ = ["Played", "Stopped", "play_one"]


class Stopped(Exception):
    """The game was given up because whoever asked for it wants to stop."""


@dataclass(frozen=True)
class Played:
    """What came of a game.

    returns: each seat's result from 0 to 1. row: see ``Totals.row``. choices, seconds: each seat's decisions, and the
    time it took for them. record: the text of the game's record, if one was wished for.
    """

    returns: tuple[float, ...]
    row: Row
    choices: tuple[int, ...]
    seconds: tuple[float, ...]
    record: str | None = None


def play_one(
    game: Game[Any, Any, Any, Any],
    agents: Sequence[Agent[Any, Any]],
    names: Sequence[str],
    seed: str,
    totals: Totals,
    *,
    record: bool = False,
    stop: Callable[[], bool] = lambda: False,
) -> Played:
    """Play a game from the set-up with the dice and the agents' streams of a seed's text.

    names: of the agents, for records and messages. totals: the kind of row that is wanted; nothing is counted.
    stop: asked before each decision.
    Raises MunimentError naming game, agent and seat if an agent fails or chooses what is not legal; Stopped.
    """
    observer = totals.observer()
    desk = _Desk(game, stop, record)
    seats = [_Watched(agent, name, seat, desk) for seat, (agent, name) in enumerate(zip(agents, names, strict=True))]

    def watch(state: State) -> None:
        desk.state = state
        observer.watch(state)

    try:
        end, decisions = play_out(game, seats, seed_from_text(seed), watch=watch)
    except _Fault as fault:
        raise MunimentError(f"{names[fault.seat]} in seat {fault.seat + 1}, game with seed {seed}: {fault}") from fault
    over = game.pending(end)
    assert isinstance(over, Over)
    observer.watch(end)
    return Played(
        tuple(map(float, over.returns)),
        totals.row(game.view(end), over, decisions, observer),
        tuple(seat.choices for seat in seats),
        tuple(seat.seconds for seat in seats),
        _record(game, names, seed, desk.actions) if record else None,
    )


def _record(
    game: Game[Any, Any, Any, Any], names: Sequence[str], seed: str, actions: Sequence[tuple[int, Action]]
) -> str:
    """The record of the game with these choices; its dice come from the seed once more."""
    match = Match(game, names, seed=seed_from_text(seed))
    for seat, action in actions:
        match.act(seat, action)
    return match.record().write()


class _Fault(Exception):
    """What an agent did wrong, without where."""

    def __init__(self, seat: int, words: str) -> None:
        super().__init__(words)
        self.seat = seat


@dataclass
class _Desk:
    """What the watched agents of one game share. state: at the decision.

    No agent is given it, or anything but its view; but code in the same process that wants to cheat finds everything,
    along the frames of a traceback for instance.
    """

    game: Game[Any, Any, Any, Any]
    stop: Callable[[], bool]
    keep: bool
    state: State | None = None
    actions: list[tuple[int, Action]] = field(default_factory=list)


class _Watched(Agent[Any, Any]):
    """Stands between the game and an agent, and lets only legal actions through."""

    def __init__(self, agent: Agent[Any, Any], name: str, seat: int, desk: _Desk) -> None:
        self.agent = agent
        self.name = name
        self.seat = seat
        self.desk = desk
        self.choices = 0
        self.seconds = 0.0

    def choose(self, view: View, legal: Sequence[Action], source: Source) -> Action:
        """What the agent chooses. Raises _Fault if that cannot be played, Stopped."""
        if self.desk.stop():
            raise Stopped
        offered = tuple(legal)  # a game may keep its list, and an agent may do anything with what it is given
        began = time.perf_counter()
        try:
            chosen: object = self.agent.choose(view, offered, source)
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            raise _Fault(self.seat, told(error, " in choose")) from error
        self.seconds += time.perf_counter() - began
        self.choices += 1
        action = self._meant(chosen, offered)
        if self.desk.keep:
            self.desk.actions.append((self.seat, action))
        return action

    def _meant(self, chosen: object, offered: Sequence[Action]) -> Action:
        """The game's own action that was chosen: one of those offered, or else one the game allows all the same.

        What an agent returns is never played itself: an action with 2.0 for 2 is equal to one that was offered, but
        could not be written down. Raises _Fault if no action of the game was chosen, or one that is not legal.
        """
        if type(chosen) is not type(offered[0]):
            raise self._no_action(chosen)
        try:
            if chosen in offered:
                return offered[offered.index(chosen)]
            notation = chosen.notation
        except KeyboardInterrupt:
            raise
        except BaseException:  # noqa: BLE001 - what an action holds may be anything, too
            raise self._no_action(chosen) from None
        game, state = self.desk.game, self.desk.state
        assert state is not None
        try:
            if type(notation) is not str:
                raise NotationError(f"{type(notation)} is no notation")
            action: Action = game.parse_action(notation)
            refusal = game.refusal(state, action, self.seat)
        except MunimentError:
            raise self._no_action(chosen) from None
        if refusal is not None:
            raise _Fault(self.seat, str(Refused(refusal, action.notation)))
        return action

    def _no_action(self, chosen: object) -> _Fault:
        return _Fault(self.seat, f"chose {shown(chosen)}, which is no action of {self.desk.game.facts.title}")
