"""``python -m tests.web.serve_toys``: the server, with the toy games besides the real ones."""

from __future__ import annotations

import sys

from muniment.games import catalog
from muniment.tables import bots, house
from muniment.tables.config import Config
from muniment.web.server import serve
from tests.tables.helpers import TOYS, bot_work, make_game


def main() -> None:
    """Serve with the environment's configuration."""
    for module, name, value in (
        (house, "GAME_NAMES", (*catalog.GAME_NAMES, *TOYS)), (house, "make_game", make_game), (bots, "_work", bot_work),
    ):  # fmt: skip
        setattr(module, name, value)

    def ready(address: str) -> None:
        sys.stdout.write(f"{address}\n")
        sys.stdout.flush()

    serve(Config.read(), ready)


if __name__ == "__main__":
    main()
