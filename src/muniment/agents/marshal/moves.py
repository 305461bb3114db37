"""What the marshal considers at a decision. A move says how it begins and, for line-ups and squads, how it goes on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from muniment.agents.marshal.reflex import Plan, Reflex
from muniment.core.chance import Source
from muniment.games.king.actions import BID, KingAction
from muniment.games.king.game import King
from muniment.games.king.state import ARMY, FIELD, KingState
from muniment.games.king.views import KingView

__all__ = [
    "SHARES", "Move", "begin", "carry_out", "line_moves", "line_variants", "next_step", "plain_moves", "squad_moves"
]  # fmt: skip

SHARES: Final[Mapping[str, float]] = {
    "build": 1.0,
    "line": 1.0,
    "war": 1.0,
    "purchase": 0.7,
    "special": 0.7,
    "commit": 0.7,
    "for-sale": 0.5,
    "bid": 0.4,
    "run": 0.4,
    "stop": 0.5,
    "charm": 0.4,
    "workers": 0.4,
    "deed-choice": 0.4,
    "add": 0.3,
    "deal": 0.3,
}
"""The decisions that are searched, and the share of the budget that each deserves; the others follow the doctrine."""

_WORDS: Final[Mapping[str, frozenset[str]]] = {
    "build": frozenset(("done", "fort", "place", "cash")),
    "war": frozenset(("peace", "attack")),
    "purchase": frozenset(("purchase",)),
    "special": frozenset(("pass", "seek")),
    "for-sale": frozenset(("pass", "buy")),
    "bid": frozenset(("pass", "bid")),
    "run": frozenset(("run", "stand")),
    "stop": frozenset(("pass", "mist", "golem", "dispell", "wall", "dust", "talisman")),
    "charm": frozenset(("pass", "charm")),
    "workers": frozenset(("improve",)),
    "deed-choice": frozenset(("pass", "rob", "kill")),
    "add": frozenset(("add",)),
    "deal": frozenset(("accept", "decline")),
}
"""What is considered at each: what else may be done at any time (K9) is left to its own moment."""
_MOST_FORTS: Final = 4
_SQUADS: Final = (0, 1, 2, 3, 4, 6, 9, 99)
_VARIANTS: Final = 8
_TRIES: Final = 32
_ORDER: Final = {"place": 0, "fort": 1, "done": 2, "cash": 3}


@dataclass(frozen=True, slots=True)
class Move:
    """action: the first of it. line: of a line-up, by name of tile, the lands for each of these tiles in order.

    squad: of a fight, the names of who is committed.
    """

    action: KingAction
    line: tuple[tuple[str, tuple[str, ...]], ...] = ()
    squad: tuple[str, ...] = ()


def begin(view: KingView) -> KingView:
    """The view as it was when its seat began the line-up or squad that it is at: nothing of it is decided yet."""
    top = view.frames[-1]
    kept = 1 if top.kind == "line" else 2
    if len(top.data) == kept:
        return view
    frames = (*view.frames[:-1], top._replace(data=top.data[:kept]))
    if top.kind != "line":
        return replace(view, frames=frames)
    waiting, placed = int(top.data[0]), Counter(str(slug) for slug in top.data[1:])
    zones, kind = (ARMY | view.seat, FIELD | view.seat), view.box.edition.by_slug
    tiles = []
    for tile in view.tiles:
        if tile.zone in zones and tile.place != waiting and placed[tile.tile]:
            placed[tile.tile] -= 1
            tile = tile._replace(place=waiting)  # noqa: PLW2901
        tiles.append(tile)
    return replace(view, frames=frames, tiles=tuple(sorted(tiles, key=lambda tile: (kind[tile.tile], tile))))


def next_step(view: KingView, legal: Sequence[KingAction], move: Move) -> KingAction | None:
    """How the move goes on in the middle of its line-up or squad; None if it does not fit."""
    top = view.frames[-1]
    if top.kind == "line":
        slug = str(legal[0].args[0])
        lands = dict(move.line).get(slug, ())
        number = sum(done == slug for done in top.data[1:])
        if number >= len(lands):
            return None
        wanted = view.box.line[view.box.tiles_named(slug)[0]][view.box.land_named[lands[number]]]
        return wanted if wanted in legal else None
    left = Counter(move.squad)
    left.subtract(str(slug) for slug in top.data[2:])
    if not move.squad:
        return view.box.decline if view.box.decline in legal else None
    for action in legal:
        if action.word == "commit" and left[str(action.args[0])] > 0:
            return action
    return view.box.done if view.box.done in legal else None


def carry_out(game: King, s: KingState, move: Move) -> None:
    """Make the move in a re-dealt state."""
    f = s.frames[-1]
    seat, box = f.seat, game.box
    if move.line:
        for tile, land in _planned(s, move).items():
            game.apply(s, box.line[tile][land], seat)
    elif move.squad:
        left = Counter(move.squad)
        while s.frames[-1].kind == "commit":
            action = box.done
            for option in game.legal_actions(s, seat):
                if option.word == "commit" and left[str(option.args[0])] > 0:
                    left[str(option.args[0])] -= 1
                    action = option
                    break
            game.apply(s, action, seat)
    else:
        game.apply(s, move.action, seat)


def _waiting(s: KingState) -> list[int]:
    """The tiles that are still to be lined up, at the top frame."""
    f, w, place = s.frames[-1], s.war, s.place
    assert w is not None
    return [tile for tile in (s.field if f.seat == w.attacker else s.army[f.seat]) if place[tile] == f.data[0]]


def _planned(s: KingState, move: Move) -> Plan:
    """Where a line-up as a move puts these."""
    named, slug = s.box.land_named, s.box.slug
    left = {name: list(lands) for name, lands in move.line}
    return {tile: named[left[slug[tile]].pop(0)] for tile in _waiting(s)}


def plain_moves(view: KingView, legal: Sequence[KingAction], first: KingAction, quick: Reflex) -> list[Move]:
    """One move an action, the doctrine's choice first."""
    kind = view.frames[-1].kind
    found = [a for a in legal if a != first and a.word in _WORDS[kind]]
    if kind == "special":
        bonus = view.prestige[view.seat] // 10
        merit = {a: quick.home.merit(view.box.tiles_named(str(a.args[0]))[0], bonus) if a.args else 0.0 for a in found}
        found = sorted([a for a in found if merit[a] > 0], key=lambda a: (-merit[a], a))[:5]
    elif kind == "build":
        found.sort(key=lambda a: (_ORDER[a.word], a))
        found = _buildings(view, found)
    elif kind == "stop" and view.stop != "answer":
        found = [a for a in found if a.word != "dispell"]
    elif kind == "bid":
        least = BID(int(view.frames[-1].data[2]) + 1)
        found = [a for a in found if a in (least, view.box.passing)]
    return [Move(first), *[Move(a) for a in found]]


