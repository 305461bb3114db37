"""The odds of battles for the King page, worked out beside the event loop: one after the other, and no page waits long.

The engine does the arithmetic (``games.king.prospects``), from the viewer's own view and nothing else.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from functools import lru_cache, partial
from typing import Final

import structlog

from muniment.core.errors import MunimentError
from muniment.games.king.prospects import Prospect, battle_now, land_prospects
from muniment.games.king.views import KingView
from muniment.games.king.what_if import Attack, attacks, may_attack

__all__ = ["Outlook", "outlook_of"]

_SECONDS: Final = 1.5  # a page that waited so long goes without; the next rendering finds the numbers
_MOST: Final = 8  # calculations that may wait
_worker: Final = ThreadPoolExecutor(1, thread_name_prefix="odds")
_log = structlog.get_logger("muniment.web")
_waiting: set[asyncio.Future[Outlook]] = set()


@dataclass(frozen=True, slots=True)
class Outlook:
    """now: the battle under way, where a stage is about to begin. lands: the war's battles still to come, by land.

    attacks: those that the viewer could send, if it asks for them.
    """

    now: Prospect | None = None
    lands: Mapping[str, Prospect] = field(default_factory=dict)
    attacks: tuple[Attack, ...] = ()

    @property
    def deals(self) -> int:
        """How many deals of hidden tiles went into the battles to come; 1 if nothing is hidden, 0 if there are none."""
        return max((prospect.deals for prospect in self.lands.values()), default=0)


def work_out(view: KingView, *, attack: bool = False) -> Outlook:
    """The odds as far as the view can know them. attack: also of what the viewer could send."""
    return Outlook(battle_now(view), land_prospects(view), _attacks(view) if attack else ())


@lru_cache(maxsize=32)
def _attacks(view: KingView) -> tuple[Attack, ...]:
    with suppress(MunimentError):
        return attacks(view)
    return ()


async def outlook_of(view: KingView, *, attack: bool = False) -> Outlook:
    """The odds; none in peace unless an attack is asked about, and none if they would keep the page waiting."""
    peace = view.war is None and view.battle is None
    if view.over is not None or (peace and not (attack and may_attack(view))) or len(_waiting) >= _MOST:
        return Outlook()
    work = asyncio.get_running_loop().run_in_executor(_worker, partial(work_out, view, attack=attack))
    _waiting.add(work)
    work.add_done_callback(_done)
    try:
        return await asyncio.wait_for(asyncio.shield(work), _SECONDS)
    except TimeoutError:
        return Outlook()


def _done(work: asyncio.Future[Outlook]) -> None:
    _waiting.discard(work)
    if not work.cancelled() and (error := work.exception()) is not None:
        _log.error("odds_failed", kind=type(error).__name__)
