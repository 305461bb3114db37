"""The exact odds of an action (9.1), found by asking the rules what every face of the die would do."""

from __future__ import annotations

from fractions import Fraction

from muniment.core.odds import Odds, OddsCase
from muniment.games.siege.endings import ENDINGS
from muniment.games.siege.rolls import Judgement
from muniment.games.siege.state import SiegeState
from muniment.games.siege.terms import REMOVED, SPACE_NAMES, STATUS_NAMES, STATUSES, TUNNEL_NAMES, UNIT_NAMES, UNITS

__all__ = ["case_label", "changes", "merged"]


def case_label(judgement: Judgement) -> str:
    """The name of what a face does: captured, success or failure."""
    if judgement.captured:
        return "captured"
    return "success" if judgement.success else "failure"


def changes(before: SiegeState, after: SiegeState) -> tuple[str, ...]:
    """What differs on the table between two states, in words; an ended game is named last."""
    found = [
        f"{STATUS_NAMES[track]} {after.status[track] - before.status[track]:+d}"
        for track in STATUSES
        if after.status[track] != before.status[track]
    ]
    for unit in UNITS:
        if after.units[unit] != before.units[unit]:
            space = after.units[unit]
            found.append(f"{UNIT_NAMES[unit]} {'removed' if space == REMOVED else f'to {SPACE_NAMES[space]}'}")
    if after.trebuchets != before.trebuchets:
        found.append(f"trebuchets {after.trebuchets - before.trebuchets:+d}")
    if after.soldiers != before.soldiers:
        found.append(f"soldiers to {TUNNEL_NAMES[after.soldiers]}")
    if after.raided != before.raided:
        found.append(f"raided supplies {after.raided - before.raided:+d}")
    if after.result:
        found.append(ENDINGS[after.result].words)
    return tuple(found)


def merged(price: tuple[str, ...], faces: list[tuple[int, str, tuple[str, ...]]]) -> Odds:
    """Odds from what each face of a die does (face, label, effects): faces that do the same make one case."""
    groups: dict[tuple[str, tuple[str, ...]], list[int]] = {}
    for face, label, effects in faces:
        groups.setdefault((label, effects), []).append(face)
    order = {"success": 0, "failure": 1, "captured": 2}
    cases = [
        OddsCase(label, Fraction(len(group), len(faces)), tuple(group), effects)
        for (label, effects), group in groups.items()
    ]
    cases.sort(key=lambda case: (order[case.label], case.faces))
    return Odds(price, tuple(cases))