def _buildings(view: KingView, found: Sequence[KingAction]) -> list[KingAction]:
    """The greatest forts and the best settled lands, the least treasure, and nothing at all."""
    box, merit = view.box, dict[str, tuple[int, int]]()
    for land in view.lands[view.seat]:
        merit[land.land] = (land.fort, box.value[box.tiles_named(land.improvement)[0]] if land.improvement else 0)
    forts = sorted([a for a in found if a.word == "fort"], key=lambda a: merit[str(a.args[0])], reverse=True)
    cash = sorted([a for a in found if a.word == "cash"], key=lambda a: box.value[box.tiles_named(str(a.args[0]))[0]])
    return [*forts[:_MOST_FORTS], *[a for a in found if a.word in ("done", "place")], *cash[:1]]


def squad_moves(view: KingView, first: Sequence[str], quick: Reflex) -> list[Move]:
    """Nobody, or so many of the strongest, with sword and bow."""
    box = view.box
    army = [box.tiles_named(tile.tile)[0] for tile in view.tiles if tile.zone == ARMY | view.seat]
    fighters = sorted([t for t in army if box.fights[t]], key=lambda t: (-quick.worth.dice[t], t))
    arms = [box.slug[t] for t in army if not box.fights[t]]
    squads = [tuple(sorted(first))]
    for number in sorted({min(number, len(fighters)) for number in _SQUADS}):
        squad = tuple(sorted([*[box.slug[t] for t in fighters[:number]], *(arms if number else [])]))
        if squad not in squads:
            squads.append(squad)
    return [Move(box.decline, squad=squad) for squad in squads]


