"""Phase 2 (events, K19 to K22, K56): two dice, the events table, and what each event does."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from muniment.core.frames import Frame
from muniment.games.king.actions import KingAction
from muniment.games.king.build import LEVEL_COST, level_refusal, raise_fort
from muniment.games.king.disasters import DISASTERS, disaster_concerns, disaster_strikes
from muniment.games.king.muster import draw_then_muster
from muniment.games.king.sickness import black_plague, largest_armies, smallpox
from muniment.games.king.state import KingState
from muniment.games.king.steps import Choice, Roll, push, register, roll_for

__all__ = ["EVENTS", "event_of"]

EVENTS: Final[tuple[tuple[str, str, str], ...]] = (
    ("forest-fire", "prairie-fire", "no-event"),
    ("floods", "earthquakes", "no-event"),
    ("sandstorms", "willing-workers", "no-event"),
    ("good-omen", "mother-lode", "no-event"),
    ("pennies-from-heaven", "d6-tax-law", "no-event"),
)
"""The printed table for a first die of 1 to 5: second die 1 or 2, 3 or 4, 5 or 6."""


def event_of(first: int, second: int) -> str:
    """The row of the events table."""
    if first == 6:
        return "good-harvest" if second <= 4 else "black-plague" if second == 5 else "smallpox"
    return EVENTS[first - 1][(second - 1) // 2]


def _roll(s: KingState, f: Frame) -> None:
    roll_for(s, "event-dice", f.seat, 2)


def _happens(s: KingState, f: Frame) -> None:
    event = event_of(s.roll[0], s.roll[1])
    if s.log is not None:
        s.note("event", f"events.{event}" if event != "no-event" else "events", seat=f.seat, event=event)
    if event in DISASTERS:
        disaster_strikes(s, f.seat, DISASTERS[event])
    elif event != "no-event":
        _EVENTS[event](s, f.seat)


def _concerns(s: KingState, f: Frame, seat: int) -> bool:
    """Whether the charm could change the row, and the row concerns the seat: its own roll, or it is among those hit."""
    first, second = s.roll
    event = event_of(first, second)
    near = [(first - 1, second), (first + 1, second), (first, second - 1), (first, second + 1)]
    if all(event_of(a, b) == event for a, b in near if 1 <= a <= 6 and 1 <= b <= 6):
        return False
    if seat == f.seat:
        return True
    if event in DISASTERS:
        return disaster_concerns(s, DISASTERS[event], seat)
    if event == "smallpox":
        return bool(s.army[seat])
    return event == "black-plague" and seat in largest_armies(s)


def _gold(s: KingState, seat: int, gold: int, rule: str) -> None:
    s.earn(seat, gold)
    s.note("gold", rule, seat=seat, gold=gold)


def _willing_workers(s: KingState, seat: int) -> None:
    """One level on a fort that can be improved; without forts a tower; else 10 gold (K20)."""
    if worker_lands(s, seat):
        push(s, "workers", seat)
    else:
        _gold(s, seat, LEVEL_COST, "K20")


def worker_lands(s: KingState, seat: int) -> list[int]:
    """The lands on which the willing workers can work: forts to improve, or any land if there are no forts (K20)."""
    forts = [land for land in s.lands[seat] if s.fort[land]]
    return [land for land in forts or s.lands[seat] if level_refusal(s, seat, land) is None]


def _workers_legal(s: KingState, f: Frame) -> list[KingAction]:
    return [s.box.improve[land] for land in worker_lands(s, f.seat)]


def _workers_act(s: KingState, f: Frame, action: KingAction) -> None:
    s.frames.pop()
    land = s.box.land_named[str(action.args[0])]
    raise_fort(s, land)
    s.note("fort", "K20", seat=f.seat, land=action.args[0], level=s.fort[land])


def _good_harvest(s: KingState, seat: int) -> None:
    _gold(s, seat, s.income(seat), "K22")


def _mother_lode(s: KingState, seat: int) -> None:
    _gold(s, seat, 2 * sum(s.mine(land) for land in s.lands[seat]), "K22")


def _tax(s: KingState, f: Frame) -> None:
    _gold(s, f.seat, max(0, s.roll[0]), "events.d6-tax-law")


_EVENTS: Final[dict[str, Callable[[KingState, int], None]]] = {
    "willing-workers": _willing_workers,
    "good-omen": lambda s, seat: draw_then_muster(s, seat, 1),
    "mother-lode": _mother_lode,
    "pennies-from-heaven": lambda s, seat: _gold(s, seat, 1, "events.pennies-from-heaven"),
    "d6-tax-law": lambda s, seat: roll_for(s, "tax", seat, 1),
    "good-harvest": _good_harvest,
    "black-plague": black_plague,
    "smallpox": smallpox,
}

register(
    flows={"event": _roll, "event-dice": _happens, "tax": _tax},
    choices={"workers": Choice(_workers_legal, _workers_act, "K20")},
    rolls={
        "event-dice": Roll("events", "the event, first and second die", _concerns, clamped=True),
        "tax": Roll("events.d6-tax-law", "gold", lambda _s, f, seat: seat == f.seat),
    },
)
