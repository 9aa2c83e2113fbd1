"""Logs: one JSON object a line on standard error, with pit, table, round and entry where they are known."""

import logging
import sys

import structlog


def set_up_logs(level: str) -> None:
    """Log from this level up; the libraries' own logging goes the same way, from warnings up."""
    structlog.configure(
        processors=[
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.format_exc_info,
            structlog.processors.JSONRenderer(),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(logging.getLevelNamesMapping()[level.upper()]),
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
        cache_logger_on_first_use=True,
    )
    logging.basicConfig(level=logging.WARNING, format="%(message)s", stream=sys.stderr)
