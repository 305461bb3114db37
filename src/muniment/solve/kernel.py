"""The one compiled kernel: a turn of every position at once, for the solver, and games in batches.

It knows the shape of a turn (layers of action points, the additional action, boiling water once, free movement) and
follows the tables of ``tables``; what an action does is written there. All compiled functions stand in this one module,
because Numba's cache on disk notices a change of the module and not of others that it calls. No fast mathematics: sums
are done as written.

``work`` holds the values of a turn: one number for each (layer, block, row, cell), in this order and flat. A layer is a
number of action points left, with the additional action used or not and boiling water used or not. Rows with two tracks
on 0 stay 0: they are lost. Arithmetic on indices is unsigned, which spares a test for negative ones in every loop.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from muniment.solve.jit import compiled, source_of
from muniment.solve.space import CELLS, LOST, OFF_BOARD, ROWS, TREBUCHETS
from muniment.solve.tables import (
    BUY,
    FREE,
    MOVE_CONDITION,
    MOVE_COUNT,
    MOVE_FIRST,
    MOVE_KIND,
    MOVE_LAST,
    MOVE_OUTCOMES,
    WATER,
)

__all__ = [
    "COLLAPSE", "GAME_BLOCK", "GAME_CELL", "GAME_DAY", "GAME_DECK", "GAME_ENDING", "GAME_ROW", "HELD", "MORALE_GONE",
    "OVERRUN", "RUNNING", "SUPPLIES_GONE", "WALL_GONE", "WON", "close", "draw", "gather", "layer", "play_turn",
    "solving_source",
]  # fmt: skip

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
U = np.uint64
_CELLS = U(CELLS)
_BLOCK = U(CELLS * ROWS)


@compiled
def close(
    work: Floats, moves: Ints, blocks: Ints, effects: Ints, rows: Ints, slots: Ints, offsets: Ints, later: Floats
) -> None:
    """Fill layer 0, the end of the turn (10.0, 11.0), from the values of the next draws.

    moves: of the turn's or day's end. rows: those with no track on 0; in all others the game is lost. slots: for each
    block the place in ``later``, -1 if two units hold close combat (10.0). offsets: where a row begins in a block of
    ``later``, -1 where the game is lost.
    """
    for i in range(blocks.size):
        block = blocks[i]
        base = block * ROWS * CELLS
        work[base : base + ROWS * CELLS] = 0.0
        slot = slots[block]
        if slot < 0:
            continue
        for j in range(rows.size):
            row = rows[j]
            for k in range(moves.shape[0]):
                for o in range(moves[k, MOVE_COUNT]):
                    at = MOVE_OUTCOMES + 4 * o
                    offset = offsets[effects[moves[k, at + 2], row]]
                    if offset < 0:
                        continue
                    weight = moves[k, at] / 6.0
                    shift = moves[k, at + 3]
                    for cell in range(moves[k, MOVE_FIRST], moves[k, MOVE_LAST]):
                        work[base + row * CELLS + cell] += weight * later[slot, offset + cell + shift]


@compiled
def _best(work: Floats, base: U, move: Ints, rows: Ints, count: int, effects: Ints, sources: Ints) -> None:
    """Raise the values of a block by one move. sources: where the block of each outcome begins, the shift included."""
    first, last = U(move[MOVE_FIRST]), U(move[MOVE_LAST])
    n = move[MOVE_COUNT]
    e0 = effects[move[MOVE_OUTCOMES + 2]]
    s0 = U(sources[0])
    w0 = move[MOVE_OUTCOMES] / 6.0
    if n == 1:
        for j in range(count):
            row = rows[j]
            to = base + U(row) * _CELLS
            a = s0 + U(e0[row]) * _CELLS
            for cell in range(first, last):
                value = work[a + cell]
                work[to + cell] = max(work[to + cell], value)
        return
    e1 = effects[move[MOVE_OUTCOMES + 6]]
    s1 = U(sources[1])
    w1 = move[MOVE_OUTCOMES + 4] / 6.0
    if n == 2:
        for j in range(count):
            row = rows[j]
            to = base + U(row) * _CELLS
            a = s0 + U(e0[row]) * _CELLS
            b = s1 + U(e1[row]) * _CELLS
            for cell in range(first, last):
                value = w0 * work[a + cell] + w1 * work[b + cell]
                work[to + cell] = max(work[to + cell], value)
        return
    e2 = effects[move[MOVE_OUTCOMES + 10]]
    s2 = U(sources[2])
    w2 = move[MOVE_OUTCOMES + 8] / 6.0
    e3 = effects[move[MOVE_OUTCOMES + 14]]
    s3 = U(sources[3])
    w3 = move[MOVE_OUTCOMES + 12] / 6.0
    for j in range(count):
        row = rows[j]
        to = base + U(row) * _CELLS
        a = s0 + U(e0[row]) * _CELLS
        b = s1 + U(e1[row]) * _CELLS
        c = s2 + U(e2[row]) * _CELLS
        d = s3 + U(e3[row]) * _CELLS
        if n == 3:
            for cell in range(first, last):
                value = w0 * work[a + cell] + w1 * work[b + cell] + w2 * work[c + cell]
                work[to + cell] = max(work[to + cell], value)
        else:
            for cell in range(first, last):
                value = w0 * work[a + cell] + w1 * work[b + cell] + w2 * work[c + cell] + w3 * work[d + cell]
                work[to + cell] = max(work[to + cell], value)


@compiled
def layer(
    work: Floats,
    size: int,
    out: int,
    down: int,
    down_boiled: int,
    bought: int,
    boiled: bool,
    moves: Ints,
    first: Ints,
    blocks: Ints,
    near: NDArray[np.bool_],
    effects: Ints,
    rows: Ints,
    counts: Ints,
) -> None:
    """The best values of one layer, from the layers that its moves lead to.

    size: blocks in a layer. down: the layer with a point fewer, -1 without points; down_boiled: the same with boiling
    water used. bought: the layer of the additional action, -1 if it has been used. boiled: whether boiling water is
    used in this layer: then blocks in which that cannot matter are left out, and read from the other layer.
    """
    span = ROWS * CELLS
    sources = np.zeros(4, np.int64)
    for i in range(blocks.size):
        block = blocks[i]
        if boiled and not near[block]:
            continue
        base = (out * size + block) * span
        work[base : base + span] = work[block * span : (block + 1) * span]
        for k in range(first[block], first[block + 1]):
            move = moves[k]
            kind = move[MOVE_KIND]
            if kind == BUY:
                if bought < 0:
                    continue
            elif kind != FREE and (down < 0 or (kind == WATER and boiled)):
                continue
            for o in range(move[MOVE_COUNT]):
                at = MOVE_OUTCOMES + 4 * o
                to = move[at + 1]
                if kind == BUY:
                    source = bought
                elif kind == FREE:  # the moves come last, and lead to cells without one
                    source = out
                elif near[to] and (boiled or kind == WATER):
                    source = down_boiled
                else:
                    source = down
                sources[o] = (source * size + to) * span + move[at + 3]
            condition = move[MOVE_CONDITION]
            _best(work, U(base), move, rows[condition], counts[condition], effects, sources)


@compiled
def gather(
    work: Floats,
    size: int,
    top: int,
    weight: float,
    card_block: Ints,
    card_entry: Ints,
    card_event: Ints,
    effects: Ints,
    starts: Ints,
    offsets: Ints,
    cells: Ints,
    into: Floats,
) -> None:
    """Add the value of a drawn card to that of the draws (6.0 to 8.4): ``weight`` times that of the turn it begins.

    top: the layer in which the actions begin. starts: the blocks of ``into``. offsets, cells: where its rows begin in a
    block, -1 for those it does not have, and how many cells they have.
    """
    for slot in range(starts.size):
        block = card_block[starts[slot]]
        if block == OFF_BOARD:
            continue
        entry = effects[card_entry[starts[slot]]]
        base = (top * size + block) * ROWS * CELLS
        for row in range(ROWS):
            if offsets[row] < 0:
                continue
            for trebuchets in range(TREBUCHETS):
                for o in range(card_event.shape[1]):
                    faces = card_event[trebuchets, o, 0]
                    to = entry[effects[card_event[trebuchets, o, 2], row]]
                    if faces == 0 or to == LOST:
                        continue
                    share = weight * (faces / 6.0)
                    source = base + to * CELLS + card_event[trebuchets, o, 1]
                    target = offsets[row] + trebuchets
                    for place in range(0, cells[row], TREBUCHETS):
                        into[slot, target + place] += share * work[source + place]


def solving_source() -> str:
    """The source of all that fills a table, so that a table can say by which kernel it was made."""
    return "".join(source_of(function) for function in (close, _best, layer, gather))


# -- batches of games

_GOLDEN = U(0x9E3779B97F4A7C15)
_MIX_1, _MIX_2 = U(0xBF58476D1CE4E5B9), U(0x94D049BB133111EB)
_30, _27, _31, _33 = U(30), U(27), U(31), U(33)

# Columns of a game: what ``space`` calls its block, row and cell; the deck; how it ended, and on which day.
GAME_BLOCK, GAME_ROW, GAME_CELL, GAME_DECK, GAME_ENDING, GAME_DAY = range(6)
# How a game ended, in the order of ``endings.ENDINGS``; 0 while it goes on.
RUNNING, WON, OVERRUN, COLLAPSE, HELD, WALL_GONE, MORALE_GONE, SUPPLIES_GONE = range(8)


@compiled
def _below(states: NDArray[np.uint64], game: int, n: int) -> int:
    """A uniform number below a small n, from the game's own SplitMix64 generator."""
    states[game] += _GOLDEN
    z = states[game]
    z = (z ^ (z >> _30)) * _MIX_1
    z = (z ^ (z >> _27)) * _MIX_2
    z ^= z >> _31
    return int(((z >> _33) * U(n)) >> _31)


