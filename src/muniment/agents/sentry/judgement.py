"""The chance to hold out, as ``sentry`` judges a table: a small network over ``features``, learned from solved games.

One layer of hidden units (the part of each weighted sum that is above 0) corrects a weighted sum of the features; the
result is in logarithms of odds. ``siege.json`` keeps the weights, and tells from which games they were learned.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from math import exp, isfinite
from operator import mul
from pathlib import Path
from typing import Any, Final

from muniment.agents.captain import Captain
from muniment.agents.sentry.features import FEATURE_VERSION, FEATURES, Features
from muniment.core.edition import digest_of
from muniment.core.errors import MunimentError
from muniment.games.siege.endings import WON
from muniment.games.siege.game import Siege
from muniment.games.siege.state import OVER, SiegeState

__all__ = ["Network", "Seasoned", "read_network", "shipped_network"]

_FORMAT: Final = "muniment siege judgement 1"
_DIGITS: Final = 4
_LARGEST: Final = 30.0
_TOO_LARGE: Final = 1024 * 1024


@dataclass(frozen=True)
class Network:
    """direct: a weight for each feature. hidden: of each hidden unit its bias, weights, and its weight in the end.

    trained: how it was learned, and with which figures.
    """

    bias: float
    direct: tuple[float, ...]
    hidden: tuple[tuple[float, tuple[float, ...], float], ...]
    trained: Mapping[str, Any] = field(default_factory=dict)

    def chance(self, figures: Sequence[float]) -> float:
        """The chance, 0 to 1, of a table with these features."""
        odds = self.bias + sum(map(mul, self.direct, figures))
        for bias, weights, out in self.hidden:
            above = bias + sum(map(mul, weights, figures))
            if above > 0.0:
                odds += out * above
        return 1 / (1 + exp(max(-_LARGEST, min(_LARGEST, -odds))))

    def to_text(self) -> str:
        """The file: weights to four decimal places."""
        content: dict[str, Any] = {
            "format": _FORMAT,
            "feature_version": FEATURE_VERSION,
            "features": list(FEATURES),
            "trained": dict(self.trained),
            "bias": round(self.bias, _DIGITS),
            "direct": [round(weight, _DIGITS) for weight in self.direct],
            "hidden": [
                [round(bias, _DIGITS), [round(weight, _DIGITS) for weight in weights], round(out, _DIGITS)]
                for bias, weights, out in self.hidden
            ],
        }
        return json.dumps({**content, "digest": digest_of(content)}, ensure_ascii=False) + "\n"


def read_network(file: Path | Traversable) -> Network:
    """Read weights. Raises MunimentError, naming the file, if they are damaged or of other features than these."""
    name = str(file) if isinstance(file, Path) else file.name
    try:
        with file.open("rb") as stream:
            content = json.loads(stream.read(_TOO_LARGE).decode())
    except OSError as error:
        raise MunimentError(f"{name}: {error.strerror or error}") from None
    except (ValueError, RecursionError):
        raise MunimentError(f"{name}: these are no weights of a judgement: not JSON") from None
    if not isinstance(content, dict) or content.get("format") != _FORMAT:
        raise MunimentError(f"{name}: these are no weights of a judgement: the format is not {_FORMAT!r}")
    if content.pop("digest", None) != digest_of(content):
        raise MunimentError(f"{name}: damaged: the digest does not fit the content")
    if content["feature_version"] != FEATURE_VERSION or content["features"] != list(FEATURES):
        raise MunimentError(f"{name}: learned for other features than this version's; learn it anew")
    hidden = tuple((bias, tuple(weights), out) for bias, weights, out in content["hidden"])
    network = Network(content["bias"], tuple(content["direct"]), hidden, content["trained"])
    rows = (network.direct, *(weights for _, weights, _ in hidden))
    if not all(len(row) == len(FEATURES) and all(map(isfinite, row)) for row in rows):
        raise MunimentError(f"{name}: a row of weights is not {len(FEATURES)} finite numbers")
    return network


@cache
def shipped_network() -> Network:
    """The weights of the package."""
    return read_network(files("muniment.agents.sentry").joinpath("siege.json"))


class Seasoned(Captain):
    """``captain`` with the learned judgement in place of its own."""

    name = "seasoned captain"

    def __init__(self, rules: Siege, network: Network | None = None) -> None:
        """rules: the game as it is played. network: the shipped one if None."""
        super().__init__(rules)
        self._network = network or shipped_network()
        self._features = Features(rules, self)

    def judge(self, state: SiegeState) -> float:
        """The chance to hold out as it judges it, 0 to 1, at the start of a turn or the end of the game."""
        if state.step == OVER:
            return float(state.result == WON)
        return self._network.chance(self._features.of(state))
