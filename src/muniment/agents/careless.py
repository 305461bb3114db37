"""The agent ``careless``: a greedy player of King of the Tabletop, the steward without its care, to measure it by.

It grabs what it can at once: it tries for the strongest special character whatever the odds, buys as many tiles as it
has gold for, pays any price for land, builds wherever there is gold, attacks whoever has most, spreads its armies in
the order in which they come, and uses every item at the first chance.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar, Final

from muniment.agents.steward.player import Choose, Steward
from muniment.agents.steward.table import Table
from muniment.core.chance import Source
from muniment.games.king.actions import KingAction
from muniment.games.king.views import KingView

__all__ = ["Careless"]


def _seek(t: Table, legal: Sequence[KingAction]) -> KingAction:
    """The strongest, whatever the odds."""
    seeking = [action for action in legal if action.word == "seek"]
    return max(seeking, key=lambda action: (t.lore.fighter(str(action.args[0])).value, action)) if seeking else legal[0]


def _build(t: Table, legal: Sequence[KingAction]) -> KingAction:
    """The first thing that can be built."""
    return next((action for action in legal if action.word in ("place", "fort", "cash")), t.box.done)


def _bid(t: Table, legal: Sequence[KingAction]) -> KingAction:
    """More than the highest bid, to the last gold piece."""
    return next((action for action in legal if action.word == "bid"), t.box.passing)


def _commit(t: Table, legal: Sequence[KingAction]) -> KingAction:
    """Everybody."""
    return next((action for action in legal if action.word == "commit"), legal[0] if len(legal) == 1 else t.box.done)


def _purchase(_t: Table, legal: Sequence[KingAction]) -> KingAction:
    """As many as the gold allows."""
    return max((action for action in legal if action.word == "purchase"), key=lambda action: action.args)


def _attack(t: Table, legal: Sequence[KingAction]) -> KingAction:
    """Always: whoever has most prestige."""
    found = [action for action in legal if action.word == "attack"]
    return max(found, key=lambda action: (t.view.prestige[int(action.args[0])], action)) if found else t.box.peace


def _magic(t: Table, legal: Sequence[KingAction]) -> KingAction:
    """The first item that can be used, on itself if it is one for allies and on another if it harms."""
    for action in legal:
        if action.word in ("mist", "dust", "wall", "talisman") and t.war("attacker") != t.me:
            return action
        if action == t.box.golem_to[t.me]:
            return action
        if action.word == "dispell" and action.args[0] != t.me:
            return action
    return t.box.passing


def _charm(t: Table, legal: Sequence[KingAction]) -> KingAction:
    """One pip more, at once."""
    return next((action for action in legal if action.word == "charm"), t.box.passing)


def _deed(t: Table, legal: Sequence[KingAction]) -> KingAction:
    """Always, on the next player."""
    return next((action for action in legal if action.word in ("rob", "kill")), t.box.passing)


def _buy(t: Table, legal: Sequence[KingAction]) -> KingAction:
    """At any price."""
    return t.box.buy if t.box.buy in legal else t.box.passing


def _first(_t: Table, legal: Sequence[KingAction]) -> KingAction:
    return legal[0]


_CHOICES: Final[Mapping[str, Choose]] = {
    **Steward.choices,
    "special": _seek,
    "build": _build,
    "for-sale": _buy,
    "bid": _bid,
    "commit": _commit,
    "purchase": _purchase,
    "war": _attack,
    "battle": _first,
    "bear": _first,
    "hit": _first,
    "run": _first,
    "stop": _magic,
    "charm": _charm,
    "deed-choice": _deed,
}


class Careless(Steward):
    """The steward with the choices of this module in place of its own; line-ups go round the lands in order."""

    name = "careless"
    choices: ClassVar[Mapping[str, Choose]] = _CHOICES

    def choose(self, view: KingView, legal: Sequence[KingAction], source: Source) -> KingAction:
        """As the steward chooses, but for what it is careless of."""
        if view.frames[-1].kind == "line":
            lines = [action for action in legal if action.word == "line"]
            return lines[len(view.frames[-1].data) % len(lines)]
        return super().choose(view, legal, source)
