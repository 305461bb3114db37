"""The agent ``random``: any legal action, each as likely, in any game."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from muniment.core.agent import Agent
from muniment.core.chance import Source
from muniment.core.game import Action, View

__all__ = ["Uniform"]

A = TypeVar("A", bound=Action)
V = TypeVar("V", bound=View)


class Uniform(Agent[A, V]):
    """Chooses uniformly among the legal actions, with its own random stream."""

    name = "random"

    def choose(self, view: V, legal: Sequence[A], source: Source) -> A:
        """One of them, by a single number from the source."""
        return legal[source.below(len(legal))]
