"""What a tournament found, for people: as text, and as one HTML file with its plots, which needs nothing else."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from muniment.arena.gauntlet import CHALLENGERS_HEAD, challengers, gauntlet_heading, gauntlet_plot
from muniment.arena.king_statistics import VICTORIES, KingTotals
from muniment.arena.ratings import START
from muniment.arena.sequential import SequentialTest, anytime_interval
from muniment.arena.standings import Pair, Share, Standings
from muniment.arena.statistics import Interval, SiegeTotals
from muniment.arena.wording import NAME, others, short, span, title, with_span
from muniment.core.words import printable
from muniment.games.siege.endings import ENDINGS
from muniment.solve.plots import bars, interval_plot, line_plot, page, section

__all__ = ["tournament_html", "tournament_text"]

_Rows = list[tuple[str, ...]]

_COLUMN = 10  # at the head of a column
_CAVEAT = "a test stops when it is decided: all else counted leans towards its verdict"


def _about(found: Standings) -> str:
    plan = found.tournament.plan
    alike = "with the same dice for every agent" if plan.seats == 1 else "every deal in all rotations of the seats"
    if plan.gauntlet:
        alike = "the same deals for each, in all rotations"
    return f"edition {found.tournament.game.edition_name}, seed {printable(plan.seed)}, {alike}"


def _verdict(found: Standings, test: SequentialTest) -> list[str]:
    """What the test says, line by line."""
    h = test.hypotheses
    first, second = found.shown
    what = "score" if found.tournament.plan.seats == 1 else "share of games"
    lines = [
        f"{short(first)} against {others(second, found.tournament.plan.seats)}",
        f"H0: its {what} is at most {h.p0:g}; accepted wrongly at most {h.beta:.1%}",
        f"H1: its {what} is at least {h.p1:g}; accepted wrongly at most {h.alpha:.1%}",
    ]
    if test.verdict == "H1":
        lines.append(f"verdict: H1 accepted: the {what} is above {h.p0:g}")
    elif test.verdict == "H0":
        lines.append(f"verdict: H0 accepted: the {what} is below {h.p1:g}")
    else:
        lines.append("verdict: none yet; more games would decide")
    for which, llr, bound in zip(("H0", "H1"), test.llr, test.bounds, strict=True):
        lines.append(f"log-likelihood ratio against {which}: {llr:.3f} of {bound:.3f}")
    if test.scores:
        sure = anytime_interval(test.scores)
        lines.append(f"mean {what} over {test.deals:,} deals: {sure.estimate:.1%}")
        lines.append(f"95% interval that allows for stopping: {span(sure)}")
        lines.append(_CAVEAT)
    return lines


def tournament_text(found: Standings, speed: float | None = None) -> list[str]:
    """The numbers in lines of text. speed: games a second, None if that is not known."""
    lines = [title(found), _about(found)]
    if found.test is not None:
        lines += ["", *_verdict(found, found.test)]
    for heading, head, rows in _tables(found, ranges=False):
        named = [(short(row[0]), *row[1:]) for row in rows]
        lines += ["", heading, *_aligned([head, *named])]
    for heading, shares in _endings(found):
        lines += ["", heading, *_aligned([(f"  {label}", words) for label, share, words in shares if share])]
    for totals in found.statistics:
        if isinstance(totals, KingTotals):
            lines += ["", _length(totals)]
    if speed is not None:
        lines += ["", f"{speed:.2f} games/s"]
    return lines


def _length(totals: KingTotals) -> str:
    half = f"half of the games end within {totals.turns_quantile(0.5)}"
    return f"{totals.mean_turns:.1f} turns on average, {half}; {totals.decisions / totals.games:.0f} choices"


def _aligned(rows: _Rows) -> list[str]:
    """The rows' cells below each other, the first to the left and numbers to the right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        "  ".join(
            [row[0].ljust(widths[0]), *(cell.rjust(wide) for cell, wide in zip(row[1:], widths[1:], strict=True))]
        )
        for row in rows
    ]


def _tables(found: Standings, *, ranges: bool) -> Iterator[tuple[str, tuple[str, ...], _Rows]]:
    """The tables of the report, in text and on the page: heading, head, rows. ranges: intervals in the cross table."""
    plan = found.tournament.plan
    rated = ("rating", "±") if found.ratings else ()
    if plan.gauntlet:
        yield gauntlet_heading(found), CHALLENGERS_HEAD, challengers(found)
        heading = "ratings and pace" if rated else "pace"
        rows = [(found.shown[agent], *_rating_and_pace(found, agent)) for agent in found.ranking()]
        yield heading, ("agent", *rated, "ms a decision"), rows
    else:
        head = ("agent", "seats", "won", "95% interval", *rated, "ms a decision")
        yield "all games", head, [_standing(found, agent) for agent in found.ranking()]
    if found.alone and found.test is None and not plan.gauntlet:
        column = "the column" if plan.seats == 2 else f"{plan.seats - 1} of the column; even is {found.even:.1%}"
        most = NAME if ranges else _COLUMN
        names = [short(found.shown[agent], most) for agent in found.ranking()]
        yield f"games that the row wins alone against {column}", ("", *names), _cross(found, ranges=ranges)
    if found.mixed:
        rows = [(found.shown[share.agent], *_share(share)) for share in found.mixed]
        yield f"at tables of many; even is {found.even:.1%}", ("agent", "seats", "won", "95% interval"), rows
    if found.pairs:
        head = ("agents", "both won", "1st only", "2nd only", "none", "points", "1st of decided")
        yield "games on the same dice", head, [_pair(found, pair) for pair in found.pairs]


