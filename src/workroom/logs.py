"""Logging: modules log events with fields through structlog, and the standard `logging` delivers them.

A program that embeds the client keeps control: it sets levels and handlers of `workroom` with `logging`, as for any
other library. The commands `serve`, `worker` and `pool` call `configure`, which writes text or JSON to stderr.
"""

from __future__ import annotations

import logging
import re
import sys
from collections.abc import MutableMapping
from contextlib import suppress
from typing import Any

import structlog
from structlog.stdlib import ProcessorFormatter

# Tokens, and passwords in URLs. No module should log them; this is the second line of defence.
_SECRETS = re.compile(r"wr_[\w-]{20,}|eyJ[\w-]+\.[\w-]+\.[\w-]+|(?<=://)([^:@/\s]+):[^@/\s]+(?=@)")

_Event = MutableMapping[str, Any]


def get_logger(name: str) -> structlog.stdlib.BoundLogger:
    """The logger of a module: `log = get_logger(__name__)`."""
    return structlog.wrap_logger(
        logging.getLogger(name),
        processors=_PROCESSORS,
        wrapper_class=structlog.stdlib.BoundLogger,
        context_class=dict,
        cache_logger_on_first_use=True,
    )


def configure(level: str, form: str | None = None) -> None:
    """Write the log to standard error. Other libraries log warnings and errors only.

    The form is `text` or `json`; without one, text on a terminal and JSON in a pipe.
    """
    form = form or ("text" if sys.stderr.isatty() else "json")
    renderer: Any = structlog.dev.ConsoleRenderer(colors=sys.stderr.isatty())
    if form == "json":
        renderer = structlog.processors.JSONRenderer()
    handler = _LossyHandler(sys.stderr)
    handler.settings = (level, form)
    handler.setFormatter(
        ProcessorFormatter(
            processors=[
                structlog.stdlib.add_logger_name,
                structlog.stdlib.add_log_level,
                ProcessorFormatter.remove_processors_meta,
                structlog.processors.TimeStamper(fmt="iso"),
                structlog.processors.format_exc_info,
                _remove_secrets,
                renderer,
            ]
        )
    )
    root = logging.getLogger()
    for former in list(root.handlers):
        root.removeHandler(former)
    root.addHandler(handler)
    root.setLevel(logging.WARNING)
    logging.getLogger("workroom").setLevel(logging.getLevelNamesMapping()[level.upper()])


def show(logger: structlog.stdlib.BoundLogger, text: str) -> None:
    """Log a line that the user of a script has to see; on standard error if the program shows no log of this level."""
    workroom = logging.getLogger("workroom")
    if workroom.isEnabledFor(logging.INFO) and workroom.hasHandlers():
        logger.info(text)
    else:
        sys.stderr.write(f"{text}\n")
        sys.stderr.flush()


def settings() -> tuple[str, str] | None:
    """The level and form that `configure` was called with, for a process that logs like this one."""
    return next(
        (handler.settings for handler in logging.getLogger().handlers if isinstance(handler, _LossyHandler)), None
    )


def write_to(stream: Any) -> None:
    """Write the log to another stream, for example one that keeps a status line below it."""
    for handler in logging.getLogger().handlers:
        if isinstance(handler, _LossyHandler):
            handler.setStream(stream)


class _LossyHandler(logging.StreamHandler[Any]):
    """Drops a line that cannot be written, for example when the disk is full: a request must not fail for its log."""

    settings: tuple[str, str] = ("info", "text")

    def emit(self, record: logging.LogRecord) -> None:
        with suppress(Exception):
            super().emit(record)

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802 - of the standard library
        return


def _remove_secrets(_: Any, __: str, event: _Event) -> _Event:
    for key, value in event.items():
        if isinstance(value, str):
            event[key] = _SECRETS.sub("***", value)
    return event


def _to_record(logger: Any, method: str, event: _Event) -> Any:
    """The arguments of the call to `logging`: all fields for the formatter of `configure`, otherwise one text."""
    if any(isinstance(handler.formatter, ProcessorFormatter) for handler in logging.getLogger().handlers):
        return ProcessorFormatter.wrap_for_formatter(logger, method, event)  # pyright: ignore[reportArgumentType]
    exception = event.pop("exception", None)
    text = " ".join([str(event.pop("event")), *(f"{key}={value}" for key, value in event.items())])
    return ("%s", text if exception is None else f"{text}\n{exception}"), {}


_PROCESSORS: list[Any] = [
    structlog.stdlib.filter_by_level,
    structlog.contextvars.merge_contextvars,
    structlog.stdlib.PositionalArgumentsFormatter(),
    structlog.processors.StackInfoRenderer(),
    structlog.processors.format_exc_info,
    _remove_secrets,
    _to_record,
]
