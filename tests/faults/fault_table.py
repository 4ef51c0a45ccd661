"""The rows of the fault table: for each fault its runs, what was lost, doubled or stale, and how long recovery took."""

from __future__ import annotations

import statistics
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

FAULTS = {
    "F1": "server killed under load",
    "F2": "worker or pool process killed",
    "F3": "assignment or acknowledgement lost",
    "F4": "PostgreSQL killed under load",
    "F5": "Redis or RabbitMQ killed or flushed",
    "F6": "worker stopped past its lease",
    "F7": "lock holder stopped past its TTL",
    "F8": "duplicate and conflicting reports",
    "F9": "cancel or sweep against finish",
    "F10": "network cut and healed",
    "F11": "limits: sockets, connections, disk",
    "F12": "malformed messages",
    "F13": "replica killed among three",
    "F14": "job that kills its worker",
}


@dataclass
class FaultRow:
    """What the tests of one fault have counted. None: no test counts it."""

    runs: int = 0
    failed: int = 0  # tests that failed
    lost: int | None = None
    doubled: int | None = None
    stale: int | None = None
    recovery: list[float] = field(default_factory=list[float])  # seconds

    def cells(self) -> tuple[str, ...]:
        counts = ["-" if count is None else str(count) for count in (self.lost, self.doubled, self.stale)]
        times = (
            [f"{statistics.median(self.recovery):.2f} s", f"{max(self.recovery):.2f} s"]
            if self.recovery
            else ["-", "-"]
        )
        return (f"{self.runs:,}", *counts, *times, f"{self.failed} FAILED" if self.failed else "")


class FaultRecorder:
    """Records for the faults of one test."""

    def __init__(self, rows: Mapping[str, FaultRow]) -> None:
        self._rows = rows
        self.runs = dict.fromkeys(rows, 0)

    def record(
        self,
        *,
        runs: int = 1,
        lost: int | None = None,
        doubled: int | None = None,
        stale: int | None = None,
        recovery: Iterable[float] = (),
        of: str | None = None,
    ) -> None:
        """`runs`: how often the fault happened. The counts are those of all runs together. `of`: if it has several."""
        number = of or next(iter(self._rows))
        row = self._rows[number]
        self.runs[number] += runs
        row.lost = _sum(row.lost, lost)
        row.doubled = _sum(row.doubled, doubled)
        row.stale = _sum(row.stale, stale)
        row.recovery += recovery


def _sum(before: int | None, more: int | None) -> int | None:
    return before if more is None else (before or 0) + more


def line(number: str, name: str, cells: Iterable[str]) -> str:
    runs, lost, doubled, stale, median, largest, note = cells
    counts = f"{runs:>7} {lost:>5} {doubled:>8} {stale:>6} {median:>9} {largest:>9}"
    return f"{number:<4} {name:<36} {counts}  {note}".rstrip()
