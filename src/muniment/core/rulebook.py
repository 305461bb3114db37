"""A game's rules and rulings in our own words: one short text per id, searchable."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from importlib.resources.abc import Traversable

__all__ = ["Rule", "Rulebook"]


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule or ruling: its id, title and text; ``see`` lists related ids; ``option`` the setting it offers."""

    id: str
    title: str
    text: str
    see: tuple[str, ...] = ()
    option: str | None = None
    terms: tuple[str, ...] = ()


class Rulebook:
    """All rules of a game, in the order of its rulebook, rulings last."""

    def __init__(self, rules: tuple[Rule, ...]) -> None:
        self.rules = rules
        self._by_id = {rule.id: rule for rule in rules}

    @classmethod
    def load(cls, file: Traversable) -> Rulebook:
        """Read the package's own rules file."""
        content = tomllib.loads(file.read_text(encoding="utf-8"))
        return cls(
            tuple(
                Rule(
                    id=item["id"],
                    title=item["title"],
                    text=" ".join(item["text"].split()),
                    see=tuple(item.get("see", ())),
                    option=item.get("option"),
                    terms=tuple(item.get("terms", ())),
                )
                for item in content["rule"]
            )
        )

    def __contains__(self, rule_id: str) -> bool:
        return rule_id in self._by_id

    def __getitem__(self, rule_id: str) -> Rule:
        return self._by_id[rule_id]

    def search(self, words: str) -> tuple[Rule, ...]:
        """The rules that a search for an id or some words finds, best first.

        An id finds that rule. Otherwise every word must occur; title and terms count before the text.
        """
        wanted = words.casefold().split()
        for rule in self.rules:
            if rule.id.casefold() == " ".join(wanted):
                return (rule,)
        scored: list[tuple[int, int, Rule]] = []
        for place, rule in enumerate(self.rules):
            head = " ".join((rule.title, *rule.terms)).casefold()
            body = f"{head} {rule.id} {rule.text}".casefold()
            if wanted and all(word in body for word in wanted):
                scored.append((-sum(word in head for word in wanted), place, rule))
        return tuple(rule for _, _, rule in sorted(scored, key=lambda item: item[:2]))
