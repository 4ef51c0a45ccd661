"""Writes H5MD: one dataset for each property, extended by blocks of frames."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

from workroom.atoms.files.h5md import ABSENT, BLOCK, BLOCK_ATOMS
from workroom.atoms.selection_and_results import Structure


def write(frames: Iterable[Structure], file: Path) -> int:
    """Write frames into a new file; returns their number."""
    import h5py

    from workroom import __version__

    waiting = iter(frames)
    count = 0
    opened: Any = h5py.File(file, "w")
    with opened as root:
        about = root.create_group("h5md")
        about.attrs["version"] = [1, 1]
        about.create_group("author").attrs["name"] = "Workroom"
        about.create_group("creator").attrs.update({"name": "workroom", "version": __version__})
        box = root.create_group("particles/atoms/box")
        box.attrs["dimension"] = 3
        while block := _next(waiting):
            if count == 0:
                sides = ["periodic" if side else "none" for side in block[0].pbc]
                box.attrs["boundary"] = np.array(sides, dtype="S8")
            for column in _COLUMNS:
                column.put(root, block, count)
            _put_steps(root, count, len(block))
            count += len(block)
    return count


def _next(frames: Iterator[Structure]) -> list[Structure]:
    """The next block of frames, limited by memory."""
    block: list[Structure] = []
    atoms = 0
    for frame in islice(frames, BLOCK):
        block.append(frame)
        atoms += len(frame)
        if atoms >= BLOCK_ATOMS:
            break
    return block


@dataclass(frozen=True, slots=True)
class Column:
    """One dataset: its path, and the value of a frame that it stores."""

    path: str
    of: Callable[[Structure], Any]  # None: this frame has none
    unit: str | None = None
    dtype: str = "f8"
    fill: float = np.nan
    by_atom: bool = False

    def put(self, root: Any, block: list[Structure], start: int) -> None:
        values = [self.of(atoms) for atoms in block]
        if self.path not in root:
            first = next((np.asarray(value) for value in values if value is not None), None)
            if first is None:
                return
            self._make(root, first.shape, start)
        dataset = root[self.path]
        shape = list(dataset.shape[1:])
        if self.by_atom:
            # As wide as the positions, which come first: a frame without this value may be the widest.
            shape[0] = max(root[_COLUMNS[0].path].shape[1], *(len(atoms) for atoms in block))
        rows = np.full((len(values), *shape), self.fill, dtype=self.dtype)
        for index, value in enumerate(values):
            if value is not None and self.by_atom:
                rows[index, : len(value)] = value
            elif value is not None:
                rows[index] = value
        dataset.resize((start + len(values), *shape))
        dataset[start:] = rows

    def _make(self, root: Any, shape: tuple[int, ...], start: int) -> None:
        most = (None, None, *shape[1:]) if self.by_atom else (None, *shape)
        chunks = (1, max(shape[0], 1), *shape[1:]) if self.by_atom else (BLOCK, *shape)
        dataset = root.create_dataset(
            self.path, (start, *shape), maxshape=most, chunks=chunks, dtype=self.dtype, fillvalue=self.fill
        )
        if self.unit is not None:
            dataset.attrs["unit"] = self.unit


def _put_steps(root: Any, start: int, count: int) -> None:
    """The number of each frame: H5MD wants one beside every value."""
    Column("particles/atoms/position/step", lambda step: step, dtype="i8", fill=0).put(
        root, list(range(start, start + count)), start
    )
    for path in ("particles/atoms/species", "particles/atoms/box/edges"):
        if "step" not in root[path]:
            root[f"{path}/step"] = root["particles/atoms/position/step"]


def _velocities(atoms: Structure) -> Any:
    import ase.units

    return atoms.get_velocities() * ase.units.fs if atoms.has("momenta") else None


def _result(name: str) -> Callable[[Structure], Any]:
    return lambda atoms: None if atoms.calc is None else atoms.calc.results.get(name)


_ATOMS = "particles/atoms"
_COLUMNS = (
    Column(f"{_ATOMS}/position/value", lambda atoms: atoms.positions, "Angstrom", by_atom=True),
    Column(f"{_ATOMS}/species/value", lambda atoms: atoms.numbers, dtype="i2", fill=ABSENT, by_atom=True),
    Column(f"{_ATOMS}/velocity/value", _velocities, "Angstrom fs-1", by_atom=True),
    Column(f"{_ATOMS}/force/value", _result("forces"), "eV Angstrom-1", by_atom=True),
    Column(f"{_ATOMS}/mass/value", lambda atoms: atoms.arrays.get("masses"), "u", by_atom=True),
    Column(f"{_ATOMS}/box/edges/value", lambda atoms: atoms.cell.array, "Angstrom"),
    Column(f"{_ATOMS}/box/pbc/value", lambda atoms: atoms.pbc, dtype="i1", fill=0),
    Column(f"{_ATOMS}/position/time", lambda atoms: atoms.info.get("time"), "fs"),
    Column("observables/atoms/potential_energy/value", _result("energy"), "eV"),
)