def _told(rate: Interval, *, ranges: bool) -> str:
    return with_span(rate) if ranges else f"{rate.estimate:.1%}"


def _share(share: Share) -> tuple[str, ...]:
    return f"{share.seats:,}", f"{share.rate.estimate:.1%}", span(share.rate)


def _standing(found: Standings, agent: int) -> tuple[str, ...]:
    return (found.shown[agent], *_share(found.agents[agent]), *_rating_and_pace(found, agent))


def _rating_and_pace(found: Standings, agent: int) -> tuple[str, ...]:
    rating: tuple[str, ...] = ()
    if found.ratings is not None:
        rating = (f"{found.ratings[agent].mu:.2f}", f"{found.ratings[agent].sigma:.2f}")
    pace = 1000 * found.seconds[agent] / max(found.choices[agent], 1)
    return (*rating, f"{pace:.2f}")


def _cross(found: Standings, *, ranges: bool) -> _Rows:
    shares = {(share.agent, share.against): share for share in found.alone}
    order = found.ranking()
    rows = []
    for agent in order:
        cells = (shares.get((agent, other)) for other in order)
        told = (_told(share.rate, ranges=ranges) if share else "" for share in cells)
        rows.append((found.shown[agent], *told))
    return rows


def _pair(found: Standings, pair: Pair) -> tuple[str, ...]:
    counts = (f"{games:,}" for games in (pair.both, pair.only_first, pair.only_second, pair.neither))
    decided = pair.first_of_decided
    return (
        f"{found.shown[pair.first]}, {found.shown[pair.second]}",
        *counts,
        f"{100 * pair.difference:+.2f}",
        "" if decided is None else span(decided),
    )


def _endings(found: Standings) -> Iterator[tuple[str, list[tuple[str, float, str]]]]:
    """How games end and who wins by seat, as rows of bars under a heading."""
    for name, totals in zip(found.shown, found.statistics, strict=False):
        if isinstance(totals, SiegeTotals) and totals.games:
            shares = [(f"{code} ({ENDINGS[code].rule})", n / totals.games) for code, n in totals.by_result().items()]
            yield f"how the games of {name} end", [(label, share, f"{share:.1%}") for label, share in shares]
        elif isinstance(totals, KingTotals):
            ways = [(text, totals.victories[code] / totals.games) for code, text in VICTORIES.items()]
            yield "how games are won", [(label, share, f"{share:.1%}") for label, share in ways]
            seats = [(f"seat {seat + 1}", totals.win_rate(seat).estimate) for seat in range(totals.seats)]
            yield "games won by seat", [(label, share, f"{share:.1%}") for label, share in seats]


def tournament_html(found: Standings, speed: float | None = None) -> str:
    """The numbers as a page with plots. speed: games a second, None if that is not known."""
    return page(title(found), _sections(found, speed))


def _sections(found: Standings, speed: float | None) -> Iterator[str]:
    pace = "" if speed is None else f" {speed:.2f} games a second."
    yield f"<p>{escape(_about(found))}.{pace}</p>"
    if found.test is not None and found.test.course:
        yield section("The test", _test_html(found, found.test))
    solo = found.tournament.plan.seats == 1
    heading = "Games won, with 95% intervals" + ("" if solo else f"; even is {found.even:.1%}")
    if found.tournament.plan.gauntlet:
        yield section(heading, gauntlet_plot(found))
    else:
        rows = [
            (short(found.shown[agent]), rate.low, rate.estimate, rate.high, with_span(rate))
            for agent in found.ranking()
            for rate in (found.agents[agent].rate,)
        ]
        yield section(heading, interval_plot(heading, rows, even=None if solo else found.even))
    if found.ratings is not None:
        heading = f"Ratings: OpenSkill, Plackett-Luce; all begin at {START:g}"
        ratings = [(short(found.shown[agent]), found.ratings[agent].mu) for agent in found.ranking()]
        yield section(heading, bars(heading, [(name, mu, f"{mu:.2f}") for name, mu in ratings], zero=START))
    for heading, head, cells in _tables(found, ranges=True):
        yield section(heading.capitalize(), _table(head, cells))
    for heading, endings in _endings(found):
        yield section(heading.capitalize(), bars(heading.capitalize(), endings))
    for totals in found.statistics:
        if isinstance(totals, KingTotals):
            shares = [(str(turn), games / totals.games) for turn, games in sorted(totals.turns.items())]
            heading = f"Length: {_length(totals)}"
            yield section(heading, bars(heading, [(turn, share, f"{share:.1%}") for turn, share in shares]))


def _test_html(found: Standings, test: SequentialTest) -> str:
    lines = "".join(f"<li>{escape(line)}</li>" for line in _verdict(found, test))
    courses = [
        (f"against {which}", [(deal, llr[at]) for deal, llr in enumerate(test.course, 1)])
        for at, which in enumerate(("H0", "H1"))
    ]
    title = "Log-likelihood ratios against the hypotheses, deal by deal"
    plot = line_plot(title, courses, along="deals", marks=sorted(set(test.bounds)))
    return f"<ul>{lines}</ul>\n{plot}"


def _table(head: tuple[str, ...], rows: _Rows) -> str:
    """A table whose first column is of names."""
    top = "".join(f"<th{' class=number' if at else ''}>{escape(cell)}</th>" for at, cell in enumerate(head))
    body = "\n".join(
        "<tr>"
        + "".join(f"<td{' class=number' if at else ''}>{escape(cell)}</td>" for at, cell in enumerate(row))
        + "</tr>"
        for row in rows
    )
    return f"<table><thead><tr>{top}</tr></thead>\n<tbody>{body}</tbody></table>"
