"""Names: what tiles, lands and players are called on the screen, and what a person may type for them.

A land is ``F2``, a letter for its terrain and its number; with what stands on it ``F2+3c``: a fort of level 3, a city.
Small letters are settlements, capitals mines.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final

from rich.text import Text

from muniment.games.king.actions import FIGHT, KingAction
from muniment.games.king.box import Box
from muniment.games.king.tiles import FORT_NAMES, MINE, TERRAINS
from muniment.games.king.views import KingView, LandView

__all__ = [
    "Names",
    "counted",
    "improvement_name",
    "join_within",
    "land_code",
    "land_mark",
    "land_text",
    "land_words",
    "plain",
    "standing_words",
]

TERRAIN_STYLES: Final = ("yellow", "green", "white", "bright_green", "magenta")
_LETTERS: Final = {terrain: terrain[0] for terrain in TERRAINS}
_LAND: Final = re.compile(rf"\b({'|'.join(TERRAINS)})[- ]?(\d+)\b")
_SEATS: Final = ("dispell", "golem", "attack", "rob", "kill", "trade")
_SHORT_SPECIALS: Final = {
    "guilliame-tell": "Tell", "sir-launcelot": "Launcelot", "baron-munchausen": "Baron", "grand-duke": "Duke",
    "master-thief": "Thief", "assassin-primus": "Assassin", "sword-master": "Swordm.", "arch-cleric": "Cleric",
    "arch-mage": "Mage", "elf-lord": "Elf Lord", "dwarf-king": "Dwarf K.",
}  # fmt: skip


def land_code(land: str) -> str:
    """``forest-2`` as ``F2``."""
    terrain, _, number = land.rpartition("-")
    return f"{_LETTERS.get(terrain, terrain[:1]).upper()}{number}"


def land_words(land: str) -> str:
    """``forest-2`` as ``Forest 2``."""
    terrain, _, number = land.rpartition("-")
    return f"{terrain.capitalize()} {number}"


def _improvement_mark(box: Box, slug: str) -> str:
    kind = box.edition.kinds[box.edition.by_slug[slug]]
    return kind.name[0].upper() if kind.sort == MINE else kind.name[0].lower()


def land_mark(box: Box, land: LandView) -> str:
    """The land with what stands on it: ``F2+3c``."""
    fort = f"+{land.fort}" if land.fort else ""
    return f"{land_code(land.land)}{fort}{_improvement_mark(box, land.improvement) if land.improvement else ''}"


def land_style(land: str) -> str:
    """The colour of a land's terrain."""
    terrain = land.rpartition("-")[0]
    return TERRAIN_STYLES[TERRAINS.index(terrain)] if terrain in TERRAINS else ""


def land_text(box: Box, land: LandView) -> Text:
    """``land_mark`` in the colour of the terrain."""
    return Text(land_mark(box, land), style=land_style(land.land))


def plain(text: str) -> str:
    """What is typed or offered, made comparable: small letters, lands as ``f2``, no hyphens."""
    text = _LAND.sub(lambda found: f"{found[1][0]}{found[2]}", text.casefold())
    return " ".join(text.replace("-", " ").replace("_", " ").split())


def counted(names: Iterable[str]) -> list[str]:
    """Equal names counted: "2 Ogres 2" becomes "2×Ogres 2"."""
    return [name if number == 1 else f"{number}×{name}" for name, number in Counter(names).items()]


def join_within(parts: Sequence[str], width: int, more: str = "+{}") -> str:
    """As many of the parts as fit, and how many more there are."""
    for number in range(len(parts), 0, -1):
        rest = len(parts) - number
        text = ", ".join(parts[:number]) + (f" {more.format(rest)}" if rest else "")
        if len(text) <= width:
            return text
    return more.format(len(parts)) if parts else ""


def improvement_name(box: Box, slug: str) -> str:
    """A settlement or mine in words."""
    return box.edition.kinds[box.edition.by_slug[slug]].name.lower()


