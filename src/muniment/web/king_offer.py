"""An offer of a trade as one form: all that can be given and asked, sent as one sequence of actions (K53)."""

from __future__ import annotations

from dataclasses import dataclass

from muniment.core.dice import RandomStream, seed_from_text
from muniment.games.king.redeal import redeal
from muniment.games.king.trade import Wares, wares
from muniment.games.king.views import KingView
from muniment.web.boards.king import Face, face_of, land_name

__all__ = ["Offer", "OfferSide", "offer_of"]


@dataclass(frozen=True, slots=True)
class OfferSide:
    """What one side can give: each thing with the notation of its action.

    gold: the word of the action, and the most there is. lands: with their names.
    """

    title: str
    gold: tuple[str, int]
    lands: tuple[tuple[str, str], ...]
    tiles: tuple[tuple[str, Face], ...]


@dataclass(frozen=True, slots=True)
class Offer:
    """The form, in the order in which the engine asks; every list of lands or tiles is closed with "done"."""

    sides: tuple[OfferSide, OfferSide]


def _wares(view: KingView) -> Wares:
    """What the engine says can be part of it: the same at every table that looks like this to the seat."""
    return wares(redeal(view.box, view, RandomStream(seed_from_text("offer"))))


def offer_of(view: KingView) -> Offer | None:
    """The form for the viewer's offer; None if he makes none now, or has begun it one by one."""
    f = view.frames[-1]
    if f.kind != "offer" or f.seat != view.seat or any(f.data[2:]):
        return None
    try:
        found = _wares(view)
    except ValueError:  # no deal was found: then one thing after the other, as the engine offers them
        return None
    edition = view.box.edition
    words = (("You give", "give-gold", "give-land", "give-tile"), ("You ask", "ask-gold", "ask-land", "ask-special"))
    one, other = (
        OfferSide(
            title,
            (gold, most),
            tuple((f"{land} {slug}", land_name(slug)) for slug in lands),
            tuple((f"{tile} {slug}", face_of(edition, slug)) for slug in tiles),
        )
        for (title, gold, land, tile), most, lands, tiles in zip(
            words, found.gold, found.lands, found.tiles, strict=True
        )
    )
    return Offer((one, other))
