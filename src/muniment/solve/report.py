"""The study's figures for people: as text, and as one HTML file with its plots, which needs nothing else."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from html import escape
from typing import Any

from muniment.solve.commands import percent
from muniment.solve.plots import bars, page, section

__all__ = ["study_html", "study_text"]

Study = Mapping[str, Any]


def _options_name(options: Mapping[str, Any], default: Mapping[str, Any]) -> str:
    changed = [f"{name} = {str(value).lower()}" for name, value in options.items() if value != default[name]]
    return ", ".join(changed) or "the rulings' defaults"


def _option_rows(study: Study) -> list[tuple[str, float, str]]:
    default = study["options"][0]["options"]
    return [(_options_name(o["options"], default), o["value"], percent(o["value"])) for o in study["options"]]


def _defeat_rows(study: Study) -> list[tuple[str, float, str]]:
    return [(f"day {d['day']}: {d['ending']} ({d['rule']})", d["share"], percent(d["share"])) for d in study["defeats"]]


def _card_rows(study: Study, day: int) -> list[tuple[str, float, str]]:
    cards = sorted((c for c in study["cards"] if c["day"] == day), key=lambda card: -card["worth"])
    return [(f"{c['card']} {c['title']}", c["worth"], f"{100 * c['worth']:+.2f}") for c in cards]


def _morning_rows(morning: Mapping[str, Any], name: str) -> list[tuple[str, float, str]]:
    return [(f"{name}: {where}", value, percent(value)) for where, value in morning[name].items()]


def _plan_line(plan: Mapping[str, Any]) -> str:
    line = str(plan["action"])
    if "as_good" in plan:
        line += f" (as good: {', '.join(plan['as_good'])})"
    ways = []
    for way in plan.get("then", []):
        on = f"on {', '.join(map(str, way['faces']))}: " if way["faces"] else ""
        ways.append(f"{on}{way['plan']['action']}")
    return f"{line}; then {'; '.join(ways)}" if ways else line


def study_text(study: Study) -> list[str]:
    """The figures as lines of text."""
    lines = [f"{study['edition']}: perfect play", "", "Value of the game under each option"]
    lines += [f"  {label:<50} {words:>8}" for label, _, words in _option_rows(study)]
    perfect, random = study["perfect"], study["random"]
    lines.append(
        f"  {perfect['games']:,} games of perfect play: {percent(perfect['win_rate'])} won; "
        f"of random play: {percent(random['win_rate'])}"
    )
    lines += ["", "How perfect play loses, in all games"]
    lines += [f"  {label:<50} {words:>8}" for label, _, words in _defeat_rows(study)]
    lines += ["", "What drawing a card does to the winning chance, in points"]
    for day in _days(study):
        lines += [f"  day {day}: {label:<43} {words:>8}" for label, _, words in _card_rows(study, day)]
    lines += ["", "The best first turn"]
    for turn in study["first_turns"]:
        plan = _plan_line(turn["plan"]) if "plan" in turn else "a die decides before the actions"
        lines.append(f"  {turn['card']} {turn['title']}, {percent(turn['value'])}: {plan}")
    lines += ["", "Winning chance on a morning, all as in the set-up but for one thing"]
    for morning in study["mornings"]:
        for name in _things(morning):
            parts = [f"{where} {percent(value)}" for where, value in morning[name].items()]
            lines.append(f"  day {morning['day']}, {name}: {', '.join(parts)}")
    return lines


def _days(study: Study) -> list[int]:
    return sorted({card["day"] for card in study["cards"]})


def _things(morning: Mapping[str, Any]) -> list[str]:
    return [name for name, value in morning.items() if isinstance(value, Mapping)]


def study_html(study: Study) -> str:
    """The report as a page."""
    title = f"9 Card Siege, solved: {study['edition']}"
    return page(title, _sections(study))


def _sections(study: Study) -> Iterator[str]:
    perfect, random = study["perfect"], study["random"]
    yield (
        f"<p>Under the rulings' defaults perfect play wins {study['options'][0]['value']:.9f} of all games. "
        f"Counted over {perfect['games']:,} games: {percent(perfect['win_rate'])}, standard error "
        f"{100 * perfect['standard_error']:.2f} points; random play {percent(random['win_rate'])}.</p>"
    )
    yield section("Value under each option", bars("Value under each option", _option_rows(study), top=1.0))
    yield section("How perfect play loses", bars("How perfect play loses, share of all games", _defeat_rows(study)))
    for day in _days(study):
        heading = f"What drawing a card does on day {day}, in points of winning chance"
        yield section(heading, bars(heading, _card_rows(study, day)))
    yield section("The best first turn", _first_turns(study))
    for morning in study["mornings"]:
        heading = f"The morning of day {morning['day']}: all as in the set-up but for one thing"
        rows = [row for name in _things(morning) for row in _morning_rows(morning, name)]
        yield section(heading, bars(heading, rows, top=1.0))


def _first_turns(study: Study) -> str:
    rows = [
        f"<tr><td>{turn['card']} {escape(turn['title'])}</td><td class=number>{percent(turn['value'])}</td>"
        f"<td>{escape(_plan_line(turn['plan'])) if 'plan' in turn else 'a die decides before the actions'}</td></tr>"
        for turn in study["first_turns"]
    ]
    return "<table><tr><th>First card<th>Winning chance<th>Best play</tr>\n" + "\n".join(rows) + "</table>"
