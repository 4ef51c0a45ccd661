"""The progress bar of a posting, on the terminal of its caller."""

from __future__ import annotations

import sys
from typing import Any, Self

from workroom.worker.postings.backend import PostingCounts


class PostingBar:
    """A progress bar of a posting. `shown=None` shows it on a terminal only.

    It appears with its first update: a posting that ends before the first query of its counters never shows one.
    """

    def __init__(self, name: str, shown: bool | None) -> None:
        self._name = name
        self.is_shown = sys.stderr.isatty() if shown is None else shown
        self._progress: Any = None
        self._task: Any = None

    def __enter__(self) -> Self:
        return self

    def show(self, posting: PostingCounts) -> None:
        ended = posting.completed + posting.failed + posting.cancelled
        self.update(posting.status, posting.total, ended, failed=posting.failed)

    def update(self, status: str, total: int, ended: int, *, failed: int) -> None:
        if not self.is_shown:
            return
        progress = self._progress or self._start()
        description = f"{self._name} {status}" + (f", {failed:,} failed" if failed else "")
        progress.update(self._task, description=description, total=total, completed=ended)

    def _start(self) -> Any:
        from rich.console import Console
        from rich.progress import MofNCompleteColumn, Progress, TimeRemainingColumn

        columns = [*Progress.get_default_columns()[:-1], MofNCompleteColumn(), TimeRemainingColumn()]
        self._progress = Progress(*columns, console=Console(stderr=True))
        self._progress.start()
        self._task = self._progress.add_task(self._name, total=None)
        return self._progress

    def __exit__(self, *_: object) -> None:
        if self._progress is not None:
            self._progress.stop()
