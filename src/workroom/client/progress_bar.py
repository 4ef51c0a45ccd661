"""A bar on the terminal that shows how far a job is."""

from __future__ import annotations

import sys
from typing import Any, Self

from workroom.domain.jobs.states import State
from workroom.wire.jobs import JobBrief


class Bar:
    """Follows one job. `shown=None` shows it on a terminal and stays silent elsewhere."""

    def __init__(self, name: str, shown: bool | None) -> None:
        self._name = name
        self._shown = sys.stderr.isatty() if shown is None else shown
        self._progress: Any = None
        self._task: Any = None

    def __enter__(self) -> Self:
        if self._shown:
            from rich.console import Console
            from rich.progress import Progress

            self._progress = Progress(console=Console(stderr=True), transient=True)
            self._progress.start()
            self._task = self._progress.add_task(self._name, total=None)
        return self

    def told(self, job: JobBrief) -> None:
        if self._progress is None:
            return
        fraction = job.progress.fraction if job.progress is not None else None
        message = job.progress.message if job.progress is not None else ""
        words = job.status if job.status != State.RUNNING else message
        self._progress.update(
            self._task,
            description=f"{job.name} {words}".strip(),
            total=None if fraction is None else 1.0,
            completed=fraction or 0.0,
        )

    def __exit__(self, *_: object) -> None:
        if self._progress is not None:
            self._progress.stop()
