"""Positions as JSON both ways, validated: every reason why a position cannot occur is named.

The form, all keys required::

    {"game": "siege", "day": 1, "deck": [1, 4, 7], "card": 3, "step": "actions",
     "units": {"ladders": 3, "battering_ram": "start", "siege_tower": "removed"},
     "trebuchets": 3, "wall": 4, "morale": 4, "supplies": 4, "soldiers": "near tunnel", "raided": 0,
     "action_points": 2, "extra_used": false, "free_move": "left", "boiling_water_used": false,
     "rolling": null, "result": null}

units: start, 3, 2, 1, close combat or removed. deck: printed numbers of the cards not yet played this day; card: that
in play, or null before the draw. step: line check, draw, trebuchets, actions, roll, over. free_move: left, used,
entered. rolling: notation of the action whose die is awaited, or null. result: null while the game goes on, else a code
of ``endings``.
"""

from __future__ import annotations

from typing import Any

from muniment.core.errors import NotationError, PositionError
from muniment.core.refusal import Refusal
from muniment.games.siege.actions import ACTIONS, parse_action
from muniment.games.siege.edition import Collapse, SiegeEdition
from muniment.games.siege.endings import COLLAPSE, ENDINGS, HELD, OVERRUN, STATUS_GONE, WON
from muniment.games.siege.state import ACTIONS_STEP, DRAW, LINE_CHECK, OVER, ROLL, TREBUCHETS, SiegeState
from muniment.games.siege.terms import (
    CASTLE,
    DAYS,
    ENEMY_LINES,
    MAX_CLOSE_COMBAT,
    MAX_RAIDED,
    MAX_STATUS,
    MAX_TREBUCHETS,
    MORALE,
    REMOVED,
    SPACE_NAMES,
    START,
    STATUS_NAMES,
    SUPPLIES,
    TUNNEL_NAMES,
    UNIT_NAMES,
    UNITS,
    WALL,
)

__all__ = ["read_position", "violations", "write_position"]

STEP_NAMES = ("line check", "draw", "trebuchets", "actions", "roll", "over")
FREE_MOVE_NAMES = ("left", "used", "entered")
_SPACES: dict[object, int] = {3: 3, 2: 2, 1: 1, **{name: space for space, name in SPACE_NAMES.items()}}
_KEYS = (
    "game", "day", "deck", "card", "step", "units", "trebuchets", *STATUS_NAMES, "soldiers", "raided",
    "action_points", "extra_used", "free_move", "boiling_water_used", "rolling", "result",
)  # fmt: skip


def write_position(state: SiegeState, edition: SiegeEdition) -> dict[str, Any]:
    """The position in the documented form."""
    numbers = [card.number for card in edition.cards]
    return {
        "game": "siege",
        "day": state.day,
        "deck": [number for index, number in enumerate(numbers) if state.deck >> index & 1],
        "card": numbers[state.card] if state.card >= 0 else None,
        "step": STEP_NAMES[state.step],
        "units": {_unit_key(u): _space(state.units[u]) for u in UNITS},
        "trebuchets": state.trebuchets,
        **dict(zip(STATUS_NAMES, state.status, strict=True)),
        "soldiers": TUNNEL_NAMES[state.soldiers],
        "raided": state.raided,
        "action_points": state.points,
        "extra_used": state.extra_used,
        "free_move": FREE_MOVE_NAMES[state.free_move],
        "boiling_water_used": state.boiled,
        "rolling": ACTIONS[state.rolling].notation if state.rolling >= 0 else None,
        "result": state.result or None,
    }


def _unit_key(unit: int) -> str:
    return UNIT_NAMES[unit].replace(" ", "_")


def _space(space: int) -> int | str:
    return space if 0 < space < START else SPACE_NAMES[space]


class _Reader:
    """Takes typed values out of the JSON object and gathers what is wrong with it."""

    def __init__(self, value: dict[str, Any]) -> None:
        self.value = value
        self.faults = [f"{key!r} is missing" for key in _KEYS if key not in value]
        self.faults += [f"{key!r} is not known" for key in value if key not in _KEYS]

    def number(self, key: str, low: int, high: int) -> int:
        given = self.value.get(key)
        if type(given) is int and low <= given <= high:
            return given
        if key in self.value:
            self.faults.append(f"{key} must be a whole number from {low} to {high}, not {given!r}")
        return low

    def flag(self, key: str) -> bool:
        given = self.value.get(key)
        if key in self.value and not isinstance(given, bool):
            self.faults.append(f"{key} must be true or false, not {given!r}")
        return given is True

    def name(self, key: str, names: tuple[str, ...]) -> int:
        given = self.value.get(key)
        if isinstance(given, str) and given in names:
            return names.index(given)
        if key in self.value:
            self.faults.append(f"{key} must be one of {', '.join(names)}, not {given!r}")
        return 0


