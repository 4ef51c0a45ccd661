"""Things as people like to see them: short texts, and tables in notebooks."""

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
    "extension": lambda one: f"{one.category}/{one.name}",
    "scope": lambda one: one.scope,
    "idle": lambda one: one.idle_workers,
    "busy": lambda one: one.busy_workers,
    "waiting": lambda one: one.pending_jobs,
}
WORKERS: Columns = {
    "worker": lambda one: one.id,
    "by": lambda one: one.user,
    "state": lambda one: one.state,
    "jobs": lambda one: one.active_jobs,
    "offers": lambda one: ", ".join(offer.name for offer in one.extensions),
}
CHANGES: Columns = {
    "when": lambda one: one.at.strftime("%Y-%m-%d %H:%M:%S"),
    "by": lambda one: one.author.name or "",
    "what": lambda one: one.label + (" (undone)" if one.undone_by else ""),
    "job": lambda one: one.extension or "",
    "change": lambda one: one.id,
}
CHAT: Columns = {
    "when": lambda one: one.created_at.strftime("%Y-%m-%d %H:%M:%S"),
    "by": lambda one: one.user or one.user_id or "job",
    "text": lambda one: one.text,
}


class Table(list[T]):
    """A list that shows itself as a table."""

    def __init__(self, items: Iterable[T], columns: Columns) -> None:
        super().__init__(items)
        self._columns = columns

    def __repr__(self) -> str:
        rows = [[str(cell(item)) for cell in self._columns.values()] for item in self]
        lines = [list(self._columns), *rows]
        widths = [max(len(line[place]) for line in lines) for place in range(len(self._columns))]
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


def room(name: str, url: str, jobs: Sequence[Any], extensions: Sequence[Any], workers: Sequence[Any]) -> str:
    return (
        f"<h4>Room {escape(name)} <small>{escape(url)}</small></h4>"
        f"{table(extensions, EXTENSIONS)}{table(workers, WORKERS)}{table(jobs, JOBS)}"
    )


def job(detail: JobDetail) -> str:
    facts = table([detail], JOBS)
    if detail.error is not None:
        return f"{facts}<pre>{escape(detail.error.traceback or detail.error.message)}</pre>"
    return facts


def text(words: str) -> str:
    return f"<code>{escape(words)}</code>"
