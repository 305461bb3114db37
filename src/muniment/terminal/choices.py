"""Choices: numbered for the eye, named for the fingers, with what each costs and how likely it is to succeed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Final

from rich.text import Text

from muniment.core.game import Action
from muniment.core.odds import Odds
from muniment.terminal.face import Face
from muniment.terminal.screen import WIDTH, Line

__all__ = ["chance", "describe", "list_choices"]

_COLUMN: Final = (WIDTH - 1) // 2
_ODDS_WIDTH: Final = 8
_DIE: Final = 6


def chance(probability: Fraction) -> str:
    """A probability exactly and in percent: over 6 where a die decides, as people at a table say it."""
    if _DIE % probability.denominator == 0:
        exact = f"{probability.numerator * _DIE // probability.denominator}/{_DIE}"
    else:
        exact = str(probability)
    return f"{exact} {float(probability):4.0%}"


@dataclass(frozen=True)
class _Choice:
    """A choice as it will stand in the list. ends: whether it can lose the game at once, and how likely."""

    number: int
    name: str
    terms: tuple[str, ...]
    odds: str
    loses: Fraction
    sentence: str


def _choice(face: Face, view: Any, number: int, action: Action) -> _Choice:
    odds = face.odds(view, action)
    sentence = face.sentence(action)
    if odds is None:
        return _Choice(number, action.notation, (), "", Fraction(0), sentence)
    loses = _ends(face, odds, "lost")
    if loses == 1:
        return _Choice(number, action.notation, ("loses the game",), "", loses, sentence)
    if _ends(face, odds, "won") == 1:
        return _Choice(number, action.notation, ("wins the game",), "", loses, sentence)
    if len(odds.cases) == 1:
        return _Choice(number, action.notation, odds.price or odds.cases[0].effects, "", loses, sentence)
    return _Choice(number, action.notation, odds.price, chance(odds.success), loses, sentence)


def _ends(face: Face, odds: Odds, result: str) -> Fraction:
    """How likely the action ends the game in this way."""
    cases = [case for case in odds.cases if any(face.decides(effect) == result for effect in case.effects)]
    return sum((case.probability for case in cases), Fraction(0))


def _terms(choice: _Choice, room: int) -> str:
    """As much of the price, or of what it certainly brings, as there is room for."""
    for count in range(len(choice.terms), 0, -1):
        text = ", ".join(choice.terms[:count])
        if len(text) <= room:
            return text
    return ""


def _cell(choice: _Choice, width: int, *, sentence: bool) -> Text:
    """One choice, exactly as wide as its column. A "!" marks what can lose the game at once."""
    cell = Text().append(f"{choice.number:>3}", style="bold cyan")
    cell.append("!" if choice.loses else " ", style="bold red")
    cell.append(choice.name, style="bold" if sentence else "")
    odds = choice.odds.rjust(_ODDS_WIDTH) if choice.odds else ""
    end = width - (len(odds) + 1 if odds else 0)
    terms = _terms(choice, end - cell.cell_len - 1)
    middle = width - _ODDS_WIDTH - 1  # prices stand in one column, whether a die is rolled or not
    if not odds and cell.cell_len + 1 + len(terms) <= middle:
        end = middle
    cell.append(" " * max(end - cell.cell_len - len(terms), 1))
    cell.append(terms, style="bold red" if choice.loses == 1 else "dim")
    if odds:
        cell.append(f" {odds}", style="bold")
    cell.append(" " * max(width - cell.cell_len, 0))
    if sentence:
        cell.append(f"  {choice.sentence}", style="dim")
    return cell


def list_choices(face: Face, view: Any, actions: Sequence[Action], room: int) -> list[Line]:
    """The numbered list: in one column with sentences if there is room for that, else in two."""
    choices = [_choice(face, view, number, action) for number, action in enumerate(actions, 1)]
    if len(choices) <= room:
        return [_cut(_cell(choice, _COLUMN, sentence=True)) for choice in choices]
    half = (len(choices) + 1) // 2
    lines: list[Line] = []
    for row in range(half):
        line = _cell(choices[row], _COLUMN, sentence=False)
        if row + half < len(choices):
            line.append(" ").append_text(_cell(choices[row + half], _COLUMN, sentence=False))
        lines.append(line)
    return lines


def _cut(line: Text) -> Text:
    line.truncate(WIDTH, overflow="ellipsis")
    return line


def describe(odds: Odds) -> list[Line]:
    """Price and every way it can turn out, with faces and exact chances."""
    lines: list[Line] = []
    if odds.price:
        lines.append(f"   costs     {', '.join(odds.price)}")
    for case in odds.cases:
        effects = ", ".join(case.effects) or "nothing changes"
        if len(odds.cases) == 1 and not case.faces:
            lines.append(f"   certain   {effects}")
            continue
        faces = f"die {' '.join(map(str, case.faces))}" if case.faces else ""
        line = Text(f"   {case.label:<9} ")
        line.append(chance(case.probability), style="bold").append(f"   {faces:<15}  {effects}")
        lines.append(line)
    return lines
