"""What a simulation of King of the Tabletop found, as text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.text import Text

from muniment.arena.king_statistics import VICTORIES, KingTotals, Lift
from muniment.arena.statistics import wilson
from muniment.games.king.tiles import standard_edition
from muniment.terminal.screen import Line

__all__ = ["king_report_lines"]

_BAR = 30  # what stands for all games
_MOST_TURNS = 15
_MOST_LIFTS = 8
_LEAST_HELD = 20  # seats that held a tile, for its win rate to be told


def king_report_lines(totals: KingTotals, agents: Sequence[str]) -> Iterator[Line]:
    """Who wins, how, how soon; prestige over time; what goes with winning. Lines of at most 80 columns."""
    yield from _seats(totals, agents)
    yield from _victories(totals)
    yield from _turns(totals)
    yield from _prestige(totals)
    for holding, title in (("specials", "special characters that go with winning"), ("tiles", "tiles that do")):
        yield from _lifts(title, totals.lifts(holding))


def _seats(totals: KingTotals, agents: Sequence[str]) -> Iterator[Line]:
    yield Text("games won                    95% interval          mean prestige at the end", style="bold")
    for seat in range(totals.seats):
        rate = totals.win_rate(seat)
        prestige = totals.final[seat] / totals.games
        yield (
            f"  player {seat + 1} {agents[seat]:<10.10}{rate.estimate:>7.2%}   {rate.low:>6.2%} to {rate.high:>6.2%}"
            f"   {prestige:>8.1f}"
        )
    if totals.shared:
        yield f"  shared at the turn limit {totals.shared / totals.games:.2%}"
    together = totals.by_agent(agents[: totals.seats])
    if 1 < len(together) < totals.seats:
        for agent, (wins, seats) in together.items():
            rate = wilson(wins, seats)
            yield f"  {agent}: {rate.estimate:.2%} a seat, {rate.low:.2%} to {rate.high:.2%}"


def _victories(totals: KingTotals) -> Iterator[Line]:
    yield ""
    yield Text("how games are won", style="bold")
    for code, words in VICTORIES.items():
        games = totals.victories[code]
        if games or code in ("built", "captured", "last"):
            share = games / totals.games
            bar = "■" * round(_BAR * share)
            yield f"  {words:<24}{games:>11,}  {share:>7.2%}  {bar}"


def _turns(totals: KingTotals) -> Iterator[Line]:
    yield ""
    low, middle, high = (totals.turns_quantile(share) for share in (0.05, 0.5, 0.95))
    yield Text("length", style="bold")
    yield (
        f"  {totals.mean_turns:.2f} turns on average, half within {middle}, 90% from {low} to {high}, "
        f"longest {max(totals.turns)}"
    )
    yield f"  {totals.decisions / totals.games:.0f} choices"


def _prestige(totals: KingTotals) -> Iterator[Line]:
    rows = [row for row in totals.prestige_by_turn() if row[0]]
    if not rows:
        return
    yield ""
    yield Text("mean prestige when a turn begins, of the games that reach it", style="bold")
    yield "  turn       games  " + "".join(f"player {seat + 1}".rjust(10) for seat in range(totals.seats))
    for turn, games, means in rows[:_MOST_TURNS]:
        yield f"  {turn:>4}{games:>12,}  " + "".join(f"{mean:.1f}".rjust(10) for mean in means)
    if len(rows) > _MOST_TURNS:
        yield f"  ... {len(rows) - _MOST_TURNS} more turns in the JSON form"


def _lifts(title: str, lifts: Sequence[Lift]) -> Iterator[Line]:
    told = [lift for lift in lifts if lift.held >= _LEAST_HELD]
    if not told:
        return
    yield ""
    yield Text(f"{title:<37} lift   won of seats that held one", style="bold")
    for lift in told[:_MOST_LIFTS]:
        yield (
            f"  {_name(lift.tile):<34.34}{lift.lift:>6.2f}   {lift.rate.estimate:>6.1%} of {lift.held:<8,}"
            f"{lift.rate.low:>6.1%} to {lift.rate.high:.1%}"
        )
    if len(told) > _MOST_LIFTS:
        last = told[-1]
        yield f"  ... the least: {_name(last.tile)} {last.lift:.2f}"


def _name(slug: str) -> str:
    """The tile's name for people, if it is one of the package's own."""
    for name in ("rulebook", "counters"):
        edition = standard_edition(name)
        if slug in edition.by_slug:
            return edition.kinds[edition.by_slug[slug]].label
    return slug
