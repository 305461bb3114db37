"""Large choices of the king game, made on the page in any order and sent as one, in the order in which the game asks.

Hits (K37, K38) are laid out here too: who may take them, and how many, is the game's own count.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from muniment.games.king.battle import fighter_token
from muniment.games.king.casualties import BOW_TAKES, SWORD_TAKES, Placing, Targets, recipients, resumed, targets
from muniment.games.king.casualties import place as placed
from muniment.games.king.combat import BOW, SWORD, Fighter
from muniment.games.king.views import KingView
from muniment.web.boards.king import face_of
from muniment.web.king_ask import Box

__all__ = ["Hits", "hits_of", "in_order"]

_TILES: Final = frozenset({"muster", "send", "commit", "line"})  # words whose actions name tiles, asked for in turn


@dataclass(frozen=True, slots=True)
class Hits:
    """The form. left: hits still to be placed. first: who can take one, equal ones each. second: who can another."""

    left: int
    first: tuple[Box, ...]
    second: tuple[Box, ...]


def _standing(view: KingView) -> tuple[tuple[Fighter, ...], Targets, Placing] | None:
    """The viewer's fighters, who of them can take hits, and the hits placed so far; None if it places none now."""
    frame, battle = view.frames[-1], view.battle
    if frame.kind != "hit" or frame.seat != view.seat or battle is None:
        return None
    side, *chosen = (int(datum) for datum in frame.data)
    fighters = battle.defenders if side else battle.attackers
    who = targets(fighters, battle.stage, view.dispelled == view.seat)
    return fighters, who, resumed(who, battle.hits[side], chosen)


def _action(view: KingView, fighters: Sequence[Fighter], recipient: int) -> str:
    """The notation of a hit on a recipient."""
    box = view.box
    if recipient in (SWORD_TAKES, BOW_TAKES):
        return f"hit {box.slug[box.sword if recipient == SWORD_TAKES else box.bow]}"
    return f"hit {fighter_token(box, fighters[recipient])}"


def hits_of(view: KingView) -> Hits | None:
    """The hits that the viewer is asked to place, None if it is asked something else, or for the last one only."""
    found = _standing(view)
    if found is None or found[2].left < 2:
        return None
    fighters, who, placing = found
    left, step, at, _, _, gone = placing
    arms = [mark for item, mark in ((SWORD, SWORD_TAKES), (BOW, BOW_TAKES)) if who.items & ~gone & item and not step]
    first = [*arms, *(who.first[at:] if step < 2 else ())]
    second = who.excess[at:] if step == 2 else who.excess

    def boxes(recipients_: Sequence[int]) -> tuple[Box, ...]:
        notations = [_action(view, fighters, recipient) for recipient in recipients_]
        return tuple(Box(one, face_of(view.box.edition, one.removeprefix("hit "))) for one in notations)

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
    found = _standing(view)
    if found is None:
        return list(actions)
    fighters, who, placing = found
    wanted, ordered = Counter(actions), list[str]()
    while choices := recipients(who, placing):
        recipient = next((one for one in choices if wanted[_action(view, fighters, one)]), None)
        if recipient is None:
            break
        action = _action(view, fighters, recipient)
        wanted[action] -= 1
        if len(choices) > 1:
            ordered.append(action)
        placing = placed(who, placing, recipient)
    return [*ordered, *wanted.elements()]
