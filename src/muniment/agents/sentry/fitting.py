"""Learns the weights of ``judgement`` anew: ``python -m muniment.agents.sentry.fitting FILE``, in some minutes.

Some games are solved: the standard edition, and small ones with other figures and cards, so that what is printed on
cards of anybody's own counts. In each of them ``captain`` plays, with now and then a random action; tables that its
turns could end with are the examples, and their winning chances under perfect play what is learned. Needs the extra
``solve``. The last tenth of each game's tables is held out, to tell how good the weights are.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from muniment.agents.captain import Captain
from muniment.agents.sentry.features import Features
from muniment.agents.sentry.judgement import Network
from muniment.core.dice import RandomStream, seed_from_text
from muniment.games.siege.actions import ACTIONS, END_TURN
from muniment.games.siege.edition import SiegeEdition, standard_edition
from muniment.games.siege.game import Siege
from muniment.games.siege.options import SiegeOptions
from muniment.games.siege.state import ACTIONS_STEP, OVER, SiegeState
from muniment.games.siege.terms import STATUSES

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float32]

__all__ = ["Examples", "examples_of", "fit", "variant"]

_VARIANTS: Final = 8
_VARIANT_CARDS: Final = (3, 6)  # at least, at most: a game of six cards is solved in seconds
_STANDARD_TABLES: Final = 120_000
_VARIANT_TABLES: Final = 8_000
_CARELESS: Final = (50, 10, 4)  # one action in so many is random, by game
_HELD_OUT: Final = 10  # of so many parts the last one
_HIDDEN: Final = 32
_EPOCHS: Final = 40
_JUDGED: Final = 5_000  # held-out tables of a game, to tell how good the weights are
_BATCH: Final = 256
_STEP: Final = 0.003
_END: Final = next(action for action in ACTIONS if action.kind == END_TURN)


@dataclass(frozen=True)
class Examples:
    """Tables of one game. figures: the features, a row for each. chances: under perfect play."""

    figures: Floats
    chances: Floats


def variant(number: int) -> tuple[SiegeEdition, SiegeOptions]:
    """A small game of other cards and figures, always the same for a number."""
    random = RandomStream(seed_from_text(f"siege variant {number}"))
    printed = standard_edition()
    few, many = _VARIANT_CARDS
    left = list(printed.cards)
    cards = []
    for _ in range(few + random.below(many - few + 1)):
        card = left.pop(random.below(len(left)))
        divisions = tuple(
            replace(division, actions=max(0, division.actions + (0, 0, 1, -1)[random.below(4)]))
            for division in (card.divisions[random.below(3)] for _ in card.divisions)
        )
        cards.append(replace(card, divisions=divisions))
    ladders, ram, tower = (max(1, min(5, strength + random.below(3) - 1)) for strength in printed.strength)
    wall, morale, supplies = (2 + random.below(3) for _ in STATUSES)
    edition = replace(
        printed,
        name=f"variant {number}",
        digest=f"variant {number}",
        cards=tuple(cards),
        strength=(ladders, ram, tower),
        close_combat_strength=2 + random.below(3),
        start_trebuchets=1 + random.below(3),
        start_status=(wall, morale, supplies),
        raise_wall_at=max(2, printed.raise_wall_at + random.below(3) - 1),
        raise_morale_at=max(2, printed.raise_morale_at + random.below(3) - 1),
    )
    options = SiegeOptions(
        ones="event_bonus_cancels" if random.below(3) == 0 else "natural",
        close_combat_drives_back="all" if random.below(3) == 0 else "one",
    )
    return edition, options


def examples_of(edition: SiegeEdition, options: SiegeOptions, wanted: int, folder: Path | None) -> Examples:
    """Tables of a game, solved now if it has not been, and their chances."""
    import numpy as np

    from muniment.solve.solving import solve
    from muniment.solve.values import Values

    values = Values(solve(edition, options, jobs=1, folder=folder))
    game = Siege(edition, options)
    captain = Captain(game)
    features = Features(game, captain)
    seen: dict[tuple[int | str, ...], tuple[list[float], float]] = {}
    random = RandomStream(seed_from_text(f"examples of {edition.digest}"))
    number = 0
    while len(seen) < wanted and number < wanted:
        for state in _tables(game, captain, random, _CARELESS[number % len(_CARELESS)]):
            key = state.key()
            if key not in seen:
                seen[key] = features.of(state), values.value(state)
        number += 1
    figures, chances = zip(*seen.values(), strict=True)
    return Examples(np.array(figures, np.float32), np.array(chances, np.float32))


def _tables(game: Siege, captain: Captain, random: RandomStream, careless: int) -> Iterator[SiegeState]:
    """What turns of one game could have ended with."""
    state = game.initial()
    while state.step != OVER:
        if state.step != ACTIONS_STEP:
            game.apply_outcome(state, game.sample(state, random))
            continue
        yield from _ended(game, state)
        legal = game.legal_actions(state)
        for _, after in captain.results(state, random.choice(legal)):
            if after.step == ACTIONS_STEP:
                yield from _ended(game, after)
        game.apply(state, captain.decide(state, legal) if random.below(careless) else random.choice(legal))


def _ended(game: Siege, state: SiegeState) -> Iterator[SiegeState]:
    ended = state.copy()
    game.apply(ended, _END)
    if ended.step != OVER:
        yield ended


def fit(games: Sequence[Examples]) -> Network:
    """The network that fits best, found by Adam; every game's tables count as many times as it has them."""
    import numpy as np

    random = np.random.default_rng(1)
    held = [np.arange(len(game.chances)) * _HELD_OUT // len(game.chances) == _HELD_OUT - 1 for game in games]
    figures = np.concatenate([game.figures[~out] for game, out in zip(games, held, strict=True)])
    chances = np.concatenate([game.chances[~out] for game, out in zip(games, held, strict=True)])
    middle, spread = figures.mean(axis=0), figures.std(axis=0)
    constant = spread < 1e-6
    spread[constant] = 1.0
    scaled = (figures - middle) / spread
    width = scaled.shape[1]
    parts: list[Floats] = [
        random.normal(0, width**-0.5, (width, _HIDDEN)).astype(np.float32),
        np.zeros(_HIDDEN, np.float32),
        random.normal(0, 0.1, _HIDDEN).astype(np.float32),
        np.zeros(1, np.float32),
        np.zeros(width, np.float32),
    ]
    first = [np.zeros_like(part) for part in parts]
    second = [np.zeros_like(part) for part in parts]
    steps = _EPOCHS * (len(scaled) // _BATCH)
    done = 0
    for _ in range(_EPOCHS):
        order = random.permutation(len(scaled))
        for at in range(0, len(scaled) - _BATCH + 1, _BATCH):
            chosen = order[at : at + _BATCH]
            rows = scaled[chosen]
            above = np.maximum(rows @ parts[0] + parts[1], 0)
            odds = above @ parts[2] + parts[3] + rows @ parts[4]
            wrong = (1 / (1 + np.exp(-np.clip(odds, -30, 30))) - chances[chosen]) / _BATCH
            back = np.outer(wrong, parts[2]) * (above > 0)
            slopes = [rows.T @ back, back.sum(axis=0), above.T @ wrong, wrong.sum(keepdims=True), rows.T @ wrong]
            done += 1
            for index, slope in enumerate(slopes):
                first[index] = 0.9 * first[index] + 0.1 * slope
                second[index] = 0.999 * second[index] + 0.001 * slope**2
                size = np.sqrt(second[index] / (1 - 0.999**done)) + 1e-8
                parts[index] -= _STEP * (1 - done / (steps + 1)) * (first[index] / (1 - 0.9**done)) / size
    network = _unscaled(parts, middle, spread, constant)
    trained: dict[str, Any] = {"tables": len(scaled), "hidden": _HIDDEN, "epochs": _EPOCHS}
    trained["mean_error_held_out"] = [
        round(_mean_error(network, Examples(game.figures[out], game.chances[out])), 4)
        for game, out in zip(games, held, strict=True)
    ]
    return replace(network, trained=trained)


def _unscaled(parts: Sequence[Floats], middle: Floats, spread: Floats, constant: NDArray[np.bool_]) -> Network:
    """The network over features as they are; those that never changed count for nothing."""
    weights = parts[0] / spread[:, None]
    direct = parts[4] / spread
    weights[constant] = 0
    direct[constant] = 0
    biases = parts[1] - middle @ weights
    hidden = tuple(
        (float(bias), tuple(row.tolist()), float(out))
        for bias, row, out in zip(biases, weights.T, parts[2], strict=True)
    )
    return Network(float(parts[3][0] - middle @ direct), tuple(direct.tolist()), hidden)


def _mean_error(network: Network, examples: Examples) -> float:
    pairs = list(zip(examples.figures.tolist(), examples.chances.tolist(), strict=True))[:_JUDGED]
    total: float = sum(abs(network.chance(row) - chance) for row, chance in pairs)
    return total / len(pairs)


def main() -> None:
    """Learn, and write the file that is named."""
    games = [examples_of(standard_edition(), SiegeOptions(), _STANDARD_TABLES, None)]
    for number in range(_VARIANTS):
        edition, options = variant(number)
        games.append(examples_of(edition, options, _VARIANT_TABLES, None))
    network = fit(games)
    Path(sys.argv[1]).write_text(network.to_text(), encoding="utf-8")
    sys.stdout.write(f"{network.trained}\n")


if __name__ == "__main__":
    main()
