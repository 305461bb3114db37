"""The agent ``captain``: a hand-written policy for 9 Card Siege.

It plays like a careful player with the seven cards spread out beside the table.

* It asks the rules what the die can bring, and judges the table as it would be if the turn ended there: what the
  trebuchets will still do to the wall, how long the food lasts, whether the people's courage survives what is printed,
  how often each unit will be ordered forward and how near it is. All arguments are added up to the odds of holding out.
* The best that one action point can do at home (shoot, repair, rally) is the *price* of a point this turn. An errand
  through the tunnel, which needs several points before it is good for anything, is thought through to its end, and
  undertaken if it is worth its price.
* An additional action is bought when all points are spent and one more is worth the morale or the supplies.

It knows nothing that a player does not: the view, and what is printed.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from math import exp

from muniment.core.agent import Agent
from muniment.core.chance import Source
from muniment.games.siege.actions import (
    ACTIONS,
    END_TURN,
    ENTER,
    EXTRA_MORALE,
    EXTRA_SUPPLIES,
    FAST_CASTLE,
    FAST_LINES,
    FREE_CASTLE,
    FREE_LINES,
    SABOTAGE,
    SUPPLY_RAID,
    SiegeAction,
)
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
_ERRANDS = frozenset({ENTER, FAST_CASTLE, FAST_LINES, FREE_CASTLE, FREE_LINES, SUPPLY_RAID, SABOTAGE})
_EXTRA = (EXTRA_MORALE, EXTRA_SUPPLIES)
_ERRAND_POINTS = 4  # how far it thinks: cards of anybody's own may give more
_CLEARLY = 1e-9  # so that rounding never decides, and the order of actions does
_MOST_REMEMBERED = 200_000
_LARGEST = 50.0  # cards of anybody's own can be beyond all measure

# The second point of a turn buys a little less than the first.
POINT_PRICE = 0.8

# What an attack by so many trebuchets takes off the wall, on average (7.2).
_WALL_PER_ATTACK = (0.0, 0.5, 1.0, 2.0)


@dataclass(frozen=True, slots=True)
class Forecast:
    """What the cards hold in store from the start of a turn on: the rest of this day's, and all of the days to come.

    turns: how many cards. cards_left: of today's. attacks: trebuchet attacks. next_attack: the chance that the next
    card is one. orders, next_orders: for each unit, how often it is ordered forward, and the chance that the next card
    does so ("slowest" counts half, for every unit). losses: of wall, morale and supplies by events and meals.
    losses_today: of supplies until the day is over.
    """

    turns: int
    cards_left: int
    attacks: int
    next_attack: float
    orders: tuple[float, ...]
    next_orders: tuple[float, ...]
    losses: tuple[int, ...]
    losses_today: int

    @classmethod
    def of(cls, edition: SiegeEdition, day: int, deck: int) -> Forecast:
        """The forecast while these cards are left on this day, at least one."""
        today = [card.divisions[day - 1] for index, card in enumerate(edition.cards) if deck >> index & 1]
        ahead = today + [card.divisions[d - 1] for d in range(day + 1, DAYS + 1) for card in edition.cards]
        losses = [_lost(ahead, track) for track in STATUSES]
        losses[SUPPLIES] += DAYS - day + 1  # meals (11.0)
        return cls(
            turns=len(ahead),
            cards_left=len(today),
            attacks=sum(division.is_trebuchet_attack for division in ahead),
            next_attack=sum(division.is_trebuchet_attack for division in today) / len(today),
            orders=tuple(sum(_orders(division, unit) for division in ahead) for unit in UNITS),
            next_orders=tuple(sum(_orders(division, unit) for division in today) / len(today) for unit in UNITS),
            losses=tuple(losses),
            losses_today=_lost(today, SUPPLIES) + 1,
        )


def _lost(divisions: Sequence[Division], track: int) -> int:
    events = [event for division in divisions for event in division.events]
    return -sum(event.change for event in events if isinstance(event, StatusChange) and event.track == track)


def _orders(division: Division, unit: int) -> float:
    return 0.5 if division.slowest else float(unit in division.orders)


# The arguments for and against, in natural logarithms of the odds of holding out. Which arguments there are is a
# player's; their figures were fitted to the winning chances of perfect play (``muniment.solve``) in positions that come
# up, then improved by playing variants of them over the same seeds, and rounded.
TO_BEGIN_WITH = 1.90
EACH_TURN = 0.39
# The wall that the trebuchets leave, on average, is short of 1: for each point, and for each point after the first.
WALL_SHORT = -0.20
WALL_VERY_SHORT = 0.15
# For each attack to come: while the wall is this low, while there are trebuchets, while there are three.
WALL_AT_MOST = {1: -0.55, 2: -0.26, 3: -0.16}
ANY_TREBUCHET = -0.44
ALL_TREBUCHETS = -0.46
# The next card can break the wall.
WALL_FALLS_NEXT = -1.63
# Food, raided supplies included, against all that will be eaten and spoiled: for each point.
FOOD_SHORT = -0.85
FOOD_TO_SPARE = 0.37
# It does not last this day, which presses the more the fewer cards are left; there is none; it is still far away.
HUNGER_TODAY = -1.35
NO_SUPPLIES = -6.45
FOOD_FAR_AWAY = -0.22
# Morale against what events will take: for each point.
MORALE_SHORT = -1.11
MORALE_TO_SPARE = 0.41
# Each unit's orders beyond those that bring it to the circle; and if it stands in close combat, where it cannot be
# ordered any more (S9). Which unit it is matters: the siege tower is best left alone.
COMING = (-0.31, -0.23, -0.07)
HELD = (-0.55, -1.30, -0.31)
# The next card orders a unit to the circle, to close combat, to close combat where one stands already.
NEXT_TO_CIRCLE = -0.11
NEXT_TO_CLOSE_COMBAT = -0.62
NEXT_TO_JOIN = -2.89
SEVERAL_ON_CIRCLE = -0.27
# Close combat is held, and morale is this low.
_AFRAID = 2
HELD_AND_AFRAID = 0.25
# Soldiers outside: where they are, and for each point of wall and food that is in danger.
IN_NEAR_TUNNEL = 0.05
IN_FAR_TUNNEL = 0.29
OUTSIDE_FOR_WALL = -0.01
OUTSIDE_FOR_FOOD = 0.17


def _wall(wall: int, trebuchets: int, ahead: Forecast) -> float:
    attacks = ahead.attacks
    short = max(0.0, 1 + attacks * _WALL_PER_ATTACK[trebuchets] + ahead.losses[WALL] - wall)
    weight = WALL_SHORT * short + WALL_VERY_SHORT * max(0.0, short - 1)
    weight += attacks * sum(WALL_AT_MOST[height] for height in (1, 2, 3) if wall <= height)
    weight += attacks * (ANY_TREBUCHET * (trebuchets >= 1) + ALL_TREBUCHETS * (trebuchets >= 3))
    if wall <= _WALL_PER_ATTACK[trebuchets] + 0.5:
        weight += WALL_FALLS_NEXT * ahead.next_attack * (0.5 if trebuchets == 1 else 1.0)
    return weight


def _food(supplies: int, raided: int, soldiers: int, ahead: Forecast) -> float:
    food = min(supplies + raided, MAX_STATUS)
    short = 1 + ahead.losses[SUPPLIES] - food
    weight = FOOD_SHORT * short if short > 0 else FOOD_TO_SPARE * -short
    if food <= ahead.losses_today:
        weight += HUNGER_TODAY / ahead.cards_left
    if supplies == 0:
        weight += NO_SUPPLIES
    if soldiers >= FAR_TUNNEL:
        weight += FOOD_FAR_AWAY * raided
    return weight


def _morale(morale: int, ahead: Forecast) -> float:
    spare = morale - 1 - ahead.losses[MORALE]
    return MORALE_TO_SPARE * spare if spare > 0 else MORALE_SHORT * -spare


def _enemy(units: Sequence[int], morale: int, ahead: Forecast) -> float:
    weight = 0.0
    next_on_circle = 0.0
    for unit in UNITS:
        space = units[unit]
        if space == CLOSE_COMBAT:
            weight += HELD[unit]
        elif space > CLOSE_COMBAT:
            weight += COMING[unit] * max(0.0, ahead.orders[unit] - space + 1)
            if space == CIRCLE:
                next_on_circle += ahead.next_orders[unit]
            elif space == CIRCLE + 1:
                weight += NEXT_TO_CIRCLE * ahead.next_orders[unit]
    weight += NEXT_TO_CLOSE_COMBAT * next_on_circle
    if CLOSE_COMBAT in units:
        weight += NEXT_TO_JOIN * next_on_circle + (HELD_AND_AFRAID if morale <= _AFRAID else 0.0)
    if units.count(CIRCLE) > 1:
        weight += SEVERAL_ON_CIRCLE
    return weight


def _errand(state: SiegeState, ahead: Forecast) -> float:
    """What soldiers outside are good for."""
    if state.soldiers == CASTLE:
        return 0.0
    food_short = max(0, 1 + ahead.losses[SUPPLIES] - min(state.status[SUPPLIES] + state.raided, MAX_STATUS))
    weight = OUTSIDE_FOR_WALL * ahead.attacks * _WALL_PER_ATTACK[state.trebuchets] + OUTSIDE_FOR_FOOD * food_short
    return weight + IN_NEAR_TUNNEL * (state.soldiers == NEAR_TUNNEL) + IN_FAR_TUNNEL * (state.soldiers == FAR_TUNNEL)


class Captain(Agent[SiegeAction, SiegeView]):
    """Takes the action after which the fortress has the best chance to hold out, as it judges it.

    It wins 60.8 % of 100,000 games of the standard edition (digest bf75f4f9, default options, seed 1; 95 % interval
    60.5 % to 61.1 %); perfect play wins 79.0 %.
    """

    name = "captain"

    def __init__(self, rules: Siege) -> None:
        """rules: the game as it is played, its edition and options; no position."""
        self.rules = rules
        self._forecasts: dict[tuple[int, int], Forecast] = {}
        self._cases: dict[tuple[int, Modifiers], tuple[tuple[float, SiegeOutcome], ...]] = {}
        self._chances: dict[tuple[int, ...], float] = {}

    def choose(self, view: SiegeView, legal: Sequence[SiegeAction], source: Source) -> SiegeAction:
        """The action that it judges best; the source is not used."""
        return self.decide(state_from_view(view), legal)

    def decide(self, state: SiegeState, legal: Sequence[SiegeAction]) -> SiegeAction:
        """The action that it judges best in a position, which it does not change."""
        if len(legal) == 1:
            return legal[0]
        action, worth = self._plan(state, legal)
        if action is not None:
            return action
        best = _END if _END in legal else legal[0]
        if state.points == 0:
            for extra in legal:
                if extra.kind in _EXTRA:
                    bought = state.copy()
                    self.rules.apply(bought, extra)
                    promise = self._plan(bought, self.rules.legal_actions(bought))[1]
                    if promise > worth + _CLEARLY:
                        best, worth = extra, promise
        return best

    # -- planning a turn

    def _plan(self, state: SiegeState, legal: Sequence[SiegeAction]) -> tuple[SiegeAction | None, float]:
        """The best thing to begin, None for nothing, and the chance that comes of it."""
        now = self.chance(state)
        gain, best = 0.0, None
        for action in legal:
            if action.costs_point and action.kind not in _ERRANDS:
                more = self._expected(state, action) - now
                if more > gain + _CLEARLY:
                    gain, best = more, action
        worth = now + gain
        price = POINT_PRICE * gain
        errand_worth = now
        known: dict[Hashable, float] = {}
        for action in sorted(legal, key=lambda action: action.costs_point):  # what is free first
            if action.kind in _ERRANDS:
                chance = self._errand_begun(state, action, price, state.points - _ERRAND_POINTS, known)
                if chance > errand_worth + _CLEARLY:
                    errand_worth, best = chance, action
        return best, max(worth, errand_worth)

    def _expected(self, state: SiegeState, action: SiegeAction) -> float:
        """The expected chance if the turn ended after this action."""
        return sum(share * self.chance(after) for share, after in self.results(state, action))

    def _errand_begun(
        self, state: SiegeState, action: SiegeAction, price: float, spare: int, known: dict[Hashable, float]
    ) -> float:
        """The expected chance if soldiers do this and go on as is best, less the price of the points they use.

        spare: points that stay unused. known: what was found already, with this price and these points.
        """
        chance = 0.0
        for share, after in self.results(state, action):
            key = after.key()
            worth = known.get(key)
            if worth is None:
                worth = self.chance(after)
                for following in self.rules.legal_actions(after):
                    if following.kind in _ERRANDS and (after.points > spare or not following.costs_point):
                        worth = max(worth, self._errand_begun(after, following, price, spare, known))
                known[key] = worth
            chance += share * worth
        return chance - price if action.costs_point else chance

    def results(self, state: SiegeState, action: SiegeAction) -> list[tuple[float, SiegeState]]:
        """The positions that the action can lead to, with their probabilities."""
        after = state.copy()
        self.rules.apply(after, action)
        if after.step != ROLL:
            return [(1.0, after)]
        results = []
        for share, outcome in self._cases_of(after, action):
            rolled = after.copy()
            self.rules.apply_outcome(rolled, outcome)
            results.append((share, rolled))
        return results

    def _cases_of(self, state: SiegeState, action: SiegeAction) -> tuple[tuple[float, SiegeOutcome], ...]:
        """The different things the action's die can do: the probability, and one face that does it."""
        key = (action.index, self.rules.modifiers(state, action))
        found = self._cases.get(key)
        if found is None:
            groups: dict[tuple[object, ...], list[SiegeOutcome]] = {}
            for outcome in D6:
                _, *effects = self.rules.judgement(state, outcome.value)
                groups.setdefault(tuple(effects), []).append(outcome)
            found = self._cases[key] = tuple((len(faces) / len(D6), faces[0]) for faces in groups.values())
        return found

    # -- judging the table

    def chance(self, state: SiegeState) -> float:
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
            found = self._chances[key] = self.judge(ended)
        return found

    def judge(self, state: SiegeState) -> float:
        """The chance to hold out as it judges it, 0 to 1, at the start of a turn or the end of the game."""
        if state.step == OVER:
            return float(state.result == WON)
        odds = TO_BEGIN_WITH + sum(self.arguments(state))
        return 1 / (1 + exp(min(-odds, _LARGEST)))

    def forecast(self, state: SiegeState) -> Forecast:
        """What the cards hold in store at the start of a turn."""
        key = (state.day, state.deck)
        ahead = self._forecasts.get(key)
        if ahead is None:
            ahead = self._forecasts[key] = Forecast.of(self.rules.edition, *key)
        return ahead

    def arguments(self, state: SiegeState) -> tuple[float, ...]:
        """At the start of a turn, in logarithms of odds: time, wall, food, morale, the enemy, an errand."""
        ahead = self.forecast(state)
        wall, morale, supplies = state.status
        return (
            EACH_TURN * ahead.turns,
            _wall(wall, state.trebuchets, ahead),
            _food(supplies, state.raided, state.soldiers, ahead),
            _morale(morale, ahead),
            _enemy(state.units, morale, ahead),
            _errand(state, ahead),
        )
