"""A row of the table: what was measured, beside what, and whether that is as promised."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from bench.place import Place


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the table, and one item of `results.json`."""

    row: str  # as quality.md names it, with a suffix where it has parts
    what: str
    value: float
    unit: str
    floor: float | None  # the same unit, measured in the same run; none where there is nothing to measure against
    target: str  # in words; `ok` is the verdict
    ok: bool

    @property
    def ratio(self) -> float | None:
        """The value in units of the floor."""
        return self.value / self.floor if self.floor else None

    def as_json(self) -> dict[str, str | float | bool | None]:
        return {
            "row": self.row,
            "what": self.what,
            "value": round(self.value, 4),
            "unit": self.unit,
            "floor": None if self.floor is None else round(self.floor, 4),
            "ratio": None if self.ratio is None else round(self.ratio, 4),
            "target": self.target,
            "ok": self.ok,
        }


@dataclass(frozen=True, slots=True)
class Group:
    """Rows that are measured together, because they need the same set-up."""

    names: tuple[str, ...]
    measure: Callable[[Place], Iterable[Row]]

    def __post_init__(self) -> None:
        assert self.measure.__doc__, "a group says what it measures, and against what"


def chosen(name: str, wanted: Iterable[str]) -> bool:
    """Whether a row was asked for: by its name, or by what comes before its suffix (P6 asks for P6-stats too)."""
    return any(name == one or name.startswith(f"{one}-") for one in wanted)
