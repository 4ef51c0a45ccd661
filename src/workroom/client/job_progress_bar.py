"""A progress bar of a job on the terminal."""

from __future__ import annotations

import sys
from typing import Any, Self

from workroom.domain.jobs.states import State
from workroom.wire.jobs import JobBrief


class JobProgressBar:
    """Shows the progress of one job. `visible=None` shows it only if stderr is a terminal."""

    def __init__(self, name: str, visible: bool | None) -> None:
        self._name = name
        self._visible = sys.stderr.isatty() if visible is None else visible
        self._progress: Any = None
        self._task: Any = None

    def __enter__(self) -> Self:
        if self._visible:
            from rich.console import Console
            from rich.progress import Progress

            self._progress = Progress(console=Console(stderr=True), transient=True)
            self._progress.start()
            self._task = self._progress.add_task(self._name, total=None)
        return self

    def update(self, job: JobBrief) -> None:
        if self._progress is None:
            return
        fraction = job.progress.fraction if job.progress is not None else None
        message = job.progress.message if job.progress is not None else ""
        text = job.status if job.status != State.RUNNING else message
        self._progress.update(
            self._task,
            description=f"{job.name} {text}".strip(),
            total=None if fraction is None else 1.0,
            completed=fraction or 0.0,
        )

    def __exit__(self, *_: object) -> None:
        if self._progress is not None:
            self._progress.stop()
