"""Structures, selections of their atoms, and results that edits keep.

ASE has no type hints of its own: to a type checker a structure is Any, to the reader it is an `ase.Atoms`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from workroom.domain.errors import BadInput

Structure: TypeAlias = Any
Indices: TypeAlias = npt.NDArray[np.int64]
Floats: TypeAlias = npt.NDArray[np.float64]

# Results that depend on the structure alone. Other results of a calculator are dropped.
RESULTS = (
    "energy",
    "free_energy",
    "energies",
    "forces",
    "stress",
    "stresses",
    "charges",
    "magmom",
    "magmoms",
    "dipole",
)


def picked(selection: Iterable[int], atoms: Structure) -> Indices:
    """The selected atoms; all of them when nothing is selected."""
    chosen = selected(selection, atoms)
    return chosen if len(chosen) else np.arange(len(atoms))


def picked_here(selection: Sequence[int], atoms: Structure) -> Indices:
    """The selected atoms that this frame has; all of them if nothing is selected."""
    return picked(selection, atoms) if not selection else np.array([i for i in selection if i < len(atoms)], np.int64)


def selected(selection: Iterable[int], atoms: Structure) -> Indices:
    """The selected atoms, in the order they were selected."""
    chosen = np.fromiter(selection, dtype=np.int64)
    if len(chosen) and chosen.max() >= len(atoms):
        raise BadInput(
            f"Atom {chosen.max()} is selected, but this frame has {len(atoms)} atoms (0 to {len(atoms) - 1}). "
            f"Select again on this frame."
        )
    return chosen


def needed(selection: Iterable[int], atoms: Structure, what: str) -> Indices:
    """The selected atoms; an error when there are none."""
    chosen = selected(selection, atoms)
    if not len(chosen):
        raise BadInput(f"Select at least one atom: {what}.")
    return chosen


def number_of(symbol: str) -> int:
    """The atomic number of an element."""
    from ase.data import atomic_numbers

    number = atomic_numbers.get(symbol.strip().capitalize())
    if number is None:
        raise BadInput(f"{symbol!r} is not a chemical element: write a symbol such as C, Cu or Fe.")
    return int(number)


def with_results(atoms: Structure, results: dict[str, Any], calculator: str) -> Structure:
    """A copy with these results, without a calculator that could compute new ones."""
    from ase.calculators.singlepoint import SinglePointCalculator

    frame = atoms.copy()
    kept = {name: _copied(results[name]) for name in RESULTS if results.get(name) is not None}
    if kept:
        calc: Any = SinglePointCalculator(frame, **kept)
        calc.name = calculator
        frame.calc = calc
    return frame


def same_results(atoms: Structure, frame: Structure) -> Structure:
    """The frame with the results of another one, for edits that leave energy and forces as they are."""
    if atoms.calc is None:
        return frame
    return with_results(frame, dict(atoms.calc.results), str(getattr(atoms.calc, "name", "unknown")))


def periodic(atoms: Structure) -> Any:
    """For each direction, whether it is periodic, which requires a cell vector."""
    return atoms.pbc & atoms.cell.any(axis=1)


def has_volume(atoms: Structure) -> bool:
    return bool(atoms.cell.rank == 3)


def check_size(count: int, most: int) -> None:
    if count > most:
        raise BadInput(f"That would be {count:,} atoms; at most {most:,} are allowed. Choose smaller numbers.")


def symbols_of(numbers: Sequence[int] | Indices) -> list[str]:
    from ase.data import chemical_symbols

    return [chemical_symbols[int(number)] for number in numbers]


def _copied(value: Any) -> Any:
    return value if np.isscalar(value) else np.array(value)
