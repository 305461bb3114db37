"""The agent ``captain``: a hand-written policy for 9 Card Siege.

It thinks like a careful player with the seven cards spread out beside the table. For every action it asks the rules
what the die can bring, imagines that the turn ended there, and weighs up the table: how long will the wall stand
against the trebuchets that are left, how long will the food last, can the people's courage survive what is still
printed on the cards, how close are the enemy's units and how often will they be ordered forward? Each worry is a
*danger* that grows exponentially as the margin shrinks, so that the weakest point of the fortress counts most; the
chance to hold out is e to the minus sum of all dangers. It takes the action with the best expected chance.

It never looks more than one action ahead, and it knows nothing that a player does not: the view, and the printed cards.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp

from muniment.core.agent import Agent
from muniment.core.chance import Source
from muniment.games.siege.actions import ACTIONS, END_TURN, EXTRA_MORALE, EXTRA_SUPPLIES, SiegeAction
from muniment.games.siege.edition import Division, SiegeEdition, StatusChange
from muniment.games.siege.endings import WON
from muniment.games.siege.game import Siege
from muniment.games.siege.outcomes import D6, SiegeOutcome
from muniment.games.siege.rolls import Modifiers
from muniment.games.siege.state import OVER, ROLL, SiegeState
from muniment.games.siege.terms import (
    CASTLE,
    CIRCLE,
    CLOSE_COMBAT,
    DAYS,
    ENEMY_LINES,
    FAR_TUNNEL,
    MAX_STATUS,
    MORALE,
    NEAR_TUNNEL,
    STATUSES,
    SUPPLIES,
    UNITS,
    WALL,
)
from muniment.games.siege.view import SiegeView, state_from_view

__all__ = ["Captain", "Forecast"]

_END = next(action for action in ACTIONS if action.kind == END_TURN)
_HOPELESS = 30.0  # the greatest exponent: cards of anybody's own can be beyond all measure
_MOST_REMEMBERED = 200_000
_BETTER = 1 + 1e-9  # so that the order of actions decides between equals on every machine

# What an attack by so many trebuchets takes off the wall, on average (7.2).
_WALL_PER_ATTACK = (0.0, 0.5, 1.0, 2.0)


@dataclass(frozen=True, slots=True)
class Danger:
    """How a worry grows. size: the danger at a margin of 0. steepness: by which power of e each point of margin helps.

    share: how much of the troubles ahead is taken off the margin, since some can still be averted (below 1), or since
    they tend to come with others (above 1).
    """

    size: float
    steepness: float
    share: float = 0.0

    def __call__(self, margin: float) -> float:
        """The danger at this margin."""
        return self.size * exp(min(-self.steepness * margin, _HOPELESS))


@dataclass(frozen=True, slots=True)
class Forecast:
    """What the cards hold in store, from a turn's start on: the rest of this day's, and all of the days to come.

    attacks: trebuchet attacks. next_attack: the chance that the next card is one. orders, next_orders: for each unit,
    how often it is ordered forward, and the chance that the next card does so ("slowest" counts for every unit).
    losses: of wall, morale and supplies by events and meals. cards_left: today.
    """

    attacks: int
    next_attack: float
    orders: tuple[int, ...]
    next_orders: tuple[float, ...]
    losses: tuple[int, ...]
    cards_left: int

    @classmethod
    def of(cls, edition: SiegeEdition, day: int, deck: int) -> Forecast:
        """The forecast while these cards are left on this day, at least one."""
        today = [card.divisions[day - 1] for index, card in enumerate(edition.cards) if deck >> index & 1]
        ahead = today + [card.divisions[d - 1] for d in range(day + 1, DAYS + 1) for card in edition.cards]
        changes = [event for division in ahead for event in division.events if isinstance(event, StatusChange)]
        losses = [-sum(event.change for event in changes if event.track == track) for track in STATUSES]
        losses[SUPPLIES] += DAYS - day + 1  # meals (11.0)
        return cls(
            attacks=sum(division.is_trebuchet_attack for division in ahead),
            next_attack=sum(division.is_trebuchet_attack for division in today) / len(today),
            orders=tuple(sum(_orders(division, unit) for division in ahead) for unit in UNITS),
            next_orders=tuple(sum(_orders(division, unit) for division in today) / len(today) for unit in UNITS),
            losses=tuple(losses),
            cards_left=len(today),
        )


def _orders(division: Division, unit: int) -> bool:
    return division.slowest or unit in division.orders


# The figures below were found by playing variants over the same seeds. A margin of 1 is one point of a status, or one
# space of a track.

# The wall against all trebuchet attacks to come, at the present number of trebuchets; and against the next card alone.
SHELLING = Danger(1.0048411063529432, 0.23761139855327218, share=0.7894071363135716)
NEXT_SHELLING = Danger(0.7493381762856578, 0.6166368574609187, share=1.9376304291568973)
# Food against spoiling and meals. Raided supplies count in part, by the place of the soldiers who carry them.
HUNGER = Danger(1.031862188702769, 0.9657164386122936, share=1.2866834571897237)
CARRIED = {CASTLE: 0.0, NEAR_TUNNEL: 1.0, FAR_TUNNEL: 0.4966149319517041, ENEMY_LINES: 0.33634142083409}
# Morale against events, and against the enemy's danger, since every unit that reaches close combat costs morale.
DESPAIR = Danger(2.8877616994485815, 2.885288064234489, share=1.0)
DESPAIR_OF_ENEMY = 0.1925116647896078
# Each unit outside close combat: its distance against all its orders to come; and against the next card alone. One in
# close combat is no danger by itself, it cannot be ordered any more (S9).
ADVANCE = tuple(
    Danger(size, 0.42361818502205534, share=0.516195024305231)
    for size in (0.4173857342237687, 0.20674250413009437, 0.26679886004744496)
)
NEXT_ADVANCE = tuple(
    Danger(size, 0.5227251336868, share=0.8962985907370472)
    for size in (0.5632183851673305, 0.6115066990252153, 0.2851825987101289)
)
# Each unit on the circle while one is in close combat; and several on the circle.
FOLLOWER = 0.35661759446366004
PAIR = 0.149487917102156
# What soldiers outside are good for, for every point that the wall and the food will lose: all of it in the enemy
# lines, a share of it in the tunnel. They are exposed there, but least in the last turns of a day.
ERRAND_FOR_WALL = 0.01711757712358514
ERRAND_FOR_FOOD = 0.1972663928525376
ERRAND = {CASTLE: 0.0, NEAR_TUNNEL: 0.27965362125121557, FAR_TUNNEL: 0.5916565279976951, ENEMY_LINES: 1.0}
EXPOSED = {CASTLE: 0.0, NEAR_TUNNEL: 0.0, FAR_TUNNEL: 0.15137438315902887, ENEMY_LINES: 0.3390677831340653}
LATE_IN_THE_LINES = 0.06913773014344954


class Captain(Agent[SiegeAction, SiegeView]):
    """Takes the action after which the fortress has the best chance to hold out, as it judges it."""

    name = "captain"

    def __init__(self, rules: Siege) -> None:
        """rules: the game as it is played, its edition and options; no position."""
        self.rules = rules
        self._forecasts: dict[tuple[int, int], Forecast] = {}
        self._cases: dict[tuple[int, Modifiers], tuple[tuple[int, SiegeOutcome], ...]] = {}
        self._chances: dict[tuple[int, ...], float] = {}

    def choose(self, view: SiegeView, legal: Sequence[SiegeAction], source: Source) -> SiegeAction:
        """The action with the best expected chance; the source is not used."""
        if len(legal) == 1:
            return legal[0]
        state = state_from_view(view)
        best, best_chance = legal[0], 0.0
        for action in sorted(legal, key=_price):  # the cheaper of two that are as good
            if action.kind in (EXTRA_MORALE, EXTRA_SUPPLIES):
                if state.points:  # time enough for that when they are spent
                    continue
                chance = self._with_extra_action(state, action)
            else:
                chance = self._after(state, action)
            if chance > best_chance * _BETTER:
                best, best_chance = action, chance
        return best

    # -- one action ahead

    def _after(self, state: SiegeState, action: SiegeAction) -> float:
        """The expected chance to hold out if the turn ended after this action."""
        if action.kind == END_TURN:
            return self._chance(state)
        after = state.copy()
        self.rules.apply(after, action)
        if after.step != ROLL:
            return self._chance(after)
        total = 0.0
        for faces, outcome in self._cases_of(after, action):
            rolled = after.copy()
            self.rules.apply_outcome(rolled, outcome)
            total += faces * self._chance(rolled)
        return total / len(D6)

    def _cases_of(self, state: SiegeState, action: SiegeAction) -> tuple[tuple[int, SiegeOutcome], ...]:
        """The different things a die can do here: how many faces do it, and one of them."""
        key = (action.index, self.rules.modifiers(state, action))
        found = self._cases.get(key)
        if found is None:
            groups: dict[tuple[object, ...], list[SiegeOutcome]] = {}
            for outcome in D6:
                _, *effects = self.rules.judgement(state, outcome.value)
                groups.setdefault(tuple(effects), []).append(outcome)
            found = self._cases[key] = tuple((len(group), group[0]) for group in groups.values())
        return found

    def _with_extra_action(self, state: SiegeState, extra: SiegeAction) -> float:
        """The same for the additional action (9.2), which is worth what can be done with it."""
        after = state.copy()
        self.rules.apply(after, extra)
        return max((self._after(after, a) for a in self.rules.legal_actions(after) if a.costs_point), default=0.0)

    # -- weighing up the table

    def _chance(self, state: SiegeState) -> float:
        """The chance to hold out to the end of the third day if the turn ended now."""
        if state.step == OVER:
            return 0.0
        key = (
            *state.units, *state.status, state.trebuchets, state.soldiers, state.raided, state.day, state.deck,
        )  # fmt: skip
        found = self._chances.get(key)
        if found is None:
            if len(self._chances) >= _MOST_REMEMBERED:
                self._chances.clear()
            ended = state.copy()
            self.rules.apply(ended, _END)
            found = exp(-self._danger(ended)) if ended.step != OVER else float(ended.result == WON)
            self._chances[key] = found
        return found

    def _danger(self, state: SiegeState) -> float:
        """All dangers at the start of a turn, added up."""
        key = (state.day, state.deck)
        ahead = self._forecasts.get(key)
        if ahead is None:
            ahead = self._forecasts[key] = Forecast.of(self.rules.edition, *key)
        wall, morale, supplies = state.status
        wall_lost = ahead.attacks * _WALL_PER_ATTACK[state.trebuchets] + ahead.losses[WALL]
        wall_lost_next = ahead.next_attack * _WALL_PER_ATTACK[state.trebuchets]
        food = min(supplies + CARRIED[state.soldiers] * state.raided, MAX_STATUS)
        enemy = _enemy(state.units, ahead)
        return (
            SHELLING(wall - SHELLING.share * wall_lost)
            + NEXT_SHELLING(wall - NEXT_SHELLING.share * wall_lost_next)
            + HUNGER(food - HUNGER.share * ahead.losses[SUPPLIES])
            + DESPAIR(morale - DESPAIR.share * ahead.losses[MORALE] - DESPAIR_OF_ENEMY * enemy)
            + enemy
            + _followers(state.units)
            + EXPOSED[state.soldiers]
            - ERRAND[state.soldiers] * (ERRAND_FOR_WALL * wall_lost + ERRAND_FOR_FOOD * ahead.losses[SUPPLIES])
            - (LATE_IN_THE_LINES / ahead.cards_left if state.soldiers == ENEMY_LINES else 0.0)
        )


def _price(action: SiegeAction) -> int:
    return 0 if action.kind == END_TURN else 1 + action.costs_point


def _enemy(units: Sequence[int], ahead: Forecast) -> float:
    """The danger of the units outside close combat: all orders to come, and the next card's."""
    danger = 0.0
    for unit in UNITS:
        space = units[unit]
        if space > CLOSE_COMBAT:
            far, near = ADVANCE[unit], NEXT_ADVANCE[unit]
            danger += far(space - far.share * ahead.orders[unit]) + near(space - near.share * ahead.next_orders[unit])
    return danger


def _followers(units: Sequence[int]) -> float:
    """The danger of a second unit in close combat: it would have to be driven back at once (10.0)."""
    on_circle = units.count(CIRCLE)
    if CLOSE_COMBAT in units:
        return FOLLOWER * on_circle
    return PAIR if on_circle > 1 else 0.0
