"""King of the Tabletop as the OpenSpiel game ``muniment_king``: numbers, chance in small steps, parameters.

Parameters: ``players`` 2 to 4; ``edition``: "rulebook", "counters" or a file; ``edition_digest``: the digest that it
must have, "own" for the package's editions, "any"; ``horizon``: after how many decisions a game is cut short and the
victory shared; and every option of the game (``turn_limit`` 0: none).

Chance: a draw is a node with a number a kind of tile; one or two dice are a node with a number a result. More dice are
thrown one by one. Combat dice are folded, as the game folds them: for each group of dice that hit at the same result,
how many hit by more than needed, how many of the others hit exactly, how many of the rest miss by one.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import comb
from typing import Any, Final

import numpy as np
import pyspiel

from muniment.core.errors import MunimentError
from muniment.envs.king_encoding import OWN_EDITIONS, KingEncoding, king_game
from muniment.envs.openspiel_base import (
    Coding,
    MunimentGame,
    Numbers,
    Partial,
    game_type,
    option_parameters,
    options_from,
)
from muniment.games.king import King
from muniment.games.king.actions import KingAction, KingOutcome
from muniment.games.king.box import Box
from muniment.games.king.combat import CHARGE
from muniment.games.king.state import KingState

__all__ = ["KING_TYPE", "KingCoding", "KingGame", "fold_step", "fold_steps", "folded"]

_SMALL_ROLL: Final = 2
_CLASSES: Final = ("hit by more", "hit exactly", "miss by one")
_OVER: Final = 0
_MOST_PIPS: Final = 7  # of a charmed die (K42)
_HORIZON: Final = 10_000


class KingCoding(Coding):
    """The numbers of a game: actions and observations by ``king_encoding``."""

    def __init__(self, game: King, horizon: int) -> None:
        self.rules: King = game
        self.encoding = KingEncoding(game)
        self.action_count = self.encoding.action_count
        self.chance_count = max(36, len(game.edition.kinds), _most_dice(game.box) + 1)
        self.decisions = horizon
        self.parts = tuple((part.name, part.shape) for part in self.encoding.observations.parts)

    def numbered(self, state: KingState, seat: int) -> dict[int, KingAction]:
        """The seat's legal actions by number."""
        return self.encoding.numbered(self.rules.legal_actions(state, seat), seat, state.seats)

    def name(self, number: int) -> str:
        """The number's verb and particulars."""
        return self.encoding.actions.names[number]

    def observe(self, state: KingState, seat: int, *, spectator: bool) -> Numbers:
        """The encoded view of the seat, or a spectator's as from that seat."""
        if spectator:
            return self.encoding.observations.encode(self.rules.view(state, None), seat)
        return self.encoding.observations.encode(self.rules.view(state, seat))

    def lines(self, observation: Numbers) -> list[str]:
        """Its rows by name."""
        return self.encoding.observations.lines(observation.astype(np.int32))

    # -- chance

    def chance(self, state: KingState, partial: Partial) -> tuple[list[tuple[int, int]], int]:
        """What can come in this step; see the module's text."""
        f = state.frames[-1]
        if f.kind == "volley-dice":
            return fold_step(_groups(f.data), partial)
        if f.kind == "roll" and int(f.data[1]) > _SMALL_ROLL:
            return [(face, 1) for face in range(6)], 6
        node = self.rules.chance(state)
        if f.kind == "roll":
            return list(enumerate(node.weights)), node.total
        by_slug = self.rules.edition.by_slug
        found = [(by_slug[str(o.args[0])], w) for o, w in zip(node.outcomes, node.weights, strict=True)]
        return sorted(found), node.total

    def came(self, state: KingState, partial: Partial, number: int) -> KingOutcome | None:
        """The dice or the tile, once all of a roll's steps are there."""
        f = state.frames[-1]
        steps = (*partial, number)
        if f.kind == "volley-dice":
            groups = _groups(f.data)
            return folded(groups, steps) if len(steps) == len(fold_steps(groups)) else None
        if f.kind == "roll":
            dice = int(f.data[1])
            if dice <= _SMALL_ROLL:
                return self.rules.chance(state).outcomes[number]
            return KingOutcome("dice", tuple(face + 1 for face in steps)) if len(steps) == dice else None
        return KingOutcome("tile", (self.rules.edition.kinds[number].slug,))

    def chance_name(self, state: KingState, partial: Partial, number: int) -> str:
        """The outcome, or the step of a longer roll."""
        f = state.frames[-1]
        if f.kind == "volley-dice":
            groups = _groups(f.data)
            at, sort = fold_steps(groups)[len(partial)]
            return f"of the dice that hit with {groups[at][1]}: {number} {_CLASSES[sort]}"
        if f.kind == "roll" and int(f.data[1]) > _SMALL_ROLL:
            return f"die {len(partial) + 1}: {number + 1}"
        outcome = self.came(state, partial, number)
        assert outcome is not None
        return outcome.notation


