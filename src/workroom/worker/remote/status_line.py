"""A status line of a worker on the terminal."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any, Self

from workroom import logs

if TYPE_CHECKING:
    from workroom.worker.remote.worker import RemoteWorker


class StatusLine:
    """Shown only if the standard error is a terminal."""

    def __init__(self, worker: RemoteWorker) -> None:
        self._worker = worker
        self._live: Any = None

    def __rich__(self) -> str:
        connection = "attached" if self._worker.connection.is_attached else "connecting"
        return f"● {connection} · {self._worker.jobs_running} running · {self._worker.jobs_done} done · Ctrl-C ends"

    def __enter__(self) -> Self:
        if sys.stderr.isatty():
            from rich.console import Console
            from rich.live import Live

            self._live = Live(self, console=Console(stderr=True), refresh_per_second=4, transient=True)
            self._live.start()
            logs.write_to(sys.stderr)  # now a stream that prints above the status line
        return self

    def __exit__(self, *_: object) -> None:
        if self._live is not None:
            self._live.stop()
            logs.write_to(sys.stderr)
