"""What the player, or anybody watching, sees of 9 Card Siege: everything but the order of the deck (S29)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from muniment.core.game import Awaited
from muniment.games.siege.edition import Division, SiegeEdition
from muniment.games.siege.position import write_position
from muniment.games.siege.state import SiegeState

__all__ = ["SiegeView", "state_from_view", "view_of"]


@dataclass(frozen=True, slots=True)
class SiegeView:
    """The table as seen; the fields are those of ``SiegeState``, in frozen form.

    edition: what is printed on the cards, which everybody knows. deck: which cards are left this day, as bits by index;
    their order is nobody's knowledge. awaited: what the game waits for.
    """

    edition: SiegeEdition
    units: tuple[int, ...]
    status: tuple[int, ...]
    trebuchets: int
    soldiers: int
    raided: int
    day: int
    deck: int
    card: int
    step: int
    points: int
    extra_used: bool
    free_move: int
    boiled: bool
    rolling: int
    result: str
    awaited: Awaited

    @property
    def division(self) -> Division | None:
        """The division in play, None before the draw."""
        return self.edition.division(self.card, self.day) if self.card >= 0 else None

    @property
    def cards_left(self) -> tuple[int, ...]:
        """The indices of the cards not yet played this day."""
        return tuple(index for index in range(len(self.edition.cards)) if self.deck >> index & 1)

    @property
    def turn(self) -> int:
        """The turn of the day, from 1: the one being played, or about to begin."""
        return len(self.edition.cards) - len(self.cards_left) + (self.card < 0)

    def to_json(self) -> dict[str, Any]:
        """The position (see ``position``) and what the game waits for."""
        awaited = {"kind": self.awaited.kind, "rule": self.awaited.rule, "you": self.awaited.you}
        return {**write_position(state_from_view(self), self.edition), "awaited": awaited}


def view_of(state: SiegeState, edition: SiegeEdition, awaited: Awaited) -> SiegeView:
    """The view of the state; it shares nothing with it."""
    return SiegeView(
        edition=edition,
        units=tuple(state.units),
        status=tuple(state.status),
        trebuchets=state.trebuchets,
        soldiers=state.soldiers,
        raided=state.raided,
        day=state.day,
        deck=state.deck,
        card=state.card,
        step=state.step,
        points=state.points,
        extra_used=state.extra_used,
        free_move=state.free_move,
        boiled=state.boiled,
        rolling=state.rolling,
        result=state.result,
        awaited=awaited,
    )


def state_from_view(view: SiegeView) -> SiegeState:
    """The one state that looks like this: nothing is hidden."""
    state = SiegeState()
    state.units = list(view.units)
    state.status = list(view.status)
    state.trebuchets = view.trebuchets
    state.soldiers = view.soldiers
    state.raided = view.raided
    state.day = view.day
    state.deck = view.deck
    state.card = view.card
    state.step = view.step
    state.points = view.points
    state.extra_used = view.extra_used
    state.free_move = view.free_move
    state.boiled = view.boiled
    state.rolling = view.rolling
    state.result = view.result
    return state
