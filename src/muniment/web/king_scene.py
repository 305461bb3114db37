"""The King page's content: every player's realm, your hand and army, the bank, the battle, and what you are asked."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from markupsafe import Markup

from muniment.core.words import listed
from muniment.games.king import King
from muniment.games.king.prospects import Prospect
from muniment.games.king.state import ARMY, FIELD, HAND, NOWHERE
from muniment.games.king.tiles import FORT_NAMES, SPECIAL
from muniment.games.king.views import KingView, LandView
from muniment.games.king.what_if import may_attack
from muniment.tables.values import Choice, SeatInfo
from muniment.web.boards.king import Face, arms, face_of, land_name, land_picture, land_words
from muniment.web.king_ask import Ask, ask_of
from muniment.web.king_odds import Outlook
from muniment.web.king_picks import Hits, hits_of
from muniment.web.king_refusals import WhyNot
from muniment.web.king_texts import ASKS, PHASES, seat_names
from muniment.web.texts import count

__all__ = ["KingScene", "LandTile", "Realm", "Side", "king_scene"]

_LINING_UP: Final = frozenset({"line-ups", "line-begin", "line", "reserves-join"})


@dataclass(frozen=True, slots=True)
class LandTile:
    """A land on the table. choices: what can be done there now, as buttons on it."""

    slug: str
    name: str
    words: str
    picture: Markup
    choices: tuple[Choice, ...] = ()
    attackers: int = 0
    defenders: int = 0
    prospect: Prospect | None = None


@dataclass(frozen=True, slots=True)
class Realm:
    """A player's realm as everybody sees it."""

    seat: int
    name: str
    you: bool
    out: bool
    asked: bool
    first: bool
    gold: int
    prestige: int
    income: int
    adds_up: str
    hand: int
    army: int
    away: int
    shown: tuple[Face, ...]
    known: tuple[Face, ...]
    lands: tuple[LandTile, ...]
    arms: Markup
    seat_info: SeatInfo

    @property
    def words(self) -> str:
        """The realm in a sentence, for the text of the table."""
        holdings = "; ".join(land.words for land in self.lands) or "no land"
        return (
            f"{self.name}: {self.gold} gold, {self.prestige} prestige, {count(self.army, 'tile')} in the army, "
            f"{count(self.hand, 'tile')} in the hand. Lands: {holdings}."
        )


@dataclass(frozen=True, slots=True)
class Side:
    """One side of the battle under way."""

    seat: int
    name: str
    role: str
    fighters: tuple[Face, ...]
    hits: int
    arms: Markup


