"""Composing an offer of a trade by hand, all of it before it is made (K53)."""

from __future__ import annotations

from muniment.core.errors import MunimentError
from muniment.games.king import King
from muniment.games.king.actions import KingAction
from muniment.games.king.state import KingState
from muniment.games.king.trade import Wares
from muniment.terminal.face import keep_together
from muniment.terminal.king.names import Names, land_code, plain

__all__ = ["OfferDraft"]

_ORDER = (("give-gold", "give-land", "give-tile"), ("ask-gold", "ask-land", "ask-special"))


class OfferDraft:
    """An offer: on either side gold, lands and tiles."""

    kind = "offer"
    full = False

    def __init__(self, wares: Wares, names: Names) -> None:
        self.names = names
        self.purses, self.lands, self.tiles = wares
        self.gold = [0, 0]
        self.picked: tuple[list[str], list[str]] = ([], [])

    def change(self, text: str) -> None:
        """Add to it: "give 10, f2, elves r3; ask 5, d1". Raises MunimentError, with nothing changed."""
        gold, picked = [*self.gold], ([*self.picked[0]], [*self.picked[1]])
        for clause in text.casefold().split(";"):
            verb, _, rest = clause.strip().partition(" ")
            if verb == "clear":
                gold, picked = [0, 0], ([], [])
                continue
            if verb not in ("give", "ask"):
                raise MunimentError(f"{clause.strip()!r}: say give THING, THING or ask THING, THING; clear begins anew")
            side = int(verb == "ask")
            for thing in filter(None, (part.strip() for part in rest.split(","))):
                amount = thing.removesuffix("gold").strip()
                if amount.isascii() and amount.isdigit():
                    if int(amount[:6]) > self.purses[side]:
                        raise MunimentError(f"there are only {self.purses[side]} gold on that side")
                    gold[side] = int(amount[:6])
                else:
                    picked[side].append(self._thing(thing, side, picked[side]))
        self.gold, self.picked = gold, picked

    def _thing(self, text: str, side: int, picked: list[str]) -> str:
        wanted = plain(text)
        for land in self.lands[side]:
            if wanted in (plain(land), land_code(land).casefold()):
                if land in picked:
                    raise MunimentError(f"{land_code(land)} is in the offer already")
                return land
        fits = [
            s for s in self.tiles[side] if plain(self.names.tile(s)).startswith(wanted) or plain(s).startswith(wanted)
        ]
        free = [slug for slug in fits if fits.count(slug) > picked.count(slug)]
        if not free:
            raise MunimentError(f"{text!r} is nothing that can be {'asked' if side else 'given'}")
        if len(set(free)) > 1 and wanted not in (plain(free[0]), plain(self.names.tile(free[0]))):
            raise MunimentError(f"{text!r} can be: {', '.join(dict.fromkeys(map(self.names.tile, free)))}")
        return free[0]

    def summary(self) -> str:
        """The offer so far."""
        sides = []
        for side, verb in enumerate(("you give", "you ask")):
            parts = [f"{self.gold[side]} gold"] if self.gold[side] else []
            parts += [self.names.tile(thing) for thing in self.picked[side]]
            sides.append(f"{verb} {', '.join(parts) or 'nothing'}")
        return "; ".join(sides)

    def wares(self) -> list[str]:
        """What can be offered and asked, in lines."""
        told = []
        for side, verb in enumerate(("give", "ask")):
            things = [f"{self.purses[side]} gold", *map(land_code, self.lands[side])]
            things += map(keep_together, self.names.tiles(self.tiles[side]))
            told.append(f"{verb}: {', '.join(things)}")
        return told

    def sequence(self, game: King, state: KingState, seat: int) -> list[KingAction]:
        """The actions that make the offer. Raises MunimentError if the game does not take them."""
        found: list[KingAction] = []

        def play(action: KingAction) -> None:
            game.play(state, action, seat)
            found.append(action)

        for side, (coins, lands, tiles) in enumerate(_ORDER):
            play(KingAction(coins, (self.gold[side],)))
            for word in (lands, tiles):
                left = [thing for thing in self.picked[side] if (thing in self.lands[side]) == (word == lands)]
                while left:
                    legal = game.legal_actions(state, seat)
                    chosen = next((a for a in legal if a.word == word and a.args[0] in left), None)
                    if chosen is None:
                        raise MunimentError(f"{self.names.tile(left[0])} cannot be part of it")
                    left.remove(str(chosen.args[0]))
                    play(chosen)
                play(KingAction("done"))
        return found
