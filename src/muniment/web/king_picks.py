"""Large choices of the king game, made on the page in any order and sent as one, in the order in which the game asks.

Hits (K37, K38) are laid out here too: who may take them, and how many, is the game's own count.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from muniment.games.king.casualties import BOW_TAKES, SWORD_TAKES
from muniment.games.king.combat import BOW, SWORD
from muniment.games.king.picking import PICKS, hits_asked
from muniment.games.king.views import KingView
from muniment.web.boards.king import face_of
from muniment.web.king_ask import Box

__all__ = ["Hits", "hits_of", "in_order"]

_TILES: Final = frozenset((*PICKS, "line"))  # words whose actions name tiles, asked for in turn


@dataclass(frozen=True, slots=True)
class Hits:
    """The form. left: hits still to be placed. first: who can take one, equal ones each. second: who can another."""

    left: int
    first: tuple[Box, ...]
    second: tuple[Box, ...]


def hits_of(view: KingView) -> Hits | None:
    """The hits that the viewer is asked to place, None if it is asked something else, or for the last one only."""
    found = hits_asked(view)
    if found is None or found.placing.left < 2:
        return None
    who, (left, step, at, _, _, gone) = found.who, found.placing
    arms = [mark for item, mark in ((SWORD, SWORD_TAKES), (BOW, BOW_TAKES)) if who.items & ~gone & item and not step]
    first = [*arms, *(who.first[at:] if step < 2 else ())]
    second = who.excess[at:] if step == 2 else who.excess

    def boxes(recipients_: Sequence[int]) -> tuple[Box, ...]:
        names = [found.name(recipient) for recipient in recipients_]
        return tuple(Box(f"hit {name}", face_of(view.box.edition, name)) for name in names)

    # A second hit on anybody is possible only where there are more hits than characters.
    return Hits(left, boxes(first), boxes(second if step == 2 or left > len(who.first) - at else ()))


def in_order(view: KingView, actions: Sequence[str]) -> list[str]:
    """The actions in the order in which the game asks for them.

    Tiles come in the edition's order, and in a line-up equal ones by their lands (K30). Hits for which the game leaves
    no choice are left out; what cannot be taken comes last, for the game to say why.
    """
    words = {action.partition(" ")[0] for action in actions} - {"done"}
    if words == {"hit"}:
        return _hits_in_order(view, actions)
    if len(words) != 1 or not words <= _TILES:
        return list(actions)
    kinds = view.box.edition.by_slug
    lands = [] if view.war is None else [land.land for land in view.lands[view.war_side(1)]]

    def asked(action: str) -> tuple[int, int]:
        _, *args = action.split(" ")
        kind = kinds.get(args[0], len(kinds)) if args else len(kinds)
        return kind, lands.index(args[-1]) if args and args[-1] in lands else 0

    return sorted(actions, key=asked)


def _hits_in_order(view: KingView, actions: Sequence[str]) -> list[str]:
    found = hits_asked(view)
    if found is None:
        return list(actions)
    ordered, rest = found.assigned([action.partition(" ")[2] for action in actions])
    return [f"hit {name}" for name in (*ordered, *rest)]
