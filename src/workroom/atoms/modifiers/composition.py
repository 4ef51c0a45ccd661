"""Adds, removes and changes atoms."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from workroom.atoms.bonds import keep_connectivity, repeat_connectivity
from workroom.atoms.form_fields import ANGSTROM, described, quantity
from workroom.atoms.modifiers.base import Modifier
from workroom.atoms.selection_and_results import Structure, check_size, has_volume, needed, number_of, picked
from workroom.domain.errors import BadInput

MOST_ATOMS = 2_000_000


class Delete(Modifier):
    """Remove the selected atoms."""

    def apply(self, atoms: Structure, selection: Sequence[int]) -> Structure:
        chosen = needed(selection, atoms, "the selected atoms are removed")
        frame = atoms.copy()
        del frame[np.unique(chosen)]
        keep_connectivity(atoms, frame, np.setdiff1d(np.arange(len(atoms)), chosen))
        return frame

    def run(self, vis: Any, **kwargs: Any) -> dict[str, Any]:
        result = super().run(vis, **kwargs)
        vis.selection = ()  # its indices now mean other atoms
        return result


class Duplicate(Modifier):
    """Copy the selected atoms, or all, to a place beside them."""

    x: float = quantity(0.5, ANGSTROM, "How far the copies are moved along x.")
    y: float = quantity(0.5, ANGSTROM, "How far the copies are moved along y.")
    z: float = quantity(0.5, ANGSTROM, "How far the copies are moved along z.")
    symbol: str | None = described(
        None, "The element of the copies; that of the originals when left out.", max_length=3
    )

    def apply(self, atoms: Structure, selection: Sequence[int]) -> Structure:
        chosen = picked(selection, atoms)
        check_size(len(atoms) + len(chosen), MOST_ATOMS)
        frame, copies = atoms.copy(), atoms[chosen]
        copies.set_constraint()
        copies.positions += (self.x, self.y, self.z)
        if self.symbol:
            _change_type(copies, np.arange(len(copies)), self.symbol)
        frame.extend(copies)
        keep_connectivity(atoms, frame, [*range(len(atoms)), *chosen])
        return frame


class ChangeType(Modifier):
    """Change the element of the selected atoms, or all."""

    symbol: str = described("C", "The element they become, as its symbol.", min_length=1, max_length=3)

    def apply(self, atoms: Structure, selection: Sequence[int]) -> Structure:
        frame = atoms.copy()
        _change_type(frame, picked(selection, atoms), self.symbol)
        return frame


class Supercell(Modifier):
    """Repeat the cell along its vectors."""

    a: int = described(2, "How often along the first cell vector.", ge=1, le=100)
    b: int = described(2, "How often along the second cell vector.", ge=1, le=100)
    c: int = described(2, "How often along the third cell vector.", ge=1, le=100)

    def apply(self, atoms: Structure, selection: Sequence[int]) -> Structure:
        if not has_volume(atoms):
            raise BadInput("This structure has no cell to repeat. Give it one first, e.g. with modifiers/Center.")
        check_size(len(atoms) * self.a * self.b * self.c, MOST_ATOMS)
        repeats = self.a, self.b, self.c
        frame = atoms.repeat(repeats)
        repeat_connectivity(atoms, frame, repeats)
        return frame


def _change_type(atoms: Structure, chosen: Any, symbol: str) -> None:
    from ase.data import atomic_masses

    number = number_of(symbol)
    atoms.numbers[chosen] = number
    if atoms.has("masses"):
        atoms.arrays["masses"][chosen] = atomic_masses[number]
