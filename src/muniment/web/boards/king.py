"""Lands, tiles and arms of King of the Tabletop, drawn from what a view names: slugs, levels, numbers."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from markupsafe import Markup

from muniment.games.king.tiles import (
    CHARACTER,
    FORT_NAMES,
    MAGIC_ITEM,
    MINE,
    SPECIAL,
    TERRAINS,
    TREASURE,
    Kind,
    KingEdition,
)
from muniment.games.king.views import LandView
from muniment.web.boards.svg import Drawing, art

__all__ = ["Face", "arms", "face_of", "land_name", "land_picture", "land_words"]

_ABILITY_LETTERS = {"R": "R", "C": "C", "magic": "☆", "flying": "∞"}
_ABILITY_WORDS = {"R": "ranged", "C": "charge", "magic": "magic ability", "flying": "flying"}
_ROLES = {"charm": "sign-charm", "golem": "sign-golem", "sword": "sign-sword", "bow": "sign-bow"}
_BEASTS = frozenset(
    ("Sand Worm", "Wildcat", "Bear", "Wolf Pack", "Lion Pride", "Buffalo Herd", "Crocodiles", "Giant Snake",
     "Giant Lizard", "Swamp Beast", "Black Panther", "Swamp Rat", "Huge Leech", "Giant Snake")
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Face:
    """What is printed on a tile, for showing it. css: the colour of its terrain or sort."""

    slug: str
    name: str
    value: str
    letters: str
    words: str
    css: str
    sign: Markup


def face_of(edition: KingEdition, slug: str) -> Face:
    """The face of a tile or of a fighter (``elves-2+sword``)."""
    base = slug.partition("+")[0].partition("@")[0].partition("!")[0]
    kind = edition.kinds[edition.by_slug[base]]
    gear = [word for mark, word in (("+sword", "with sword"), ("+bow", "with bow")) if mark in slug]
    words = [*(_ABILITY_WORDS[ability] for ability in kind.abilities), *gear]
    if kind.sort == CHARACTER:
        words.insert(0, f"of the {TERRAINS[kind.terrain]}" if kind.terrain > 0 else "of the desert")
    css = (
        TERRAINS[kind.terrain]
        if kind.sort == CHARACTER
        else {SPECIAL: "special", MAGIC_ITEM: "magic"}.get(kind.sort, "wealth")
    )
    value = str(kind.value) if kind.value else ""
    letters = "".join(_ABILITY_LETTERS[ability] for ability in kind.abilities)
    return Face(slug, kind.name, value, letters, ", ".join(words), css, art(_sign(kind), "tile-sign"))


def _sign(kind: Kind) -> str:
    if kind.sort == CHARACTER or kind.sort == SPECIAL:
        for ability, sign in (("flying", "sign-wing"), ("magic", "sign-star"), ("R", "sign-bow"), ("C", "sign-lance")):
            if ability in kind.abilities:
                return sign
        if kind.sort == SPECIAL:
            return "sign-crown"
        return "sign-claw" if kind.name in _BEASTS else "sign-sword"
    if kind.sort == TREASURE:
        return "sign-chest"
    if kind.sort == MAGIC_ITEM:
        return _ROLES.get(kind.role, "sign-scroll")
    return "build-mine" if kind.sort == MINE else f"build-{kind.slug}"


def land_name(slug: str) -> str:
    """A land's name for people: "Forest 3"."""
    terrain, _, number = slug.rpartition("-")
    return f"{terrain.capitalize()} {number}"


def land_words(edition: KingEdition, land: LandView) -> str:
    """A land and what stands on it, in words."""
    parts = [land_name(land.land)]
    if land.fort:
        parts.append(FORT_NAMES[land.fort])
    if land.improvement:
        parts.append(edition.kinds[edition.by_slug[land.improvement]].name)
    return ", ".join(parts)


@lru_cache(maxsize=2048)
def land_picture(land: LandView) -> Markup:
    """The land's woodcut with its fortification and its settlement or mine."""
    drawing = Drawing(64, 64, "land-picture")
    terrain, _, number = land.land.rpartition("-")
    drawing.use(f"land-{terrain}", 0, 0, 64)
    if land.improvement:
        sign = land.improvement if land.improvement in ("city", "village") else "mine"
        drawing.use(f"build-{sign}", 1, 33, 29)
        if sign == "mine":
            drawing.text(15, 44, land.improvement[0].upper(), "mine-letter")
    if land.fort:
        drawing.use(f"build-{land.fort}", 32, 30, 32)
        drawing.circle("land-number-ground", 55, 35, 7)
        drawing.text(55, 39, land.fort, "land-fort")
    drawing.circle("land-number-ground", 9, 9, 7.5)
    drawing.text(9, 13, number, "land-number")
    return drawing.picture()


def arms(seat: int) -> Markup:
    """The arms of a seat."""
    return art(f"arms-{seat}", "arms")
