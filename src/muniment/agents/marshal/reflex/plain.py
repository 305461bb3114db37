"""Choices that need no thought, and the tiles of a choice that is made one by one."""

from __future__ import annotations

from collections.abc import Sequence

from muniment.core.frames import Frame
from muniment.games.king.actions import KingAction
from muniment.games.king.box import Box
from muniment.games.king.state import KingState
from muniment.games.king.steps import CHOICES

__all__ = ["first", "last", "legal_at", "next_pick", "second"]


def legal_at(s: KingState, f: Frame) -> list[KingAction]:
    """All that may be chosen at the frame."""
    return CHOICES[f[0]].legal(s, f)


def first(s: KingState, f: Frame) -> KingAction:
    """The first of what may be chosen."""
    return legal_at(s, f)[0]


def second(s: KingState, f: Frame) -> KingAction:
    """The second one, if there is a choice."""
    legal = legal_at(s, f)
    return legal[1] if len(legal) > 1 else legal[0]


def last(s: KingState, f: Frame) -> KingAction:
    """The last one."""
    return legal_at(s, f)[-1]


def next_pick(box: Box, legal: Sequence[KingAction], wanted: Sequence[int], picked: Sequence[int | str]) -> KingAction:
    """The next of the wanted tiles, in the order in which they are offered; once there is none, that it is done."""
    slugs = box.slug
    names = [slugs[tile] for tile in wanted]
    for tile in picked:
        slug = slugs[int(tile)]
        if slug in names:
            names.remove(slug)
    for action in legal:
        if action.word in ("commit", "send") and action.args[0] in names:
            return action
    if box.done in legal:
        return box.done
    return legal[0]
