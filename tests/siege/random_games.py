"""Random games of every kind, each step of which is checked against what must always hold.

A game's number decides everything: its options, its style, now and then a wild edition, and all its dice.
"""

from __future__ import annotations

import json
from dataclasses import replace
from functools import cache

from muniment.core.chance import Source
from muniment.core.dice import RandomStream
from muniment.core.match import Match, verify
from muniment.core.record import Record
from muniment.games.siege import Siege, SiegeOptions, standard_edition
from muniment.games.siege.actions import ACTIONS, BOILING_WATER, CLOSE_COMBAT_ACTION, COUPURE, RALLY, SiegeAction
from muniment.games.siege.edition import (
    ACTION_NAMES,
    DRM_TARGETS,
    Card,
    Collapse,
    Division,
    Drm,
    EventEffect,
    Only,
    StatusChange,
    TrebuchetAttack,
    TrebuchetChange,
)
from muniment.games.siege.endings import ENDINGS
from muniment.games.siege.legality import refusal
from muniment.games.siege.state import ACTIONS_STEP, DRAW, OVER, SiegeState
from muniment.games.siege.terms import CASTLE, MORALE, REMOVED, SUPPLIES, WALL

SEED = bytes(32)
OPTIONS = [
    SiegeOptions(ones, drives_back, free)
    for ones in ("natural", "event_bonus_cancels")
    for drives_back in ("one", "all")
    for free in (False, True)
]
OUTWARDS = ("enter", "free lines", "fast lines", "raid")
HOMEWARDS = ("enter", "free castle", "fast castle")
COSTLY = ("extra morale", "extra supplies", "rally supply")


@cache
def standard_game(options: SiegeOptions) -> Siege:
    return Siege(options=options)


def _wild_event(source: Source) -> EventEffect:
    match source.below(6):
        case 0:
            return StatusChange(source.below(3), source.below(4) - 2)
        case 1:
            return TrebuchetChange(source.below(7) - 3)
        case 2:
            return Collapse(source.below(3))
        case _:
            return Drm(DRM_TARGETS[source.below(len(DRM_TARGETS))], source.below(11) - 5)


def _wild_division(source: Source) -> Division:
    title, actions = "Wild", source.below(7)
    if source.below(6) == 0:
        return Division(title, actions, (), False, (TrebuchetAttack(),))
    events = [_wild_event(source) for _ in range(source.below(4))]
    if source.below(5) == 0:
        events.append(Only(tuple(name for name in ACTION_NAMES if source.below(2))))
    orders = tuple(unit for unit in range(3) if source.below(3) == 0)
    slowest = source.below(4) == 0
    return Division(title, actions, () if slowest else orders, slowest, tuple(events))


def wild_game(source: Source, options: SiegeOptions) -> Siege:
    """Any cards that the schema allows: 1 to 9 of them."""
    cards = tuple(
        Card(number, tuple(_wild_division(source) for _ in range(3))) for number in range(1, 2 + source.below(9))
    )
    return Siege(replace(standard_edition(), name="wild", cards=cards), options)


def check_position(game: Siege, state: SiegeState) -> None:
    """What holds in every position."""
    assert all(0 <= value <= 4 for value in state.status), state
    assert all(REMOVED <= space <= 4 for space in state.units), state
    assert 0 <= state.trebuchets <= 3, state
    assert 0 <= state.raided <= 2, state
    assert not (state.raided and state.soldiers == CASTLE), state
    assert state.card < 0 or not state.deck >> state.card & 1, state
    if state.step == OVER:
        assert state.result in ENDINGS
        assert game.legal_actions(state) == ()
        return
    assert state.in_close_combat() <= 2, state
    assert state.statuses_at_zero() <= 1, state
    if state.step == ACTIONS_STEP:
        division = game.division(state)
        assert division is not None
        assert 0 <= state.points <= division.actions + 1, state
        legal = game.legal_actions(state)
        assert legal, state
        assert legal == tuple(a for a in ACTIONS if refusal(state, a, division, game.options) is None), state


