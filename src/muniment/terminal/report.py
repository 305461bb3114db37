"""What a simulation found, as text."""

from __future__ import annotations

from collections.abc import Iterator

from rich.text import Text

from muniment.arena.king_statistics import KingTotals
from muniment.arena.simulate import Report
from muniment.arena.statistics import SiegeTotals
from muniment.core.errors import MunimentError
from muniment.games.catalog import TITLES
from muniment.games.siege.endings import ENDINGS
from muniment.games.siege.terms import DAYS
from muniment.terminal.face import options_text, wrap
from muniment.terminal.king_report import king_report_lines
from muniment.terminal.screen import Line

__all__ = ["report_lines"]

_BAR = 30  # what stands for all games
_CODE_WIDTH = max(map(len, ENDINGS)) + 2


def report_lines(report: Report) -> Iterator[Line]:
    """The report in lines of at most 80 columns. Raises MunimentError for a game it has no words for."""
    totals = report.totals
    if not isinstance(totals, (SiegeTotals, KingTotals)):
        raise MunimentError(f"the numbers of {TITLES[report.setup.game]} can only be had as JSON")
    yield Text(f"{TITLES[report.setup.game]}: {totals.games:,} games by {', '.join(report.setup.agents)}", style="bold")
    yield f"edition {report.edition}, seed {report.seed}"
    yield from wrap(f"options {options_text(report.options)}", indent="")
    yield ""
    if isinstance(totals, KingTotals):
        yield from king_report_lines(totals, report.setup.agents)
        return
    rate = totals.win_rate
    interval = f"   95% interval {rate.low:.2%} to {rate.high:.2%}"
    yield Text.assemble((f"won {rate.estimate:.2%}", "bold"), interval)
    yield from _endings(totals)
    yield from _losses(totals)
    yield from _status(totals)


def _endings(totals: SiegeTotals) -> Iterator[Line]:
    yield ""
    yield Text("how games end", style="bold")
    for code, games in totals.by_result().items():
        share = games / totals.games
        bar = "■" * round(_BAR * share)
        yield f"  {code:<{_CODE_WIDTH}} {ENDINGS[code].rule:<5} {games:>11,}  {share:>7.2%}  {bar}"


def _losses(totals: SiegeTotals) -> Iterator[Line]:
    lost = totals.losses_by_turn()
    turns = max((turn for _, turn in lost), default=0)
    if not turns:
        return
    yield ""
    yield Text("when games are lost, % of all games", style="bold")
    yield "         " + "".join(f"turn {turn}".rjust(8) for turn in range(1, turns + 1))
    for day in range(1, DAYS + 1):
        shares = [lost.get((day, turn), 0) / totals.games for turn in range(1, turns + 1)]
        yield f"  day {day}  " + "".join(f"{share:.2%}".rjust(8) for share in shares)


def _status(totals: SiegeTotals) -> Iterator[Line]:
    yield ""
    yield Text("means at the end", style="bold")
    rows = [("all games", totals.mean_status())]
    if totals.wins:
        rows.append(("games won", totals.mean_status(won=True)))
    for label, means in rows:
        yield f"  {label:<10} " + "   ".join(f"{name} {mean:.2f}" for name, mean in means.items())
    yield f"  trebuchets {totals.trebuchets / totals.games:.2f}   choices {totals.decisions / totals.games:.1f}"