def read_position(value: object, edition: SiegeEdition) -> SiegeState:
    """The state in the documented form. Raises PositionError naming every violation.

    Whether the awaited action is legal is for the game to check, which knows the options.
    """
    if not isinstance(value, dict):
        raise PositionError((f"a position is a JSON object, not {type(value).__name__}",))
    reader = _Reader(value)
    if value.get("game", "siege") != "siege":
        reader.faults.append(f"game must be siege, not {value['game']!r}")
    state = SiegeState()
    state.day = reader.number("day", 1, DAYS)
    state.step = reader.name("step", STEP_NAMES)
    state.units = _units(reader)
    state.trebuchets = reader.number("trebuchets", 0, MAX_TREBUCHETS)
    state.status = [reader.number(name, 0, MAX_STATUS) for name in STATUS_NAMES]
    state.soldiers = reader.name("soldiers", TUNNEL_NAMES)
    state.raided = reader.number("raided", 0, MAX_RAIDED)
    state.points = reader.number("action_points", 0, 99)
    state.extra_used = reader.flag("extra_used")
    state.free_move = reader.name("free_move", FREE_MOVE_NAMES)
    state.boiled = reader.flag("boiling_water_used")
    state.deck, state.card = _cards(reader, edition)
    state.rolling, state.result = _rolling(reader), _result(reader)
    faults = reader.faults or list(violations(state, edition))
    if faults:
        raise PositionError(tuple(faults))
    return state


def _units(reader: _Reader) -> list[int]:
    given = reader.value.get("units")
    keys = {_unit_key(unit) for unit in UNITS}
    if not isinstance(given, dict) or set(given) != keys:
        if "units" in reader.value:
            reader.faults.append(f"units must name a space for each of {', '.join(sorted(keys))}")
        return [START] * len(UNITS)
    spaces = []
    for unit in UNITS:
        place = given[_unit_key(unit)]
        if isinstance(place, bool) or not isinstance(place, int | str) or place not in _SPACES:
            reader.faults.append(
                f"{UNIT_NAMES[unit]}: the space must be start, 3, 2, 1, close combat or removed, not {place!r}"
            )
            place = "start"
        spaces.append(_SPACES[place])
    return spaces


def _cards(reader: _Reader, edition: SiegeEdition) -> tuple[int, int]:
    index = {card.number: place for place, card in enumerate(edition.cards)}
    deck, given = 0, reader.value.get("deck")
    if not isinstance(given, list):
        if "deck" in reader.value:
            reader.faults.append(f"deck must be a list of card numbers, not {given!r}")
        given = []
    for number in given:
        if type(number) is not int or number not in index:
            reader.faults.append(f"deck: the edition has no card {number!r}")
        elif deck >> index[number] & 1:
            reader.faults.append(f"deck: card {number} is there twice")
        else:
            deck |= 1 << index[number]
    number = reader.value.get("card")
    if number is None:
        return deck, -1
    if type(number) is not int or number not in index:
        reader.faults.append(f"card: the edition has no card {number!r}")
        return deck, -1
    return deck, index[number]


def _rolling(reader: _Reader) -> int:
    given = reader.value.get("rolling")
    if given is None:
        return -1
    try:
        return parse_action(given).index if isinstance(given, str) else _no_action(given)
    except NotationError as error:
        reader.faults.append(f"rolling: {error}")
        return -1


def _no_action(given: object) -> int:
    raise NotationError(f"{given!r} is not an action")


def _result(reader: _Reader) -> str:
    given = reader.value.get("result")
    if given is None:
        return ""
    if not isinstance(given, str) or given not in ENDINGS:
        reader.faults.append(f"result must be null or one of {', '.join(ENDINGS)}, not {given!r}")
        return ""
    return given


