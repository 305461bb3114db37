"""Train a small agent on 9 Card Siege with the vector environment, until it beats ``captain``.

    pip install 'muniment[gymnasium]'
    python examples/train_siege.py

``captain``, the package's own heuristic player, wins 60.8 % of its games, and any legal action at random none. The
agent looks nothing up but observations and masks. It has a few tables, each indexed by some of the observation's
numbers; a row holds a weight for each action and a value. The sum of the weights says how likely an action is, the sum
of the values how the game will end. Both are learned from the agent's own games, 4096 at a time, as an actor and a
critic: actions after which things went better than expected become likelier.

Victories are rare at first, and sabotage is a long way off and dangerous when one gets there. So there are three
incentives, which fade away until only victory counts: for every turn survived, for a fortress that becomes stronger
(fewer trebuchets above all), and for doing what is unlikely. Without the trebuchets the agent never learns to sabotage,
and stays below captain.
"""
# ruff: noqa: T201  # it is for the terminal

from __future__ import annotations

import time
from itertools import accumulate

try:
    import numba
    import numpy as np
except ImportError as error:
    raise SystemExit(f"training needs the extra 'gymnasium': pip install 'muniment[gymnasium]' ({error})") from None
from numpy.typing import NDArray

from muniment.arena.statistics import wilson
from muniment.envs.siege_encoding import ACTION_COUNT, PLACES
from muniment.envs.siege_vector import SiegeVectorEnv

GAMES = 4096
AT_ONCE = 16  # steps of all games between two lessons
LESSONS = 1_400
# How much things count at first and at the end of the training.
FOR_A_TURN = (0.05, 0.0)
FOR_STRENGTH = (0.05, 0.0)
FOR_THE_UNLIKELY = (0.03, 0.0)
ACTOR_RATE = (3.0, 1.0)
CRITIC_RATE = (0.3, 0.05)
FORESIGHT = 0.9  # how far an action answers for what comes later: 0 for its own step, 1 to the end of the game

# What a table can look at: a place in the observation, what to add to its number, how many numbers there can be. Three
# places more are made of the cards: the turn, the card in play on its day, the cards left.
CARDS, SEEN = 7, 27
DAY, DECK, CARD = PLACES["day"].start, PLACES["deck"].start, PLACES["card"].start
UNITS = [(0, 1, 6), (1, 1, 6), (2, 1, 6)]
WALL, MORALE, SUPPLIES, TREBUCHETS, SOLDIERS, RAIDED = (3, 0, 5), (4, 0, 5), (5, 0, 5), (6, 0, 4), (7, 0, 4), (8, 0, 3)
POINTS, EXTRA, FREE, BOILED = (21, 0, 5), (22, 0, 2), (23, 0, 3), (24, 0, 2)
TURN, IN_PLAY, LEFT, TODAY = (27, 0, 21), (28, 0, 21), (29, 0, 128), (DAY, -1, 3)
TABLES = [
    [WALL, MORALE, SUPPLIES, TURN],
    [*UNITS, MORALE, TURN],
    [SOLDIERS, RAIDED, SUPPLIES, TREBUCHETS, TURN],
    [*UNITS, POINTS, EXTRA, IN_PLAY],
    [SOLDIERS, RAIDED, POINTS, EXTRA, FREE, IN_PLAY, TREBUCHETS],
    [WALL, TREBUCHETS, LEFT, TODAY, POINTS],
    [*UNITS, MORALE, POINTS, BOILED],
    [WALL, MORALE, SUPPLIES, SOLDIERS, RAIDED, POINTS],
    [*UNITS, LEFT, TODAY],
    [SUPPLIES, MORALE, LEFT, TODAY, EXTRA],
]
PARTS = np.array([part for table in TABLES for part in table])
FIRST = np.array([0, *accumulate(len(table) for table in TABLES)])
ROWS = sum(int(np.prod([size for _, _, size in table])) for table in TABLES)
VALUE, WIDTH = ACTION_COUNT, ACTION_COUNT + 1

Floats = NDArray[np.float32]
Ints = NDArray[np.int64]
Bytes = NDArray[np.int8]
Flags = NDArray[np.bool_]


