"""Properties of frames and atoms, drawn."""

from __future__ import annotations

import numpy as np
import pytest
from tests.structures import EMT, bulk, molecule

from workroom.atoms.analysis.energies import Energy, Forces
from workroom.atoms.analysis.properties import Properties1D, Properties2D
from workroom.atoms.properties import DERIVED, value_of
from workroom.atoms.selection_and_results import Structure, with_results
from workroom.domain.errors import BadInput


def calculated(atoms: Structure) -> Structure:
    atoms.calc = EMT()
    atoms.get_forces()
    atoms.get_stress()
    return with_results(atoms, atoms.calc.results, "emt")


def copper(lattice: float) -> Structure:
    made = bulk("Cu", "fcc", lattice, cubic=True)
    made.rattle(0.05, seed=1)
    made.info["note"] = "text"
    made.set_momenta(np.full((4, 3), 0.5))
    return calculated(made)


def test_energy_against_volume_has_its_minimum_at_the_lattice_constant() -> None:
    lattice = np.linspace(3.4, 3.8, 21)
    frames = [calculated(bulk("Cu", "fcc", a, cubic=True)) for a in lattice]
    drawing = Properties2D(x="volume", y="energy_per_atom", color="pressure").drawn_by_frame(range(21), frames)
    (trace,) = drawing.data
    best = int(np.argmin(trace["y"]))
    assert trace["x"][best] == pytest.approx(3.59**3, rel=0.01)
    assert trace["marker"]["color"][0] > 0 > trace["marker"]["color"][-1]  # squeezed it pushes, stretched it pulls
    assert drawing.links[0].to == "frames" and list(drawing.links[0].indices) == list(range(21))


def test_each_atom_can_be_a_point_and_links_to_itself() -> None:
    drawing = Properties2D(x="positions.z", y="forces", points="atoms").drawn_by_atom(copper(3.6), (1, 3))
    frame = copper(3.6)
    assert drawing.data[0]["x"] == pytest.approx(frame.positions[[1, 3], 2])
    assert drawing.data[0]["y"] == pytest.approx(np.linalg.norm(frame.get_forces(), axis=1)[[1, 3]])
    assert drawing.as_json()["links"] == [{"trace": 0, "to": "atoms", "indices": [1, 3]}]
    with pytest.raises(BadInput, match="one number for the whole frame"):
        Properties2D(x="energy", y="forces", points="atoms").drawn_by_atom(frame)


def test_a_property_frame_by_frame() -> None:
    frames = [copper(3.5), bulk("Cu", cubic=True), copper(3.7)]
    (line,) = Properties1D(property="energy").series(frames).values()
    assert line[0] == pytest.approx(frames[0].get_potential_energy()) and line[1] is None
    (line,) = Properties1D(property="forces", atoms="max").series(frames, (0, 2)).values()
    assert line[0] == pytest.approx(np.linalg.norm(frames[0].get_forces()[[0, 2]], axis=1).max())
    each = Properties1D(property="positions.x", atoms="each").series(frames, (0, 2))
    assert list(each) == ["positions.x of 0", "positions.x of 2"]
    assert each["positions.x of 2"] == pytest.approx([frame.positions[2, 0] for frame in frames])


def test_every_derived_property_has_a_value_and_the_right_one() -> None:
    frame = copper(3.6)
    frame.info["time"] = 5.0
    values = {name: value_of(frame, name) for name in DERIVED}
    assert [name for name, value in values.items() if value is None] == []
    assert values["temperature"] == pytest.approx(frame.get_temperature())
    assert values["density"] == pytest.approx(4 * 63.546 * 1.66054 / 3.6**3, rel=1e-4)
    assert values["pressure"] == pytest.approx(-frame.get_stress()[:3].mean() * 160.21766, rel=1e-6)
    assert values["velocities"] == pytest.approx(np.full(4, np.sqrt(0.75) / 63.546 * 0.09822695), rel=1e-4)
    assert value_of(frame, "calc.energy") == values["energy"]
    assert value_of(frame, "arrays.positions.z") == pytest.approx(frame.positions[:, 2])
    assert value_of(molecule("H2O"), "volume") is None


@pytest.mark.parametrize(
    ("name", "complaint"),
    [("nonsense", "No frame has a value 'nonsense'"), ("info.note", "holds no numbers"), ("volume.x", "no component")],
)
def test_what_cannot_be_drawn_says_so(name: str, complaint: str) -> None:
    with pytest.raises(BadInput, match=complaint):
        Properties1D(property=name).series([copper(3.6)])


def test_the_energy_plot_has_potential_kinetic_and_total() -> None:
    frames = [copper(3.5), copper(3.6)]
    series = Energy(per_atom=True).series(frames)
    assert series["potential"] == pytest.approx([frame.get_potential_energy() / 4 for frame in frames])
    assert series["total"] == pytest.approx([frame.get_total_energy() / 4 for frame in frames])
    assert list(Energy().series([calculated(bulk("Cu"))])) == ["potential"]
    assert min(value for value in Energy(relative=True).series(frames)["potential"] if value is not None) == 0
    with pytest.raises(BadInput, match="No frame carries an energy"):
        Energy().series([bulk("Cu")])


def test_the_force_plot_has_largest_mean_and_rms() -> None:
    frame = copper(3.6)
    sizes = np.linalg.norm(frame.get_forces(), axis=1)
    series = Forces().series([frame, bulk("Cu")])
    assert series["largest"] == [pytest.approx(sizes.max()), None]
    assert series["root mean square"][0] == pytest.approx(np.sqrt((sizes**2).mean()))
    assert Forces().series([frame], (1,))["mean"] == pytest.approx([sizes[1]])
    with pytest.raises(BadInput, match="No frame carries forces"):
        Forces().series([bulk("Cu")])


def test_a_dipole_in_a_frame_of_three_atoms_is_one_vector_of_the_frame() -> None:
    water = with_results(
        molecule("H2O"), {"dipole": np.array([0.0, 3.0, 4.0]), "charges": np.array([-2.0, 1.0, 1.0])}, "x"
    )
    assert value_of(water, "calc.dipole") == value_of(water, "dipole") == pytest.approx(5)
    assert value_of(water, "calc.dipole.z") == pytest.approx(4)
    assert value_of(water, "charges") == pytest.approx([-2, 1, 1])
