"""Watching a game that is played with nobody watching: what its ending alone does not tell."""

from __future__ import annotations

from muniment.core.game import State

__all__ = ["Observer"]


class Observer:
    """Sees the state before each decision and at the end of a game; this one takes no notice of it."""

    def watch(self, state: State) -> None:
        """The state before a decision, or after the last one; it must not be changed or kept."""
