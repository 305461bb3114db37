"""The odds of battles for the King page, worked out beside the event loop: one after the other, and no page waits long.

The engine does the arithmetic (``games.king.prospects``), from the viewer's own view and nothing else.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Final

import structlog

from muniment.games.king.prospects import Prospect, battle_now, land_prospects
from muniment.games.king.views import KingView

__all__ = ["Outlook", "outlook_of"]

_SECONDS: Final = 1.5  # a page that waited so long goes without; the next rendering finds the numbers
_MOST: Final = 8  # calculations that may wait
_worker: Final = ThreadPoolExecutor(1, thread_name_prefix="odds")
_log = structlog.get_logger("muniment.web")
_waiting: set[asyncio.Future[Outlook]] = set()


@dataclass(frozen=True, slots=True)
class Outlook:
    """now: the battle under way, where a stage is about to begin. lands: the war's battles still to come, by land."""

    now: Prospect | None = None
    lands: Mapping[str, Prospect] = field(default_factory=dict)

    @property
    def deals(self) -> int:
        """How many deals of hidden tiles went into the battles to come; 1 if nothing is hidden, 0 if there are none."""
        return max((prospect.deals for prospect in self.lands.values()), default=0)


def work_out(view: KingView) -> Outlook:
    """The odds as far as the view can know them."""
    return Outlook(battle_now(view), land_prospects(view))


async def outlook_of(view: KingView) -> Outlook:
    """The odds; none in peace, and none if they would keep the page waiting."""
    if view.over is not None or (view.war is None and view.battle is None) or len(_waiting) >= _MOST:
        return Outlook()
    work = asyncio.get_running_loop().run_in_executor(_worker, work_out, view)
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
