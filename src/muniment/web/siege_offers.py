"""Actions of the siege as its page offers them: possible ones with exact odds, the others with the reason why not."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from markupsafe import Markup

from muniment.core.odds import Odds
from muniment.core.refusal import Refusal
from muniment.core.rulebook import Rule
from muniment.core.words import listed
from muniment.games.siege import Siege
from muniment.games.siege import actions as acts
from muniment.games.siege.actions import ACTIONS, SiegeAction
from muniment.games.siege.terms import UNITS
from muniment.games.siege.view import SiegeView, state_from_view
from muniment.web.boards.dice import faces_strip
from muniment.web.chances import Win
from muniment.web.texts import chance, percent

__all__ = ["TUNNEL_KINDS", "Case", "Group", "Offer", "grouped", "offers_of"]

_ICONS: Final = {
    acts.ARCHERS: "do-archers",
    acts.BOILING_WATER: "do-water",
    acts.CLOSE_COMBAT_ACTION: "do-fight",
    acts.COUPURE: "do-coupure",
    acts.RALLY: "do-rally",
    acts.RALLY_SUPPLY: "do-rally-supply",
    acts.ENTER: "do-enter",
    acts.FAST_CASTLE: "do-fast-back",
    acts.FAST_LINES: "do-fast",
    acts.SUPPLY_RAID: "do-raid",
    acts.SABOTAGE: "do-sabotage",
    acts.FREE_CASTLE: "do-free-back",
    acts.FREE_LINES: "do-free",
    acts.EXTRA_MORALE: "do-extra",
    acts.EXTRA_SUPPLIES: "do-extra",
    acts.END_TURN: "do-end",
}
_WALLS = (acts.ARCHERS, acts.BOILING_WATER, acts.CLOSE_COMBAT_ACTION)
_CASTLE = (acts.COUPURE, acts.RALLY, acts.RALLY_SUPPLY)
_EXTRA = (acts.EXTRA_MORALE, acts.EXTRA_SUPPLIES)
TUNNEL_KINDS: Final = tuple(kind for kind in _ICONS if kind not in (*_WALLS, *_CASTLE, *_EXTRA, acts.END_TURN))
_GROUPS: Final = {
    "From the walls": _WALLS,
    "In the castle": _CASTLE,
    "Through the tunnel": TUNNEL_KINDS,
    "One more action": _EXTRA,
}


@dataclass(frozen=True, slots=True)
class Case:
    """One way an action can turn out, in words."""

    label: str
    chance: str
    percent: str
    faces: str
    effects: str


@dataclass(frozen=True, slots=True)
class Offer:
    """An action as the page shows it, possible now or not.

    odds: None where it is not possible. spot: the style sheet's classes for where on the board its button
    lies ("unit u0 s3 k1": unit 0, space 3, second button), None if it is not on the board.
    win: the winning chance after it, None if that is not to be shown.
    """

    action: SiegeAction
    rule: Rule
    refusal: Refusal | None
    odds: Odds | None
    spot: str | None
    win: Win | None = None

    @property
    def id(self) -> str:
        """A stable id of the page's element."""
        return f"act-{self.action.notation.replace(' ', '-')}"

    @property
    def notation(self) -> str:
        """What the form sends."""
        return self.action.notation

    @property
    def sentence(self) -> str:
        """The action in words."""
        return self.action.sentence

    @property
    def icon(self) -> str:
        """The sign of the action in the art."""
        return _ICONS[self.action.kind]

    @property
    def chance(self) -> str:
        """The exact chance of success where a die decides, else empty."""
        return chance(self.odds.success) if self.odds is not None and self.action.rolls else ""

    @property
    def percent(self) -> str:
        """The chance as a percentage, where a die decides."""
        return percent(self.odds.success) if self.odds is not None and self.action.rolls else ""

    @property
    def price(self) -> str:
        """What it costs whatever the die shows."""
        return listed(self.odds.price) if self.odds is not None else ""

    @property
    def outcome(self) -> str:
        """What happens for certain, where no die is rolled."""
        return listed(self.odds.cases[0].effects) if self.odds is not None and not self.action.rolls else ""

    @property
    def cases(self) -> tuple[Case, ...]:
        """Every way it can turn out."""
        if self.odds is None:
            return ()
        return tuple(
            Case(
                label=case.label,
                chance=chance(case.probability),
                percent=percent(case.probability),
                faces=listed([str(face) for face in case.faces], "or") or "–",
                effects=listed(case.effects) or "nothing changes",
            )
            for case in self.odds.cases
        )

    @property
    def strip(self) -> Markup | None:
        """The six faces of the die with what each does."""
        if self.odds is None or not self.action.rolls:
            return None
        return faces_strip({face: case.label for case in self.odds.cases for face in case.faces})


@dataclass(frozen=True, slots=True)
class Group:
    """Offers of one kind under a heading."""

    title: str
    offers: tuple[Offer, ...]


def offers_of(game: Siege, view: SiegeView, wins: Mapping[str, Win] | None = None) -> tuple[Offer, ...]:
    """Every action of this table's options, in the order of ``ACTIONS``. wins: winning chances to show."""
    state = state_from_view(view)
    book = game.rulebook()
    all_at_once = game.options.close_combat_drives_back == "all"
    offers = []
    for action in ACTIONS:
        if action.kind == acts.CLOSE_COMBAT_ACTION and (action.unit not in UNITS) != all_at_once:
            continue  # the other option of S13
        refusal = game.refusal(state, action)
        if refusal is None:
            win = wins.get(action.notation) if wins else None
            offers.append(Offer(action, book[action.rule], None, game.odds(view, action), _spot(view, action), win))
        else:
            offers.append(Offer(action, book[action.rule], refusal, None, None))
    return tuple(offers)


def grouped(offers: Iterable[Offer]) -> tuple[Group, ...]:
    """The offers by place, but for ending the turn; empty groups are left out."""
    found = list(offers)
    groups = (Group(title, tuple(o for o in found if o.action.kind in kinds)) for title, kinds in _GROUPS.items())
    return tuple(group for group in groups if group.offers)


def _spot(view: SiegeView, action: SiegeAction) -> str | None:
    """Where on the board the button of a possible action lies."""
    kind = action.kind
    if kind in _WALLS:
        if action.unit not in UNITS:
            return "melee"
        return f"unit u{action.unit} s{view.units[action.unit]} k{int(kind == acts.BOILING_WATER)}"
    here = view.soldiers
    forward = 1 if here == 0 else -1
    spots = {
        acts.COUPURE: "status t0 k0",
        acts.RALLY: "status t1 k0",
        acts.RALLY_SUPPLY: "status t1 k1",
        acts.EXTRA_MORALE: "status t1 k2",
        acts.EXTRA_SUPPLIES: "status t2 k0",
        acts.ENTER: f"tunnel p{here + forward} k0",
        acts.FREE_CASTLE: f"tunnel p{here - 1} k0",
        acts.FREE_LINES: f"tunnel p{here + 1} k0",
        acts.FAST_CASTLE: "tunnel p0 k1",
        acts.FAST_LINES: "tunnel p3 k1",
        acts.SUPPLY_RAID: "tunnel p3 k0",
        acts.SABOTAGE: "trebuchets",
    }
    return spots.get(kind)
