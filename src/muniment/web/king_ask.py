"""What a seat is asked, as the page puts it: single choices as buttons, sequences as one form of boxes or lists.

A sequence (muster these, send those, line up here) is sent as the list of its actions and accepted or refused as one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from muniment.core.words import capital
from muniment.games.king.actions import KingAction
from muniment.games.king.picking import PICKS, most_picks, pickable
from muniment.games.king.state import ARMY, FIELD, NOWHERE, RESERVE
from muniment.games.king.tell import STOP_WORDS, charm_effect
from muniment.games.king.views import KingView
from muniment.tables.values import Choice
from muniment.web.boards.king import Face, face_of, land_name
from muniment.web.king_offer import Offer, offer_of
from muniment.web.king_texts import ASKS, named

__all__ = ["Ask", "Box", "Group", "LinePlace", "Option", "ask_of"]

ANY_TIME: Final = ("cash", "give", "arm", "standing")
_MANY: Final = 7  # from so many on, choices are a list and not buttons
_TITLES: Final = {
    "fort": "Fortify",
    "place": "Place from your hand",
    "seek": "In the bank",
    "attack": "Attack",
    "trade": "Trade",
    "bid": "Bid",
    "line": "Where?",
    "bear": "Give it to",
    "hit": "The next hit falls on",
    "give-gold": "Offer gold",
    "give-land": "Offer a land",
    "give-tile": "Offer a tile",
    "ask-gold": "Ask for gold",
    "ask-land": "Ask for a land",
    "ask-special": "Ask for a tile",
    "cash": "Cash in a treasure",
    "give": "Give magic away",
    "arm": "Into your army",
    "standing": "Standing answers",
}


@dataclass(frozen=True, slots=True)
class Option:
    """One choice. face: its tile, if it is about one."""

    notation: str
    sentence: str
    rule: str
    face: Face | None = None

    @property
    def id(self) -> str:
        """A stable id of the page's element."""
        return "act-" + "".join(c if c.isalnum() else "-" for c in self.notation)


@dataclass(frozen=True, slots=True)
class Group:
    """Choices of one word. listed: whether they are too many for buttons."""

    word: str
    title: str
    options: tuple[Option, ...]

    @property
    def listed(self) -> bool:
        """Whether they are a list with one button."""
        return len(self.options) >= _MANY


@dataclass(frozen=True, slots=True)
class Box:
    """A tile to be ticked in a sequence."""

    notation: str
    face: Face


@dataclass(frozen=True, slots=True)
class LinePlace:
    """A tile to be lined up, and where it can be put: notation and land for each."""

    face: Face
    places: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Ask:
    """The decision. title, text: in words. boxes: tiles to tick, up to ``most`` of them, sent with ``closing``.

    line: the line-up as one form. offer: an offer of a trade as one form.
    singles: plain choices. groups: choices of one word. any_time: what may be done besides at any time.
    """

    kind: str
    rule: str
    title: str
    text: str
    you: bool
    boxes: tuple[Box, ...] = ()
    closing: str = ""
    most: int | None = None
    line: tuple[LinePlace, ...] = ()
    offer: Offer | None = None
    singles: tuple[Option, ...] = ()
    groups: tuple[Group, ...] = ()
    any_time: tuple[Group, ...] = field(default=())

    @property
    def stop(self) -> bool:
        """Whether it is a moment for magic, shown as a small panel."""
        return self.kind in ("stop", "charm")


def ask_of(view: KingView, choices: Sequence[Choice], names: Sequence[str]) -> Ask:
    """What the seat is asked, with all it may do."""
    kind = view.awaited.kind
    title, text = ASKS.get(kind, (kind.replace("-", " ").capitalize(), ""))
    if kind == "stop":
        text = f"{capital(STOP_WORDS[view.stop])}. {ASKS[kind][1]}"
    by_word: dict[str, list[Choice]] = {}
    for choice in choices:
        by_word.setdefault(choice.notation.split(" ")[0], []).append(choice)
    boxes = _boxes(view, by_word)
    line = _line(view, by_word)
    offer = offer_of(view) if view.awaited.you else None
    singles, groups, any_time = [], [], []
    for word, found in by_word.items():
        if (boxes and word in (*PICKS, "done")) or (line and word == "line") or (offer and word not in ANY_TIME):
            continue
        options = tuple(_option(view, choice, names) for choice in found)
        if word in ANY_TIME:
            any_time.append(Group(word, _TITLES.get(word, word.capitalize()), options))
        elif len(options) == 1 and word not in _TITLES:
            singles.append(options[0])
        else:
            groups.append(Group(word, _TITLES.get(word, word.replace("-", " ").capitalize()), options))
    return Ask(
        kind=kind,
        rule=view.awaited.rule,
        title=title,
        text=text,
        you=view.awaited.you,
        boxes=boxes,
        closing="done" if boxes else "",
        most=most_picks(view, kind) if boxes else None,
        line=line,
        offer=offer,
        singles=tuple(singles),
        groups=tuple(groups),
        any_time=tuple(any_time),
    )


def _option(view: KingView, choice: Choice, names: Sequence[str]) -> Option:
    edition = view.box.edition
    args = choice.action.args if isinstance(choice.action, KingAction) else ()
    tiles = [str(a) for a in args if str(a).partition("+")[0].partition("@")[0].partition("!")[0] in edition.by_slug]
    tile = tiles[-1] if tiles else None  # of a sword and its bearer, the bearer
    sentence = named(choice.sentence, names)
    if view.awaited.kind == "charm" and isinstance(choice.action, KingAction) and choice.action.word == "charm":
        sentence = f"Use the lucky charm: {charm_effect(view, choice.action)}"
    return Option(choice.notation, sentence, choice.rule, None if tile is None else face_of(edition, tile))


def _boxes(view: KingView, by_word: dict[str, list[Choice]]) -> tuple[Box, ...]:
    """The tiles of a sequence: of equal ones each has its box, in the engine's own order."""
    word = next((word for word in PICKS if word in by_word), None)
    if word is None:
        return ()
    slugs = [choice.notation.split(" ")[1] for choice in by_word[word]]
    return tuple(Box(f"{word} {slug}", face_of(view.box.edition, slug)) for slug in pickable(view, word, slugs))


def _line(view: KingView, by_word: dict[str, list[Choice]]) -> tuple[LinePlace, ...]:
    """Every tile still to be lined up, with all the lands it can be put at."""
    if "line" not in by_word or view.war is None:
        return ()
    zone = (FIELD if view.war_side(0) == view.seat else ARMY) | view.seat
    waiting = RESERVE if any(tile.zone == zone and tile.place == RESERVE for tile in view.tiles) else NOWHERE
    tiles = [tile.tile for tile in view.tiles if tile.zone == zone and tile.place == waiting]
    lands = [land.land for land in view.lands[view.war_side(1)]]
    edition = view.box.edition
    return tuple(
        LinePlace(face_of(edition, tile), tuple((f"line {tile} {land}", land_name(land)) for land in lands))
        for tile in tiles
    )
