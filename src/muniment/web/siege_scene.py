"""The siege page's content: everything a template shows of one moment, asked of the engine and put into words.

A view of 9 Card Siege hides nothing, so all questions are asked of the one state that looks like it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from muniment.core.refusal import Refusal
from muniment.core.words import capital
from muniment.games.siege import Siege
from muniment.games.siege import actions as acts
from muniment.games.siege.actions import ACTIONS
from muniment.games.siege.endings import ENDINGS, WON
from muniment.games.siege.printed import event_sentences, order_sentence
from muniment.games.siege.state import DRAW, OVER
from muniment.games.siege.terms import (
    CIRCLE,
    CLOSE_COMBAT,
    DAYS,
    MAX_STATUS,
    MAX_TREBUCHETS,
    REMOVED,
    SPACE_NAMES,
    START,
    STATUS_NAMES,
    TUNNEL_NAMES,
    UNIT_NAMES,
    UNITS,
)
from muniment.games.siege.view import SiegeView
from muniment.web.boards.siege import STATUS_ART, UNIT_ART, enemy_card, status_card
from muniment.web.chances import Win
from muniment.web.siege_offers import TUNNEL_KINDS, Group, Offer, grouped, offers_of

__all__ = ["Piece", "SiegeScene", "siege_scene"]

_STATUS_KINDS = (
    (acts.COUPURE,),
    (acts.RALLY, acts.RALLY_SUPPLY, acts.EXTRA_MORALE),
    (acts.RALLY_SUPPLY, acts.EXTRA_SUPPLIES),
)


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece on a card, and all that can be done about it.

    id: stable. art: its picture. spot: where it stands. name, where: in words. offers: possible or not.
    """

    id: str
    art: str
    spot: str
    name: str
    where: str
    offers: tuple[Offer, ...] = ()


@dataclass(frozen=True, slots=True)
class SiegeScene:
    """All that the siege page shows of one moment."""

    view: SiegeView
    offers: tuple[Offer, ...]
    pieces: tuple[Piece, ...]
    may_act: bool

    # -- the two cards

    @property
    def enemy_pieces(self) -> tuple[Piece, ...]:
        """The pieces on the enemy tracks card."""
        return tuple(piece for piece in self.pieces if piece.spot.startswith(("unit", "trebuchets")))

    @property
    def status_pieces(self) -> tuple[Piece, ...]:
        """The pieces on the status tracks card."""
        return tuple(piece for piece in self.pieces if piece.spot.startswith(("status", "tunnel")))

    @property
    def enemy_buttons(self) -> tuple[Offer, ...]:
        """The possible actions whose buttons lie on the enemy tracks card."""
        return tuple(o for o in self.legal if o.spot and o.spot.startswith(("unit", "trebuchets", "melee")))

    @property
    def status_buttons(self) -> tuple[Offer, ...]:
        """The possible actions whose buttons lie on the status tracks card."""
        return tuple(o for o in self.legal if o.spot and o.spot.startswith(("status", "tunnel")))

    @property
    def enemy(self) -> Markup:
        """The drawn ground of the enemy tracks card."""
        return enemy_card(self.view)

    @property
    def status(self) -> Markup:
        """The drawn ground of the status tracks card."""
        return status_card(self.view)

    @property
    def in_words(self) -> tuple[str, ...]:
        """The whole table as text: what a screen reader, or anybody, can read instead of the boards."""
        view = self.view
        lines = [f"{piece.name}: {piece.where}." for piece in self.pieces]
        if view.raided:
            lines.append(f"The soldiers carry {view.raided} raided.")
        return tuple(lines)

    # -- the turn

    @property
    def turn(self) -> int:
        """The turn of the day."""
        return min(self.view.turn, self.turns)

    @property
    def turns(self) -> int:
        """How many turns a day has."""
        return len(self.view.edition.cards)

    @property
    def days(self) -> int:
        """How many days the siege lasts."""
        return DAYS

    @property
    def over(self) -> bool:
        """Whether the siege has ended."""
        return self.view.step == OVER

    @property
    def won(self) -> bool:
        """Whether the fortress held."""
        return self.view.result == WON

    @property
    def ending(self) -> str:
        """How it ended and why."""
        return capital(ENDINGS[self.view.result].words) + "." if self.over else ""

    @property
    def ending_rule(self) -> str:
        """The rule that ended it."""
        return ENDINGS[self.view.result].rule if self.over else ""

    @property
    def points_spent(self) -> int:
        """Action points already used this turn."""
        division = self.view.division
        return 0 if division is None else max(division.actions + self.view.extra_used - self.view.points, 0)

    @property
    def legal(self) -> tuple[Offer, ...]:
        """What can be done now."""
        return tuple(offer for offer in self.offers if offer.refusal is None)

    @property
    def refused(self) -> tuple[Offer, ...]:
        """What cannot be done now, with the reason."""
        return tuple(offer for offer in self.offers if offer.refusal is not None)

    @property
    def end(self) -> Offer | None:
        """Ending the turn, if that is possible."""
        return next((offer for offer in self.legal if offer.action.kind == acts.END_TURN), None)

    @property
    def end_refusal(self) -> Refusal | None:
        """Why the turn cannot end now."""
        return next((offer.refusal for offer in self.refused if offer.action.kind == acts.END_TURN), None)

    @property
    def groups(self) -> tuple[Group, ...]:
        """What can be done now, but for ending the turn, by place."""
        return grouped(self.legal)

    # -- the card

    @property
    def card_number(self) -> int | None:
        """The number printed on the card in play."""
        return self.view.edition.cards[self.view.card].number if self.view.card >= 0 else None

    @property
    def card_events(self) -> tuple[str, ...]:
        """What its events do."""
        return event_sentences(self.view.division) if self.view.division else ()

    @property
    def card_order(self) -> str:
        """Whom it orders forward."""
        return order_sentence(self.view.division) if self.view.division else ""

    @property
    def order_art(self) -> tuple[str, ...]:
        """The pictures on the banner of the order."""
        division = self.view.division
        if division is None:
            return ()
        return ("do-slowest",) if division.slowest else tuple(UNIT_ART[unit] for unit in division.orders)

    @property
    def cards_left(self) -> tuple[tuple[int, str, str], ...]:
        """Number, title and events of the cards still in the deck this day."""
        view = self.view
        found = ((view.edition.cards[index], view.edition.division(index, view.day)) for index in view.cards_left)
        return tuple(
            (card.number, part.title, " ".join((*event_sentences(part), order_sentence(part)))) for card, part in found
        )

    # -- dice of one's own

    @property
    def wanted(self) -> str:
        """What a player with real dice must do now: "draw", "roll", or empty if nothing is awaited."""
        if self.over or self.view.awaited.kind == "actions":
            return ""
        return "draw" if self.view.step == DRAW else "roll"

    @property
    def wanted_for(self) -> str:
        """What the awaited die is for."""
        if self.view.rolling >= 0:
            return ACTIONS[self.view.rolling].sentence
        kinds = {"line-check": "The enemy line check", "trebuchets": "The single trebuchet fires"}
        return kinds.get(self.view.awaited.kind, "The top card of the deck")


