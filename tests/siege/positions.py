"""Positions from a few words, and turns played from a script, so that a test reads like a paragraph of the rulebook.

``at(ladders=1, card=4, day=2)`` is a position in the actions step; ``before_card(2, day=2)`` one whose next card is
known. Both go through the JSON form, so an impossible position fails the test. A ``Play`` takes actions by notation and
dice as numbers: ``at(ladders=3).do("archers ladders", 5)``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from muniment.core.errors import PositionError
from muniment.core.events import EventLog
from muniment.core.game import Over
from muniment.core.refusal import Refused
from muniment.games.siege import Siege, SiegeOptions, standard_edition
from muniment.games.siege.actions import parse_action
from muniment.games.siege.edition import Card, Division, Drm, EventEffect
from muniment.games.siege.outcomes import D6, SiegeOutcome
from muniment.games.siege.position import STEP_NAMES
from muniment.games.siege.state import SiegeState
from muniment.games.siege.terms import SPACE_NAMES, TUNNEL_NAMES

STANDARD = Siege()
UNITS = ("ladders", "battering_ram", "siege_tower")
PLAIN_CARD = 3  # on day 1 Supplies Spoiled: 2 AP, and nothing that lasts into the actions


class Play:
    """A game and a state, with a script's verbs and the table's nouns."""

    def __init__(self, game: Siege, state: SiegeState) -> None:
        self.game = game
        self.state = state
        self.log = EventLog()

    def do(self, *steps: str | int) -> Play:
        """Actions by their notation, checked to be legal; dice as numbers, cards as "draw 3"."""
        for step in steps:
            if isinstance(step, str) and step.startswith("draw "):
                self.draw(int(step.removeprefix("draw ")))
            elif isinstance(step, str):
                self.game.play(self.state, parse_action(step), 0, self.log)
            else:
                self._happen(D6[step - 1])
        return self

    def draw(self, number: int) -> Play:
        """The card with this printed number is turned over."""
        return self._happen(SiegeOutcome(True, number))

    def _happen(self, outcome: SiegeOutcome) -> Play:
        assert self.game.admits(self.state, outcome), f"{outcome.notation} cannot come at {self.state!r}"
        self.game.apply_outcome(self.state, outcome, self.log)
        return self

    def again(self) -> Play:
        """An independent copy, to try something else from here."""
        return Play(self.game, self.state.copy())

    def refused(self, action: str) -> tuple[str, str]:
        """Code and rule of the refusal; fails if the action is legal, and if refusing it changes anything."""
        before = self.state.key()
        with pytest.raises(Refused) as caught:
            self.game.play(self.state, parse_action(action))
        assert self.state.key() == before
        assert parse_action(action) not in self.game.legal_actions(self.state)
        return caught.value.refusal.code, caught.value.refusal.rule

    def can(self, action: str) -> bool:
        return parse_action(action) in self.game.legal_actions(self.state)

    @property
    def legal(self) -> set[str]:
        return {action.notation for action in self.game.legal_actions(self.state)}

    def hits(self, action: str) -> list[int]:
        """The natural faces with which the action succeeds."""
        odds = self.game.odds(self.game.view(self.state, 0), parse_action(action))
        return sorted(face for case in odds.cases if case.label == "success" for face in case.faces)

    @property
    def units(self) -> tuple[int | str, ...]:
        """Where ladders, battering ram and siege tower stand: "start", 3, 2, 1, "close combat" or "removed"."""
        return tuple(space if 0 < space < 4 else SPACE_NAMES[space] for space in self.state.units)

    @property
    def status(self) -> tuple[int, ...]:
        """Wall, morale, supplies."""
        return tuple(self.state.status)

    @property
    def wall(self) -> int:
        return self.state.status[0]

    @property
    def morale(self) -> int:
        return self.state.status[1]

    @property
    def supplies(self) -> int:
        return self.state.status[2]

    @property
    def trebuchets(self) -> int:
        return self.state.trebuchets

    @property
    def soldiers(self) -> str:
        return TUNNEL_NAMES[self.state.soldiers]

    @property
    def raided(self) -> int:
        return self.state.raided

    @property
    def points(self) -> int:
        return self.state.points

    @property
    def day(self) -> int:
        return self.state.day

    @property
    def step(self) -> str:
        return STEP_NAMES[self.state.step]

    @property
    def result(self) -> str | None:
        """How the game ended, None while it goes on."""
        pending = self.game.pending(self.state)
        return pending.reason if isinstance(pending, Over) else None

    @property
    def told(self) -> list[str]:
        """The kinds of all events so far."""
        return [event.kind for event in self.log]


def form(game: Siege = STANDARD, /, **changes: Any) -> dict[str, Any]:
    """The JSON form of a position: day 1, the plain card in play, its AP left, all else as set up, but for the changes.

    Units may be given by their names; ``points`` is short for action_points. The deck holds the other cards.
    """
    numbers = [card.number for card in game.edition.cards]
    card = changes.get("card", PLAIN_CARD if PLAIN_CARD in numbers else numbers[0])
    day = changes.get("day", 1)
    known = card in numbers and type(day) is int and 1 <= day <= 3
    points = game.edition.division(numbers.index(card), day).actions if known else 0
    units: dict[str, Any] = {unit: changes.pop(unit, "start") for unit in UNITS}
    value: dict[str, Any] = {
        "game": "siege", "day": 1, "deck": [number for number in numbers if number != card], "card": card,
        "step": "actions", "units": units, "trebuchets": 3, "wall": 4, "morale": 4, "supplies": 4,
        "soldiers": "castle", "raided": 0, "action_points": changes.pop("points", points), "extra_used": False,
        "free_move": "left", "boiling_water_used": False, "rolling": None, "result": None,
    }  # fmt: skip
    return {**value, **changes}


def at(game: Siege = STANDARD, /, **changes: Any) -> Play:
    """A position in the actions step (or the ``step`` given); see ``form``."""
    return Play(game, game.state_from_json(form(game, **changes)))


def before_card(number: int, *, game: Siege = STANDARD, more: Sequence[int] | None = None, **changes: Any) -> Play:
    """A turn that waits for its card; the deck holds the card and, so that the day goes on, ``more`` (one other)."""
    others = [card.number for card in game.edition.cards if card.number != number]
    deck = sorted([number, *(others[:1] if more is None else more)])
    return at(game, **{"step": "draw", "card": None, "deck": deck, "points": 0, **changes})


def last_turn(**changes: Any) -> Play:
    """A position in the actions step of a day's last turn."""
    return at(**{"deck": [], **changes})


def faults(game: Siege = STANDARD, /, **changes: Any) -> tuple[str, ...]:
    """Every reason why the position is refused."""
    with pytest.raises(PositionError) as caught:
        game.state_from_json(form(game, **changes))
    assert len(str(caught.value).splitlines()) == 1
    return caught.value.violations


def with_options(**options: object) -> Siege:
    """The printed cards with other options."""
    return Siege(options=SiegeOptions.read(options))


def with_card(
    *events: EventEffect,
    actions: int = 2,
    orders: tuple[int, ...] = (),
    slowest: bool = False,
    cards: int = 2,
    **options: object,
) -> Siege:
    """A game whose cards, numbered from 1, all have this one division on every day."""
    division = Division("Test", actions, orders, slowest, events)
    deck = tuple(Card(number, (division,) * 3) for number in range(1, cards + 1))
    return Siege(replace(standard_edition(), cards=deck), SiegeOptions.read(options))


def drm(**targets: int) -> tuple[Drm, ...]:
    """Events that modify the rolls named."""
    return tuple(Drm(target, change) for target, change in targets.items())
