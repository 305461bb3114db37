"""What the server counts, in the form that Prometheus reads. Nothing here names a table, a person or an address."""

from __future__ import annotations

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

__all__ = ["Metrics"]

_SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.15, 0.25, 0.5, 1, 2.5, 5, 10)


class Metrics:
    """The counters of one process."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        registry = self.registry
        self.moves = Counter("muniment_moves", "Moves that were committed.", ("game", "by"), registry=registry)
        self.refusals = Counter("muniment_refusals", "What was refused, by code.", ("code",), registry=registry)
        self.move_seconds = Histogram(
            "muniment_move_seconds", "From a move's arrival to its commit.", buckets=_SECONDS, registry=registry
        )
        self.request_seconds = Histogram(
            "muniment_request_seconds", "Answers to requests.", ("route", "status"), buckets=_SECONDS, registry=registry
        )
        self.bot_seconds = Histogram(
            "muniment_bot_seconds", "How long bots thought.", ("bot",), buckets=_SECONDS, registry=registry
        )
        self.bot_failures = Counter(
            "muniment_bot_failures", "Bots that took too long, or failed.", ("reason",), registry=registry
        )
        self.tables = Counter("muniment_tables_made", "Tables that were made.", ("game",), registry=registry)
        self.streams = Gauge("muniment_streams", "Open live streams.", registry=registry)
        self.cached = Gauge("muniment_cached_tables", "Tables in memory.", registry=registry)
        self.races = Counter(
            "muniment_races", "Changes repeated because another process was faster.", registry=registry
        )
        self.failures = Counter("muniment_failures", "Requests that failed on the server's side.", registry=registry)

    def text(self) -> bytes:
        """All of it in Prometheus' text format."""
        return generate_latest(self.registry)
