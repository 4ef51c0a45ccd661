"""Values that travel: one of each kind, and their comparison."""

from __future__ import annotations

import enum
from collections import namedtuple
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta, timezone
from decimal import Decimal
from fractions import Fraction
from functools import cached_property
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import Any, NamedTuple, cast
from uuid import UUID
from zoneinfo import ZoneInfo

import numpy as np
from ase import Atoms
from ase.calculators.singlepoint import SinglePointCalculator
from ase.constraints import FixAtoms
from pydantic import BaseModel, PrivateAttr, RootModel


class Colour(enum.Enum):
    RED = "red"
    GREEN = (0, 255, 0)


class Level(enum.IntEnum):
    LOW = 1


class Word(enum.StrEnum):
    YES = "yes"


class Right(enum.Flag):
    READ = 1
    WRITE = 2


class Point(NamedTuple):
    x: float
    y: float = 0.0


Old: Any = namedtuple("Old", "a b")  # pyright: ignore[reportUntypedNamedTuple]


@dataclass
class Plain:
    name: str
    sizes: list[int] = field(default_factory=list[int])


@dataclass(frozen=True, slots=True)
class Frozen:
    at: datetime
    where: Path


class Settings(BaseModel):
    seed: int = 0
    grid: tuple[int, int] = (1, 1)
    when: date | None = None
    _secret: int = PrivateAttr(default=7)

    class Inner(BaseModel):
        ratio: Decimal = Decimal("0.1")

    inner: Inner = Inner()


class Sizes(RootModel[list[int]]):
    pass


class Cached:
    @cached_property
    def length(self) -> int:
        return len(vars(self))


@dataclass
class Counted(Cached):
    name: str


def counted() -> Counted:
    made = Counted("a")
    assert made.length  # computed, and kept beside the fields
    return made


def structure() -> Any:
    atoms: Any = Atoms("H2O", positions=np.arange(9.0).reshape(3, 3), cell=[4, 5, 6], pbc=[True, False, True])
    atoms.info["origin"] = Path("a/b")
    atoms.set_array("labels", np.array(["a", "bc", ""]))
    atoms.set_constraint(FixAtoms([0, 2]))
    atoms.calc = SinglePointCalculator(atoms, energy=-1.5, forces=np.full((3, 3), 0.25))
    return atoms


