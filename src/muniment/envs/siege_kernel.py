"""Games of 9 Card Siege in batches, compiled: a step of every game by looking things up in ``siege_tables``.

It knows in which order things come in a turn (4.0), and no rule: what each does is in the tables, filled by the engine.
All compiled functions stand in this one module, because Numba's cache on disk does not notice a change of another that
they call; so the random stream of ``siege_stream`` is written out here once more. It does not notice either that a
constant has changed which they take from another module: then delete the ``__pycache__`` beside this file.

``b`` and ``w`` are the rows of bytes and words of the tables. Every function goes through all games that it concerns:
to hand arrays over costs more than what is done for one game.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from muniment.envs.siege_encoding import PLACES
from muniment.envs.siege_setup import ILLEGAL_REWARD
from muniment.envs.siege_tables import AT, BLOCKS, CELLS, CLASSES, FLAGS, NERVES, ROWS
from muniment.games.siege.actions import ACTIONS, END_TURN
from muniment.games.siege.edition import MAX_CARDS
from muniment.games.siege.endings import ENDINGS, WON
from muniment.games.siege.state import ACTIONS_STEP, OVER
from muniment.games.siege.terms import DAYS
from muniment.solve.jit import compiled

__all__ = [
    "AUTORESET_NEVER", "AUTORESET_NEXT", "AUTORESET_SAME", "COLUMNS", "GAME_BLOCK", "GAME_CARD", "GAME_CELL",
    "GAME_DAY", "GAME_DECK", "GAME_DONE", "GAME_FLAGS", "GAME_LEGAL", "GAME_RESULT", "GAME_ROLLING", "GAME_ROW",
    "choose", "show", "start", "step",
]  # fmt: skip

U = np.uint64
Games = NDArray[np.int32]
Streams = NDArray[np.uint64]
Numbers = NDArray[np.int8]
Indices = NDArray[np.int64]
Flags = NDArray[np.bool_]
Bytes = NDArray[np.uint8]
Words = NDArray[np.int32]

# Columns of a game: its parts, see ``siege_tables``; what is left to draw, the card in play; the result, 0 while it
# goes on; the action whose die was awaited when it ended, or -1; the legal actions as bits; whether its end was told.
(
    GAME_BLOCK, GAME_ROW, GAME_CELL, GAME_FLAGS, GAME_DAY, GAME_DECK, GAME_CARD, GAME_RESULT, GAME_ROLLING, GAME_LEGAL,
    GAME_DONE,
) = range(11)  # fmt: skip
COLUMNS = 11

AUTORESET_NEXT, AUTORESET_SAME, AUTORESET_NEVER = range(3)

_END = next(action.index for action in ACTIONS if action.kind == END_TURN)
_WON = 1 + list(ENDINGS).index(WON)
_DAY, _DECK, _CARD, _STEP, _MARKS, _ROLLING, _RESULT = (
    PLACES[name].start for name in ("day", "deck", "card", "step", "points", "rolling", "result")
)
_ACTIONS = len(ACTIONS)

(
    _UNITS, _TRACKS, _PLACES, _PARTS, _FLAGS, _PAID, _MOVED, _ROLLS, _ON_CIRCLE, _JUDGED, _DRIVEN, _MENDED, _CARRIED,
    _OVER, _HELD, _CHECKED, _CAUGHT_ROW, _CAUGHT_CELL, _SIZES, _DRAWN, _LIMIT, _STANDING, _WITHOUT, _SHAKEN, _ORDERS,
    _NERVE, _BEGIN, _SET_UP, _BY_BLOCK, _BY_ROW, _BY_CELL, _BY_FLAGS, _EVENING, _EVENT, _ADVANCE,
) = AT.values()  # fmt: skip

_GOLDEN, _MIX_1, _MIX_2 = U(0x9E3779B97F4A7C15), U(0xBF58476D1CE4E5B9), U(0x94D049BB133111EB)
_30, _27, _31, _33 = U(30), U(27), U(31), U(33)


@compiled
def _number(z: np.uint64, n: int) -> int:
    """The uniform number below a small n for which a state of a stream stands."""
    z = (z ^ (z >> _30)) * _MIX_1
    z = (z ^ (z >> _27)) * _MIX_2
    z ^= z >> _31
    return int(((z >> _33) * U(n)) >> _31)


@compiled
def _set_up(w: Words, games: Games, which: Indices, count: int) -> None:
    """New games (3.0), before their first draw. which: their indices, the first ``count`` of them."""
    for k in range(count):
        i = which[k]
        games[i, GAME_BLOCK], games[i, GAME_ROW], games[i, GAME_CELL] = w[_SET_UP], w[_SET_UP + 1], w[_SET_UP + 2]
        games[i, GAME_DAY], games[i, GAME_DECK] = 1, (1 << w[_SET_UP + 3]) - 1
        games[i, GAME_RESULT], games[i, GAME_ROLLING], games[i, GAME_DONE] = 0, -1, 0


@compiled
def _begin_turns(b: Bytes, w: Words, games: Games, streams: Streams, which: Indices, count: int) -> None:
    """From a turn's beginning to its actions, or to the end of the game."""
    cards = w[_SET_UP + 3]
    for k in range(count):
        i = which[k]
        row, cell, block = games[i, GAME_ROW], games[i, GAME_CELL], games[i, GAME_BLOCK]
        games[i, GAME_FLAGS], games[i, GAME_CARD] = 0, -1
        if b[_CHECKED + cell]:
            streams[i] += _GOLDEN
            face = _number(streams[i], 6)
            row = b[_CAUGHT_ROW + face * ROWS + row]
            cell = b[_CAUGHT_CELL + face * CELLS + cell]
            if b[_OVER + row]:
                games[i, GAME_ROW], games[i, GAME_CELL], games[i, GAME_RESULT] = row, cell, b[_OVER + row]
                continue
        deck = games[i, GAME_DECK]
        streams[i] += _GOLDEN
        card = b[_DRAWN + deck * MAX_CARDS + _number(streams[i], b[_SIZES + deck])]
        games[i, GAME_DECK], games[i, GAME_CARD] = deck & ~(1 << card), card
        turn = (games[i, GAME_DAY] - 1) * cards + card
        event = w[_EVENT + ((turn * 8 + b[_STANDING + block]) * 4 + (cell & 3)) * ROWS + row]
        row = event & 127
        cell = (cell & ~3) | (event >> 7 & 3)
        block = b[_WITHOUT + (event >> 9 & 7) * BLOCKS + block]
        result = b[_OVER + row]
        if result == 0 and event >> 12:
            streams[i] += _GOLDEN
            row = b[_SHAKEN + _number(streams[i], 6) * ROWS + row]
            result = b[_OVER + row]
        elif result == 0:
            advance = w[_ADVANCE + (b[_ORDERS + turn] * BLOCKS + block) * NERVES + b[_NERVE + row]]
            block = advance & 255
            row -= 5 * (advance >> 8 & 3)
            result = advance >> 10
        games[i, GAME_BLOCK], games[i, GAME_ROW], games[i, GAME_CELL] = block, row, cell
        games[i, GAME_RESULT] = result
        if result == 0:
            games[i, GAME_FLAGS] = b[_BEGIN + turn]


