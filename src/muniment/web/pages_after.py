"""After a game: the record, the dice verified, the replay, the course of the game and the luck of the dice."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import BaseRoute, Route

from muniment.core.errors import RecordError
from muniment.core.match import verify
from muniment.core.record import Record
from muniment.games.king import King
from muniment.games.king.views import KingView
from muniment.games.siege import Siege
from muniment.games.siege.view import SiegeView
from muniment.tables.values import Replay, SeatInfo
from muniment.web.boards.plot import faces_plot, steps_plot
from muniment.web.king_scene import king_scene
from muniment.web.king_story import king_story, prestige_of
from muniment.web.king_texts import named, seat_names
from muniment.web.pages_table import At, at_table
from muniment.web.render import page, service_of
from muniment.web.siege_scene import siege_scene
from muniment.web.siege_story import Series, course_of, dice_of, story_of

__all__ = ["routes"]


async def record(request: Request) -> Response:
    """The record, to download."""
    at = await at_table(request)
    text = await service_of(request).record(at.table, at.caller)
    name = f"muniment-{at.table}.txt"
    headers = {"Content-Disposition": f'attachment; filename="{name}"', "Cache-Control": "no-store"}
    return PlainTextResponse(text, headers=headers)


async def after(request: Request) -> Response:
    """Looking back at a finished game."""
    at = await at_table(request)
    service = service_of(request)
    seen = await service.look(at.table, at.caller)
    replay = await service.replay(at.table, at.caller)
    text = await service.record(at.table, at.caller)
    checked, fault = _verified(replay, text)
    lines = await service.log(at.table, at.caller)
    dice = dice_of(lines)
    return page(
        request,
        "after.html",
        title=f"Looking back · {seen.info.title}",
        info=seen.info,
        seen=seen,
        here=at.here,
        replay=replay,
        checked=checked,
        fault=fault,
        dice=dice,
        dice_plot=faces_plot(_faces_words(dice.counts), dice.counts, dice.expected),
        robots="noindex",
        **await _course(request, at, seen.info.seats),
    )


def _verified(replay: Replay, text: str) -> tuple[dict[str, Any] | None, str]:
    """What checking the record's dice found, or why they cannot be checked."""
    try:
        return dict(verify(replay.game, Record.read(text))), ""
    except RecordError as error:
        return None, str(error)


def _faces_words(counts: tuple[int, ...]) -> str:
    return "How often each face came: " + ", ".join(f"{face}: {times}" for face, times in enumerate(counts, 1))


async def _course(request: Request, at: At, seats: Sequence[SeatInfo]) -> dict[str, Any]:
    """The plot of the course of the game, and its figures for the table beside it."""
    views = await service_of(request).course(at.table, at.caller)
    label, top = "", 4
    names: tuple[str, ...] = ()
    series: tuple[Series, ...] = ()
    if views and isinstance(views[0], SiegeView):
        label = "The status tracks and the trebuchets at the end of every turn"
        names, series = course_of([view for view in views if isinstance(view, SiegeView)])
    elif views and isinstance(views[0], KingView):
        label = "Everybody's prestige at the end of every turn"
        names, series = prestige_of([view for view in views if isinstance(view, KingView)], seat_names(seats))
        top = max((value for line in series for value in line.values), default=1)
    plot = steps_plot(label, names, [(line.name, line.values) for line in series], top) if series else None
    return {"course_plot": plot, "course_names": names, "course_series": series}


async def replay_page(request: Request) -> Response:
    """One step of a finished game."""
    at = await at_table(request)
    service = service_of(request)
    replay = await service.replay(at.table, at.caller)
    total = len(replay.steps)
    asked = request.query_params.get("step", "0")
    step = min(int(asked), total) if asked.isascii() and asked.isdigit() and len(asked) < 7 else 0
    frame = await service.frame(at.table, at.caller, step)
    content: dict[str, Any] = {
        "title": f"Replay · {replay.info.title}",
        "info": replay.info,
        "here": at.here,
        "step": step,
        "total": total,
        "now": replay.steps[step - 1] if step else None,
        "robots": "noindex",
    }
    view = frame.spectator
    lines = [line for done in replay.steps[:step] for line in done.log]
    if isinstance(view, SiegeView):
        assert isinstance(replay.game, Siege)
        scene = siege_scene(replay.game, view, may_act=False)
        return page(request, "siege_replay.html", scene=scene, story=story_of(lines), told=str, **content)
    assert isinstance(view, KingView)
    assert isinstance(replay.game, King)
    seats = replay.info.seats
    king = king_scene(replay.game, view, (), seats, may_act=False)
    shown = [one for one in frame.views if isinstance(one, KingView)]
    revealed = [king_scene(replay.game, one, (), seats, may_act=False) for one in shown]
    story = king_story(lines, king.names, 3)

    def told(text: str) -> str:
        return named(text, king.names)

    content |= {"scene": king, "revealed": revealed, "story": story, "seen": None, "told": told}
    return page(request, "king_replay.html", **content)


def routes() -> list[BaseRoute]:
    """The addresses of a finished game."""
    found: list[BaseRoute] = []
    for prefix in ("/t/{table}", "/watch/{token}"):
        found += [
            Route(f"{prefix}/after", after),
            Route(f"{prefix}/record", record),
            Route(f"{prefix}/replay", replay_page),
        ]
    return found
