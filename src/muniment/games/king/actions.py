"""Actions and outcomes: frozen values that hold names, with a one-line notation, a JSON form and a rule (K9, K10).

An action is a word and its particulars: slugs of tiles (``tiles``), lands (``forest-3``), seats and amounts. A fighter
in a battle is named by its slug, with what it bears and has rolled: ``elves-2+sword``, ``black-knight-c4@5``.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from muniment.core.errors import NotationError
from muniment.games.king.tiles import KingEdition

__all__ = [
    "ACTION_RULES", "ASK_GOLD", "BEAR", "BID", "CHARM", "GIVE_GOLD", "HIT", "HOLD", "IDLE", "SHOOT", "Act",
    "KingAction", "KingOutcome", "action_from_json", "parse_action", "parse_outcome",
]  # fmt: skip

# What each word is followed by, and the rule that offers it. "tile": a slug, or the name of a fighter; "land"; "seat";
# "n": a whole number; anything else: one of the words listed there.
_SHAPES: Final[dict[str, tuple[str, tuple[str, ...]]]] = {
    "done": ("sequence", ()),
    "pass": ("K10", ()),
    # at any time
    "cash": ("K9", ("tile",)),
    "give": ("K49", ("tile", "seat")),
    "arm": ("K49", ("tile",)),
    "standing": ("K10", ("charm/mist/golem/dispell/wall/dust/talisman", "default/mine/always/never/ask")),
    "dispell": ("K43", ("seat",)),
    # stops
    "mist": ("K45", ()),
    "golem": ("K44", ("seat",)),
    "dust": ("K47", ("place",)),
    "wall": ("K46", ("land",)),
    "talisman": ("K40", ()),
    "charm": ("K42", ("+1/-1", "n")),
    # phases 1 to 3
    "muster": ("K12", ("tile",)),
    "seek": ("K16", ("tile",)),
    "fort": ("K17", ("land",)),
    "place": ("K18", ("tile", "land")),
    "improve": ("K20", ("land",)),
    "buy": ("K24", ()),
    "bid": ("K25", ("n",)),
    "commit": ("K26", ("tile",)),
    "purchase": ("K27", ("n",)),
    # phase 4
    "attack": ("K28", ("seat",)),
    "peace": ("war", ()),
    "send": ("K28", ("tile",)),
    "reserve": ("K52", ("tile",)),
    "add": ("K29", ("one/nothing",)),
    "run": ("K29", ()),
    "stand": ("K29", ()),
    "line": ("K30", ("tile", "land")),
    "battle": ("K31", ("land",)),
    "bear": ("K48", ("tile", "tile")),
    "idle": ("K48", ("tile",)),
    "shoot": ("K48", ("tile",)),
    "hold": ("K48", ("tile",)),
    "hit": ("K37", ("tile",)),
    "revive": ("K40", ("tile",)),
    "rob": ("K41", ("seat",)),
    "kill": ("K41", ("seat",)),
    # trading
    "trade": ("K53", ("seat",)),
    "give-gold": ("K53", ("n",)),
    "give-land": ("K53", ("land",)),
    "give-tile": ("K53", ("tile",)),
    "ask-gold": ("K53", ("n",)),
    "ask-land": ("K53", ("land",)),
    "ask-special": ("K53", ("tile",)),
    "accept": ("K53", ()),
    "decline": ("K53", ()),
    "counter": ("K53", ()),
}
ACTION_RULES: Final = {word: rule for word, (rule, _) in _SHAPES.items()}
FIGHT: Final = "fight"
"""The place of a battle for a land from the land deck (K26), where wars have the land's name."""

Particular = int | str


class KingAction(NamedTuple):
    """An action: its word and particulars. Equal actions are equal tuples."""

    word: str
    args: tuple[Particular, ...] = ()

    @property
    def notation(self) -> str:
        """The action on one line."""
        return " ".join((self.word, *map(str, self.args)))

    @property
    def rule(self) -> str:
        """The rule or ruling that offers the action."""
        return ACTION_RULES[self.word]

    def to_json(self) -> dict[str, Any]:
        """``{"action": word, "args": [...]}``; "args" only where there are any."""
        return {"action": self.word, "args": list(self.args)} if self.args else {"action": self.word}


