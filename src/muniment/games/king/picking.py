"""Large choices as the player who makes them sees them: tiles to pick, and hits to place (K37, K38).

The game asks for them one by one in its own order; a page or a terminal lets them be chosen in any order.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from muniment.games.king.battle import fighter_token
from muniment.games.king.box import Box
from muniment.games.king.casualties import BOW_TAKES, SWORD_TAKES, Placing, Targets, assigned, resumed, targets
from muniment.games.king.combat import Fighter
from muniment.games.king.state import ARMY, DEAD, FIELD, HAND
from muniment.games.king.views import KingView

__all__ = ["PICKS", "HitsAsked", "hits_asked", "most_picks", "pickable"]

PICKS: Final = ("muster", "send", "commit", "reserve", "revive")
"""Words of the decisions that pick tiles and are closed with "done"."""
_ZONES: Final = {"muster": HAND, "send": ARMY, "commit": ARMY, "revive": DEAD}


def pickable(view: KingView, word: str, slugs: Sequence[str]) -> list[str]:
    """The tiles that the view's seat can pick, equal ones each. slugs: those that the game names, in its order."""
    frame = view.frames[-1]
    zone = (ARMY if frame.data[0] else FIELD) if word == "reserve" else _ZONES[word]
    left = Counter(tile.tile for tile in view.tiles if tile.zone == zone | view.seat)
    left.subtract(datum for datum in frame.data if isinstance(datum, str))  # picked already
    return [slug for slug in slugs for _ in range(left[slug])]


def most_picks(view: KingView, word: str) -> int | None:
    """How many tiles can still be picked, None if as many as there are: by gold (K28), by the talisman's die (K40)."""
    data = view.frames[-1].data
    picked = sum(isinstance(datum, str) for datum in data)
    if word == "revive":
        return int(data[0]) - picked
    return 2 * view.gold[view.seat] - picked if word == "send" else None


@dataclass(frozen=True, slots=True)
class HitsAsked:
    """Hits that a seat is asked to place. who: which fighters can take any. placing: how they are placed so far."""

    box: Box
    fighters: tuple[Fighter, ...]
    who: Targets
    placing: Placing

    def name(self, recipient: int) -> str:
        """What the action ``hit`` calls a recipient."""
        if recipient in (SWORD_TAKES, BOW_TAKES):
            return self.box.slug[self.box.sword if recipient == SWORD_TAKES else self.box.bow]
        return fighter_token(self.box, self.fighters[recipient])

    def assigned(self, names: Sequence[str]) -> tuple[list[str], list[str]]:
        """The choices, in the game's order, that lay a hit on each of these, and those that can take none together."""
        return assigned(self.who, self.placing, names, self.name)


def hits_asked(view: KingView) -> HitsAsked | None:
    """The hits that the view's seat is asked to place; None if it is asked something else."""
    frame, battle = view.frames[-1], view.battle
    if frame.kind != "hit" or frame.seat != view.seat or battle is None:
        return None
    side, *chosen = (int(datum) for datum in frame.data)
    fighters = battle.defenders if side else battle.attackers
    who = targets(fighters, battle.stage, view.dispelled == view.seat)
    return HitsAsked(view.box, fighters, who, resumed(who, battle.hits[side], chosen))