@dataclass(frozen=True, slots=True)
class KingScene:
    """All that the King page shows of one moment."""

    view: KingView
    realms: tuple[Realm, ...]
    ask: Ask
    hand: tuple[Face, ...]
    army: tuple[Face, ...]
    field: tuple[Face, ...]
    bank: tuple[Face, ...]
    forts: tuple[tuple[str, int], ...]
    names: tuple[str, ...]
    sides: tuple[Side, ...]
    may_act: bool
    outlook: Outlook
    refused: tuple[WhyNot, ...]

    @property
    def hits(self) -> Hits | None:
        """The hits that the viewer is to place, where they can be placed in one form."""
        return hits_of(self.view) if self.may_act and self.ask.you else None

    @property
    def may_ask_odds(self) -> bool:
        """Whether the viewer decides on an attack, and can be told what may come of it."""
        return self.may_act and may_attack(self.view)

    def tile_names(self, slugs: Sequence[str]) -> str:
        """The tiles in a row, equal ones counted."""
        names = Counter(face_of(self.view.box.edition, slug).name for slug in slugs)
        return listed(name if number == 1 else f"{number} × {name}" for name, number in names.items())

    @property
    def attack_notes(self) -> tuple[str, ...]:
        """What kind of numbers the attacks' are, said once for all armies of which it is the same."""
        attacks = self.outlook.attacks
        labels = dict.fromkeys(attack.label for attack in attacks)
        return tuple(
            f"{listed(f'{self.names[one.target]}’s army' for one in attacks if one.label == label)}: {label}."
            for label in labels
        )

    def land_name(self, slug: str) -> str:
        """A land in words."""
        return land_name(slug)

    @property
    def lining_up(self) -> bool:
        """Whether tiles are still to be lined up, so that the odds of the battles to come are of a part of them."""
        return any(frame.kind in _LINING_UP for frame in self.view.frames)

    @property
    def battles(self) -> tuple[LandTile, ...]:
        """The battles to come whose odds are known."""
        return tuple(land for realm in self.realms for land in realm.lands if land.prospect is not None)

    @property
    def phase(self) -> str:
        """The phase of the turn."""
        return PHASES[self.view.phase] if self.view.phase < len(PHASES) else ""

    @property
    def acting(self) -> str:
        """Whose part of the phase it is."""
        return self.names[self.view.acting] if self.view.acting < len(self.names) else ""

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.view.over is not None

    @property
    def winners(self) -> str:
        """Who won."""
        return listed(self.names[seat] for seat in self.view.over[1]) if self.view.over else ""

    @property
    def waiting(self) -> str:
        """What is waited for, in words, for whoever is not asked."""
        seats = self.view.awaited.seats
        what = ASKS.get(self.view.awaited.kind, ("the next step", ""))[0].rstrip("?").lower()
        if seats:
            return f"Waiting for {listed(self.names[seat] for seat in seats)}: {what}."
        return "A moment for magic; somebody may answer." if self.view.awaited.kind == "stop" else "Waiting."

    @property
    def battle_land(self) -> str:
        """The land that is fought for."""
        return land_name(self.view.battle.land) if self.view.battle else ""

    @property
    def battle_ground(self) -> LandTile | None:
        """The land that is fought for, with what stands on it; None for one from the land deck."""
        wanted = self.view.battle.land if self.view.battle else ""
        return next((land for realm in self.realms for land in realm.lands if land.slug == wanted), None)

    @property
    def battle_stage(self) -> int:
        """-1 before the dice, 0 ranged, 1 hand to hand."""
        return self.view.battle.stage if self.view.battle else -1

    @property
    def war_words(self) -> str:
        """Who is at war with whom, empty in peace."""
        if self.view.war is None:
            return ""
        return f"{self.names[self.view.war_side(0)]} at war with {self.names[self.view.war_side(1)]}"


def king_scene(
    game: King,
    view: KingView,
    choices: Sequence[Choice],
    seats: Sequence[SeatInfo],
    *,
    may_act: bool,
    outlook: Outlook | None = None,
    refused: tuple[WhyNot, ...] = (),
) -> KingScene:
    """The scene of a view. outlook: the odds of battles. refused: what is not offered, and why."""
    outlook = outlook or Outlook()
    edition = game.edition
    names = seat_names(seats)
    realms = tuple(_realm(view, seat, names, seats, choices, outlook) for seat in _around(view))
    mine = (
        {
            sort: tuple(face_of(edition, tile.tile) for tile in view.tiles if tile.zone == sort | view.seat)
            for sort in (HAND, ARMY, FIELD)
        }
        if view.seat >= 0
        else {HAND: (), ARMY: (), FIELD: ()}
    )
    forts = tuple(zip(FORT_NAMES[1:], view.bank_forts, strict=True))
    return KingScene(
        view=view,
        realms=realms,
        ask=ask_of(view, choices, names),
        hand=mine[HAND],
        army=mine[ARMY],
        field=mine[FIELD],
        bank=tuple(face_of(edition, slug) for slug in view.bank),
        forts=forts,
        names=names,
        sides=_sides(view, names),
        may_act=may_act,
        outlook=outlook,
        refused=refused,
    )


def _around(view: KingView) -> list[int]:
    """The seats around the table, one's own first."""
    first = max(view.seat, 0)
    return [seat % view.seats for seat in range(first, first + view.seats)]


