"""Moves atoms."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np

from workroom.atoms.bonds import molecules_made_whole
from workroom.atoms.form_fields import ANGSTROM, DEGREE, described, quantity
from workroom.atoms.modifiers.base import Modifier
from workroom.atoms.selection_and_results import Floats, Indices, Structure, has_volume, picked, same_results, selected
from workroom.domain.errors import BadInput


class Wrap(Modifier):
    """Wrap atoms into the cell along its periodic directions."""

    whole_molecules: bool = described(False, "Keep bonded atoms together: molecules are moved as a whole.")

    def apply(self, atoms: Structure, selection: Sequence[int]) -> Structure:
        if not atoms.pbc.any() or atoms.cell.rank == 0:
            raise BadInput("This structure is not periodic: there is no cell to wrap atoms into.")
        frame = atoms.copy()
        if self.whole_molecules:
            frame.positions = molecules_made_whole(atoms)
        else:
            frame.wrap()
        return same_results(atoms, frame)


class Center(Modifier):
    """Move the structure so that the selected atoms, or all, are in the middle of the cell."""

    vacuum: float | None = quantity(
        None, ANGSTROM, "Make the cell this much larger than the structure on every side.", ge=0, le=1_000
    )
    wrap: bool = described(False, "Then bring atoms that are outside of the cell back into it.")

    def apply(self, atoms: Structure, selection: Sequence[int]) -> Structure:
        frame = atoms.copy()
        if self.vacuum is not None:
            frame.center(vacuum=self.vacuum)
        middle = frame.cell.array.sum(axis=0) / 2  # the origin, where there is no cell
        if len(frame):
            chosen = frame.positions[picked(selection, atoms)]
            frame.positions += middle - (chosen.min(axis=0) + chosen.max(axis=0)) / 2
        if self.wrap:
            frame.wrap()
        return frame


class Translate(Modifier):
    """Move the selected atoms, or all."""

    x: float = quantity(0.0, ANGSTROM, "How far along x.")
    y: float = quantity(0.0, ANGSTROM, "How far along y.")
    z: float = quantity(0.0, ANGSTROM, "How far along z.")
    fractional: bool = described(False, "Read x, y, z as fractions of the three cell vectors.")

    def apply(self, atoms: Structure, selection: Sequence[int]) -> Structure:
        frame = atoms.copy()
        vector = np.array([self.x, self.y, self.z])
        if self.fractional:
            if not has_volume(atoms):
                raise BadInput("This structure has no cell, so there are no fractions of it. Leave out `fractional`.")
            vector = vector @ atoms.cell.array
        frame.positions[picked(selection, atoms)] += vector
        return frame


class Rotate(Modifier):
    """Rotate the selected atoms, or all, about an axis."""

    angle: float = quantity(90.0, DEGREE, "How far, counter-clockwise as seen from the axis' tip.", ge=-360, le=360)
    axis: Literal["x", "y", "z", "a", "b", "c"] = described("z", "About which axis: one of space, or a cell vector.")
    around: Literal["centre of mass", "origin", "cell centre"] = described(
        "centre of mass", "The point that stays where it is; the centre of mass is that of the turned atoms."
    )
    rotate_cell: bool = described(False, "Turn the cell as well; only for the whole structure.")

    def apply(self, atoms: Structure, selection: Sequence[int]) -> Structure:
        chosen = picked(selection, atoms)
        if self.rotate_cell and len(np.unique(chosen)) != len(atoms):
            raise BadInput("The cell turns only with the whole structure: clear the selection, or leave the cell.")
        frame = atoms.copy()
        matrix = rotation(self._direction(atoms), self.angle)
        point = self._point(atoms, chosen)
        frame.positions[chosen] = (frame.positions[chosen] - point) @ matrix.T + point
        if frame.has("momenta"):
            frame.arrays["momenta"][chosen] = frame.arrays["momenta"][chosen] @ matrix.T
        if self.rotate_cell:
            frame.set_cell(frame.cell.array @ matrix.T, scale_atoms=False)
        return frame

    def _direction(self, atoms: Structure) -> Floats:
        if self.axis in "xyz":
            return np.eye(3)["xyz".index(self.axis)]
        vector = atoms.cell.array["abc".index(self.axis)]
        if not np.any(vector):
            raise BadInput(f"This structure has no cell vector {self.axis}. Choose x, y or z.")
        return vector

    def _point(self, atoms: Structure, chosen: Indices) -> Floats:
        if self.around == "origin" or not len(chosen):
            return np.zeros(3)
        if self.around == "cell centre":
            return atoms.cell.array.sum(axis=0) / 2
        return atoms[chosen].get_center_of_mass()


def rotation(axis: Floats, degrees: float) -> Floats:
    """The matrix that turns column vectors about an axis."""
    x, y, z = axis / np.linalg.norm(axis)
    cross = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    angle = np.radians(degrees)
    return np.eye(3) + np.sin(angle) * cross + (1 - np.cos(angle)) * (cross @ cross)


class FixAtoms(Modifier):
    """Fix the selected atoms, or all, at their positions in relaxation and dynamics."""

    release: bool = described(False, "Let them move again instead.")

    def apply(self, atoms: Structure, selection: Sequence[int]) -> Structure:
        import ase.constraints

        chosen = picked(selection, atoms) if not self.release or len(selection) else selected(range(len(atoms)), atoms)
        kept = [one for one in atoms.constraints if not isinstance(one, ase.constraints.FixAtoms)]
        fixed = {int(i) for one in atoms.constraints if one not in kept for i in one.index}
        fixed = fixed - set(chosen.tolist()) if self.release else fixed | set(chosen.tolist())
        frame = atoms.copy()
        frame.set_constraint([*kept, ase.constraints.FixAtoms(indices=sorted(fixed))] if fixed else kept)
        return same_results(atoms, frame)