@numba.njit()
def look_up(seen: Bytes, parts: Ints, first: Ints, rows: Ints) -> None:
    """For every game its row of each table."""
    numbers = np.empty(SEEN + 3, np.int64)
    for i in range(seen.shape[0]):
        for k in range(SEEN):
            numbers[k] = seen[i, k]
        left, count = 0, 0
        for k in range(CARDS):
            left |= numbers[DECK + k] << k
            count += numbers[DECK + k]
        day = CARDS * (numbers[DAY] - 1)
        numbers[SEEN], numbers[SEEN + 1], numbers[SEEN + 2] = day + CARDS - 1 - count, day + numbers[CARD], left
        begin = 0
        for table in range(first.size - 1):
            row, size = 0, 1
            for k in range(first[table], first[table + 1]):
                row = row * parts[k, 2] + numbers[parts[k, 0]] + parts[k, 1]
                size *= parts[k, 2]
            rows[i, table] = begin + row
            begin += size


@numba.njit()
def likelihoods(sums: Floats, mask: Bytes) -> None:
    """Turn the sums of weights into probabilities of the legal actions."""
    top = np.float32(-np.inf)
    for action in range(ACTION_COUNT):
        if mask[action]:
            top = max(top, sums[action])
    total = np.float32(0)
    for action in range(ACTION_COUNT):
        sums[action] = np.exp(sums[action] - top) if mask[action] else np.float32(0)
        total += sums[action]
    for action in range(ACTION_COUNT):
        sums[action] /= total


@numba.njit()
def decide(
    weights: Floats, rows: Ints, masks: Bytes, luck: Floats, actions: Ints, chances: Floats, values: Floats
) -> None:  # fmt: skip
    """An action for every game, its probability, and the value of the position. luck: from 0 to 1; above 1 the best."""
    sums = np.empty(WIDTH, np.float32)
    for i in range(rows.shape[0]):
        sums[:] = 0
        for table in range(rows.shape[1]):
            for action in range(WIDTH):
                sums[action] += weights[rows[i, table], action]
        values[i] = sums[VALUE]
        likelihoods(sums, masks[i])
        best, rest = 0, luck[i]
        for action in range(ACTION_COUNT):
            if sums[action] > 0 and (rest >= 0 if luck[i] <= 1 else sums[action] > sums[best]):
                best = action
            rest -= sums[action]
        actions[i], chances[i] = best, sums[best]


@numba.njit()
def learn(
    weights: Floats, rows: Ints, masks: Bytes, actions: Ints, chances: Floats, values: Floats, rewards: Floats,
    ends: Flags, actor: float, critic: float,
) -> None:  # fmt: skip
    """One lesson, from the last step to the first; ``values`` has one step more than the others."""
    steps, games, tables = rows.shape
    better = np.zeros(games, np.float32)  # than expected
    sums = np.empty(WIDTH, np.float32)
    for step in range(steps - 1, -1, -1):
        for i in range(games):
            if ends[step, i]:
                better[i] = rewards[step, i] - values[step, i]
            else:
                surprise = rewards[step, i] + values[step + 1, i] - values[step, i]
                better[i] = surprise + np.float32(FORESIGHT) * better[i]
            sums[:] = 0
            for table in range(tables):
                for action in range(WIDTH):
                    sums[action] += weights[rows[step, i, table], action]
            taken = actions[step, i]
            likelihoods(sums, masks[step, i])
            # Where the lesson has made the action unlikely meanwhile, it is pushed no further.
            push = actor / tables * better[i] * min(1.0, sums[taken] / chances[step, i])
            for action in range(ACTION_COUNT):
                sums[action] *= -push
            sums[taken] += push
            sums[VALUE] = critic / tables * (values[step, i] + better[i] - sums[VALUE])
            for table in range(tables):
                for action in range(WIDTH):
                    weights[rows[step, i, table], action] += sums[action]


def fading(ends: tuple[float, float], done: float) -> float:
    """From the first to the second number."""
    return ends[0] + (ends[1] - ends[0]) * done


def turn_of(seen: Bytes) -> Ints:
    """The turns that each game has begun."""
    left: Ints = seen[:, DECK : DECK + CARDS].sum(axis=1, dtype=np.int64)
    return CARDS * seen[:, DAY] - left


