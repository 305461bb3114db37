"""Explanations: what a choice costs and brings, why another is not allowed, and the rule behind it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rich.text import Text

from muniment.core.game import Action
from muniment.core.match import Match
from muniment.core.rulebook import Rule, Rulebook
from muniment.core.words import printable
from muniment.terminal.choices import describe
from muniment.terminal.face import Face, keep_together, wrap
from muniment.terminal.screen import WIDTH, Line

__all__ = ["explain", "explain_action", "rule_list", "rule_text", "rules_found"]


def rule_text(book: Rulebook, rule: Rule) -> list[Line]:
    """A rule or ruling: its id and title, its text, and what else to read."""
    lines: list[Line] = [Text.assemble((f" {rule.id}  ", "bold cyan"), (rule.title, "bold"))]
    lines += wrap(rule.text, indent="   ", hang="")
    if rule.see:
        related = ", ".join(keep_together(f"{other} {book[other].title}") for other in rule.see if other in book)
        lines += [Text(line, style="dim") for line in wrap(f"See {related}.", indent="   ", hang="")]
    return lines


def rule_list(rules: Sequence[Rule]) -> list[Line]:
    """Ids and titles."""
    width = max((len(rule.id) for rule in rules), default=0)
    return [Text.assemble((f" {rule.id:<{width}}  ", "cyan"), rule.title) for rule in rules]


def rules_found(book: Rulebook, rules: Sequence[Rule], full: int) -> list[Line]:
    """The first rules of a search in full, the others by id and title."""
    lines: list[Line] = []
    for rule in rules[:full]:
        lines += ["", *rule_text(book, rule)] if lines else rule_text(book, rule)
    if len(rules) > full:
        more = ", ".join(keep_together(f"{rule.id} {rule.title}") for rule in rules[full:])
        lines += ["", *wrap(f"Also: {more}.")]
    return lines


def explain(match: Match[Any, Any, Any, Any], face: Face, seat: int, topic: str) -> list[Line] | None:
    """What is asked of a choice, by number or name, or of a rule, by id or words; None if nothing is found."""
    legal = match.legal_actions(seat)
    book = match.game.rulebook()
    if topic.isascii() and topic.isdigit() and 1 <= int(topic[:4]) <= len(legal):
        return explain_action(match, face, seat, legal[int(topic) - 1])
    found = face.matching(topic, face.known_actions(match.view(seat)))
    if len(found) == 1:
        return explain_action(match, face, seat, found[0])
    if found:
        lines: list[Line] = [f" {printable(topic)} can be:"]
        grouped: dict[str, list[str]] = {}
        for action in found:
            refusal = match.refusal(seat, action)
            why = "possible now" if refusal is None else f"not now: {refusal.sentence} ({refusal.rule})"
            grouped.setdefault(why, []).append(face.name(action))
        for why, names in grouped.items():
            lines += wrap(f"{', '.join(names)}: {why}", indent="   ")
        rules = list(dict.fromkeys(action.rule for action in found))
        return [*lines, "", *_rules(book, rules[:2])]
    rules_by_words = book.search(topic)
    return rules_found(book, rules_by_words, 2) if rules_by_words else None


def explain_action(match: Match[Any, Any, Any, Any], face: Face, seat: int, action: Action) -> list[Line]:
    """One action: the odds if it is legal now, else the refusal; then the rule."""
    book = match.game.rulebook()
    name, sentence = face.name(action), f"{face.sentence(action)} ({action.rule})"
    lines: list[Line] = [Text.assemble((f" {name}", "bold cyan"), f"  {sentence}")]
    if len(name) + len(sentence) + 3 > WIDTH:
        lines = [Text(f" {name}", style="bold cyan"), *wrap(sentence, indent="   ", hang="")]
    rules = [action.rule]
    refusal = match.refusal(seat, action)
    if refusal is not None:
        lines += [
            Text(line, style="yellow") for line in wrap(f"Not possible now: {refusal.sentence} ({refusal.rule}).")
        ]
        rules = [refusal.rule, action.rule]
    else:
        odds = face.odds(match.view(seat), action)
        lines += describe(odds) if odds is not None else []
    return [*lines, "", *_rules(book, list(dict.fromkeys(rules)))]


def _rules(book: Rulebook, ids: Sequence[str]) -> list[Line]:
    lines: list[Line] = []
    for rule_id in ids:
        if rule_id in book:
            lines += ["", *rule_text(book, book[rule_id])] if lines else rule_text(book, book[rule_id])
    return lines
