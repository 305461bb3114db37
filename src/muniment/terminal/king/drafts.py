"""Drafts: large choices composed by hand in any order, and sent as one sequence, accepted or refused as one.

The game asks for them tile by tile in a canonical order. A draft holds what has been picked so far, in any order; when
it is done it finds the sequence on a copy of the state, so that nothing is sent that would not be taken to its end.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import Final

from muniment.core.errors import MunimentError
from muniment.games.king import King
from muniment.games.king.actions import KingAction
from muniment.games.king.picking import HitsAsked, hits_asked, most_picks, pickable
from muniment.games.king.state import ARMY, FIELD, KingState
from muniment.games.king.views import KingView
from muniment.games.king.war import cost
from muniment.terminal.king.names import Names, counted, land_code, plain

__all__ = ["LineDraft", "PickDraft", "numbers_of"]

_RANGE: Final = re.compile(r"(\d{1,3})(?:-(\d{1,3}))?")


def numbers_of(text: str, most: int, least: int = 1) -> list[int] | None:
    """Numbers and ranges, "2 5 7" or "1-4,9"; None if the text is something else. Raises MunimentError out of range."""
    words = text.replace(",", " ").split()
    found: list[int] = []
    for word in words:
        match = _RANGE.fullmatch(word)
        if match is None:
            return None
        first, last = int(match[1]), int(match[2] or match[1])
        if not least <= first <= last <= most:
            raise MunimentError(f"{word!r}: they are numbered from {least} to {most}")
        found += range(first, last + 1)
    return found or None


class PickDraft:
    """Picks of tiles: mustering, an army to send, reserves, hits, the dead to revive.

    items: every tile that can be picked, equal ones each. Raises nothing; ``change`` does.
    """

    def __init__(self, view: KingView, names: Names, legal: Sequence[KingAction]) -> None:
        self.names = names
        self.kind = view.awaited.kind
        self.word = next((a.word for a in legal if a.args and a.word == self.kind), self.kind)
        self._hits = hits_asked(view)
        slugs = [str(a.args[0]) for a in legal if a.word == self.word]
        if self._hits is None:
            self.items, self.most = pickable(view, self.kind, slugs), most_picks(view, self.kind)
        else:
            self.items, self.most = _targets(self._hits, slugs)
        self.picked: set[int] = set()
        self.may_decline = any(a.word == "decline" for a in legal)

    def change(self, text: str) -> None:
        """Add, take away ("-2", "-elves"), "all", "none". Raises MunimentError, with nothing changed."""
        wanted = set(self.picked)
        for part in _parts(text):
            away = part.startswith("-")
            body = part[1:].strip() if away else part
            for at in self._meant(body, wanted, away=away):
                if away:
                    wanted.discard(at)
                elif at in wanted:
                    raise MunimentError(f"{self.names.tile(self.items[at])} ({at + 1}) is picked already")
                else:
                    wanted.add(at)
            if body in ("none", "clear"):
                wanted = set()
        if self.most is not None and len(wanted) > self.most:
            raise MunimentError(f"that is {len(wanted)}; it can be {self.most} at most")
        self.picked = wanted

    def _meant(self, body: str, wanted: set[int], *, away: bool) -> list[int]:
        if body in ("none", "clear"):
            return []
        numbers = numbers_of(body, len(self.items))
        if numbers is not None:
            return [number - 1 for number in numbers]
        every = body == "all" or body.startswith("all ")
        name = plain(body.removeprefix("all").strip() if every else body)
        fits = [at for at, slug in enumerate(self.items) if _named(name, slug, self.names)]
        if not fits:
            raise MunimentError(f"{body!r} is none of the tiles to pick from")
        free = [at for at in fits if (at in wanted) == away]
        if every:
            return free
        if len({self.items[at] for at in fits}) > 1:
            could = ", ".join(dict.fromkeys(self.names.tile(self.items[at]) for at in fits))
            raise MunimentError(f"{body!r} can be: {could}")
        if not free:
            raise MunimentError(f"{body!r} is {'not picked' if away else 'picked already'}")
        return free[:1]

    @property
    def slugs(self) -> list[str]:
        """What is picked."""
        return [self.items[at] for at in sorted(self.picked)]

    @property
    def full(self) -> bool:
        """Whether nothing more is to be picked, so that it can be sent at once."""
        return self.kind == "hit" and len(self.picked) == self.most

    def summary(self) -> str:
        """The picks so far, and what they cost."""
        told = ", ".join(counted(self.names.tile(slug) for slug in self.slugs)) or "nobody"
        number = len(self.picked)
        if self.kind == "send":
            return f"{number} tile{'s' * (number != 1)} for {cost(number)} gold: {told}"
        if self.kind == "hit":
            return f"{number} of {self.most} hits: {told}"
        return f"{number} tile{'s' * (number != 1)}: {told}"

    def sequence(self, game: King, state: KingState, seat: int) -> list[KingAction]:
        """The actions that carry the picks out. Raises MunimentError if the game does not take them."""
        found, rest = self._in_order(game, state, seat)
        if rest:
            together = ", ".join(self.names.tile(slug) for slug in rest)
            raise MunimentError(f"{together} cannot be picked together with the others")
        if self.kind == "hit":
            return found
        done = KingAction("done")
        refusal = game.refusal(state, done, seat)
        if refusal is not None:
            raise MunimentError(f"{refusal.sentence} ({refusal.rule})")
        return [*found, done]

    def _in_order(self, game: King, state: KingState, seat: int) -> tuple[list[KingAction], list[str]]:
        """The picks as the game asks for them, carried out; and those that it does not take."""
        if self._hits is not None:
            slugs, rest = self._hits.assigned(self.slugs)
            hits = [KingAction("hit", (slug,)) for slug in slugs]
            for action in hits:
                game.apply(state, action, seat)
            return hits, rest
        left, found = Counter(self.slugs), list[KingAction]()
        while True:
            legal = game.legal_actions(state, seat)
            chosen = next((a for a in legal if a.word == self.word and left[str(a.args[0])] > 0), None)
            if chosen is None:
                return found, list((+left).elements())
            left[str(chosen.args[0])] -= 1
            game.apply(state, chosen, seat)
            found.append(chosen)


def _parts(text: str) -> list[str]:
    """What stands between commas; numbers and ranges may stand without."""
    found: list[str] = []
    for part in text.casefold().split(","):
        words = part.split()
        if words and all(_RANGE.fullmatch(word.removeprefix("-")) for word in words):
            found += words
        elif words:
            found.append(" ".join(words))
    return found


def _targets(hits: HitsAsked, legal: Sequence[str]) -> tuple[list[str], int]:
    """Who can take hits, sword and bow first, and how many hits there are to place (K37, K38)."""
    who, placing = hits.who, hits.placing
    tokens = [hits.name(at) for at in (who.excess if placing.step == 2 else who.first)[placing.at :]]
    return [*[slug for slug in legal if slug not in tokens], *tokens], placing.left


def _named(typed: str, slug: str, names: Names) -> bool:
    words = typed.split()
    for name in (plain(slug), plain(names.tile(slug))):
        parts = name.split()
        if typed == name or (
            len(words) <= len(parts) and all(p.startswith(w) for p, w in zip(parts, words, strict=False))
        ):
            return True
    return not words


# -- lining up (K30)


class LineDraft:
    """A line-up: every tile at a land. items: the tiles still to be placed, in the game's order; lands: where to."""

    kind = "line"

    def __init__(self, view: KingView, names: Names) -> None:
        self.names = names
        attacking = view.war_side(0) == view.seat
        zone = (FIELD if attacking else ARMY) | view.seat
        waiting = int(view.frames[-1].data[0])
        self.lands: list[str] = [land.land for land in view.lands[view.war_side(1)]]
        done = Counter(str(slug) for slug in view.frames[-1].data[1:])
        self.items: list[str] = []
        order = view.box.edition.by_slug
        for tile in sorted((t for t in view.tiles if t.zone == zone), key=lambda t: order[t.tile]):
            if tile.place == waiting and not done[tile.tile]:
                self.items.append(tile.tile)
        self.places: dict[int, str] = {}
        if len(self.lands) == 1:
            self.places = dict.fromkeys(range(len(self.items)), self.lands[0])

    def change(self, text: str) -> None:
        """Place tiles: "2 5 f2, goblins d1, rest f3". Raises MunimentError, with nothing changed."""
        places = dict(self.places)
        for part in text.casefold().split(","):
            words = part.split()
            if not words:
                continue
            if words in (["clear"], ["none"]):
                places = {}
                continue
            land = self._land(" ".join(words[-2:])) or self._land(words[-1])
            if land is None or len(words) < 2:
                raise MunimentError(
                    f"{part.strip()!r}: say which tiles and which land, as 1 2 {land_code(self.lands[0])}"
                )
            body = words[:-1] if self._land(words[-1]) else words[:-2]
            for at in self._meant(" ".join(body), places):
                places[at] = land
        self.places = places

    def _land(self, text: str) -> str | None:
        wanted = plain(text)
        return next((land for land in self.lands if wanted in (plain(land), land_code(land).casefold())), None)

    def _meant(self, body: str, places: dict[int, str]) -> list[int]:
        if body == "all":
            return list(range(len(self.items)))
        if body == "rest":
            return [at for at in range(len(self.items)) if at not in places]
        numbers = numbers_of(body, len(self.items))
        if numbers is not None:
            return [number - 1 for number in numbers]
        every = body.startswith("all ")
        name = plain(body.removeprefix("all ").strip())
        fits = [at for at, slug in enumerate(self.items) if _named(name, slug, self.names)]
        if not fits:
            raise MunimentError(f"{body!r} is none of the tiles to line up")
        if every:
            return fits
        if len({self.items[at] for at in fits}) > 1:
            could = ", ".join(dict.fromkeys(self.names.tile(self.items[at]) for at in fits))
            raise MunimentError(f"{body!r} can be: {could}")
        return [at for at in fits if at not in places][:1] or fits[:1]

    def summary(self) -> str:
        """Who stands where so far, and who is left."""
        parts = []
        for land in self.lands:
            there = [self.names.tile(self.items[at]) for at in sorted(self.places) if self.places[at] == land]
            if there:
                parts.append(f"{land_code(land)}: {', '.join(counted(there))}")
        left = len(self.items) - len(self.places)
        return "; ".join([*parts, f"{left} to be placed" if left else "all placed, done sends it"])

    @property
    def full(self) -> bool:
        """A line-up is sent by done only."""
        return False

    def sequence(self, game: King, state: KingState, seat: int) -> list[KingAction]:
        """The actions that carry the line-up out. Raises MunimentError if tiles are left or the game refuses."""
        left = len(self.items) - len(self.places)
        if left:
            raise MunimentError(f"{left} tile{'s are' if left > 1 else ' is'} not placed; rest LAND places them all")
        wanted = Counter((self.items[at], land) for at, land in self.places.items())
        found: list[KingAction] = []
        for _ in self.items:
            legal = [a for a in game.legal_actions(state, seat) if a.word == "line"]
            chosen = next((a for a in legal if wanted[str(a.args[0]), str(a.args[1])] > 0), None)
            if chosen is None:
                raise MunimentError("the line-up no longer fits; clear and line up again")
            wanted[str(chosen.args[0]), str(chosen.args[1])] -= 1
            game.apply(state, chosen, seat)
            found.append(chosen)
        return found
