"""How words and numbers are put for people: a row of words, a change with its sign, a capital, nothing unprintable."""

from __future__ import annotations

from collections.abc import Iterable

__all__ = ["capital", "listed", "printable", "signed"]


def capital(words: str) -> str:
    """The words with a capital first letter."""
    return words[:1].upper() + words[1:]


def signed(change: int) -> str:
    """A change with its sign, a true minus."""
    return f"+{change}" if change >= 0 else f"−{-change}"


def listed(words: Iterable[str], last: str = "and") -> str:
    """Words in a row: "a", "a and b", "a, b and c"."""
    found = list(words)
    if len(found) < 2:
        return "".join(found)
    return f"{', '.join(found[:-1])} {last} {found[-1]}"


def printable(text: str) -> str:
    """The text with everything that could disturb a terminal or a page made visible as a question mark."""
    return "".join(c if c.isprintable() else "?" for c in text)