def standing_words(box: Box, land: LandView) -> str:
    """What stands on a land, in words."""
    parts = [FORT_NAMES[land.fort]] if land.fort else []
    return ", ".join([*parts, improvement_name(box, land.improvement)] if land.improvement else parts)


class Names:
    """What a box's tiles and a game's players are called. players: in seat order."""

    def __init__(self, box: Box, players: Sequence[str]) -> None:
        self.box = box
        self.players = tuple(players)

    def player(self, seat: int) -> str:
        """A player's name."""
        return self.players[seat] if 0 <= seat < len(self.players) else f"Player {seat + 1}"

    def tile(self, slug: str) -> str:
        """A tile, or a fighter with what it bears: ``Elves R3 with sword``."""
        base, marks = slug, ""
        for sign in "+@!":
            base = base.partition(sign)[0]
        if base not in self.box.edition.by_slug:
            return land_words(slug) if slug in self.box.land_named else slug.replace("-", " ")
        if "@" in slug:
            marks += f" charge {slug.partition('@')[2].rstrip('!')}"
        marks += " +sword" * ("+sword" in slug) + " +bow" * ("+bow" in slug) + " shooting" * slug.endswith("!")
        kind = self.box.edition.kinds[self.box.edition.by_slug[base]]
        value = f" {kind.value}" if kind.sort == 5 or kind.role == "golem" else ""
        signs = {"magic": "☆", "flying": "∞"}
        if value and kind.abilities:
            value = f" {''.join(signs.get(a, a) for a in kind.abilities)}{kind.value}"
        return f"{kind.label}{value}{marks}"

    def tiles(self, slugs: Iterable[str]) -> list[str]:
        """Tiles, equal ones counted."""
        return counted(self.tile(slug) for slug in slugs)

    def specials(self, view: KingView, seat: int) -> list[str]:
        """The special characters of a seat, short."""
        deck, lands = self.box.deck, self.box.lands
        special = {self.box.slug[tile] for tile in range(deck, lands)}
        found = [t.tile for t in view.tiles if t.tile in special and t.zone >> 3 in (2, 3) and t.seat == seat]
        return [_SHORT_SPECIALS.get(slug, self.tile(slug)) for slug in found]

    def standing(self, land: LandView) -> str:
        """What stands on a land, in words."""
        return standing_words(self.box, land)

    # -- actions

    def label(self, action: KingAction) -> str:
        """What an action is called: its word, then names and short lands."""
        word, args = action
        if word in _SEATS:
            return f"{word} {self.player(int(args[0]))}"
        if word == "give":
            return f"give {self.bare(str(args[0]))} to {self.player(int(args[1]))}"
        if word == "standing":
            return action.notation
        if word == "seek":
            return f"seek {self.bare(str(args[0]))}"
        return " ".join([word, *map(self._particular, args)])

    def _particular(self, arg: int | str) -> str:
        text = str(arg)
        if text in self.box.land_named:
            return land_code(text)
        return text if isinstance(arg, int) or text in ("+1", "-1", "one", "nothing", FIGHT) else self.tile(text)

    def bare(self, slug: str) -> str:
        """A tile's name without value and signs."""
        return self.box.edition.kinds[self.box.edition.by_slug[slug]].name

    def matching(self, typed: str, actions: Sequence[KingAction]) -> list[KingAction]:
        """The actions a text can mean: by the very name, else by the beginnings of its words, the first word or not."""
        wanted = plain(typed)
        if not wanted:
            return []
        exact = [action for action in actions if wanted in (plain(self.label(action)), plain(action.notation))]
        if exact:
            return exact[:1]
        words = wanted.split()
        for skip in (0, 1):
            found = [action for action in actions if _begins(words, plain(self.label(action)).split()[skip:])]
            if found:
                return found
        return []


def _begins(typed: Sequence[str], named: Sequence[str]) -> bool:
    """Whether every typed word begins a word of the name, in order; words in between may be left out."""
    at = 0
    for word in typed:
        while at < len(named) and not named[at].startswith(word):
            at += 1
        if at == len(named):
            return False
        at += 1
    return bool(typed)
