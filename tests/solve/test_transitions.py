"""The kernel's tables against the engine, transition by transition: every move, every draw, every end of a turn."""

from collections import defaultdict
from fractions import Fraction
from random import Random

import pytest

from muniment.core.dice import RandomStream
from muniment.games.siege import Siege, SiegeOptions, standard_edition
from muniment.games.siege.actions import ACTIONS, END_TURN
from muniment.games.siege.state import ACTIONS_STEP, DRAW, LINE_CHECK, OVER, SiegeState
from muniment.games.siege.terms import CASTLE, DAYS, REMOVED, SIEGE_TOWER
from muniment.solve.ruleset import Ruleset, ruleset
from muniment.solve.space import LOST, OFF_BOARD, cell_of, row_of
from muniment.solve.tables import (
    BUY,
    MOVE_ACTION,
    MOVE_CONDITION,
    MOVE_COUNT,
    MOVE_FIRST,
    MOVE_KIND,
    MOVE_LAST,
    MOVE_OUTCOMES,
    WATER,
)
from tests.siege.random_games import wild_game
from tests.solve.games import OPTIONS, turn_starts

Place = tuple[int, ...]
Chances = dict[Place, Fraction]
OVERRUN_OR_LOST: Place = ()


def mid_turn(game: Siege, random: Random) -> SiegeState:
    """A position in which an action is awaited; any flags, whether or not play leads to them."""
    state = game.initial()
    state.day = random.randint(1, DAYS)
    state.card = random.randrange(len(game.edition.cards))
    state.deck = random.randint(0, game.full_deck) & ~(1 << state.card)
    state.units = [random.choice((0, 0, 1, 1, 2, 3, 4)) for _ in range(3)]
    if state.in_close_combat() == 3:
        state.units[0] = 1
    if random.random() < 0.2 and game.edition.name == "standard":
        state.units[SIEGE_TOWER] = REMOVED
    state.status = [random.randint(1, 4) for _ in range(3)]
    if random.random() < 0.3:
        state.status[random.randrange(3)] = 0
    state.trebuchets = random.randint(0, 3)
    state.soldiers = random.randint(0, 3)
    state.raided = 0 if state.soldiers == CASTLE else random.randint(0, 2)
    state.extra_used = random.random() < 0.5
    state.points = random.randint(0, 3)
    state.free_move = random.randint(0, 2)
    state.boiled = random.random() < 0.5
    state.step = ACTIONS_STEP
    return state


def place(rules: Ruleset, state: SiegeState) -> Place:
    """Where the engine's state stands for the kernel."""
    if state.step == OVER or state.statuses_at_zero() > 1:
        return OVERRUN_OR_LOST
    return (
        rules.space.encode(state.units), row_of(state.status), cell_of(state),
        state.points, int(state.extra_used), int(state.boiled),
    )  # fmt: skip


def engine_chances(game: Siege, rules: Ruleset, state: SiegeState, stop: tuple[int, ...]) -> Chances:
    """Where chance leads from a state, through the engine."""
    if state.step in stop or state.step == OVER:
        return {place(rules, state): Fraction(1)}
    found: Chances = defaultdict(Fraction)
    for outcome, share in game.chance(state).probabilities():
        after = state.copy()
        game.apply_outcome(after, outcome)
        for where, chance in engine_chances(game, rules, after, stop).items():
            found[where] += share * chance
    return found


def table_moves(rules: Ruleset, state: SiegeState) -> dict[int, Chances]:
    """The legal moves of the tables and where each leads, by the index of its action."""
    table = rules.moves(state.day, state.card)
    block, row, cell, left, extra, boiled = place(rules, state)
    found: dict[int, Chances] = {}
    for move in table.moves[table.first[block] : table.first[block + 1]].tolist():
        kind = move[MOVE_KIND]
        if not (move[MOVE_FIRST] <= cell < move[MOVE_LAST] and rules.condition_holds[move[MOVE_CONDITION], row]):
            continue
        if (kind == BUY and extra) or (kind <= WATER and not left) or (kind == WATER and boiled):
            continue
        chances: Chances = defaultdict(Fraction)
        for at in range(MOVE_OUTCOMES, MOVE_OUTCOMES + 4 * move[MOVE_COUNT], 4):
            faces, to, effect, shift = move[at : at + 4]
            row_then = int(rules.effects[effect, row])
            points = left + 1 if kind == BUY else left - (kind <= WATER)
            then = (to, row_then, cell + shift, points, int(extra or kind == BUY), int(boiled or kind == WATER))
            chances[OVERRUN_OR_LOST if row_then == LOST else then] += Fraction(faces, 6)
        found[move[MOVE_ACTION]] = chances
    if not (table.must_fight[block] and left):
        found[END] = {}
    return found