def siege_scene(game: Siege, view: SiegeView, *, may_act: bool, wins: Mapping[str, Win] | None = None) -> SiegeScene:
    """The scene of a view. may_act: whether whoever looks at it is the player, who can act. wins: chances to show."""
    offers = offers_of(game, view, wins)
    return SiegeScene(view, offers, _pieces(view, offers), may_act)


def _pieces(view: SiegeView, offers: Sequence[Offer]) -> tuple[Piece, ...]:
    """The pieces on both cards, each with the offers that concern it."""

    def about(wanted: Callable[[Offer], bool]) -> tuple[Offer, ...]:
        return tuple(offer for offer in offers if wanted(offer))

    pieces = []
    for unit in UNITS:
        name, space = UNIT_NAMES[unit], view.units[unit]
        spot = f"unit u{unit} {'gone' if space == REMOVED else f's{space}'}"
        offered = about(lambda offer, unit=unit: offer.action.unit in (unit, len(UNITS)))  # type: ignore[misc]
        piece_id = f"piece-{name.replace(' ', '-')}"
        pieces.append(Piece(piece_id, UNIT_ART[unit], spot, capital(name), _where(view, unit), offered))
    for track, name in enumerate(STATUS_NAMES):
        level = view.status[track]
        offered = about(lambda offer, track=track: offer.action.kind in _STATUS_KINDS[track])  # type: ignore[misc]
        where = f"{level} of {MAX_STATUS}"
        pieces.append(
            Piece(f"piece-{name}", STATUS_ART[track], f"status t{track} l{level}", capital(name), where, offered)
        )
    place, spot = TUNNEL_NAMES[view.soldiers], f"tunnel p{view.soldiers}"
    offered = about(lambda offer: offer.action.kind in TUNNEL_KINDS)
    pieces.append(Piece("piece-soldiers", "art-soldiers", spot, "Soldiers", f"in the {place}", offered))
    offered = about(lambda offer: offer.action.kind == acts.SABOTAGE)
    where = f"{view.trebuchets} of {MAX_TREBUCHETS}"
    pieces.append(Piece("piece-trebuchets", "", "trebuchets", "Trebuchets", where, offered))
    return tuple(pieces)


def _where(view: SiegeView, unit: int) -> str:
    """Where a unit stands, and how strong it is there."""
    space = view.units[unit]
    if space == REMOVED:
        return "out of the game"
    if space == CLOSE_COMBAT:
        return f"in close combat, strength {view.edition.close_combat_strength}"
    place = "the start" if space == START else f"space {SPACE_NAMES[space]}{' (the circle)' if space == CIRCLE else ''}"
    return f"on {place}, strength {view.edition.strength[unit]}"
