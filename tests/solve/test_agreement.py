"""The solver against the engine, which is the law: whole games by plain recursion, and whole turns."""

from collections.abc import Iterator, Mapping
from functools import cache, lru_cache
from random import Random

import numpy as np
import pytest
from numpy.typing import NDArray

from muniment.core.explore import best_value
from muniment.games.siege import Siege, SiegeEdition, SiegeOptions, standard_edition
from muniment.games.siege.state import DRAW, SiegeState
from muniment.games.siege.terms import DAYS
from muniment.solve.ruleset import Ruleset, ruleset
from muniment.solve.solver import backward, initial_value
from muniment.solve.space import cell_of, row_of
from tests.slices import ROOT, once
from tests.solve.games import OPTIONS, small_edition, turn_starts

Unrounded = Mapping[tuple[int, int], NDArray[np.float64]]
PACKAGE = ROOT / "src" / "muniment"
SOURCES = [PACKAGE / "games" / "siege", *(PACKAGE / "solve" / f"{name}.py" for name in ("kernel", "tables", "space"))]
ALL_DAYS = tuple(range(1, DAYS + 1))
SMALL = [small_edition(1, 5, points=1), small_edition(3, 6, points=1), small_edition(2, 4, points=1)]


def unrounded(rules: Ruleset, days: tuple[int, ...]) -> Unrounded:
    """The values of the draws on these days, and on the morning after each."""
    found = {}
    for stage in backward(rules, 2):
        for deck, values in stage.values.items():
            if stage.day in days or (stage.day - 1 in days and deck == rules.full_deck):
                found[stage.day, deck] = values
    return found


@pytest.mark.parametrize("options", OPTIONS.values(), ids=OPTIONS)
def test_a_whole_small_game_agrees_with_plain_recursion_over_the_engine(options: SiegeOptions) -> None:
    edition = small_edition(5, points=1)
    rules = ruleset(edition, options)
    game = Siege(edition, options)
    *_, last = backward(rules, 1)
    exact = best_value(game, game.initial(), lambda state: None, float)
    assert initial_value(rules, last) == pytest.approx(exact, abs=1e-12)


@pytest.mark.slow
@pytest.mark.parametrize("options", OPTIONS.values(), ids=OPTIONS)
@pytest.mark.parametrize("edition", [*SMALL, small_edition(1, 3, 5, points=1)], ids=lambda edition: edition.name)
def test_small_games_agree_with_plain_recursion(edition: SiegeEdition, options: SiegeOptions) -> None:
    rules = ruleset(edition, options)
    game = Siege(edition, options)
    *_, last = backward(rules, 1)
    exact = best_value(game, game.initial(), lambda state: None, float)
    assert initial_value(rules, last) == pytest.approx(exact, abs=1e-12)


def check_turns(rules: Ruleset, values: Unrounded, positions: Iterator[SiegeState]) -> None:
    """One turn of each position, searched through the engine, has the solver's value.

    Every card of the deck is drawn; the leaves are the draws of the next turn, after its enemy line check.
    """
    game = Siege(rules.edition, rules.options)

    def value(state: SiegeState) -> float:
        slot = rules.starts(state.day, state.deck).slots[rules.space.encode(state.units)]
        offset = rules.layout(state.deck).offsets[row_of(state.status)]
        return float(values[state.day, state.deck][slot, offset + cell_of(state)])

    for start in positions:

        def leaf(state: SiegeState, start: SiegeState = start) -> float | None:
            return value(state) if state.step == DRAW and (state.day, state.deck) != (start.day, start.deck) else None

        start.step = DRAW
        assert value(start) == pytest.approx(best_value(game, start, leaf, float), abs=1e-9), start


def sample(rules: Ruleset, count: int, seed: int, days: tuple[int, ...]) -> Iterator[SiegeState]:
    """So many random positions over all decks of these days."""
    random = Random(seed)
    game = Siege(rules.edition, rules.options)
    for _ in range(count):
        day, deck = random.choice(days), random.randint(1, rules.full_deck)
        yield next(turn_starts(game, day, deck, random))


@pytest.mark.parametrize("options", OPTIONS.values(), ids=OPTIONS)
def test_turns_agree_with_the_engine(options: SiegeOptions) -> None:
    rules = ruleset(small_edition(3, 5, points=2), options)
    check_turns(rules, unrounded(rules, ALL_DAYS), sample(rules, 5, 1, ALL_DAYS))


@cache
def standard(name: str) -> Ruleset:
    return ruleset(standard_edition(), OPTIONS[name])


@lru_cache(maxsize=1)
def standard_values(name: str, day: int) -> Unrounded:
    return unrounded(standard(name), (day,))


# 2,000 positions under the default options, 102 under each other; slices of 34, day after day.
SLICES = [(name, day, part) for name in OPTIONS for day in ALL_DAYS for part in range(20 if name == "default" else 1)]


@pytest.mark.slow
@pytest.mark.parametrize(("name", "day", "part"), SLICES)
def test_turns_of_the_standard_game_agree_with_the_engine(name: str, day: int, part: int) -> None:
    def work() -> None:
        positions = sample(standard(name), 34, 1000 * day + part, (day,))
        check_turns(standard(name), standard_values(name, day), positions)

    once(f"solve-turns-{name.replace(' ', '-')}-{day}-{part}", SOURCES, work)