def line_moves(view: KingView, s: KingState, first: Mapping[str, Sequence[int]], quick: Reflex) -> list[Move]:
    """Line-ups: the doctrine's, the quick player's, then ones that spread or gather at what is worth most.

    s: any re-dealt state; all of the seat's own tiles are the same in each.
    """
    box, f, w = view.box, s.frames[-1], s.war
    seat, waiting = f.seat, int(f.data[0])
    assert w is not None
    attacking = seat == w.attacker
    mine = _waiting(s)
    lands = s.lands[w.defender]
    plans: list[Plan] = []

    def add(plan: Plan) -> None:
        whole = quick.lineup.ordered({t: plan.get(t, lands[0]) for t in mine}, lands)
        if whole not in plans:
            plans.append(whole)

    waiting_lands = {slug: list(there) for slug, there in first.items()}
    add({t: waiting_lands[box.slug[t]].pop(0) for t in mine if waiting_lands.get(box.slug[t])})
    add(quick.lineup.plan(s, seat, waiting))
    fighters = sorted([t for t in mine if box.fights[t]], key=lambda t: -quick.worth.dice[t])
    if attacking:
        taken = quick.worth.menace(s, w.defender)
        stake = {land: quick.worth.prize(s, seat, land, taken) for land in lands}
    else:
        stake = {land: quick.worth.loss(s, land) for land in lands}
    dear = sorted(lands, key=lambda land: -stake[land])
    weak = sorted(lands, key=lambda land: -stake[land] / (1 + 0.9 * quick.worth.defence(s, land)))
    most = len(fighters)
    for order, width in ((weak, most), (weak, (most + 1) // 2), (weak, 3), (dear, 1), (dear, 2), (dear, 4)):
        there = order[: max(1, width)]
        add(dict.fromkeys(mine, there[0]) | {t: there[at % len(there)] for at, t in enumerate(fighters)})
    return [_line_move(box.slug, box.land_slug, plan, view) for plan in plans]


def line_variants(view: KingView, s: KingState, best: Move, quick: Reflex, source: Source) -> list[Move]:
    """A line-up, then ones that differ from it by a tile moved or two tiles exchanged, drawn at random.

    s: as for ``line_moves``. Defenders that line up last are moved only to lands that are attacked or held already.
    """
    box, w, plan = view.box, s.war, _planned(s, best)
    assert w is not None
    lands = s.lands[w.defender]
    attacked = {s.place[t] for t in s.field} & set(lands)
    defending = s.frames[-1].seat == w.defender
    spots = sorted(attacked | set(plan.values())) if defending and attacked else lands
    fighters = [t for t in plan if box.fights[t]] or list(plan)
    plans = [quick.lineup.ordered(dict(plan), lands)]
    for _ in range(_TRIES):
        if len(plans) > _VARIANTS:
            break
        new = dict(plan)
        one, other = fighters[source.below(len(fighters))], fighters[source.below(len(fighters))]
        if source.below(2):
            new[one], new[other] = new[other], new[one]
        else:
            new[one] = spots[source.below(len(spots))]
        new = quick.lineup.ordered(new, lands)
        if new not in plans:
            plans.append(new)
    return [_line_move(box.slug, box.land_slug, plan, view) for plan in plans]


def _line_move(slugs: Sequence[str], land_slugs: Sequence[str], plan: Plan, view: KingView) -> Move:
    line: dict[str, list[str]] = {}
    for tile in sorted(plan):
        line.setdefault(slugs[tile], []).append(land_slugs[plan[tile]])
    first = min(plan)
    return Move(view.box.line[first][plan[first]], line=tuple([(slug, tuple(there)) for slug, there in line.items()]))
