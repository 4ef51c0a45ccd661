"""Relaxation of real structures."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from tests.structures import EMT, Atoms, FixAtoms, Octahedron, bulk, molecule

from workroom.atoms.modifiers.relax import Relax
from workroom.atoms.selection_and_results import Structure
from workroom.domain.errors import BadInput


def cluster() -> Structure:
    """Thirteen copper atoms, shaken."""
    made = Octahedron("Cu", 3, 1)
    made.rattle(0.15, seed=3)
    return made


def test_a_copper_cluster_relaxes_until_its_forces_are_small() -> None:
    start = cluster()
    path = list(Relax(fmax=0.02, optimizer="BFGS").relaxed(start))
    steps, force, end = path[-1]
    assert force <= 0.02 and 3 < steps < 200
    assert [number for number, _, _ in path] == list(range(steps + 1))
    assert np.linalg.norm(end.get_forces(), axis=1).max() == pytest.approx(force)
    energies = [frame.get_potential_energy() for _, _, frame in path]
    assert energies[-1] < energies[0] - 0.3
    again = end.copy()
    again.calc = EMT()
    assert np.allclose(again.get_forces(), end.get_forces())
    assert end.calc.name == "emt" and start.calc is None


def test_the_cell_of_copper_relaxes_to_the_lattice_constant_of_emt() -> None:
    squeezed = bulk("Cu", "fcc", 3.4, cubic=True)
    *_, (_, force, end) = Relax(relax_cell=True, fmax=0.005).relaxed(squeezed)
    assert force <= 0.005
    assert end.cell.lengths() == pytest.approx([3.59, 3.59, 3.59], abs=0.02)
    assert np.abs(end.get_stress()).max() < 1e-3


def test_only_the_selected_atom_moves_and_fixed_ones_never() -> None:
    start = cluster()
    start.set_constraint(FixAtoms([1]))
    *_, (_, force, end) = Relax(fmax=0.05).relaxed(start, (0, 1))
    moved = np.flatnonzero(np.linalg.norm(end.positions - start.positions, axis=1) > 1e-9)
    assert moved.tolist() == [0] and force <= 0.05
    assert [one.index.tolist() for one in end.constraints] == [[1]]


def test_argon_atoms_relax_to_the_minimum_of_lennard_jones() -> None:
    pair = Atoms("Ar2", [[0, 0, 0], [4.2, 0, 0]])
    *_, (_, _, end) = Relax(calculator="lj", sigma=3.4, epsilon=0.0103, cutoff=30, fmax=1e-5).relaxed(pair)
    assert end.get_distance(0, 1) == pytest.approx(2 ** (1 / 6) * 3.4, abs=0.01)
    assert end.get_potential_energy() == pytest.approx(-0.0103, rel=0.02)


def test_the_calculator_a_frame_carries_can_be_used_again() -> None:
    *_, (_, _, end) = Relax(fmax=0.05).relaxed(cluster())
    end.positions[0] += 0.1
    *_, (_, force, _) = Relax(calculator="attached", fmax=0.05).relaxed(end)
    assert force <= 0.05
    with pytest.raises(BadInput, match="carries no results"):
        list(Relax(calculator="attached").relaxed(cluster()))


def test_a_worker_may_give_a_calculator_of_its_own() -> None:
    from ase.calculators.morse import MorsePotential

    morse: Any = MorsePotential(epsilon=1.0, r0=2.0, rho0=6.0)
    *_, (_, force, end) = Relax(fmax=1e-4, optimizer="BFGS").relaxed(Atoms("O2", [[0, 0, 0], [2.1, 0, 0]]), (), morse)
    assert force <= 1e-4 and end.get_distance(0, 1) == pytest.approx(2.0, abs=1e-3)


@pytest.mark.parametrize(
    ("calculator", "complaint"),
    [("nonsense", "no calculator that ASE knows"), ("os.path", "no calculator that ASE knows"), ("vasp", "VASP|vasp")],
)
def test_a_calculator_that_cannot_be_had_says_so(calculator: str, complaint: str) -> None:
    with pytest.raises(BadInput, match=complaint):
        list(Relax(calculator=calculator).relaxed(cluster()))


def test_what_cannot_be_relaxed_says_why() -> None:
    with pytest.raises(BadInput, match="no cell to relax"):
        list(Relax(relax_cell=True).relaxed(cluster()))
    with pytest.raises(BadInput, match="no atoms"):
        list(Relax().relaxed(Atoms()))


def test_emt_says_which_elements_it_knows() -> None:
    with pytest.raises(BadInput, match="EMT is for Al, Cu"):
        list(Relax().relaxed(molecule("SiH4")))