@compiled
def _end_turns(b: Bytes, w: Words, games: Games, which: Indices, count: int) -> int:
    """The checks (10.0), and the night if it is time (11.0). Leaves in ``which`` the games that go on: how many."""
    going_on = 0
    for k in range(count):
        i = which[k]
        result = b[_HELD + games[i, GAME_BLOCK]]
        if result == 0:
            night = games[i, GAME_DECK] == 0
            time = 0 if not night else 1 if games[i, GAME_DAY] < DAYS else 2
            evening = w[_EVENING + (time * CELLS + games[i, GAME_CELL]) * ROWS + games[i, GAME_ROW]]
            games[i, GAME_ROW], games[i, GAME_CELL] = evening & 127, evening >> 7 & 63
            result = evening >> 13
            if result == 0 and night:
                games[i, GAME_DAY] += 1
                games[i, GAME_DECK] = (1 << w[_SET_UP + 3]) - 1
        games[i, GAME_RESULT] = result
        which[going_on] = i
        going_on += result == 0
    return going_on


@compiled
def _act(
    b: Bytes, w: Words, games: Games, streams: Streams, actions: Indices, refused: Flags, turns: Indices
) -> int:  # fmt: skip
    """The legal actions and their dice. Writes down which were refused, and the games whose turn ends: how many."""
    cards, count = w[_SET_UP + 3], 0
    for i in range(actions.size):
        refused[i] = False
        if games[i, GAME_RESULT] or games[i, GAME_DONE]:
            continue
        action = actions[i]
        if not games[i, GAME_LEGAL] >> action & 1:
            refused[i] = True
            continue
        if action == _END:
            turns[count] = i
            count += 1
            continue
        block, cell = games[i, GAME_BLOCK], games[i, GAME_CELL]
        row = b[_PAID + (action * (CELLS // 4) + (cell >> 2)) * ROWS + games[i, GAME_ROW]]
        cell = b[_MOVED + action * CELLS + cell]
        games[i, GAME_FLAGS] = b[_FLAGS + action * FLAGS + games[i, GAME_FLAGS]]
        if b[_ROLLS + action]:
            if b[_OVER + row]:  # the price ended the game (S16)
                games[i, GAME_ROLLING] = action
            else:
                turn = (games[i, GAME_DAY] - 1) * cards + games[i, GAME_CARD]
                situation = (turn * _ACTIONS + action) * 2 + b[_ON_CIRCLE + action * BLOCKS + block]
                streams[i] += _GOLDEN
                kind = action * CLASSES + b[_JUDGED + situation * 6 + _number(streams[i], 6)]
                games[i, GAME_BLOCK] = b[_DRIVEN + kind * BLOCKS + block]
                row = b[_MENDED + kind * ROWS + row]
                cell = b[_CARRIED + kind * CELLS + cell]
        games[i, GAME_ROW], games[i, GAME_CELL], games[i, GAME_RESULT] = row, cell, b[_OVER + row]
    return count


@compiled
def _show(b: Bytes, games: Games, observations: Numbers) -> None:
    """Write down the observations, in the order of the encoding's fields."""
    for i in range(games.shape[0]):
        block, row, cell, flags = games[i, GAME_BLOCK], games[i, GAME_ROW], games[i, GAME_CELL], games[i, GAME_FLAGS]
        for k in range(3):
            observations[i, k] = b[_UNITS + block * 3 + k]
            observations[i, 3 + k] = b[_TRACKS + row * 3 + k]
            observations[i, 6 + k] = b[_PLACES + cell * 3 + k]
        observations[i, _DAY] = games[i, GAME_DAY]
        for k in range(MAX_CARDS):
            observations[i, _DECK + k] = games[i, GAME_DECK] >> k & 1
        observations[i, _CARD] = games[i, GAME_CARD]
        observations[i, _STEP] = OVER if games[i, GAME_RESULT] else ACTIONS_STEP
        for k in range(4):
            observations[i, _MARKS + k] = b[_PARTS + flags * 4 + k]
        observations[i, _ROLLING] = games[i, GAME_ROLLING]
        observations[i, _RESULT] = games[i, GAME_RESULT]


@compiled
def _look(b: Bytes, w: Words, games: Games, masks: Numbers) -> None:
    """Write down which actions are legal."""
    cards = w[_SET_UP + 3]
    for i in range(games.shape[0]):
        block, row, cell, flags = games[i, GAME_BLOCK], games[i, GAME_ROW], games[i, GAME_CELL], games[i, GAME_FLAGS]
        legal = 0
        if games[i, GAME_RESULT] == 0:
            limit = b[_LIMIT + (games[i, GAME_DAY] - 1) * cards + games[i, GAME_CARD]]
            legal = (
                w[_BY_BLOCK + (limit * 2 + (flags >= 12)) * BLOCKS + block]
                & w[_BY_ROW + row]
                & w[_BY_CELL + (limit * CELLS + cell) * 3 + b[_PARTS + flags * 4 + 2]]
                & w[_BY_FLAGS + flags]
            )
        games[i, GAME_LEGAL] = legal
    for i in range(games.shape[0]):
        for k in range(_ACTIONS):
            masks[i, k] = games[i, GAME_LEGAL] >> k & 1


@compiled
def show(b: Bytes, w: Words, games: Games, observations: Numbers, masks: Numbers) -> None:
    """Write down the observations and legal actions of all games."""
    _show(b, games, observations)
    _look(b, w, games, masks)


@compiled
def start(b: Bytes, w: Words, games: Games, streams: Streams, which: Indices) -> None:
    """Set up the games with these indices, up to their first decisions."""
    _set_up(w, games, which, which.size)
    _begin_turns(b, w, games, streams, which, which.size)


@compiled
def step(
    b: Bytes, w: Words, games: Games, streams: Streams, actions: Indices, autoreset: int, observations: Numbers,
    masks: Numbers, rewards: NDArray[np.float64], ends: Flags, refused: Flags, finals: Numbers,
) -> int:  # fmt: skip
    """One step of every game. Returns how many ended in it.

    ends: whether the game ended in this step. refused: whether because the action was illegal. finals: with
    ``AUTORESET_SAME`` the last observations, where games ended; their next games are already in ``observations``.
    """
    which = np.empty(actions.size, np.int64)
    turns = _act(b, w, games, streams, actions, refused, which)
    _begin_turns(b, w, games, streams, which, _end_turns(b, w, games, which, turns))
    ended, fresh = 0, 0
    for i in range(actions.size):
        rewards[i] = 0.0
        ends[i] = False
        if games[i, GAME_DONE]:  # since an earlier step
            if autoreset == AUTORESET_NEXT:
                which[fresh] = i
                fresh += 1
        elif games[i, GAME_RESULT] or refused[i]:
            ends[i] = True
            rewards[i] = ILLEGAL_REWARD if refused[i] else 1.0 if games[i, GAME_RESULT] == _WON else 0.0
            games[i, GAME_DONE] = 1
            ended += 1
            if autoreset == AUTORESET_SAME:
                which[fresh] = i
                fresh += 1
    if autoreset == AUTORESET_SAME and ended:
        _show(b, games, finals)
    _set_up(w, games, which, fresh)
    _begin_turns(b, w, games, streams, which, fresh)
    _show(b, games, observations)
    _look(b, w, games, masks)
    return ended


@compiled
def choose(masks: Numbers, streams: Streams, actions: Indices) -> None:
    """For every game one of its legal actions, each as likely; 0 where there is none."""
    for i in range(actions.size):
        count = 0
        for k in range(_ACTIONS):
            count += masks[i, k]
        streams[i] += _GOLDEN
        rest = _number(streams[i], count)
        found, seen = 0, 0
        for k in range(_ACTIONS):
            seen += masks[i, k]
            found += seen <= rest
        actions[i] = found if count else 0
