"""Steps: the stack of frames is what is still to be done, the topmost next; this module knows each kind of frame.

* A *flow* frame is carried out as soon as it is on top: it is taken off and its function runs, which may push others.
* A *choice* frame waits for its seat; what is private about it stays so until the seat is done.
* A *chance* frame waits for dice or a draw.

The modules of the rules register their kinds of frame here, so that the engine finds them by name.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

from muniment.core.chance import ChanceNode, Source
from muniment.core.frames import Frame
from muniment.games.king.actions import KingAction, KingOutcome
from muniment.games.king.state import KingState

__all__ = [
    "CHANCES",
    "CHOICES",
    "FLOWS",
    "ROLLS",
    "Choice",
    "Drawing",
    "Roll",
    "become",
    "picks",
    "push",
    "register",
    "roll_for",
]

Flow = Callable[[KingState, Frame], None]


class Choice(NamedTuple):
    """A kind of decision.

    legal: what the frame's seat may choose. act: carry out one of these. rule: who asks. public: how many of the
    frame's leading data everybody may see; the rest is a choice in the making. hidden: whether nobody may know whose
    answer is awaited (K10).
    """

    legal: Callable[[KingState, Frame], list[KingAction]]
    act: Callable[[KingState, Frame, KingAction], None]
    rule: str
    public: int = 0
    hidden: bool = False


class Drawing(NamedTuple):
    """A kind of chance. node: all outcomes; sample: one of them; came: carry one out; audience: who may see it."""

    node: Callable[[KingState, Frame], ChanceNode[KingOutcome]]
    sample: Callable[[KingState, Frame, Source], KingOutcome]
    came: Callable[[KingState, Frame, KingOutcome], None]
    rule: str
    what: str
    audience: Callable[[KingState, Frame], tuple[int, ...] | None] = lambda _s, _f: None


class Roll(NamedTuple):
    """What dice are thrown for; the flow of the same name judges them.

    concerns: whether one pip on one die could change a result that concerns the seat, for the lucky charm (K10, K42);
    None where no magic may interfere. clamped: whether a charmed die stays between 1 and 6. battle: whether it is
    thrown in a battle or war.
    """

    rule: str
    what: str
    concerns: Callable[[KingState, Frame, int], bool] | None = None
    clamped: bool = False
    battle: bool = False


_new = tuple.__new__  # what Frame(...) does, in half the time

FLOWS: dict[str, Flow] = {}
CHOICES: dict[str, Choice] = {}
CHANCES: dict[str, Drawing] = {}
ROLLS: dict[str, Roll] = {}


def register(
    *,
    flows: Mapping[str, Flow] | None = None,
    choices: Mapping[str, Choice] | None = None,
    chances: Mapping[str, Drawing] | None = None,
    rolls: Mapping[str, Roll] | None = None,
) -> None:
    """Make kinds of frame known. Called once by each module of the rules, when it is imported."""
    given = [*(flows or {}), *(choices or {}), *(chances or {})]
    if twice := [kind for kind in given if kind in FLOWS or kind in CHOICES or kind in CHANCES]:
        raise AssertionError(f"kinds of frame that exist already: {twice}")
    FLOWS.update(flows or {})
    CHOICES.update(choices or {})
    CHANCES.update(chances or {})
    ROLLS.update(rolls or {})


def push(s: KingState, kind: str, seat: int = -1, *data: int | str) -> None:
    """Put a frame on the stack."""
    s.frames.append(_new(Frame, (kind, seat, data)))


def become(s: KingState, kind: str, seat: int, *data: int | str) -> None:
    """Put a frame in the place of the topmost one."""
    s.frames[-1] = _new(Frame, (kind, seat, data))


def roll_for(s: KingState, purpose: str, seat: int, dice: int, *data: int | str) -> None:
    """Have dice thrown; the flow ``purpose`` then finds them in ``s.roll``, with the seat and data given here."""
    s.frames.append(_new(Frame, ("roll", seat, (purpose, dice, *data))))


def picks(tiles: list[int], kind: tuple[int, ...], last: int) -> list[int]:
    """The tiles that may be picked next, in one canonical order: after the last one picked, equal tiles merged."""
    at = tiles.index(last) + 1 if last >= 0 else 0
    found: list[int] = []
    before = -1
    for tile in tiles[at:]:
        if kind[tile] != before:
            before = kind[tile]
            found.append(tile)
    return found


def chosen(s: KingState, tiles: list[int], slug: int | str, last: int) -> int:
    """The tile meant by a pick: the first of its kind that may be picked next."""
    slugs = s.box.slug
    at = tiles.index(last) + 1 if last >= 0 else 0
    for tile in tiles[at:]:
        if slugs[tile] == slug:
            return tile
    raise ValueError(f"{slug} cannot be picked")
