"""The tiles of an edition (inventory, deck-contents, K1): what is printed on them, read from a file of facts.

Every tile has an id, its place in one fixed order: characters by terrain, settlements, mines, treasures, magic items
(together the playing deck), special characters, land tiles, instruction tiles. Fortifications are only counted.
Equal tiles are one *kind*; a kind has a *slug*, the one word that names it in notation (``elves-r3``).
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, lru_cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from muniment.core.edition import Table, digest_of, read_toml
from muniment.core.frozen import Frozen
from muniment.games.king.combat import traits_of

__all__ = [
    "ABILITIES",
    "ARMS_BIT",
    "CHARACTER",
    "EDITIONS",
    "FORT_NAMES",
    "INSTRUCTION",
    "LAND",
    "MAGIC_ITEM",
    "MINE",
    "MOUNTAIN",
    "SETTLEMENT",
    "SPECIAL",
    "TERRAINS",
    "TREASURE",
    "Kind",
    "KingEdition",
    "read_edition",
    "standard_edition",
]

TERRAINS: Final = ("desert", "forest", "mountain", "plains", "swamp")
MOUNTAIN: Final = 2
ABILITIES: Final = ("R", "C", "magic", "flying")
FORT_NAMES: Final = ("no fort", "tower", "keep", "castle", "Gran Muniment")
FORT_KEYS: Final = ("tower", "keep", "castle", "gran_muniment")
EDITIONS: Final = ("rulebook", "counters")

CHARACTER: Final = 0
SETTLEMENT: Final = 1
MINE: Final = 2
TREASURE: Final = 3
MAGIC_ITEM: Final = 4
SPECIAL: Final = 5
LAND: Final = 6
INSTRUCTION: Final = 7

ARMS_BIT: Final = 32
"""The bit of swords and bows where terrains are bits 1, 2, 4, 8, 16: what an army tile may be (K8, K49)."""

MAGIC_ROLES: Final = ("charm", "dust", "talisman", "golem", "mist", "dispell", "wall", "sword", "bow")
SPECIAL_ROLES: Final = (
    "elf_lord",
    "dwarf_king",
    "sword_master",
    "baron_munchausen",
    "grand_duke",
    "master_thief",
    "assassin_primus",
)
_LETTERS: Final = {"R": "r", "C": "c", "magic": "m", "flying": "f"}
_MAX_TILES: Final = 250


class Kind(NamedTuple):
    """What is printed on a tile.

    sort: ``CHARACTER`` ... ``INSTRUCTION``. terrain: of characters and lands, else -1. value: the printed number;
    a land's is 1, the price of "for sale". role: whose special rules it has, or "". traits: as in ``combat``.
    """

    slug: str
    name: str
    sort: int
    value: int
    terrain: int = -1
    abilities: tuple[str, ...] = ()
    role: str = ""
    traits: int = 0

    @property
    def label(self) -> str:
        """The name for people, with the printed value and abilities where they tell tiles apart."""
        if self.sort == CHARACTER:
            signs = {"magic": "☆", "flying": "∞"}
            return f"{self.name} {''.join(signs.get(a, a) for a in self.abilities)}{self.value}"
        if self.sort == TREASURE:
            return f"{self.name} ({self.value})"
        if self.sort == INSTRUCTION and self.value:
            return f"For Sale ({self.value})"
        return self.name


class KingEdition(Frozen):
    """All tiles of the game, immutable. ``kinds`` are the kinds in order; tile ids run through them in that order."""

    __slots__ = (
        "by_role", "by_slug", "digest", "first", "forts", "kind_of", "kinds", "land_by_slug", "land_slugs", "name",
        "start_hand", "start_lands", "tile", "tiles_of",
    )  # fmt: skip

    def __init__(
        self, name: str, digest: str, kinds: tuple[tuple[Kind, int], ...], forts: tuple[int, ...], hand: int, lands: int
    ) -> None:
        self.name = name
        self.digest = digest
        self.kinds: tuple[Kind, ...] = tuple(kind for kind, _ in kinds)
        self.forts: tuple[int, ...] = (0, *forts)
        self.start_hand = hand
        self.start_lands = lands
        kind_of: list[int] = []
        tiles_of: list[tuple[int, ...]] = []
        for index, (_, count) in enumerate(kinds):
            tiles_of.append(tuple(range(len(kind_of), len(kind_of) + count)))
            kind_of += [index] * count
        self.kind_of: tuple[int, ...] = tuple(kind_of)
        self.tiles_of: tuple[tuple[int, ...], ...] = tuple(tiles_of)
        self.tile: tuple[Kind, ...] = tuple(self.kinds[k] for k in kind_of)
        sorts = [kind.sort for kind in self.tile]
        self.first: tuple[int, ...] = tuple(sum(s < sort for s in sorts) for sort in range(INSTRUCTION + 2))
        """The first tile id of every sort, and after the last one."""
        self.by_slug: Mapping[str, int] = MappingProxyType({kind.slug: n for n, kind in enumerate(self.kinds)})
        self.by_role: Mapping[str, int] = MappingProxyType({k.role: tile for tile, k in enumerate(self.tile) if k.role})
        self.land_slugs: tuple[str, ...] = tuple(
            f"{self.kinds[k].slug}-{number}"
            for k in range(len(self.kinds))
            if self.kinds[k].sort == LAND
            for number in range(1, len(self.tiles_of[k]) + 1)
        )
        self.land_by_slug: Mapping[str, int] = MappingProxyType({slug: n for n, slug in enumerate(self.land_slugs)})

    @property
    def deck_size(self) -> int:
        """The number of tiles of the playing deck; they have the ids below it."""
        return self.first[SPECIAL]

    @property
    def size(self) -> int:
        """The number of tiles but fortifications and gold."""
        return len(self.tile)

    def role(self, name: str) -> int:
        """The tile that has this role, -1 if the edition has none."""
        return self.by_role.get(name, -1)

    def __repr__(self) -> str:
        return f"<KingEdition {self.name!r}, {self.size + sum(self.forts)} tiles>"

    def __reduce__(self) -> tuple[Any, ...]:
        counted = tuple(zip(self.kinds, map(len, self.tiles_of), strict=True))
        return _edition, (self.name, self.digest, counted, self.forts[1:], self.start_hand, self.start_lands)


@lru_cache(16)
def _edition(
    name: str, digest: str, kinds: tuple[tuple[Kind, int], ...], forts: tuple[int, ...], hand: int, lands: int
) -> KingEdition:
    """The one object for this content, also where an edition comes again and again from another process."""
    return KingEdition(name, digest, kinds, forts, hand, lands)


def _slug(name: str) -> str:
    return "-".join("".join(c if c.isalnum() else " " for c in name.lower()).split())


def _character(row: Table) -> tuple[Kind, int]:
    terrain = TERRAINS.index(row.text("terrain", choices=TERRAINS))
    name, value = row.text("name"), row.integer("value", 0, 9)
    abilities, count = row.texts("abilities", ABILITIES), row.integer("count", 0, 20)
    row.done()
    slug = f"{_slug(name)}-{''.join(_LETTERS[a] for a in abilities)}{value}"
    return Kind(slug, name, CHARACTER, value, terrain, abilities, "", traits_of(name, abilities)), count


def _characters(root: Table, replacing: Table | None) -> list[tuple[Kind, int]]:
    found = dict(_character(row) for row in root.table("tiles").tables("characters", 0, 200))
    if replacing is not None:
        found.update(_character(row) for row in replacing.tables("characters", 1, 200))
        replacing.done()
    return sorted(found.items(), key=lambda item: item[0].terrain)


def _counted(tiles: Table, key: str, sort: int, *, most: int = 100, _role: bool = False) -> list[tuple[Kind, int]]:
    """Rows of settlements, mines and treasures."""
    found: list[tuple[Kind, int]] = []
    for row in tiles.tables(key, 0, 20):
        name, value = row.text("name"), row.integer("value", 1, most)
        found.append((Kind(_slug(name), name, sort, value), row.integer("count", 0, 50)))
        row.done()
    return found


def _magic(tiles: Table) -> list[tuple[Kind, int]]:
    found: list[tuple[Kind, int]] = []
    for row in tiles.tables("magic", 0, 9):
        name, role = row.text("name"), row.text("role", choices=MAGIC_ROLES)
        value = row.integer("value", 1, 20) if role == "golem" else 0
        traits = traits_of("golem", ()) if role == "golem" else 0
        found.append((Kind(_slug(name), name, MAGIC_ITEM, value, -1, (), role, traits), 1))
        row.done()
    # swords and bows last, so that what can be in an army but not alone has the highest ids of the deck
    return sorted(found, key=lambda item: MAGIC_ROLES.index(item[0].role))


def _specials(tiles: Table) -> list[tuple[Kind, int]]:
    found: list[tuple[Kind, int]] = []
    for row in tiles.tables("special_characters", 0, 30):
        name, value = row.text("name"), row.integer("value", 1, 12)
        abilities = row.texts("abilities", ABILITIES)
        role = row.text("role", choices=SPECIAL_ROLES) if row.has("role") else ""
        row.done()
        found.append((Kind(_slug(name), name, SPECIAL, value, -1, abilities, role, traits_of(role, abilities)), 1))
    return found


def _land_deck(root: Table) -> list[tuple[Kind, int]]:
    deck = root.table("land_deck")
    terrain = deck.table("terrain")
    found = [
        (Kind(name, name.capitalize(), LAND, 1, index), terrain.integer(name, 0, 40))
        for index, name in enumerate(TERRAINS)
    ]
    terrain.done()
    prices: dict[int, int] = {}
    for row in deck.tables("for_sale", 0, 20):
        price = row.integer("price", 1, 100)
        row.done()
        prices[price] = prices.get(price, 0) + 1
    found += [(Kind(f"for-sale-{p}", "For Sale", INSTRUCTION, p), n) for p, n in sorted(prices.items())]
    found.append((Kind("land-auction", "Land Auction", INSTRUCTION, 0), deck.integer("land_auction", 0, 20)))
    found.append((Kind("land-fight", "Fight", INSTRUCTION, 0), deck.integer("fight", 0, 20)))
    deck.done()
    return found


def read_edition(file: Path | Traversable, name: str = "rulebook") -> KingEdition:
    """Read an edition file; ``name`` chooses "rulebook", the tiles as listed, or one of its ``editions``.

    Raises EditionError naming the place of every fault.
    """
    root = read_toml(file)
    title = root.text("name")
    others = root.table("editions") if root.has("editions") else Table({}, root.place)
    replacing = None
    if name != "rulebook":
        replacing = others.table(name)
    setup, forts, tiles = root.table("setup"), root.table("fortifications"), root.table("tiles")
    kinds = _characters(root, replacing)
    tiles.tables("characters", 0, 200)
    kinds += _counted(tiles, "settlements", SETTLEMENT, most=9)
    kinds += _counted(tiles, "mines", MINE, most=9)
    kinds += _counted(tiles, "treasures", TREASURE)
    kinds += _magic(tiles)
    kinds += _specials(tiles)
    kinds += _land_deck(root)
    levels = tuple(forts.integer(key, 0, 40) for key in FORT_KEYS)
    hand, lands = setup.integer("hand", 0, 30), setup.integer("lands", 1, 10)
    for table in (setup, forts, tiles, root):
        table.done()
    slugs = [kind.slug for kind, _ in kinds]
    for slug in slugs:
        if slugs.count(slug) > 1:
            raise root.fault(f"two kinds of tile are both called {slug}")
    roles = [kind.role for kind, _ in kinds if kind.role]
    for role in roles:
        if roles.count(role) > 1:
            raise root.fault(f"the role {role} is given twice")
    if sum(count for _, count in kinds) > _MAX_TILES:
        raise root.fault(f"there are more than {_MAX_TILES} tiles")
    counted = tuple((kind, count) for kind, count in kinds if count)
    edition = _edition(title, digest_of({**root.content, "chosen": name}), counted, levels, hand, lands)
    for slug in slugs:
        if slug in edition.land_by_slug:
            raise root.fault(f"the tile {slug} has the name of a land; call it something else")
    return edition


@cache
def standard_edition(name: str = "rulebook") -> KingEdition:
    """The package's own tiles: "rulebook", the contents list, or "counters", the original counter sheet (K1)."""
    return read_edition(files("muniment.games.king").joinpath("tiles.toml"), name)