END = next(action.index for action in ACTIONS if action.kind == END_TURN)


def check_moves(game: Siege, rules: Ruleset, random: Random, count: int) -> None:
    for _ in range(count):
        state = mid_turn(game, random)
        moves = table_moves(rules, state)
        legal = game.legal_actions(state)
        assert {action.index for action in legal} == set(moves), state
        for action in legal:
            if action.kind == END_TURN:
                continue
            after = state.copy()
            game.apply(after, action)
            expected = engine_chances(game, rules, after, (ACTIONS_STEP,))
            assert moves[action.index] == expected, (state, action)


@pytest.mark.parametrize("options", OPTIONS.values(), ids=OPTIONS)
def test_every_move_is_the_engines(options: SiegeOptions) -> None:
    check_moves(Siege(options=options), ruleset(standard_edition(), options), Random(3), 150)


@pytest.mark.parametrize("number", range(4))
def test_every_move_of_wild_editions_is_the_engines(number: int) -> None:
    game = wild_game(RandomStream(bytes([number] * 32)), list(OPTIONS.values())[number])
    check_moves(game, ruleset(game.edition, game.options), Random(number), 60)


def drawn_by_table(rules: Ruleset, state: SiegeState, card: int) -> Chances:
    table = rules.card(state.day, card)
    block, row, cell, *_ = place(rules, state)
    found: Chances = defaultdict(Fraction)
    for faces, trebuchets, effect in table.event[state.trebuchets].tolist():
        row_then = int(rules.effects[table.entry[block], rules.effects[effect, row]])
        lost = row_then == LOST or table.block[block] == OFF_BOARD
        then = (int(table.block[block]), row_then, cell - state.trebuchets + trebuchets, table.points, 0, 0)
        if faces:
            found[OVERRUN_OR_LOST if lost else then] += Fraction(faces, 6)
    return found


@pytest.mark.parametrize("seed", range(3))
def test_every_draw_is_the_engines(seed: int) -> None:
    random = Random(seed)
    rules = ruleset(standard_edition(), SiegeOptions())
    game = Siege()
    for _ in range(60):
        day, deck = random.randint(1, DAYS), random.randint(1, game.full_deck)
        start = next(turn_starts(game, day, deck, random))
        start.step = DRAW
        for outcome in game.chance(start).outcomes:
            after = start.copy()
            game.apply_outcome(after, outcome)
            card = next(i for i, printed in enumerate(game.edition.cards) if printed.number == outcome.value)
            assert drawn_by_table(rules, start, card) == engine_chances(game, rules, after, (ACTIONS_STEP,))


@pytest.mark.parametrize("seed", range(3))
def test_every_end_of_a_turn_is_the_engines(seed: int) -> None:
    random = Random(seed)
    rules = ruleset(standard_edition(), SiegeOptions())
    game = Siege()
    for _ in range(200):
        state = mid_turn(game, random)
        if state.in_close_combat() == 2 or (seed == 0 and state.deck):
            state.units, state.deck = [3, 3, 3], 0
        expected: Chances = defaultdict(Fraction)
        ended = state.copy()
        game.apply(ended, ACTIONS[END])
        block, row, cell, *_ = place(rules, state)
        if row not in rules.sound_rows:
            assert ended.step == OVER
            continue
        night = state.deck == 0
        table = rules.day_end if night else rules.turn_end
        move = next(m for m in table.tolist() if m[MOVE_FIRST] <= cell < m[MOVE_LAST])
        for at in range(MOVE_OUTCOMES, MOVE_OUTCOMES + 4 * move[MOVE_COUNT], 4):
            faces, _to, effect, shift = move[at : at + 4]
            row_then = int(rules.effects[effect, row])
            lost = row_then == LOST or (night and state.day == DAYS and row_then not in rules.sound_rows)
            then = OVERRUN_OR_LOST if lost else (block, row_then, cell + shift, 0, 0, 0)
            expected[then] += Fraction(faces, 6)
        if night and state.day == DAYS:
            assert (ended.result == "won") == (OVERRUN_OR_LOST not in expected)
        else:
            assert ended.step in (DRAW, LINE_CHECK, OVER)
            assert engine_chances(game, rules, ended, (DRAW,)) == expected