@compiled
def draw(games: Ints, states: NDArray[np.uint64], cards: Ints) -> None:
    """Every game that goes on draws one of the cards left in its deck (6.0, S29). cards: which, as indices."""
    for game in range(games.shape[0]):
        if games[game, GAME_ENDING] != RUNNING:
            continue
        deck = games[game, GAME_DECK]
        count = 0
        for card in range(64):
            count += deck >> card & 1
        rest = _below(states, game, count)
        for card in range(64):
            if deck >> card & 1:
                if rest == 0:
                    games[game, GAME_DECK] = deck & ~(1 << card)
                    cards[game] = card
                    break
                rest -= 1


@compiled
def _outcome(states: NDArray[np.uint64], game: int, move: Ints) -> int:
    """The column of the outcome that a die brings."""
    face = _below(states, game, 6)
    at = MOVE_OUTCOMES
    while face >= move[at]:
        face -= move[at]
        at += 4
    return at


@compiled
def _choose(
    work: Floats, size: int, numbers: Ints, moves: Ints, first: int, last: int, must_fight: bool,
    near: NDArray[np.bool_], effects: Ints, holds: NDArray[np.bool_], block: int, row: int, cell: int, extra: int,
    left: int, boiled: int, states: NDArray[np.uint64], game: int, perfect: bool,
) -> int:  # fmt: skip
    """The move of perfect play, or a random one; -1 for the end of the turn."""
    span = ROWS * CELLS
    chosen, best, legal = -1, -1.0, 0
    if not (must_fight and left > 0):
        legal = 1
        if perfect:
            best = work[block * span + row * CELLS + cell]
    for k in range(first, last):
        move = moves[k]
        kind = move[MOVE_KIND]
        if cell < move[MOVE_FIRST] or cell >= move[MOVE_LAST] or not holds[move[MOVE_CONDITION], row]:
            continue
        if (kind == BUY and extra) or (kind <= WATER and left == 0) or (kind == WATER and boiled):
            continue
        legal += 1
        if not perfect:
            if _below(states, game, legal) == 0:
                chosen = k
            continue
        after_extra = 1 if kind == BUY else extra
        after_left = left + 1 if kind == BUY else (left - 1 if kind <= WATER else left)
        value = 0.0
        for o in range(move[MOVE_COUNT]):
            at = MOVE_OUTCOMES + 4 * o
            to = move[at + 1]
            after_boiled = 1 if (boiled or kind == WATER) and near[to] else 0
            source = (numbers[after_extra, after_left, after_boiled] * size + to) * span
            value += move[at] / 6.0 * work[source + effects[move[at + 2], row] * CELLS + cell + move[at + 3]]
        if value > best + 1e-12:
            chosen, best = k, value
    return chosen