STRUCTURED = np.array([(1, [0.5, 1.5], "ab")], dtype=[("n", "<i2"), ("xy", "<f8", 2), ("name", "<U4")])
CORPUS: dict[str, Any] = {
    "none": None,
    "bool": True,
    "int": -5,
    "large int": 10**40,
    "half a character": "a\udc80",
    "list of special texts": [10**40, "\udc80", {"a": "\0", "b": [2**64]}],
    "float": 0.1,
    "large float": 1e300,
    "minus zero": -0.0,
    "nan": float("nan"),
    "inf": float("inf"),
    "text": "ä 𝛼",
    "text with NUL": "a\0b",
    "bytes": b"\0\xff",
    "bytearray": bytearray(b"\x01"),
    "tuple": (1, (2.0, "x")),
    "set": {1, "a"},
    "frozenset": frozenset({(1, 2)}),
    "list": [1, [2, [3]]],
    "dict": {"a": {"b": [None]}},
    "dict with other keys": {1: "a", (2, 3): "b", None: "c"},
    "dict with the tag": {"~": 1},
    "complex": complex(-0.0, float("inf")),
    "range": range(10**20, 0, -7),
    "slice": slice(None, 5),
    "decimal": Decimal("1.10"),
    "decimal nan": Decimal("NaN"),
    "fraction": Fraction(1, 3),
    "uuid": UUID(int=5),
    "path": Path("/data/a b.xyz"),
    "path that is no text": Path("caf\udce9"),
    "posix path": PurePosixPath("a/b"),
    "windows path": PureWindowsPath("C:/a"),
    "naive datetime": datetime(2026, 3, 1, 2, 30, 0, 7),
    "utc datetime": datetime(2026, 3, 1, tzinfo=UTC),
    "datetime with an offset": datetime(2026, 3, 1, tzinfo=timezone(timedelta(hours=-3.5))),
    "datetime with a named offset": datetime(2026, 3, 1, tzinfo=timezone(timedelta(hours=1), "CET")),
    "datetime with a zone in summer": datetime(2026, 7, 1, tzinfo=ZoneInfo("Europe/Berlin")),
    "datetime with a zone": datetime(2026, 10, 25, 2, 30, tzinfo=ZoneInfo("Europe/Berlin"), fold=1),
    "date": date(1, 1, 1),
    "time": time(23, 59, 59, 1),
    "timedelta": timedelta(days=-1, microseconds=3),
    "enum": Colour.GREEN,
    "int enum": Level.LOW,
    "text enum": Word.YES,
    "flags": Right.READ | Right.WRITE,
    "named tuple": Point(float("nan")),
    "namedtuple": Old([1], {2}),
    "dataclass": Plain("a", [1]),
    "frozen dataclass": Frozen(datetime(2026, 1, 1), Path("x")),
    "model": Settings(seed=3, when=date(2026, 1, 1)),
    "root model": Sizes([1, 2]),
    "dataclass with a cached property": counted(),
    "float64": np.float64(0.1),
    "float32": np.float32(0.1),
    "float16": np.float16("nan"),
    "int64": np.int64(2**62),
    "uint8": np.uint8(255),
    "numpy bool": np.bool_(True),
    "complex64": np.complex64(1 - 2j),
    "datetime64": np.datetime64("2026-01-01T00:00:00.000000001"),
    "timedelta64": np.timedelta64(5, "ms"),
    "numpy text": np.str_("ä"),
    "numpy bytes": np.bytes_(b"ab"),
    "array": np.linspace(0, 1, 5),
    "matrix of int32": np.arange(6, dtype=np.int32).reshape(2, 3),
    "array in another order": np.asfortranarray(np.arange(6.0).reshape(2, 3)),
    "big-endian array": np.arange(3, dtype=">i4"),
    "empty array": np.zeros((0, 3)),
    "array without dimensions": np.array(5),
    "array of text": np.array(["a", "bcd"]),
    "array of bool": np.array([[True], [False]]),
    "array of dates": np.array(["2026-01-01", "NaT"], dtype="M8[D]"),
    "array of objects": np.array([None, {"a": 1}, [2]], dtype=object),
    "structured array": STRUCTURED,
    "record": STRUCTURED[0],
    "array with titles": np.zeros(2, dtype=[(("The mass", "m"), "<f8"), ("n", "<i2")]),
    "atoms": structure(),
    "deep": {"a": [(np.float64(1), {Path("x"): {Colour.RED: np.arange(2)}})]},
}


def same(one: Any, other: Any) -> bool:
    """Equal, of the same types all the way down, and NaN is NaN."""
    if type(one) is not type(other):
        return False
    if isinstance(one, np.ndarray | np.generic):
        return _same_arrays(one, other)
    if isinstance(one, Atoms):
        return same(*(_parts(atoms) for atoms in (one, other)))
    if isinstance(one, float | complex | Decimal):
        return repr(one) == repr(other)
    if isinstance(one, datetime):
        return (one, one.fold, str(one.tzinfo)) == (other, other.fold, str(other.tzinfo))
    if isinstance(one, BaseModel):
        return same(one.__getstate__(), other.__getstate__())  # pyright: ignore[reportUnknownMemberType]
    if isinstance(one, (list, tuple)):
        return len(cast("list[Any]", one)) == len(other) and all(map(same, cast("list[Any]", one), other))
    if isinstance(one, dict):
        return _same_in_any_order(list(cast("dict[Any, Any]", one).items()), list(other.items()))
    if isinstance(one, (set, frozenset)):
        return _same_in_any_order(list(cast("set[Any]", one)), list(other))
    return one == other


def _parts(atoms: Any) -> list[Any]:
    constraints = [constraint.todict() for constraint in atoms.constraints]
    return [atoms.arrays, atoms.cell.array, atoms.pbc, atoms.info, constraints, getattr(atoms.calc, "results", None)]


def _same_arrays(one: Any, other: Any) -> bool:
    if (one.dtype, one.shape) != (other.dtype, other.shape):
        return False
    return same(one.tolist(), other.tolist()) if one.dtype == object else one.tobytes() == other.tobytes()


def _same_in_any_order(some: list[Any], others: list[Any]) -> bool:
    return len(some) == len(others) and all(any(same(one, other) for other in others) for one in some)
