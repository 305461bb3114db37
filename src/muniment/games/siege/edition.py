"""Editions of 9 Card Siege: the event cards (2.1) and the figures of the two track cards (2.2, 2.3), from TOML."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from pathlib import Path

from muniment.core.edition import Table, digest_of, read_toml
from muniment.games.siege.terms import DAYS, MAX_STATUS, MAX_TREBUCHETS, STATUS_NAMES

__all__ = [
    "ACTION_NAMES", "DRM_TARGETS", "MAX_CARDS", "MAX_CARD_NUMBER", "Card", "Collapse", "Division", "Drm",
    "EventEffect", "Only", "SiegeEdition", "StatusChange", "TrebuchetAttack", "TrebuchetChange", "load_edition",
    "standard_edition",
]  # fmt: skip

MAX_CARDS = 9
MAX_CARD_NUMBER = 99
UNIT_KEYS = ("ladders", "battering_ram", "siege_tower")
ACTION_NAMES = (
    "archers", "boiling_water", "close_combat", "coupure", "rally", "tunnel_movement", "supply_raid", "sabotage",
)  # fmt: skip
DRM_TARGETS = (
    *UNIT_KEYS, "circle", "close_combat", "all_attacks", "coupure", "rally", "supply_raid", "sabotage",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class TrebuchetAttack:
    """All trebuchets fire and nobody moves (7.2, 8.3)."""


@dataclass(frozen=True, slots=True)
class StatusChange:
    """A status track rises or falls (7.1). track: 0 wall, 1 morale, 2 supplies."""

    track: int
    change: int


@dataclass(frozen=True, slots=True)
class TrebuchetChange:
    """Trebuchets are added or lost, within 0 to 3."""

    change: int


@dataclass(frozen=True, slots=True)
class Drm:
    """A die roll modifier on one kind of roll, this turn (7.1). target: one of DRM_TARGETS."""

    target: str
    change: int


@dataclass(frozen=True, slots=True)
class Only:
    """Only these actions of 9.1 are possible this turn (S25). actions: of ACTION_NAMES."""

    actions: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Collapse:
    """The unit leaves the game if it stands on its start when the event resolves (S7)."""

    unit: int


EventEffect = TrebuchetAttack | StatusChange | TrebuchetChange | Drm | Only | Collapse


@dataclass(frozen=True, slots=True)
class Division:
    """A card's section for one day (2.1.3): title, action points, who advances, events.

    slowest: whether the order is the sword icon; else ``orders`` holds the ordered units in the order ladders,
    battering ram, siege tower, and is empty for "None".
    """

    title: str
    actions: int
    orders: tuple[int, ...]
    slowest: bool
    events: tuple[EventEffect, ...]

    @property
    def is_trebuchet_attack(self) -> bool:
        """Whether the event is the trebuchet attack (7.2)."""
        return TrebuchetAttack() in self.events

    @property
    def only(self) -> tuple[str, ...] | None:
        """The actions of 9.1 possible this turn, or None if no event limits them."""
        return next((event.actions for event in self.events if isinstance(event, Only)), None)

    def drms(self, *targets: str) -> list[int]:
        """The modifiers that the events give on any of these targets; they add up (S2)."""
        return [event.change for event in self.events if isinstance(event, Drm) and event.target in targets]


@dataclass(frozen=True, slots=True)
class Card:
    """An event card: its printed number, and a division for each day."""

    number: int
    divisions: tuple[Division, ...]


@dataclass(frozen=True, slots=True)
class SiegeEdition:
    """All that is printed. strength: of each unit on its track; a roll must be greater (9.1.1)."""

    name: str
    digest: str
    cards: tuple[Card, ...]
    strength: tuple[int, int, int]
    close_combat_strength: int
    start_trebuchets: int
    start_status: tuple[int, int, int]
    raise_wall_at: int
    raise_morale_at: int

    def division(self, card: int, day: int) -> Division:
        """The division of the card at this index (not number) for day 1, 2 or 3."""
        return self.cards[card].divisions[day - 1]


def _event(table: Table) -> EventEffect:
    kinds = [
        kind for kind in ("trebuchet_attack", "status", "trebuchets", "drm", "only", "collapse") if table.has(kind)
    ]
    if len(kinds) != 1:
        raise table.fault("an event has exactly one of trebuchet_attack, status, trebuchets, drm, only, collapse")
    effect: EventEffect
    match kinds[0]:
        case "trebuchet_attack":
            table.true("trebuchet_attack")
            effect = TrebuchetAttack()
        case "status":
            track = STATUS_NAMES.index(table.text("status", choices=STATUS_NAMES))
            effect = StatusChange(track, table.integer("change", -MAX_STATUS, MAX_STATUS))
        case "trebuchets":
            effect = TrebuchetChange(table.integer("trebuchets", -MAX_TREBUCHETS, MAX_TREBUCHETS))
        case "drm":
            effect = Drm(table.text("on", choices=DRM_TARGETS), table.integer("drm", -5, 5))
        case "only":
            effect = Only(table.texts("only", ACTION_NAMES))
        case _:
            effect = Collapse(UNIT_KEYS.index(table.text("collapse", choices=UNIT_KEYS)))
    table.done()
    return effect


def _division(table: Table) -> Division:
    orders = table.texts("orders", (*UNIT_KEYS, "slowest"))
    slowest = "slowest" in orders
    if slowest and len(orders) > 1:
        raise table.fault('"slowest" is an order of its own')
    events = tuple(_event(item) for item in table.tables("events", 0, 8))
    division = Division(
        title=table.text("title"),
        actions=table.integer("actions", 0, 6),
        orders=() if slowest else tuple(sorted(UNIT_KEYS.index(order) for order in orders)),
        slowest=slowest,
        events=events,
    )
    if division.is_trebuchet_attack and (len(events) > 1 or orders):
        raise table.fault("a trebuchet attack is the only event of its division, and nobody is ordered (7.2, 8.3)")
    if sum(isinstance(event, Only) for event in events) > 1:
        raise table.fault('at most one event can be an "only"')
    table.done()
    return division


def _card(table: Table) -> Card:
    card = Card(
        number=table.integer("number", 1, MAX_CARD_NUMBER),
        divisions=tuple(_division(table.table(f"day{day}")) for day in range(1, DAYS + 1)),
    )
    table.done()
    return card


def _edition(root: Table) -> SiegeEdition:
    name = root.text("name")
    strength = root.table("strength")
    start = root.table("start")
    raise_at_least = root.table("raise_at_least")
    cards = tuple(_card(item) for item in root.tables("card", 1, MAX_CARDS))
    if len({card.number for card in cards}) != len(cards):
        raise root.fault("two cards have the same number")
    edition = SiegeEdition(
        name=name,
        digest="",
        cards=cards,
        strength=(
            strength.integer("ladders", 0, 6),
            strength.integer("battering_ram", 0, 6),
            strength.integer("siege_tower", 0, 6),
        ),
        close_combat_strength=strength.integer("close_combat", 0, 6),
        start_trebuchets=start.integer("trebuchets", 0, MAX_TREBUCHETS),
        start_status=(
            start.integer("wall", 1, MAX_STATUS),
            start.integer("morale", 1, MAX_STATUS),
            start.integer("supplies", 1, MAX_STATUS),
        ),
        raise_wall_at=raise_at_least.integer("wall", 1, 7),
        raise_morale_at=raise_at_least.integer("morale", 1, 7),
    )
    for table in (strength, start, raise_at_least, root):
        table.done()
    return replace(edition, digest=digest_of(root.content))  # now that all of it is known to be plain values


def load_edition(path: Path) -> SiegeEdition:
    """Anybody's own card file. Raises EditionError with file, place and reason."""
    return _edition(read_toml(path))


@cache
def standard_edition() -> SiegeEdition:
    """The printed cards."""
    return _edition(read_toml(files("muniment.games.siege").joinpath("cards.toml")))
