"""Which atoms there are: delete, duplicate, change, repeat."""

from __future__ import annotations

import numpy as np
import pytest
from tests.structures import EMT, Atoms, FixAtoms, bulk, molecule

from workroom.atoms.modifiers.composition import ChangeType, Delete, Duplicate, Supercell
from workroom.domain.errors import BadInput


def test_delete_removes_the_selected_atoms_and_leaves_the_given_structure_alone() -> None:
    ethanol = molecule("CH3CH2OH")
    left = Delete().apply(ethanol, (2, 2))
    assert ethanol.symbols[2] == "O" and len(ethanol) == 9
    assert left.get_chemical_formula() == "C2H6"
    assert np.array_equal(left.positions, np.delete(ethanol.positions, 2, axis=0))


def test_delete_wants_a_selection() -> None:
    with pytest.raises(BadInput, match="Select at least one atom"):
        Delete().apply(molecule("H2O"), ())


def test_a_selection_beyond_the_frame_is_refused() -> None:
    with pytest.raises(BadInput, match="Atom 7 is selected, but this frame has 3 atoms"):
        ChangeType(symbol="C").apply(molecule("H2O"), (7,))


def test_duplicate_copies_the_selection_beside_itself() -> None:
    water = molecule("H2O")
    water.set_constraint(FixAtoms([0]))
    more = Duplicate(x=1, y=0, z=0, symbol="s").apply(water, (0,))
    assert more.get_chemical_formula() == "H2OS"
    assert np.allclose(more.positions[3], water.positions[0] + (1, 0, 0))
    assert more.constraints[0].index.tolist() == [0]


def test_change_type_changes_the_mass_too() -> None:
    water = molecule("H2O")
    water.set_masses([16.5, 1.0, 1.0])
    heavy = ChangeType(symbol="O").apply(water, (1,))
    assert heavy.get_chemical_formula() == "HO2"
    assert heavy.get_masses().tolist() == pytest.approx([16.5, 15.999, 1.0])
    with pytest.raises(BadInput, match="'Xq' is not a chemical element"):
        ChangeType(symbol="Xq").apply(water, (1,))


def test_a_changed_structure_loses_the_energy_it_no_longer_has() -> None:
    copper = bulk("Cu", cubic=True)
    copper.calc = EMT()
    copper.get_potential_energy()
    assert Delete().apply(copper, (0,)).calc is None


def test_a_supercell_has_all_the_atoms_and_the_volume() -> None:
    copper = bulk("Cu", "fcc", 3.61, cubic=True)
    block = Supercell(a=2, b=3, c=4).apply(copper, ())
    assert len(block) == 24 * 4
    assert block.get_volume() == pytest.approx(24 * 3.61**3)
    distances = block.get_all_distances(mic=True)
    assert np.min(distances[distances > 0]) == pytest.approx(3.61 / np.sqrt(2))


def test_a_supercell_needs_a_cell_and_has_a_limit() -> None:
    with pytest.raises(BadInput, match="no cell to repeat"):
        Supercell().apply(molecule("H2O"), ())
    with pytest.raises(BadInput, match=r"at most 2,000,000"):
        Supercell(a=100, b=100, c=100).apply(bulk("Cu", cubic=True), ())


def test_an_empty_structure_can_be_edited() -> None:
    for one in (Duplicate(), ChangeType()):
        assert len(one.apply(Atoms(), ())) == 0