def strength_of(seen: Bytes) -> Ints:
    """What each fortress has, status tracks and raided supplies, less six for each trebuchet against it."""
    status: Ints = seen[:, PLACES["status"]].sum(axis=1, dtype=np.int64)
    return status + seen[:, RAIDED[0]] - 6 * seen[:, TREBUCHETS[0]]


def train(lessons: int = LESSONS, seed: int = 1, *, tell: bool = True) -> Floats:
    """The weights after so many lessons of ``AT_ONCE`` steps of all games, the same for the same seed."""
    env = SiegeVectorEnv(GAMES, autoreset_mode="SameStep", copy=False)
    random = np.random.default_rng(seed)
    weights = np.zeros((ROWS, WIDTH), np.float32)
    shape = (AT_ONCE + 1, GAMES)
    rows, masks = np.zeros((*shape, len(TABLES)), np.int64), np.zeros((*shape, ACTION_COUNT), np.int8)
    actions, chances, values = np.zeros(shape, np.int64), np.zeros(shape, np.float32), np.zeros(shape, np.float32)
    rewards, ends = np.zeros((AT_ONCE, GAMES), np.float32), np.zeros((AT_ONCE, GAMES), np.bool_)

    def next_decision(at: int) -> None:
        look_up(seen, PARTS, FIRST, rows[at])
        masks[at] = infos["action_mask"]
        luck = random.random(GAMES, np.float32)
        decide(weights, rows[at], masks[at], luck, actions[at], chances[at], values[at])

    seen, infos = env.reset(seed=seed)
    next_decision(0)
    won = ended = 0
    for lesson in range(lessons):
        done = lesson / lessons
        for step in range(AT_ONCE):
            turn, strength = turn_of(seen), strength_of(seen)
            seen, reward, ends[step], _, infos = env.step(actions[step])
            won, ended = won + int(reward.sum()), ended + int(ends[step].sum())
            incentive = fading(FOR_A_TURN, done) * (turn_of(seen) - turn)
            incentive += fading(FOR_STRENGTH, done) * (strength_of(seen) - strength)
            rewards[step] = reward + np.where(ends[step], 0, incentive)
            rewards[step] -= fading(FOR_THE_UNLIKELY, done) * np.log(chances[step])
            next_decision(step + 1)
        learn(
            weights, rows[:-1], masks[:-1], actions[:-1], chances[:-1], values, rewards, ends,
            fading(ACTOR_RATE, done), fading(CRITIC_RATE, done),
        )  # fmt: skip
        for kept in (rows, masks, actions, chances, values):
            kept[0] = kept[-1]
        if tell and (lesson + 1) % max(lessons // 20, 1) == 0:
            print(
                f"{100 * (lesson + 1) // lessons:3} % of the lessons: {100 * won / max(ended, 1):5.2f} % of games won"
            )
            won = ended = 0
    return weights


def victories(weights: Floats, games: int, seed: int = 1_000_000) -> int:
    """How many of so many games (a multiple of 4096) the agent wins, always with its likeliest action."""
    env = SiegeVectorEnv(GAMES, autoreset_mode="SameStep", copy=False)
    rows, actions = np.zeros((GAMES, len(TABLES)), np.int64), np.zeros(GAMES, np.int64)
    chances, values, best = np.zeros(GAMES, np.float32), np.zeros(GAMES, np.float32), np.full(GAMES, 2, np.float32)
    left, won = np.full(GAMES, games // GAMES), 0
    seen, infos = env.reset(seed=seed)
    while left.any():
        look_up(seen, PARTS, FIRST, rows)
        decide(weights, rows, infos["action_mask"], best, actions, chances, values)
        seen, rewards, ends, _, infos = env.step(actions)
        won += int(rewards[left > 0].sum())
        left -= ends & (left > 0)
    return won


def main() -> None:
    """Train, then play 40,960 games that it has not been trained on."""
    began = time.process_time()
    weights = train()
    games = 10 * GAMES
    rate = wilson(victories(weights, games), games)
    print(f"Games won after {time.process_time() - began:.0f} s, with the 95% interval, of {games:,}: {rate}")


if __name__ == "__main__":
    main()