def _groups(data: tuple[int | str, ...]) -> tuple[tuple[int, int], ...]:
    """Of a frame of combat dice: how many dice, and the lowest result with which they hit."""
    return tuple((int(data[at]), int(data[at + 1])) for at in range(1, len(data), 2))


def fold_steps(groups: tuple[tuple[int, int], ...]) -> list[tuple[int, int]]:
    """The steps of a roll: a group and a class of it; nothing is over a 6."""
    return [(at, sort) for at, (_, least) in enumerate(groups) for sort in range(3) if sort != _OVER or least < 6]


def fold_step(groups: tuple[tuple[int, int], ...], partial: Partial) -> tuple[list[tuple[int, int]], int]:
    """How many of the group's dice that are still open fall into the next class, with exact weights."""
    steps = fold_steps(groups)
    at, sort = steps[len(partial)]
    number, least = groups[at]
    still = number - sum(n for n, (group, _) in zip(partial, steps, strict=False) if group == at)
    faces = (6, least, least - 1)[sort]  # that a die still open can show
    wanted = 6 - least if sort == _OVER else 1
    return [(k, comb(still, k) * wanted**k * (faces - wanted) ** (still - k)) for k in range(still + 1)], faces**still


def folded(groups: tuple[tuple[int, int], ...], partial: Partial) -> KingOutcome:
    """The fold that the numbers of all steps come to."""
    args: list[int] = []
    for at, (number, least) in enumerate(groups):
        classes = [0, 0, 0]
        for n, (group, sort) in zip(partial, fold_steps(groups), strict=True):
            if group == at:
                classes[sort] = n
        args += (least, *classes, number - sum(classes))
    return KingOutcome("fold", tuple(args))


def _most_dice(box: Box) -> int:
    """More dice than any side ever rolls in a stage: all tiles together, at their best, in the strongest fort."""
    fighters = [fighter for fighter in box.fighter if box.fights[fighter.tile]]
    charging = sum(_MOST_PIPS for fighter in fighters if fighter.traits & CHARGE)  # K34
    bonus = 2 * len(fighters)  # royal influence and terrain, K50 and K51
    forts = 4 + max(box.value[box.settlements : box.mines], default=0) + _MOST_PIPS  # K35, K46
    return sum(fighter.value for fighter in fighters) + charging + bonus + forts


_PARAMETERS: Final[Mapping[str, str | bool | int]] = {
    "players": 2, "edition_digest": OWN_EDITIONS, "horizon": _HORIZON, **option_parameters(King.option_definitions),
}  # fmt: skip
KING_TYPE: Final = game_type(
    "muniment_king",
    King.facts,
    pyspiel.GameType.Information.IMPERFECT_INFORMATION,
    pyspiel.GameType.Utility.CONSTANT_SUM,
    _PARAMETERS,
)


class KingGame(MunimentGame):
    """The game; see the module's text for its parameters. Raises MunimentError for one that does not fit."""

    def __init__(self, params: Mapping[str, Any] | None = None) -> None:
        given = {**_PARAMETERS, **(params or {})}
        options = options_from(King.option_definitions, given)
        edition = options.pop("edition", None)
        digest = str(given["edition_digest"])
        game = king_game(None if edition is None else str(edition), options, None if digest == "any" else digest)
        horizon = int(given["horizon"])
        if horizon < 1:
            raise MunimentError(f"horizon must be at least 1, not {horizon}")
        coding = KingCoding(game, horizon)
        super().__init__(KING_TYPE, coding, int(given["players"]), params or {})