def _realm(
    view: KingView,
    seat: int,
    names: Sequence[str],
    seats: Sequence[SeatInfo],
    choices: Sequence[Choice],
    outlook: Outlook,
) -> Realm:
    box = view.box
    edition = box.edition
    open_army = [t.tile for t in view.tiles if t.zone == ARMY | seat]
    shown = tuple(face_of(edition, slug) for slug in open_army if edition.kinds[edition.by_slug[slug]].sort == SPECIAL)
    hidden = next((one for one in view.hidden if one.seat == seat), None)
    known = () if hidden is None else tuple(face_of(edition, slug) for slug in (*hidden.known_army, *hidden.known))
    away = sum(t.zone == FIELD | seat for t in view.tiles)
    away += 0 if hidden is None else sum(number for zone, _, number in hidden.lies if zone == FIELD | seat)
    return Realm(
        seat=seat,
        name=names[seat],
        you=seat == view.seat,
        out=bool(view.out >> seat & 1),
        asked=seat in view.awaited.seats,
        first=seat == view.first,
        gold=view.gold[seat],
        prestige=view.prestige[seat],
        income=view.income[seat],
        adds_up=_adds_up(view, seat, len(shown)),
        hand=view.hand_sizes[seat],
        army=view.army_sizes[seat],
        away=away,
        shown=shown,
        known=known,
        lands=tuple(_land(view, seat, land, choices, outlook.lands.get(land.land)) for land in view.lands[seat]),
        arms=arms(seat),
        seat_info=seats[seat],
    )


def _adds_up(view: KingView, seat: int, specials: int) -> str:
    """How the prestige comes about, in the words of K11; its parts are printed values that the view shows."""
    edition = view.box.edition
    lands = view.lands[seat]
    forts = sum(land.fort for land in lands)
    improved = sum(edition.kinds[edition.by_slug[land.improvement]].value for land in lands if land.improvement)
    gold = view.prestige[seat] - len(lands) - forts - improved - specials
    parts = [f"{len(lands)} lands", f"{forts} fortifications", f"{improved} settlements and mines"]
    return ", ".join([*parts, f"{gold} gold", f"{specials} special characters"])


def _land(view: KingView, seat: int, land: LandView, choices: Sequence[Choice], prospect: Prospect | None) -> LandTile:
    box = view.box
    number = box.land_named[land.land]
    here = tuple(
        choice
        for choice in choices
        if (words := choice.notation.split(" "))[0] in ("fort", "improve", "battle", "wall") and words[-1] == land.land
    )
    attackers = defenders = 0
    if view.war is not None and seat == view.war_side(1):
        for tile in view.tiles:
            if tile.place == number != NOWHERE and tile.zone in (FIELD | view.war_side(0), ARMY | seat):
                attackers += tile.zone == FIELD | view.war_side(0)
                defenders += tile.zone == ARMY | seat
        for hidden in view.hidden:
            for zone, place, lying in hidden.lies:
                attackers += lying * (place == number and zone == FIELD | view.war_side(0))
                defenders += lying * (place == number and zone == ARMY | seat)
    edition = box.edition
    return LandTile(
        land.land,
        land_name(land.land),
        land_words(edition, land),
        land_picture(land),
        here,
        attackers,
        defenders,
        prospect,
    )


def _sides(view: KingView, names: Sequence[str]) -> tuple[Side, ...]:
    """Attacker and defender of the battle under way, all open."""
    battle, box = view.battle, view.box
    if battle is None:
        return ()
    edition = box.edition

    def side(seat: int, role: str, fighters: Sequence[object], hits: int) -> Side:
        faces = tuple(face_of(edition, box.slug[f.tile]) for f in fighters)  # type: ignore[attr-defined]
        return Side(seat, names[seat], role, faces, hits, arms(seat))

    return (
        side(battle.attacker, "attacks", battle.attackers, battle.hits[0]),
        side(battle.defender, "defends", battle.defenders, battle.hits[1]),
    )
