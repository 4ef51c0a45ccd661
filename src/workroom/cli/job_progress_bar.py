"""The progress bar of `workroom jobs watch`, on a terminal."""

from __future__ import annotations

import sys
from typing import Any, Self


class JobBar:
    """A bar with what a job does; it moves without an end while the job reports no fraction."""

    def __init__(self, *, shown: bool | None = None) -> None:
        """`shown=None` shows it on a terminal only."""
        self.is_shown = sys.stderr.isatty() and sys.stdout.isatty() if shown is None else shown
        self._progress: Any = None
        self._task: Any = None

    def __enter__(self) -> Self:
        return self

    def update(self, job: dict[str, Any], text: str) -> None:
        if not self.is_shown:
            return
        progress = self._progress or self._start()
        reported: dict[str, Any] = job["progress"] or {}
        fraction: float | None = reported.get("fraction") if job["status"] == "running" else None
        if job["status"] == "completed":
            fraction = 1.0
        name = f"{job['category']}/{job['name']}"
        progress.update(
            self._task, description=f"{name} {text}", total=None if fraction is None else 1.0, completed=fraction or 0.0
        )

    def _start(self) -> Any:
        from rich.console import Console
        from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeElapsedColumn

        columns = (TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), TimeElapsedColumn())
        self._progress = Progress(*columns, console=Console(stderr=True), transient=True)
        self._progress.start()
        self._task = self._progress.add_task("", total=None)
        return self._progress

    def __exit__(self, *_: object) -> None:
        if self._progress is not None:
            self._progress.stop()
