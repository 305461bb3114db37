"""Agents: players that are given their own view and the legal actions, and nothing else."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Generic, TypeVar

from muniment.core.chance import Source
from muniment.core.game import Action, View

__all__ = ["Agent"]

A = TypeVar("A", bound=Action)
V = TypeVar("V", bound=View)


class Agent(ABC, Generic[A, V]):
    """A player. Its choice depends on the view, the legal actions and the random source it is given alone."""

    name: str

    @abstractmethod
    def choose(self, view: V, legal: Sequence[A], source: Source) -> A:
        """One of the legal actions; ``legal`` is never empty. ``source`` is the agent's own random stream."""
