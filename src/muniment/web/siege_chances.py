"""The switch "show winning chances" of the siege page, and what the page shows of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from starlette.requests import Request
from starlette.responses import Response

from muniment.games.siege import Siege
from muniment.games.siege.state import OVER
from muniment.games.siege.view import SiegeView
from muniment.web.chances import Chances, Computing, Found, Win, key_of, solver_installed
from muniment.web.render import base_of

__all__ = ["INSTALL", "Panel", "chances_of", "compute_panel", "keep_switch", "siege_panel"]

INSTALL: Final = "pip install 'muniment[solve]'"
_COOKIE: Final = "muniment_chances"
_YEAR: Final = 365 * 24 * 3600


@dataclass(frozen=True, slots=True)
class Panel:
    """What is shown of winning chances. on: whether the viewer wants them. installed: whether the extra is there.

    may_compute: whether the viewer may start and stop computing. mine: whether what is computed is this game's table.
    """

    on: bool
    installed: bool = True
    found: Found | None = None
    computing: Computing | None = None
    mine: bool = False
    may_compute: bool = False

    @property
    def wins(self) -> dict[str, Win]:
        """By the actions' notations."""
        return self.found.wins if self.on and self.found is not None else {}

    @property
    def whole(self) -> Win | None:
        """The position's."""
        return self.found.whole if self.found is not None else None

    @property
    def exact(self) -> bool:
        """Whether nothing has to be computed."""
        return self.found is not None and self.found.kind == "exact"

    @property
    def install(self) -> str:
        """The command that installs the extra."""
        return INSTALL


def chances_of(request: Request) -> Chances:
    """The chances of this server process."""
    state = request.app.state
    if not hasattr(state, "chances"):
        state.chances = Chances()
    found: Chances = state.chances
    return found


async def siege_panel(request: Request, game: Siege, view: SiegeView, *, may_compute: bool) -> Panel | None:
    """What a siege page shows; None when the siege is over."""
    if view.step == OVER:
        return None
    if request.cookies.get(_COOKIE) != "on":
        return Panel(on=False)
    found = await chances_of(request).look(game, view)
    return compute_panel(request, game, found, may_compute=may_compute)


def compute_panel(request: Request, game: Siege, found: Found | None, *, may_compute: bool) -> Panel:
    """What is known, and what can be computed."""
    computing = chances_of(request).computing()
    mine = computing is not None and computing.key == key_of(game)
    if computing is not None and not computing.alive and not mine:
        computing = None
    return Panel(True, solver_installed(), found, computing, mine, may_compute)


def keep_switch(request: Request, response: Response, *, on: bool) -> None:
    """Let the browser keep whether its player wants to see winning chances."""
    secure = request.url.scheme == "https"
    response.set_cookie(
        _COOKIE, "on" if on else "off", path=f"{base_of(request)}/", httponly=True, samesite="lax", secure=secure,
        max_age=_YEAR,
    )  # fmt: skip
