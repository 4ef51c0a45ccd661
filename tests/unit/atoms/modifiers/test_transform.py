"""Where the atoms are: wrap, centre, move, turn, fix."""

from __future__ import annotations

import numpy as np
import pytest
from tests.structures import EMT, Atoms, bulk, molecule

from workroom.atoms.modifiers.transform import Center, FixAtoms, Rotate, Translate, Wrap
from workroom.atoms.selection_and_results import Structure
from workroom.domain.errors import BadInput


def broken_water() -> Structure:
    """A water molecule that lies across two faces of its cell."""
    water = molecule("H2O", cell=[8, 9, 10], pbc=True)
    water.positions += (7.9, 8.9, 5) - water.positions[0]
    water.wrap()
    assert np.ptp(water.positions[:, 1]) > 4
    return water


def test_wrap_brings_every_atom_into_the_cell_and_changes_no_energy() -> None:
    copper = bulk("Cu", cubic=True) * (2, 2, 2)
    copper.rattle(0.1, seed=1)
    copper.calc = EMT()
    energy = copper.get_potential_energy()
    copper.positions[3] += 5 * copper.cell.array[0] - 2 * copper.cell.array[2]
    copper.calc.results["energy"] = energy
    wrapped = Wrap().apply(copper, ())
    scaled = wrapped.get_scaled_positions(wrap=False)
    assert scaled.min() > -1e-6 and scaled.max() < 1 + 1e-6
    assert wrapped.get_potential_energy() == energy
    wrapped.calc = EMT()
    assert wrapped.get_potential_energy() == pytest.approx(energy)


def test_wrap_can_keep_molecules_whole() -> None:
    whole = Wrap(whole_molecules=True).apply(broken_water(), ())
    expected = molecule("H2O").get_all_distances()
    assert np.allclose(whole.get_all_distances(mic=False), expected)
    middle = whole.cell.scaled_positions(whole.positions.mean(axis=0))
    assert np.all((middle >= 0) & (middle < 1))


def test_wrap_needs_a_periodic_cell() -> None:
    with pytest.raises(BadInput, match="not periodic"):
        Wrap().apply(molecule("H2O"), ())


def test_center_puts_the_middle_into_the_cells_middle() -> None:
    water = Center(vacuum=4.0).apply(molecule("H2O"), ())
    ends = (water.positions.min(axis=0) + water.positions.max(axis=0)) / 2
    assert np.allclose(ends, water.cell.lengths() / 2)
    assert np.allclose(water.cell.lengths(), np.ptp(water.positions, axis=0) + 8)


def test_center_on_a_selection_moves_everything_along() -> None:
    copper = bulk("Cu", cubic=True) * 2
    moved = Center(wrap=True).apply(copper, (5,))
    assert np.allclose(moved.positions[5], copper.cell.array.sum(axis=0) / 2)
    assert np.allclose(moved.get_all_distances(mic=True), copper.get_all_distances(mic=True))


def test_translate_moves_the_selected_atoms_only() -> None:
    copper = bulk("Cu", "fcc", 3.6, cubic=True)
    moved = Translate(x=0.5, fractional=True).apply(copper, (1,))
    assert np.allclose(moved.positions - copper.positions, [[0, 0, 0], [1.8, 0, 0], [0, 0, 0], [0, 0, 0]])
    moved = Translate(x=1, y=2, z=3).apply(copper, ())
    assert np.allclose(moved.positions - copper.positions, (1, 2, 3))


def test_rotate_keeps_the_geometry_and_the_centre_of_mass() -> None:
    ethanol = molecule("CH3CH2OH")
    ethanol.set_momenta(np.tile([1.0, 0, 0], (9, 1)))
    turned = Rotate(angle=90, axis="z").apply(ethanol, ())
    assert np.allclose(turned.get_all_distances(), ethanol.get_all_distances())
    assert np.allclose(turned.get_center_of_mass(), ethanol.get_center_of_mass())
    assert np.allclose(turned.get_momenta(), np.tile([0, 1.0, 0], (9, 1)))
    back = Rotate(angle=-90, axis="z").apply(turned, ())
    assert np.allclose(back.positions, ethanol.positions)


def test_rotate_turns_counter_clockwise_about_the_origin() -> None:
    one = Atoms("H", [[1, 0, 0]])
    assert np.allclose(Rotate(angle=90, axis="z", around="origin").apply(one, ()).positions, [[0, 1, 0]])
    assert np.allclose(Rotate(angle=90, axis="y", around="origin").apply(one, ()).positions, [[0, 0, -1]])


def test_rotate_can_turn_the_cell_along() -> None:
    copper = bulk("Cu", cubic=True) * 2
    turned = Rotate(angle=30, axis="a", rotate_cell=True).apply(copper, ())
    assert turned.get_volume() == pytest.approx(copper.get_volume())
    assert np.allclose(turned.get_all_distances(mic=True), copper.get_all_distances(mic=True))
    with pytest.raises(BadInput, match="only with the whole structure"):
        Rotate(rotate_cell=True).apply(copper, (1,))
    with pytest.raises(BadInput, match="no cell vector b"):
        Rotate(axis="b").apply(molecule("H2O"), ())


def test_fixed_atoms_stay_fixed_until_they_are_released() -> None:
    copper = bulk("Cu", cubic=True)
    fixed = FixAtoms().apply(FixAtoms().apply(copper, (0, 1)), (1, 2))
    assert [c.index.tolist() for c in fixed.constraints] == [[0, 1, 2]]
    released = FixAtoms(release=True).apply(fixed, (1,))
    assert [c.index.tolist() for c in released.constraints] == [[0, 2]]
    assert FixAtoms(release=True).apply(fixed, ()).constraints == []