def check_forms(game: Siege, state: SiegeState) -> None:
    """JSON and view round-trip; a copy is independent."""
    written = json.dumps(game.state_to_json(state))
    assert game.state_from_json(json.loads(written)) == state
    view = game.view(state, 0)
    assert game.redeal(view, RandomStream(SEED)) == state
    key, copied = state.key(), state.copy()
    if state.step == ACTIONS_STEP:
        for action in game.legal_actions(state):
            game.apply(copied, action)
            assert game.view(state, 0) == view
            copied = state.copy()
    elif state.step != OVER:
        for outcome in game.chance(state).outcomes:
            game.apply_outcome(copied, outcome)
            copied = state.copy()
    assert state.key() == key
    assert json.dumps(game.state_to_json(state)) == written


def choose(state: SiegeState, legal: tuple[SiegeAction, ...], style: int, source: Source) -> SiegeAction:
    """Any legal action. Style 0 leaves all to chance; 1 buys nothing and does not stop early; 2 and 3 also defend."""
    if style == 0 or source.below(8) == 0:
        return legal[source.below(len(legal))]
    kept = [a for a in legal if a.notation not in COSTLY and (a.notation != "end" or len(legal) == 1)]
    if style > 1:
        mend = {COUPURE: state.status[WALL] < 3, RALLY: state.status[MORALE] < 3, CLOSE_COMBAT_ACTION: style == 2}
        run = HOMEWARDS if state.raided else OUTWARDS
        near = [a for a in kept if mend.get(a.kind) or (a.kind <= BOILING_WATER and state.units[a.unit] <= style - 1)]
        kept = near or [a for a in kept if state.status[SUPPLIES] < 4 and a.notation in run] or kept
    return kept[source.below(len(kept))] if kept else legal[-1]


def play(number: int) -> tuple[str, int]:
    """The game with this number, every step checked: how it ended, and the number of decisions."""
    source = RandomStream.labelled(SEED, "random game", number)
    options = OPTIONS[number % 8]
    style = number // 8 % 4
    game = wild_game(source, options) if number // 32 % 8 == 0 else standard_game(options)
    state = game.initial()
    drawn, decisions, day = 0, 0, 1
    while state.step != OVER:
        check_position(game, state)
        if source.below(32) == 0:
            check_forms(game, state)
        gone = [unit for unit in range(3) if state.units[unit] == REMOVED]
        if state.step == ACTIONS_STEP:
            game.apply(state, choose(state, game.legal_actions(state), style, source))
            decisions += 1
        else:
            drawing = state.step == DRAW
            game.apply_outcome(state, game.sample(state, source))
            if drawing:
                assert not drawn >> state.card & 1, f"card {state.card} came twice on day {day}"
                drawn |= 1 << state.card
        if state.day != day:
            assert (drawn, state.day, state.deck) == (game.full_deck, day + 1, game.full_deck)
            drawn, day = 0, state.day
        assert drawn ^ state.deck == game.full_deck, "cards are conserved"
        assert all(state.units[unit] == REMOVED for unit in gone)
    check_position(game, state)
    check_forms(game, state)
    assert game.facts.max_decisions is not None
    assert decisions <= game.facts.max_decisions
    return state.result, decisions


def replay(number: int) -> None:
    """A match with this number: its record, written and read, leads to the same end, and its dice verify."""
    source = RandomStream.labelled(SEED, "recorded game", number)
    game = standard_game(OPTIONS[number % 8])
    seed = bytes(source.below(256) for _ in range(32))
    match = Match(game, ["Ada"], seed=seed)
    while match.over is None:
        state = match.state()
        match.act(0, choose(state, game.legal_actions(state), number // 8 % 4, source))
    text = match.record().write()
    again = Match.from_record(game, Record.read(text))
    assert again.state() == match.state()
    assert again.record().write() == text
    assert verify(game, Record.read(text))["result"] == match.over.reason
