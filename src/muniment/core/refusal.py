"""Why an action is not allowed: a stable code for programs, a sentence for people, the rule behind it."""

from __future__ import annotations

from dataclasses import dataclass

from muniment.core.errors import MunimentError

__all__ = ["Refusal", "Refused"]


@dataclass(frozen=True, slots=True)
class Refusal:
    """The reason why an action is not legal.

    code: stable identifier (lower case, hyphens), the same in every version.
    sentence: one sentence for people, in the rulebook's nouns.
    rule: the id of the rule or ruling that forbids the action.
    """

    code: str
    sentence: str
    rule: str

    def to_json(self) -> dict[str, str]:
        """The refusal as a JSON object with the keys code, sentence and rule."""
        return {"code": self.code, "sentence": self.sentence, "rule": self.rule}


class Refused(MunimentError):
    """Raised when an illegal action is played; nothing has changed. ``refusal`` says why."""

    def __init__(self, refusal: Refusal, action: str) -> None:
        super().__init__(f"{action!r} is not allowed: {refusal.sentence} ({refusal.rule})")
        self.refusal = refusal