class Act:
    """A maker of actions of one word that keeps every one it made, so that the same action is the same object."""

    __slots__ = ("_made", "word")

    def __init__(self, word: str) -> None:
        self.word = word
        self._made: dict[tuple[Particular, ...], KingAction] = {}

    def __call__(self, *args: Particular) -> KingAction:
        """The action with these particulars."""
        found = self._made.get(args)
        if found is None:
            found = self._made[args] = KingAction(self.word, args)
        return found


# The makers of the actions that are too many to make beforehand. They grow: no view may lead to them, as one does to
# the actions of ``Box``.
BID, GIVE_GOLD, ASK_GOLD, CHARM = Act("bid"), Act("give-gold"), Act("ask-gold"), Act("charm")
BEAR, IDLE, SHOOT, HOLD, HIT = Act("bear"), Act("idle"), Act("shoot"), Act("hold"), Act("hit")


class KingOutcome(NamedTuple):
    """What chance brought.

    kind "dice": the dice, in the order of the roll. "tile": the slug of the tile drawn. "fold": of a battle's roll, for
    each group of dice in order the threshold, then how many dice hit by more than needed, hit exactly, missed by one
    and missed by more.
    """

    kind: str
    args: tuple[Particular, ...]

    @property
    def notation(self) -> str:
        """The outcome on one line."""
        return " ".join((self.kind, *map(str, self.args)))


def _base(token: str) -> str:
    for mark in "+@!":
        token = token.partition(mark)[0]
    return token


def _particular(edition: KingEdition, shape: str, given: object) -> Particular:
    text = str(given)
    if shape == "n":
        if text.isascii() and text.isdigit() and len(text) <= 6:
            return int(text)
    elif shape == "seat":
        if text in ("0", "1", "2", "3"):
            return int(text)
    elif shape == "tile":
        if _base(text) in edition.by_slug:
            return text
    elif shape == "land" or (shape == "place" and text != FIGHT):
        if text in edition.land_by_slug:
            return text
    elif shape == "place" or text in shape.split("/"):
        return text
    raise NotationError(f"{given!r} is not a {shape} of the game")


def _read(edition: KingEdition, word: object, given: list[object], quoted: str) -> KingAction:
    shape = _SHAPES.get(word) if isinstance(word, str) else None
    if shape is None:
        raise NotationError(f"{quoted} is not an action; an action begins with one of: {', '.join(_SHAPES)}")
    if len(given) != len(shape[1]):
        form = " ".join((str(word), *(s.upper() for s in shape[1])))
        raise NotationError(f"{quoted} is not an action; the form is: {form}")
    return KingAction(str(word), tuple(_particular(edition, s, g) for s, g in zip(shape[1], given, strict=True)))


def parse_action(edition: KingEdition, text: str) -> KingAction:
    """Read an action's notation. Raises NotationError."""
    word, *given = text.split() or [""]
    return _read(edition, word, list(given), repr(text))


def action_from_json(edition: KingEdition, value: object) -> KingAction:
    """Read an action's JSON form. Raises NotationError."""
    if isinstance(value, dict) and set(value) <= {"action", "args"}:
        given = value.get("args", [])
        if isinstance(given, list) and all(type(g) in (int, str) for g in given):
            return _read(edition, value.get("action"), given, repr(value))
    raise NotationError(f'an action is {{"action": word, "args": [...]}}, not {value!r}')


def parse_outcome(edition: KingEdition, text: str) -> KingOutcome:
    """Read an outcome's notation. Raises NotationError."""
    kind, *given = text.split() or [""]
    if kind == "tile" and len(given) == 1 and given[0] in edition.by_slug:
        return KingOutcome(kind, (given[0],))
    numbers = all(g.isascii() and g.isdigit() and len(g) <= 4 for g in given)
    if kind == "dice" and given and numbers and all(1 <= int(g) <= 6 for g in given):
        return KingOutcome(kind, tuple(map(int, given)))
    if kind == "fold" and given and numbers and len(given) % 5 == 0 and all(g in "456" for g in given[::5]):
        return KingOutcome(kind, tuple(map(int, given)))
    raise NotationError(f"{text!r} is not an outcome: dice 3 5, tile elves-r3, or fold 6 0 1 2 3")
