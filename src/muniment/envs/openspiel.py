"""Both games in OpenSpiel; importing this module registers them as ``muniment_siege`` and ``muniment_king``.

Then ``pyspiel.load_game("muniment_king(players=3,trading=True)")``. See ``openspiel_base`` for what they offer.
"""

from __future__ import annotations

try:
    import pyspiel

    from muniment.envs.openspiel_king import KING_TYPE, KingGame
    from muniment.envs.openspiel_siege import SIEGE_TYPE, SiegeGame
except ImportError as error:
    raise ImportError(
        f"the OpenSpiel games need the extra 'openspiel': pip install 'muniment[openspiel]' ({error})"
    ) from None

__all__ = ["KingGame", "SiegeGame"]

pyspiel.register_game(SIEGE_TYPE, SiegeGame)
pyspiel.register_game(KING_TYPE, KingGame)