def violations(state: SiegeState, edition: SiegeEdition) -> list[str]:
    """Every reason why the position cannot occur in a game of this edition."""
    faults = []
    over = state.step == OVER
    if over != bool(state.result):
        faults.append("a result stands exactly when the step is over")
    if state.raided and state.soldiers == CASTLE:
        faults.append("soldiers in the castle carry no raided supplies (13.0)")
    faults += _card_faults(state, edition)
    if over:
        faults += _result_faults(state)
    else:
        if state.in_close_combat() > MAX_CLOSE_COMBAT:
            faults.append("three units in close combat end the game (8.4)")
        if state.statuses_at_zero() > 1:
            faults.append("two status tracks on 0 end the game (10.0)")
        if state.step in (LINE_CHECK, DRAW):
            faults += _turn_start_faults(state, edition)
    for unit in UNITS:
        if state.units[unit] == REMOVED and not _can_have_collapsed(state, unit, edition):
            faults.append(f"no event up to now can have removed the {UNIT_NAMES[unit]} (S7)")
    return faults


def _result_faults(state: SiegeState) -> list[str]:
    """A result must be what the table shows (10.0, 11.0)."""
    result, held, zeros = state.result, state.in_close_combat(), state.statuses_at_zero()
    shown = {
        "": True,  # named elsewhere
        WON: state.day == DAYS and state.deck == 0 and held < MAX_CLOSE_COMBAT and zeros == 0,
        OVERRUN: held > MAX_CLOSE_COMBAT,
        COLLAPSE: zeros == 2,
        HELD: held == MAX_CLOSE_COMBAT,
        **{gone: state.status[track] == 0 for track, gone in enumerate(STATUS_GONE)},
    }
    return [] if shown[result] else [f"the result {result} does not fit the table (10.0)"]


def _card_faults(state: SiegeState, edition: SiegeEdition) -> list[str]:
    faults = []
    before_draw = state.step in (LINE_CHECK, DRAW)
    if before_draw and state.card >= 0:
        faults.append("no card is in play before the draw (6.0)")
    if before_draw and state.deck == 0:
        faults.append("the deck is empty before a draw (11.0)")
    if state.card >= 0 and state.deck >> state.card & 1:
        faults.append("the card in play is also in the deck")
    if not before_draw and state.step != OVER and state.card < 0:
        faults.append("a card must be in play in this step")
    if (state.step == ROLL) != (state.rolling >= 0) and state.step != OVER:
        faults.append("an action's die is awaited exactly in the step roll")
    division = edition.division(state.card, state.day) if state.card >= 0 else None
    if division and state.step == TREBUCHETS and not (division.is_trebuchet_attack and state.trebuchets == 1):
        faults.append("only a single trebuchet in a trebuchet attack rolls (7.2)")
    spent = state.step == ROLL  # the chosen action has cost a point
    if division and state.step in (ACTIONS_STEP, ROLL) and state.points + spent > division.actions + state.extra_used:
        faults.append(f"the card gives {division.actions} action points, {state.points} are left")
    acting = state.step in (ACTIONS_STEP, ROLL, OVER)
    if not acting and (state.points or state.extra_used or state.free_move or state.boiled):
        faults.append("action points, additional action, free movement and boiling water belong to the actions (9.0)")
    return faults


def _turn_start_faults(state: SiegeState, edition: SiegeEdition) -> list[str]:
    """What the last turn's check and end of day rule out (10.0, 11.0)."""
    faults = []
    full = state.deck == (1 << len(edition.cards)) - 1
    if state.in_close_combat() >= MAX_CLOSE_COMBAT:
        faults.append("two units in close combat at the end of a turn end the game (10.0)")
    if state.step == LINE_CHECK and state.soldiers != ENEMY_LINES:
        faults.append("the enemy line check is for soldiers in the enemy lines (5.0)")
    if full and state.soldiers != CASTLE:
        faults.append("a day begins with the soldiers in the castle (11.0)")
    if state.status[WALL] == 0:
        faults.append("a wall at 0 at the end of a turn ends the game (10.0)")
    day_begins = full and state.day > 1  # S27: what the night put on 0 is judged a turn later
    just_captured = state.step == DRAW and state.soldiers == CASTLE and not full
    if not day_begins and (state.status[SUPPLIES] == 0 or (state.status[MORALE] == 0 and not just_captured)):
        faults.append("supplies or morale at 0 at the end of a turn end the game (10.0)")
    return faults


def _can_have_collapsed(state: SiegeState, unit: int, edition: SiegeEdition) -> bool:
    for day in range(1, state.day + 1):
        for index in range(len(edition.cards)):
            drawn = day < state.day or not state.deck >> index & 1
            if drawn and Collapse(unit) in edition.division(index, day).events:
                return True
    return False


def rolling_fault(refused: Refusal) -> PositionError:
    """The error for an awaited die of an action that could not have been chosen."""
    return PositionError((f"rolling: {refused.sentence} ({refused.rule})",))
