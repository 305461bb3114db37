"""The actions of King of the Tabletop as whole numbers: a fixed table, the same for every state.

An action's number is that of its verb's first action plus its place among the verb's particulars: kind of tile, land,
seat, amount. What the decision itself settles is no particular: which tile is lined up next (K30), which of sword and
bow is being given (K48). Seats are counted clockwise from the one who acts, lands are the edition's land tiles, a bid
is a raise above the lowest bid allowed (K25), and a fighter is its kind with what it bears (K32).

The table depends on the edition's kinds of tile alone, not on the number of seats or the options. Two amounts are
capped, see ``MOST_RAISE`` and ``MOST_GOLD``; a legal action beyond a cap has no number and is not offered, and there is
always another. There is no cap on lands: each land tile of the edition has its numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import product
from typing import Final, NamedTuple

from muniment.games.king.actions import FIGHT, KingAction
from muniment.games.king.box import Box
from muniment.games.king.combat import CHARGE, GOLEM
from muniment.games.king.magic import ITEMS
from muniment.games.king.purchase import PRICES
from muniment.games.king.tiles import CHARACTER, SPECIAL

__all__ = ["MOST_GOLD", "MOST_RAISE", "KingActions", "Verb"]

MOST_RAISE: Final = 20
"""The highest bid offered, counted from the lowest one allowed, which is 1: a higher one takes several turns (K25)."""

MOST_GOLD: Final = 50
"""The most gold that can be given or asked for in one trade (K53)."""

_GEAR: Final = ("", "+sword", "+bow", "+sword+bow")
_DICE_OF_A_FIGHTER: Final = ("", *(f"@{die}" for die in range(8)))  # charmed dice show 0 to 7 (K42)
_THRESHOLDS: Final = 6

Labels = tuple[str, ...]


class Verb(NamedTuple):
    """The numbers of one verb.

    word: as in notation. axes: what its particulars range over, the last one changing fastest. first: its first number.
    size: how many numbers it has.
    """

    word: str
    axes: tuple[str, ...]
    first: int
    size: int


class KingActions:
    """The table of an edition: ``size`` numbers from 0, ``verbs`` in order, ``names[number]`` in words."""

    def __init__(self, box: Box) -> None:
        self._box = box
        self._axes = _axes(box)
        self._numbers: dict[tuple[str, Labels], int] = {}
        self._memory: dict[tuple[int, int], dict[KingAction, int | None]] = {}
        names: list[str] = []
        verbs: list[Verb] = []
        for word, axes in _VERBS.items():
            first = len(names)
            for labels in product(*(self._axes[axis] for axis in axes)):
                self._numbers[word, labels] = len(names)
                names.append(" ".join((word, *labels)))
            verbs.append(Verb(word, axes, first, len(names) - first))
        self.names: tuple[str, ...] = tuple(names)
        self.verbs: tuple[Verb, ...] = tuple(verbs)

    @property
    def size(self) -> int:
        """How many numbers there are."""
        return len(self.names)

    def axis(self, name: str) -> tuple[str, ...]:
        """What a particular ranges over, in order."""
        return self._axes[name]

    def numbered(self, legal: Sequence[KingAction], seat: int, seats: int) -> dict[int, KingAction]:
        """The legal actions of a seat by number, in the same order; those beyond a cap are left out."""
        lowest = min((int(action.args[0]) for action in legal if action.word == "bid"), default=0)
        memory = self._memory.setdefault((seat, seats), {})
        found: dict[int, KingAction] = {}
        for action in legal:
            if action.word == "bid":
                number = self._numbers.get(("bid", (f"+{int(action.args[0]) - lowest}",)))
            else:
                try:
                    number = memory[action]
                except KeyError:
                    number = memory[action] = self._numbers.get((action.word, self._labels(action, seat, seats)))
            if number is not None:
                found[number] = action
        return found

    def _labels(self, action: KingAction, seat: int, seats: int) -> Labels:
        parts = _PARTS.get(action.word)
        if parts is not None:
            return parts(self._box, action)
        axes = _VERBS[action.word]
        return tuple(
            str((int(arg) - seat) % seats) if axis in ("other", "seat") else str(arg)
            for axis, arg in zip(axes, action.args, strict=True)
        )


def _axes(box: Box) -> Mapping[str, tuple[str, ...]]:
    kinds = box.edition.kinds
    deck = [kind for kind in kinds if kind.sort <= SPECIAL]
    fights = [kind for kind in deck if kind.sort in (CHARACTER, SPECIAL)]
    arms = [kind.slug for kind in deck if kind.role in ("sword", "bow")]
    most_charging = sum(bool(traits & CHARGE) for traits in (box.fighter[t].traits for t in range(box.lands)))
    several = {kind.slug for kind in fights if kind.traits & CHARGE and len(box.tiles_named(kind.slug)) > 1}
    fighters = [
        slug + gear + die
        for slug in (kind.slug for kind in fights)
        for gear in _GEAR
        for die in (_DICE_OF_A_FIGHTER if slug in several else ("",))
    ]
    by_sort = [tuple(kind.slug for kind in deck if kind.sort == sort) for sort in range(SPECIAL + 1)]
    reserves = [kind.slug for kind in fights if box.may_reserve[box.tiles_named(kind.slug)[0]]]
    return {
        "tile": tuple(kind.slug for kind in deck),
        "soldier": (*arms, *(kind.slug for kind in fights)),
        "character": tuple(kind.slug for kind in fights),
        "muster": (*by_sort[CHARACTER], *arms),
        "reserve": tuple(reserves),
        "special": by_sort[SPECIAL],
        "improvement": (*by_sort[1], *by_sort[2]),
        "treasure": by_sort[3],
        "magic": by_sort[4],
        "arms": tuple(arms),
        "bearer": tuple(kind.slug + gear for kind in fights for gear in _GEAR[:2]),
        "victim": (*arms, *fighters, *(kind.slug for kind in deck if kind.traits & GOLEM)),
        "land": box.land_slug,
        "place": (FIGHT, *box.land_slug),
        "other": ("1", "2", "3"),
        "seat": ("0", "1", "2", "3"),
        "raise": tuple(f"+{n}" for n in range(MOST_RAISE)),
        "gold": tuple(str(n) for n in range(MOST_GOLD + 1)),
        "number": tuple(str(n) for n in range(len(PRICES))),
        "sign": ("+1", "-1"),
        "die": tuple(str(n) for n in range(1, max(_THRESHOLDS, most_charging) + 1)),
        "one": ("one", "nothing"),
        "answer": (
            *(f"charm {word}" for word in ("default", "mine", "always", "never")),
            *(f"{item} {word}" for item in ITEMS for word in ("ask", "never")),
        ),
    }


_VERBS: Final[Mapping[str, tuple[str, ...]]] = {
    "done": (),
    "pass": (),
    "cash": ("treasure",),
    "give": ("magic", "other"),
    "arm": ("arms",),
    "standing": ("answer",),
    "dispell": ("seat",),
    "mist": (),
    "golem": ("seat",),
    "dust": ("place",),
    "wall": ("land",),
    "talisman": (),
    "charm": ("sign", "die"),
    "muster": ("muster",),
    "seek": ("special",),
    "fort": ("land",),
    "place": ("improvement", "land"),
    "improve": ("land",),
    "buy": (),
    "bid": ("raise",),
    "commit": ("soldier",),
    "purchase": ("number",),
    "attack": ("other",),
    "peace": (),
    "send": ("soldier",),
    "reserve": ("reserve",),
    "add": ("one",),
    "run": (),
    "stand": (),
    "line": ("land",),
    "battle": ("land",),
    "bear": ("bearer",),
    "idle": (),
    "shoot": (),
    "hold": (),
    "hit": ("victim",),
    "revive": ("character",),
    "rob": ("other",),
    "kill": ("other",),
    "trade": ("other",),
    "give-gold": ("gold",),
    "give-land": ("land",),
    "give-tile": ("tile",),
    "ask-gold": ("gold",),
    "ask-land": ("land",),
    "ask-special": ("tile",),
    "accept": (),
    "decline": (),
    "counter": (),
}
"""Every verb with what its particulars range over."""


def _victim(box: Box, action: KingAction) -> Labels:
    """A fighter's name without its shot; its charge die only where the edition has several of its kind."""
    name, _, die = str(action.args[0]).rstrip("!").partition("@")
    slug = name.partition("+")[0]
    several = die and len(box.tiles_named(slug)) > 1
    return (f"{name}@{die}" if several else name,)


_PARTS: Final[Mapping[str, Callable[[Box, KingAction], Labels]]] = {
    "standing": lambda _box, action: (" ".join(map(str, action.args)),),
    "line": lambda _box, action: (str(action.args[1]),),
    "bear": lambda _box, action: (str(action.args[1]),),
    "idle": lambda _box, _action: (),
    "shoot": lambda _box, _action: (),
    "hold": lambda _box, _action: (),
    "hit": _victim,
}
"""The particulars of those verbs whose actions name more, or less, than their numbers do."""
