# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false, reportUnknownArgumentType=false
"""A structure that went through a frame is the same structure, and can be worked with like any other."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import numpy as np
import pytest
from ase import Atoms
from ase.build import bulk, molecule
from ase.calculators.calculator import PropertyNotImplementedError
from ase.calculators.emt import EMT
from ase.calculators.singlepoint import SinglePointCalculator
from ase.constraints import FixAtoms, FixBondLength, FixCartesian, Hookean
from ase.spacegroup import crystal
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as npst
from tests.unit.wire.test_frames import nested, same

from workroom.client.frames.ase_codec import AtomsReader, atoms_of, encode_atoms
from workroom.wire.frames import decode, encode

names = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), min_size=1, max_size=20)


def through(atoms: Atoms) -> Any:
    return AtomsReader().atoms(encode_atoms(atoms))


@st.composite
def structures(draw: st.DrawFn) -> Atoms:
    count = draw(st.integers(0, 6))
    anything = st.floats(allow_nan=True)
    atoms = Atoms(
        numbers=draw(npst.arrays(int, count, elements=st.integers(0, 118))),
        positions=draw(npst.arrays(float, (count, 3), elements=anything)),
        cell=draw(npst.arrays(float, (3, 3), elements=st.floats(-100, 100))),
        pbc=draw(npst.arrays(bool, 3)),
    )
    if draw(st.booleans()):
        atoms.set_tags(draw(npst.arrays(int, count, elements=st.integers(-9, 9))))
    if draw(st.booleans()):
        atoms.set_momenta(draw(npst.arrays(float, (count, 3), elements=st.floats(-9, 9))))
    if draw(st.booleans()):
        atoms.set_celldisp(draw(npst.arrays(float, (3, 1), elements=st.floats(-9, 9))))
    for name in draw(st.sets(names, max_size=3)):
        if name not in atoms.arrays:
            dtype = draw(st.sampled_from(["<f4", "<i2", "|b1", "<c16", "<U3"]))
            elements = st.text("abc", max_size=3) if dtype == "<U3" else None
            atoms.arrays[name] = draw(
                npst.arrays(dtype, (count, *draw(st.sampled_from([(), (2,), (3, 3)]))), elements=elements)
            )
    atoms.info.update(draw(st.dictionaries(names | st.integers(), nested, max_size=3)))
    return atoms


@given(structures())
@settings(max_examples=150, deadline=None)
def test_everything_in_a_structure_comes_back(atoms: Atoms) -> None:
    back = through(atoms)
    assert type(back) is Atoms
    assert same(atoms.arrays, back.arrays)
    assert same(atoms.cell.array, back.cell.array) and same(atoms.pbc, back.pbc)
    assert same(np.asarray(atoms.get_celldisp()) + 0.0, back.get_celldisp() + 0.0)
    assert {repr(key) for key in atoms.info} == {repr(key) for key in back.info}
    assert all(same(value, back.info[key]) for key, value in atoms.info.items())
    assert back.constraints == [] and back.calc is None
    assert encode_atoms(back) == encode_atoms(through(back))


def test_a_structure_that_came_back_can_be_changed_and_shares_nothing() -> None:
    atoms = bulk("Cu", cubic=True)
    atoms.info["weights"] = np.arange(3.0)
    stream = encode_atoms(atoms)
    reader = AtomsReader()
    one, other = reader.atoms(stream), reader.atoms(stream)
    one.positions += 1
    one.rattle(0.1)
    one.set_cell(one.cell.array * 2, scale_atoms=True)
    one.pbc = False
    one.info["weights"][:] = 9
    one *= (2, 1, 1)
    del one[0]
    one.set_constraint(FixAtoms([0]))
    one.calc = EMT()
    assert np.isfinite(one.get_potential_energy())
    assert other == atoms and (other.info["weights"] == np.arange(3.0)).all()
    assert through(other) == atoms and other.copy() == atoms and (other + atoms).positions.shape == (8, 3)
    assert other.get_chemical_formula() == "Cu4" and other.get_scaled_positions().shape == (4, 3)


def test_results_come_back_and_hold_only_for_the_structure_they_are_of() -> None:
    atoms = bulk("Cu", cubic=True)
    atoms.rattle(0.1)
    atoms.calc = EMT()
    energy, forces, stress = atoms.get_potential_energy(), atoms.get_forces(), atoms.get_stress()
    back = through(atoms)
    assert isinstance(back.calc, SinglePointCalculator) and back.calc.name == "emt"
    assert back.get_potential_energy() == energy
    assert (back.get_forces() == forces).all() and (back.get_stress() == stress).all()
    again = through(back)
    assert again.calc.name == "emt" and again.get_potential_energy() == energy
    back.positions[0, 0] += 0.1
    with pytest.raises(PropertyNotImplementedError):
        back.get_potential_energy()
    assert through(back).calc is None  # what does not hold any more is not kept
    atoms.positions[0] += 0.1
    assert through(atoms).calc is None


def test_results_beyond_the_usual_ones_come_back() -> None:
    atoms = molecule("H2O")
    atoms.calc = SinglePointCalculator(atoms, energy=np.float32(1.5), charges=[0.1, 0.2, 0.3])
    atoms.calc.results["mine"] = {"a": np.eye(2)}
    back = through(atoms)
    assert same(atoms.calc.results, back.calc.results) and back.calc.name == "unknown"


def test_constraints_come_back() -> None:
    atoms = molecule("CH3CH2OH")
    atoms.set_constraint(
        [FixAtoms([0, 2]), FixBondLength(0, 1), FixCartesian([3], (True, False, True)), Hookean(0, 1, 5.0, 1.2)]
    )
    back = through(atoms)
    assert [str(one.todict()) for one in back.constraints] == [str(one.todict()) for one in atoms.constraints]
    atoms.set_constraint([object()])  # pyright: ignore[reportArgumentType]
    with pytest.raises(TypeError, match="constraint"):
        encode_atoms(atoms)


def test_a_crystal_keeps_its_spacegroup() -> None:
    atoms = crystal("Na", [(0, 0, 0)], spacegroup=229, cellpar=[4, 4, 4, 90, 90, 90])
    back = through(atoms)
    assert back.info["spacegroup"] == atoms.info["spacegroup"]
    assert list(back.info) == list(atoms.info)


def test_structures_written_by_others_are_made_as_ase_has_them() -> None:
    values = {"arrays.numbers": np.array([1, 8], "|u1"), "arrays.positions": np.zeros((2, 3), "<f4")}
    atoms = atoms_of(decode(bytearray(encode(values))))
    assert atoms.numbers.dtype == np.int64 and atoms.positions.dtype == np.float64
    assert not atoms.pbc.any() and atoms.cell.rank == 0 and atoms.get_chemical_formula() == "HO"
    assert len(atoms_of({})) == 0


@pytest.mark.parametrize("thing", [None, 3, "H2O", [1], molecule("H2O")[0]])
def test_what_is_no_structure_is_refused_by_name(thing: Any) -> None:
    with pytest.raises(TypeError, match=r"A frame must be an ase\.Atoms"):
        encode_atoms(thing)


def test_the_light_client_does_not_import_ase() -> None:
    code = (
        "import sys; import workroom.client.async_room, workroom.client.blocking_room; sys.exit('ase' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_text_of_dtype_object_is_stored_as_text() -> None:
    atoms = Atoms("HO")
    atoms.set_array("colors", np.array(["#fff", "red"], dtype=object))
    back = through(atoms)
    assert back.arrays["colors"].tolist() == ["#fff", "red"] and back.arrays["colors"].dtype.kind == "U"
    atoms.set_array("mixed", np.array(["#fff", None], dtype=object))
    with pytest.raises(TypeError, match="mixed"):
        encode_atoms(atoms)
