"""Representations of jobs, extensions, workers, changes and chat: text tables, and HTML for notebooks."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from html import escape
from typing import Any, TypeVar

from workroom.wire.jobs import JobDetail

T = TypeVar("T")
Columns = Mapping[str, Callable[[Any], Any]]

JOBS: Columns = {
    "job": lambda job: job.job_id,
    "name": lambda job: f"{job.category}/{job.name}",
    "status": lambda job: job.status,
    "by": lambda job: job.user,
    "created": lambda job: job.created_at.strftime("%Y-%m-%d %H:%M:%S"),
}
EXTENSIONS: Columns = {
    "extension": lambda extension: f"{extension.category}/{extension.name}",
    "scope": lambda extension: extension.scope,
    "idle": lambda extension: extension.idle_workers,
    "busy": lambda extension: extension.busy_workers,
    "waiting": lambda extension: extension.pending_jobs,
}
WORKERS: Columns = {
    "worker": lambda worker: worker.id,
    "by": lambda worker: worker.user,
    "state": lambda worker: worker.state,
    "jobs": lambda worker: worker.active_jobs,
    "offers": lambda worker: ", ".join(offer.name for offer in worker.extensions),
}
CHANGES: Columns = {
    "when": lambda change: change.at.strftime("%Y-%m-%d %H:%M:%S"),
    "by": lambda change: change.author.name or "",
    "what": lambda change: change.label + (" (undone)" if change.undone_by else ""),
    "job": lambda change: change.extension or "",
    "change": lambda change: change.id,
}
CHAT: Columns = {
    "when": lambda message: message.created_at.strftime("%Y-%m-%d %H:%M:%S"),
    "by": lambda message: message.user or message.user_id or "job",
    "text": lambda message: message.text,
}


class Table(list[T]):
    """A list whose representation is a table."""

    def __init__(self, items: Iterable[T], columns: Columns) -> None:
        super().__init__(items)
        self._columns = columns

    def __repr__(self) -> str:
        rows = [[str(cell(item)) for cell in self._columns.values()] for item in self]
        lines = [list(self._columns), *rows]
        widths = [max(len(line[column]) for line in lines) for column in range(len(self._columns))]
        return "\n".join(
            "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip() for line in lines
        )

    def _repr_html_(self) -> str:
        return table(self, self._columns)


def table(items: Sequence[Any], columns: Columns) -> str:
    head = "".join(f"<th>{escape(name)}</th>" for name in columns)
    rows = "".join(
        "<tr>" + "".join(f"<td>{escape(str(cell(item)))}</td>" for cell in columns.values()) + "</tr>" for item in items
    )
    return f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"


def room(name: str, address: str, *, frames: int, step: int, workers: int, jobs: Sequence[Any]) -> str:
    """The room as a link, what it has, and its latest jobs."""
    where = f", at frame {step}" if frames else ""
    facts = f"{counted(frames, 'frame')}{where} · {counted(workers, 'worker')} online"
    latest = "".join(
        f"<li>{escape(f'{one.category}/{one.name}')}: {escape(one.status)} <small>{escape(one.user or '')}</small></li>"
        for one in jobs
    )
    return (
        f'<h4>Room <a href="{escape(address)}" target="_blank" rel="noopener">{escape(name)}</a></h4>'
        f"<p>{facts}</p>" + (f"<ul>{latest}</ul>" if latest else "<p>No jobs yet.</p>")
    )


def counted(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def job(detail: JobDetail) -> str:
    facts = table([detail], JOBS)
    if detail.error is not None:
        return f"{facts}<pre>{escape(detail.error.traceback or detail.error.message)}</pre>"
    if detail.progress is not None and detail.progress.fraction is not None and detail.finished_at is None:
        message = escape(detail.progress.message or "")
        return f'{facts}<progress value="{detail.progress.fraction:.3f}" max="1"></progress> {message}'
    if detail.result is not None:
        return f"{facts}<pre>{escape(shortened(repr(detail.result)))}</pre>"
    return facts


def shortened(text: str, most: int = 2_000) -> str:
    return text if len(text) <= most else f"{text[:most]} …"


def text(content: str) -> str:
    return f"<code>{escape(content)}</code>"
