"""A study of the solved game: what it is worth under every option, and what makes it won or lost."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from muniment.games.siege.edition import SiegeEdition
from muniment.games.siege.endings import ENDINGS, WON
from muniment.games.siege.options import OPTIONS, SiegeOptions
from muniment.games.siege.state import ACTIONS_STEP, SiegeState
from muniment.games.siege.terms import (
    CLOSE_COMBAT,
    DAYS,
    MAX_STATUS,
    MAX_TREBUCHETS,
    REMOVED,
    SPACE_NAMES,
    START,
    STATUS_NAMES,
    STATUSES,
    UNIT_NAMES,
    UNITS,
    WALL,
)
from muniment.solve.batch import BatchReport, play_batch
from muniment.solve.solver import Progress
from muniment.solve.solving import lower_priority, solve
from muniment.solve.space import row_of
from muniment.solve.table import ERROR, Table
from muniment.solve.values import Values

__all__ = ["every_option", "study"]


def every_option() -> Iterator[SiegeOptions]:
    """The default options, then each other value of each option alone."""
    yield SiegeOptions()
    for option in OPTIONS:
        for choice in option.choices:
            if choice != option.default:
                yield SiegeOptions.read({option.name: choice})


def study(
    edition: SiegeEdition, games: int, *, jobs: int | None = None, progress: Progress | None = None
) -> dict[str, Any]:
    """The report as a JSON object. games: how many are played to count defeats and to weigh cards.

    Solves the game under every option where that has not been done; this takes minutes, and lowers the priority of the
    process. Raises MunimentError as ``solve`` does.
    """
    lower_priority()
    variants = list(every_option())
    parts = len(variants) + 1

    def part(number: int) -> Callable[[float, float], None]:
        def tell(share: float, left: float) -> None:
            if progress is not None:
                progress((number + share) / parts, left)

        return tell

    tables = [solve(edition, options, jobs=jobs, progress=part(number)) for number, options in enumerate(variants)]
    table = tables[0]
    last = part(parts - 1)
    batch = play_batch(table.rules, table, games, jobs=jobs, progress=lambda share: last(share, 0.0))
    random = play_batch(table.rules, None, games, jobs=jobs)
    values = Values(table)
    return {
        "edition": edition.name,
        "edition_digest": edition.digest,
        "error": ERROR,
        "options": [
            {"options": found.rules.options.values(), "value": found.initial, "change": found.initial - table.initial}
            for found in tables
        ],
        "perfect": batch.to_json(),
        "random": random.to_json(),
        "defeats": _defeats(batch),
        "cards": _cards(edition, batch),
        "first_turns": [_first_turn(values, card) for card in range(len(edition.cards))],
        "mornings": [_morning(table, day) for day in range(1, DAYS + 1)],
    }


def _defeats(batch: BatchReport) -> list[dict[str, Any]]:
    """How often perfect play loses to which rule on which day, as shares of all games, the most frequent first."""
    lost = [(count, day, ending) for (day, ending), count in batch.endings.items() if ending != WON]
    return [
        {
            "day": day,
            "ending": ending,
            "rule": ENDINGS[ending].rule,
            "words": ENDINGS[ending].words,
            "share": count / batch.games,
        }
        for count, day, ending in sorted(lost, key=lambda item: (-item[0], item[1:]))
    ]


def _cards(edition: SiegeEdition, batch: BatchReport) -> list[dict[str, Any]]:
    """What drawing each card does to the winning chance, in the mean over the games of perfect play that meet it."""
    return [
        {
            "day": day,
            "card": edition.cards[card].number,
            "title": edition.division(card, day).title,
            "action_points": edition.division(card, day).actions,
            "drawn": count,
            "worth": worth,
        }
        for (day, card), (count, worth) in batch.draws.items()
    ]


def _first_turn(values: Values, card: int) -> dict[str, Any]:
    """The best play of the game's first turn, if this card comes."""
    game = values.game
    number = game.edition.cards[card].number
    state = game.initial()
    game.apply_outcome(state, game.parse_outcome(f"draw {number}"))
    found: dict[str, Any] = {
        "card": number,
        "title": game.edition.division(card, 1).title,
        "value": values.value(state),
    }
    if state.step == ACTIONS_STEP:
        found["plan"] = _plan(values, state)
    return found


def _plan(values: Values, state: SiegeState) -> dict[str, Any]:
    """The best action with what is as good, and how to go on after each outcome within the turn."""
    odds = values.odds(state)
    best = odds.best
    assert best is not None
    equal = [
        a.action.sentence for a in odds.actions if a.action is not best.action and a.value >= odds.value - 2 * ERROR
    ]
    plan: dict[str, Any] = {"action": best.action.sentence, "notation": best.action.notation, "value": odds.value}
    if equal:
        plan["as_good"] = equal
    after = state.copy()
    values.game.apply(after, best.action)
    if not best.action.rolls:
        if after.step == ACTIONS_STEP:
            plan["then"] = [{"faces": [], "plan": _plan(values, after)}]
        return plan
    ways: dict[tuple[Any, ...], tuple[list[int], SiegeState]] = {}
    for outcome in values.game.chance(after).outcomes:
        to = after.copy()
        values.game.apply_outcome(to, outcome)
        ways.setdefault(to.key(), ([], to))[0].append(outcome.value)
    plan["then"] = [
        {"faces": faces, "plan": _plan(values, to)} for faces, to in ways.values() if to.step == ACTIONS_STEP
    ]
    return plan


def _morning(table: Table, day: int) -> dict[str, Any]:
    """Winning chances at the beginning of a day: everything as in the set-up but for one thing."""
    rules, edition = table.rules, table.rules.edition

    def value(units: list[int], status: tuple[int, ...], trebuchets: int) -> float | None:
        block = rules.space.encode(units)
        if rules.starts(day, rules.full_deck).slots[block] < 0:
            return None
        return table.draw(day, rules.full_deck, block, row_of(status), trebuchets)

    units, status, trebuchets = [START] * len(UNITS), edition.start_status, edition.start_trebuchets
    found: dict[str, Any] = {"day": day, "value": value(units, status, trebuchets)}
    for unit in UNITS:
        spaces = {}
        for space in (START, 3, 2, 1, CLOSE_COMBAT, REMOVED):
            if space == REMOVED and not rules.space.removable[unit]:
                continue
            moved = value([space if u == unit else START for u in UNITS], status, trebuchets)
            if moved is not None:
                spaces[SPACE_NAMES[space]] = moved
        found[UNIT_NAMES[unit]] = spaces
    for track in STATUSES:
        lowest = 1 if track == WALL or day == 1 else 0
        found[STATUS_NAMES[track]] = {
            str(level): value(units, _with(status, track, level), trebuchets)
            for level in range(MAX_STATUS, lowest - 1, -1)
        }
    found["trebuchets"] = {str(count): value(units, status, count) for count in range(MAX_TREBUCHETS, -1, -1)}
    return found


def _with(status: tuple[int, int, int], track: int, level: int) -> tuple[int, ...]:
    return tuple(level if t == track else s for t, s in enumerate(status))
