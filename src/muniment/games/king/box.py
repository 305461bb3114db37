"""The box: an edition and options as the engine asks for them, worked out once and shared by all states.

Everything here follows from the edition and the options; nothing ever changes. Names read as the rules do:
``box.charm`` is the lucky charm's tile id (-1 if the edition has none).
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import Any, Final

from muniment.core.chance import ChanceNode
from muniment.core.frozen import Frozen
from muniment.games.king.actions import Act, KingAction, KingOutcome
from muniment.games.king.combat import FLYING, RANGED, Fighter, Terms
from muniment.games.king.options import KingOptions
from muniment.games.king.tiles import (
    ARMS_BIT,
    CHARACTER,
    INSTRUCTION,
    LAND,
    MAGIC_ITEM,
    SETTLEMENT,
    SPECIAL,
    TERRAINS,
    KingEdition,
)

__all__ = ["DICE", "ONE_DIE", "TWO_DICE", "Box", "box_of"]

DIE = tuple(KingOutcome("dice", (a,)) for a in range(1, 7))
PAIR = tuple(KingOutcome("dice", (a, b)) for a in range(1, 7) for b in range(1, 7))
ONE_DIE = ChanceNode.uniform(DIE)
TWO_DICE = ChanceNode.uniform(PAIR)
DICE: Final[Mapping[int, ChanceNode[KingOutcome]]] = MappingProxyType({1: ONE_DIE, 2: TWO_DICE})

_GIVE, _FORT, _IMPROVE, _BATTLE = Act("give"), Act("fort"), Act("improve"), Act("battle")
_DUST, _WALL, _PLACE, _LINE = Act("dust"), Act("wall"), Act("place"), Act("line")
_GIVE_LAND, _ASK_LAND = Act("give-land"), Act("ask-land")


class Box(Frozen):
    """See the module's text. Tile ids of the playing deck: characters from 0, then up to ``deck``."""

    __slots__ = (
        "accept", "add_nothing", "add_one", "arm", "ask_land", "ask_special", "assassin", "attack", "battle", "bit",
        "bow", "buy", "cash", "charm", "commit", "counter", "deck", "decline", "dispell", "dispell_on", "done",
        "drawn", "dust", "dust_on", "dwarf_king", "edition", "entering", "equal", "fighter", "fights", "fort", "give",
        "give_land", "give_tile", "golem", "golem_to", "homeless_to_hand", "improve", "instructions", "kill", "kind",
        "land_count", "land_named", "land_slug", "land_terrain", "lands", "line", "magic", "may_reserve", "mines",
        "mist", "mist_read", "muster", "options", "passing", "peace", "purchase", "put", "ranged", "reserve",
        "reserves", "revive", "rob", "role", "run", "seek", "send", "settlements", "several", "size", "slug", "sort",
        "stand", "sword", "sword_master", "talisman", "talisman_used", "terms", "terrain", "thief", "trade",
        "trading", "treasures", "turn_limit", "value", "wall", "wall_on",
    )  # fmt: skip

    def __init__(self, edition: KingEdition, options: KingOptions) -> None:
        self.edition = edition
        self.options = options
        # options, as the rules ask for them
        self.homeless_to_hand = options.homeless == "hand"
        self.reserves = options.army_reserves
        self.trading = options.trading
        self.turn_limit = options.turn_limit
        self.terms = tuple(
            Terms(t, options.royal_influence, options.terrain_bonus, options.neutralised_forts == "silent")
            for t in range(len(TERRAINS))
        )
        # ranges of ids
        first = edition.first
        self.settlements, self.mines, self.treasures, self.magic = first[SETTLEMENT : MAGIC_ITEM + 1]
        self.deck = first[SPECIAL]
        self.lands = first[LAND]
        self.instructions = first[INSTRUCTION]
        self.size = first[INSTRUCTION + 1]
        self.land_count = self.instructions - self.lands
        # per tile
        self.kind = edition.kind_of
        self.sort = tuple(kind.sort for kind in edition.tile)
        self.role = tuple(kind.role for kind in edition.tile)
        self.slug = tuple(kind.slug for kind in edition.tile)
        self.value = tuple(kind.value for kind in edition.tile)
        self.terrain = tuple(kind.terrain for kind in edition.tile)
        self.bit = tuple(
            1 << kind.terrain if kind.sort == CHARACTER else ARMS_BIT if kind.role in ("sword", "bow") else 0
            for kind in edition.tile
        )
        self.fighter: tuple[Fighter, ...] = tuple(
            Fighter(tile, edition.kind_of[tile], kind.value, kind.traits, kind.terrain)
            for tile, kind in enumerate(edition.tile[: self.lands])
        )
        self.fights = tuple(kind.sort in (CHARACTER, SPECIAL) or kind.role == "golem" for kind in edition.tile)
        self.may_reserve = tuple(
            kind.sort == SPECIAL or (kind.sort == CHARACTER and bool(kind.traits & FLYING)) for kind in edition.tile
        )
        self.ranged = tuple(bool(kind.traits & RANGED) for kind in edition.tile)
        self.land_terrain = tuple(edition.tile[self.lands + n].terrain for n in range(self.land_count))
        self.land_slug = edition.land_slugs
        self.land_named = edition.land_by_slug
        self.equal: Mapping[str, frozenset[int]] = MappingProxyType(
            {slug: frozenset(tiles) for slug, tiles in zip(edition.by_slug, edition.tiles_of, strict=True)}
        )
        """The ids of the tiles of a kind, by its slug."""
        self.several = tuple(
            (tiles[0], tiles[-1] + 1) for tiles in edition.tiles_of if len(tiles) > 1 and tiles[0] < self.deck
        )
        """Where the ids of the kinds with more than one tile in the playing deck begin and end."""
        self.entering = tuple(
            [frozenset([tile for tile in range(self.deck) if self.bit[tile] & mask]) for mask in range(2 * ARMS_BIT)]
        )
        """By mask (``bit``): the tiles of the playing deck that can enter an army with it."""
        # tiles with rules of their own
        role = edition.role
        self.charm, self.dust, self.talisman = role("charm"), role("dust"), role("talisman")
        self.golem, self.mist, self.dispell = role("golem"), role("mist"), role("dispell")
        self.wall, self.sword, self.bow = role("wall"), role("sword"), role("bow")
        self.dwarf_king, self.sword_master = role("dwarf_king"), role("sword_master")
        self.thief, self.assassin = role("master_thief"), role("assassin_primus")
        # actions, each made once
        self.done, self.passing = Act("done")(), Act("pass")()
        self.peace, self.buy = Act("peace")(), Act("buy")()
        self.add_one, self.add_nothing = (Act("add")(word) for word in ("one", "nothing"))
        self.run, self.stand = Act("run")(), Act("stand")()
        self.accept, self.decline, self.counter = Act("accept")(), Act("decline")(), Act("counter")()
        self.mist_read, self.talisman_used = Act("mist")(), Act("talisman")()
        deck, lands = range(self.lands), self.land_slug
        seats = range(4)
        self.cash = self._by_tile("cash")
        self.arm = self._by_tile("arm")
        self.muster = self._by_tile("muster")
        self.commit = self._by_tile("commit")
        self.send = self._by_tile("send")
        self.reserve = self._by_tile("reserve")
        self.seek = self._by_tile("seek")
        self.revive = self._by_tile("revive")
        self.give_tile = self._by_tile("give-tile")
        self.ask_special = self._by_tile("ask-special")
        self.give = tuple([tuple([_GIVE(self.slug[tile], seat) for seat in seats]) for tile in deck])
        self.fort = tuple([_FORT(slug) for slug in lands])
        self.improve = tuple([_IMPROVE(slug) for slug in lands])
        self.battle = tuple([_BATTLE(slug) for slug in lands])
        self.dust_on = tuple([_DUST(slug) for slug in lands])
        self.wall_on = tuple([_WALL(slug) for slug in lands])
        self.give_land = tuple([_GIVE_LAND(slug) for slug in lands])
        self.ask_land = tuple([_ASK_LAND(slug) for slug in lands])
        self.put = tuple([tuple([_PLACE(self.slug[tile], slug) for slug in lands]) for tile in deck])
        self.line = tuple([tuple([_LINE(self.slug[tile], slug) for slug in lands]) for tile in deck])
        self.attack = tuple([Act("attack")(seat) for seat in seats])
        self.trade = tuple([Act("trade")(seat) for seat in seats])
        self.rob = tuple([Act("rob")(seat) for seat in seats])
        self.kill = tuple([Act("kill")(seat) for seat in seats])
        self.golem_to = tuple([Act("golem")(seat) for seat in seats])
        self.dispell_on = tuple([Act("dispell")(seat) for seat in seats])
        self.purchase = tuple([Act("purchase")(number) for number in range(5)])
        # outcomes
        self.drawn = tuple([KingOutcome("tile", (slug,)) for slug in self.slug])

    def _by_tile(self, word: str) -> tuple[KingAction, ...]:
        act = Act(word)
        return tuple([act(slug) for slug in self.slug])

    def tiles_named(self, slug: str) -> tuple[int, ...]:
        """The ids of the tiles of a kind."""
        return self.edition.tiles_of[self.edition.by_slug[slug]]

    def name(self, tile: int) -> str:
        """A tile's name for people."""
        return self.edition.tile[tile].label

    def __reduce__(self) -> tuple[Any, ...]:
        return box_of, (self.edition, self.options)


@lru_cache(16)
def box_of(edition: KingEdition, options: KingOptions) -> Box:
    """The one box of an edition and options, also where it comes again and again from another process."""
    return Box(edition, options)
