"""What chance brings in 9 Card Siege: one die, or the top card of the deck."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from muniment.core.chance import ChanceNode
from muniment.core.errors import NotationError
from muniment.games.siege.edition import MAX_CARD_NUMBER

__all__ = ["D6", "D6_NODE", "SiegeOutcome", "draws", "parse_outcome"]


@dataclass(frozen=True, slots=True)
class SiegeOutcome:
    """A natural die face of 1 to 6 (``drawn`` false), or a card by its printed number (``drawn`` true)."""

    drawn: bool
    value: int

    @property
    def notation(self) -> str:
        """``roll 5``, or ``draw 7`` for card number 7."""
        return f"{'draw' if self.drawn else 'roll'} {self.value}"


D6: Final = tuple(SiegeOutcome(False, face) for face in range(1, 7))
D6_NODE: Final = ChanceNode.uniform(D6)


def draws(numbers: tuple[int, ...]) -> ChanceNode[SiegeOutcome]:
    """Any of the cards with these printed numbers, each as likely (S29)."""
    return ChanceNode.uniform(tuple(SiegeOutcome(True, number) for number in numbers))


def parse_outcome(text: str) -> SiegeOutcome:
    """Read ``notation`` back. Raises NotationError."""
    verb, _, value = text.strip().partition(" ")
    if verb in ("roll", "draw") and len(value) <= 2 and value.isascii() and value.isdigit() and value[0] != "0":
        number = int(value)
        if verb == "roll" and 1 <= number <= 6:
            return D6[number - 1]
        if verb == "draw" and 1 <= number <= MAX_CARD_NUMBER:
            return SiegeOutcome(True, number)
    raise NotationError(f"{text!r} is not an outcome: roll 1 to 6, or draw and a card's number")
