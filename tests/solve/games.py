"""Small games for the solver's tests: a few of the printed cards, with fewer action points."""

from collections.abc import Iterator
from dataclasses import replace
from random import Random

from muniment.games.siege import Siege, SiegeEdition, SiegeOptions, standard_edition
from muniment.games.siege.edition import Collapse
from muniment.games.siege.state import DRAW, LINE_CHECK, SiegeState
from muniment.games.siege.terms import CASTLE, ENEMY_LINES, REMOVED, SIEGE_TOWER, START

OPTIONS = {
    "default": SiegeOptions(),
    "bonus cancels a 1": SiegeOptions(ones="event_bonus_cancels"),
    "drives all back": SiegeOptions(close_combat_drives_back="all"),
    "free movement in bad weather": SiegeOptions(bad_weather_free_movement=True),
}


def small_edition(*numbers: int, points: int = 6) -> SiegeEdition:
    """An edition of the printed cards with these numbers, with at most so many action points a turn."""
    cards = [card for card in standard_edition().cards if card.number in numbers]
    fewer = tuple(
        replace(card, divisions=tuple(replace(d, actions=min(d.actions, points)) for d in card.divisions))
        for card in cards
    )
    name = "-".join(map(str, numbers))
    return replace(standard_edition(), name=name, digest=f"{name} {points}", cards=fewer)


def turn_starts(game: Siege, day: int, deck: int, random: Random) -> Iterator[SiegeState]:
    """Random positions at the beginning of a turn, before the enemy line check."""
    full = deck == game.full_deck
    drawn = [
        game.edition.division(card, earlier)
        for earlier in range(1, day + 1)
        for card in range(len(game.edition.cards))
        if earlier < day or not deck >> card & 1
    ]
    may_be_gone = any(Collapse(SIEGE_TOWER) in division.events for division in drawn)
    while True:
        state = game.initial()
        state.day, state.deck = day, deck
        state.units = [random.randint(0, START) for _ in range(3)]
        if may_be_gone and random.random() < 0.3:
            state.units[SIEGE_TOWER] = REMOVED
        state.trebuchets = random.randint(0, 3)
        state.status = [random.randint(1, 4) for _ in range(3)]
        if full and day > 1 and random.random() < 0.2:
            state.status[random.randint(1, 2)] = 0
        if not full:
            state.soldiers = random.randint(0, 3)
            state.raided = 0 if state.soldiers == CASTLE else random.randint(0, 2)
        state.step = LINE_CHECK if state.soldiers == ENEMY_LINES else DRAW
        if state.in_close_combat() < 2:
            yield game.state_from_json(game.state_to_json(state))
