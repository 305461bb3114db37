"""How sentences for people put words and numbers: a row of words, a change with its sign, a capital."""

from __future__ import annotations

from collections.abc import Iterable

__all__ = ["capital", "listed", "signed"]


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
