"""What the service refuses to do: a stable code for programs, a sentence for people, the HTTP status that fits."""

from __future__ import annotations

from typing import Any, ClassVar

from muniment.core.errors import MunimentError
from muniment.core.refusal import Refusal

__all__ = [
    "Busy", "Conflict", "Forbidden", "Invalid", "MoveRefused", "NotFound", "ServiceError", "Stale", "TooMany",
]  # fmt: skip


class ServiceError(MunimentError):
    """Something asked of the service cannot be done; nothing has changed."""

    status: ClassVar[int] = 400
    code = "error"

    def __init__(self, message: str, code: str | None = None) -> None:
        super().__init__(message)
        if code is not None:
            self.code = code

    def to_json(self) -> dict[str, Any]:
        """The error as a JSON object with the keys code and message."""
        return {"code": self.code, "message": str(self)}


class Invalid(ServiceError):
    """What was sent cannot be used."""

    status = 422
    code = "invalid"


class NotFound(ServiceError):
    """There is no such table, link or seat, or the caller may not know of it."""

    status = 404
    code = "not-found"


class Forbidden(ServiceError):
    """The caller's secret does not allow that."""

    status = 403
    code = "forbidden"


class Conflict(ServiceError):
    """The table is not in a condition for that."""

    status = 409
    code = "conflict"


class Stale(Conflict):
    """The move answers a decision that has passed."""

    code = "stale-decision"

    def __init__(self) -> None:
        super().__init__("that decision has passed: look at the table again")


class MoveRefused(Conflict):
    """The rules do not allow the move; ``refusal`` says why."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(refusal.sentence, refusal.code)
        self.refusal = refusal

    def to_json(self) -> dict[str, Any]:
        """As every error, with the rule that forbids the move."""
        return {**super().to_json(), "rule": self.refusal.rule}


class TooMany(ServiceError):
    """A limit of this server is reached; ``retry_after`` is the number of seconds to wait, 0 if waiting is no help."""

    status = 429
    code = "too-many"

    def __init__(self, message: str, retry_after: int = 0) -> None:
        super().__init__(message)
        self.retry_after = retry_after


class Busy(ServiceError):
    """The server cannot do it now: it is stopping, or its storage does not answer. Trying again may help."""

    status = 503
    code = "busy"
