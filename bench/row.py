"""A row of the table: what was measured, beside which floor, and whether the target is met."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import StrEnum

from bench.environment import Environment


class RowSkipped(Exception):
    """The remaining rows of a group cannot be measured here. The text says why, such as a missing program."""


class Status(StrEnum):
    MET = "met"
    MISSED = "missed"
    PRINTED = "printed"  # there is no target
    SKIPPED = "skipped"  # cannot be measured here
    FAILED = "failed"  # an error, or a wrong outcome such as a lost job


@dataclass(frozen=True, slots=True)
class Row:
    """One row of the table, and one item of `results.json`."""

    row: str  # the name of the target, with a suffix where it has parts
    what: str
    value: float | None  # None where the row was skipped or failed
    unit: str
    floor: float | None  # the same unit, measured in the same run; None where there is nothing to measure against
    target: str  # in words; `status` says whether it is met
    status: Status
    reason: str | None = None  # why the row was skipped or failed

    @property
    def ratio(self) -> float | None:
        """The value in units of the floor."""
        return self.value / self.floor if self.floor and self.value is not None else None

    def as_json(self) -> dict[str, str | float | None]:
        return {
            "row": self.row,
            "what": self.what,
            "value": _rounded(self.value),
            "unit": self.unit,
            "floor": _rounded(self.floor),
            "ratio": _rounded(self.ratio),
            "target": self.target,
            "status": self.status,
            "reason": self.reason,
        }


def measured(
    row: str, what: str, value: float, unit: str, floor: float | None = None, *, target: str, met: bool
) -> Row:
    """A row with a target."""
    return Row(row, what, value, unit, floor, target, Status.MET if met else Status.MISSED)


def printed(row: str, what: str, value: float, unit: str, floor: float | None = None) -> Row:
    """A row without a target."""
    return Row(row, what, value, unit, floor, "none", Status.PRINTED)


def skipped(row: str, reason: str) -> Row:
    """A row that cannot be measured here."""
    return Row(row, "not measured", None, "", None, "", Status.SKIPPED, reason)


def failed(row: str, reason: str) -> Row:
    """A row that ended with an error or a wrong outcome."""
    return Row(row, "not measured", None, "", None, "", Status.FAILED, reason)


@dataclass(frozen=True, slots=True)
class Group:
    """Rows that are measured together, because they need the same set-up. Each is yielded once it is measured."""

    names: tuple[str, ...]
    measure: Callable[[Environment], Iterable[Row]]

    def __post_init__(self) -> None:
        assert self.measure.__doc__, "a group says what it measures, and against which floor"


def selected(name: str, patterns: Iterable[str]) -> bool:
    """Whether a row is chosen by its name or by the part before a suffix (P6 chooses P6-stats too)."""
    return any(name == pattern or name.startswith(f"{pattern}-") for pattern in patterns)


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 4)
