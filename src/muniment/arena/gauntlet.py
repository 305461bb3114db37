"""What a gauntlet found: its challengers in a table, and their shares drawn, over their budgets if those differ."""

from __future__ import annotations

from collections.abc import Sequence

from muniment.arena.standings import Standings
from muniment.arena.wording import others, short, span, with_span
from muniment.games.catalog import TITLES
from muniment.solve.plots import budget_plot, interval_plot

__all__ = ["CHALLENGERS_HEAD", "budgets", "challengers", "gauntlet_heading", "gauntlet_plot"]

CHALLENGERS_HEAD = ("challenger", "games", "won", "share", "95% interval")
"""The head of the table of ``challengers``."""


def challengers(found: Standings) -> list[tuple[str, ...]]:
    """A row for each challenger, in the plan's order."""
    return [
        (
            found.shown[share.agent], f"{share.seats:,}", f"{share.wins:,}",
            f"{share.rate.estimate:.1%}", span(share.rate),
        )
        for share in found.alone
    ]  # fmt: skip


def gauntlet_heading(found: Standings) -> str:
    """Whom everybody plays against, and what would be even."""
    return f"each alone against {_yardstick(found)}; even is {found.even:.1%}"


def _yardstick(found: Standings) -> str:
    return others(found.shown[-1], found.tournament.plan.seats)


def budgets(names: Sequence[str]) -> tuple[str, tuple[int, ...]] | None:
    """The agent that these are with different budgets (``NAME:N``), and the budgets; None if they are not that."""
    parts = [name.rpartition(":") for name in names]
    if len({who for who, _, _ in parts}) != 1 or not all(who and n.isascii() and n.isdigit() for who, _, n in parts):
        return None
    found = tuple(int(number) for _, _, number in parts)
    return (parts[0][0], found) if 1 < len(set(found)) == len(found) else None


def gauntlet_plot(found: Standings, *, alone: bool = False) -> str:
    """The challengers' shares with their intervals as SVG. alone: as a picture of its own, not a part of a page.

    Challengers that are one agent with several budgets are drawn over the budget, on a logarithmic axis; others below
    each other.
    """
    plan = found.tournament.plan
    title = f"{TITLES[plan.game]}: games won against {_yardstick(found)}"
    counts = {share.seats for share in found.alone}
    each = f"{counts.pop():,}"  # whole deals: everybody has played as many
    note = f"{each} games for each challenger, {plan.seats} seats, 95% intervals; even is {found.even:.1%}"
    names = [found.shown[share.agent] for share in found.alone]
    rates = [share.rate for share in found.alone]
    one_agent = budgets(names)
    if one_agent is None:
        rows = [
            (short(name), rate.low, rate.estimate, rate.high, with_span(rate))
            for name, rate in zip(names, rates, strict=True)
        ]
        along = f"share of games won; dashed: even, {found.even:.1%}"
        return interval_plot(title, rows, even=found.even, along=along, note=note, alone=alone)
    who, numbers = one_agent
    points = [
        (budget, rate.low, rate.estimate, rate.high, with_span(rate))
        for budget, rate in sorted(zip(numbers, rates, strict=True), key=lambda point: point[0])
    ]
    along = f"budget of {short(who)} for a decision, logarithmic"
    return budget_plot(title, points, even=found.even, along=along, up="share of games won", note=note, alone=alone)
