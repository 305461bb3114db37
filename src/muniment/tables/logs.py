"""Structured logs. A log line holds tables' ids, seats and codes; never a secret, a link, a name or a hidden tile."""

from __future__ import annotations

import logging
import sys

import structlog

from muniment.tables.config import Config

__all__ = ["set_up_logs"]


def set_up_logs(config: Config) -> None:
    """Write logs to standard error, as text or JSON, one line each."""
    level = getattr(logging, config.log_level.upper())
    renderer: structlog.typing.Processor
    if config.log_format == "json":
        renderer = structlog.processors.JSONRenderer()
    else:
        renderer = structlog.dev.ConsoleRenderer(colors=sys.stderr.isatty())
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.format_exc_info,
            renderer,
        ],
        wrapper_class=structlog.make_filtering_bound_logger(level),
        logger_factory=lambda *_: structlog.PrintLogger(sys.stderr),
        cache_logger_on_first_use=False,
    )