@compiled
def play_turn(
    work: Floats, size: int, numbers: Ints, points: int, moves: Ints, first: Ints, must_fight: NDArray[np.bool_],
    near: NDArray[np.bool_], effects: Ints, holds: NDArray[np.bool_], held: Ints, card_block: Ints, card_entry: Ints,
    card_event: Ints, closing: Ints, day: int, final: bool, chosen: Ints, games: Ints, states: NDArray[np.uint64],
    perfect: bool, drawn: Floats,
) -> None:  # fmt: skip
    """One turn of the chosen games, after their draw: event, movement, actions, checks, and the night if it is time.

    numbers: the layer of (additional action used, points left, boiling water used); only perfect play looks at it and
    at ``work``. closing: the moves of the turn's or day's end. final: whether victory is due after this turn.
    """
    for i in range(chosen.size):
        game = chosen[i]
        state = games[game]
        trebuchets = state[GAME_CELL] % TREBUCHETS
        state[GAME_DAY] = day
        drawn[game] = 0.0
        event = card_event[trebuchets, 0]
        if event[0] < 6 and _below(states, game, 6) >= event[0]:
            event = card_event[trebuchets, 1]
        row = effects[card_entry[state[GAME_BLOCK]], effects[event[2], state[GAME_ROW]]]
        block = card_block[state[GAME_BLOCK]]
        if row == LOST or block == OFF_BOARD:
            state[GAME_ENDING] = COLLAPSE if row == LOST else OVERRUN
            continue
        cell = state[GAME_CELL] - trebuchets + event[1]
        extra, left, boiled = 0, points, 0
        if perfect:
            drawn[game] = work[(numbers[0, points, 0] * size + block) * ROWS * CELLS + row * CELLS + cell]
        while True:
            k = _choose(
                work, size, numbers, moves, first[block], first[block + 1], must_fight[block], near, effects, holds,
                block, row, cell, extra, left, boiled, states, game, perfect,
            )  # fmt: skip
            if k < 0:
                break
            move = moves[k]
            kind = move[MOVE_KIND]
            if kind == BUY:
                extra, left = 1, left + 1
            elif kind <= WATER:
                left -= 1
                boiled = 1 if kind == WATER else boiled
            at = _outcome(states, game, move)
            block, row, cell = move[at + 1], effects[move[at + 2], row], cell + move[at + 3]
            if row == LOST:
                break
        state[GAME_ENDING] = _check(row, held[block])
        if state[GAME_ENDING] != RUNNING:
            continue
        for k in range(closing.shape[0]):
            if closing[k, MOVE_FIRST] <= cell < closing[k, MOVE_LAST]:
                at = _outcome(states, game, closing[k])
                row, cell = effects[closing[k, at + 2], row], cell + closing[k, at + 3]
                break
        if row == LOST:
            state[GAME_ENDING] = COLLAPSE
        elif final:
            ending = _check(row, 0)
            state[GAME_ENDING] = WON if ending == RUNNING else ending
        state[GAME_BLOCK], state[GAME_ROW], state[GAME_CELL] = block, row, cell


@compiled
def _check(row: int, held: int) -> int:
    """The victory-or-loss check (10.0)."""
    if row == LOST:
        return COLLAPSE
    if held >= 2:
        return HELD
    if row < 25:
        return WALL_GONE
    if row // 5 % 5 == 0:
        return MORALE_GONE
    return SUPPLIES_GONE if row % 5 == 0 else RUNNING
