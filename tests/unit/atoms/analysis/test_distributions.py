"""Radial distributions and displacements with known answers."""

from __future__ import annotations

import numpy as np
import pytest
from tests.structures import Atoms, bulk, molecule

from workroom.atoms.analysis.msd import MSD, diffusion, mean_over_origins
from workroom.atoms.analysis.rdf import RDF
from workroom.atoms.selection_and_results import Structure
from workroom.domain.errors import BadInput


def test_the_first_peak_of_copper_is_at_the_nearest_neighbour() -> None:
    lattice = 3.61
    copper = bulk("Cu", "fcc", lattice, cubic=True) * 3
    one = RDF(cutoff=5.0, bins=500)
    r, series = one.measured([copper])
    g = series["all-all"]
    peaks = r[g > 0]
    assert peaks[0] == pytest.approx(lattice / np.sqrt(2), abs=0.011)
    # Twelve neighbours in the first shell, six in the second: g(r) counts them.
    density = len(copper) / copper.get_volume()
    counted = np.cumsum(g * density * 4 * np.pi * r**2 * (r[1] - r[0]))
    assert counted[np.searchsorted(r, 3.0)] == pytest.approx(12, rel=0.01)
    assert counted[np.searchsorted(r, 4.0)] == pytest.approx(18, rel=0.01)


def test_an_ideal_gas_has_no_structure() -> None:
    random = np.random.default_rng(1)
    frames = [Atoms("Ar400", random.random((400, 3)) * 20, cell=[20] * 3, pbc=True) for _ in range(5)]
    r, series = RDF(cutoff=9.0, bins=30).measured(frames)
    assert series["all-all"][r > 2] == pytest.approx(np.ones((r > 2).sum()), abs=0.12)


def test_partial_functions_tell_the_elements_apart() -> None:
    salt = bulk("NaCl", "rocksalt", 5.64, cubic=True) * 2
    r, series = RDF(cutoff=4.5, bins=450, partial=True).measured([salt])
    assert list(series) == ["Na-Na", "Na-Cl", "Cl-Cl"]
    assert r[np.argmax(series["Na-Cl"])] == pytest.approx(2.82, abs=0.01)
    assert r[np.argmax(series["Na-Na"])] == pytest.approx(5.64 / np.sqrt(2), abs=0.01)
    _, one = RDF(cutoff=4.5, bins=450, first="na", second="Cl").measured([salt])
    assert np.array_equal(one["Na-Cl"], series["Na-Cl"])


def test_without_a_periodic_cell_there_is_no_density() -> None:
    with pytest.raises(BadInput, match="not periodic"):
        RDF().measured([molecule("H2O")])
    with pytest.raises(BadInput, match="No frame has atoms"):
        RDF(first="Au").measured([bulk("Cu", cubic=True)])


@pytest.mark.parametrize("all_origins", [True, False])
def test_ballistic_motion_goes_with_the_square_of_time_also_across_boundaries(all_origins: bool) -> None:
    velocity = np.array([0.03, -0.02, 0.06])  # Å/fs: 0.07 in all
    frames: list[Structure] = []
    for step in range(50):
        frame = Atoms("ArHe", [[1, 1, 1], [3, 2, 1]], cell=[5, 6, 7], pbc=True)
        frame.positions += velocity * step * 10
        frame.wrap()
        frame.info["time"] = 100 + step * 10
        frames.append(frame)
    times, squares = MSD(all_origins=all_origins).measured(frames)
    assert times is not None and times == pytest.approx(np.arange(50) * 10.0)
    assert squares == pytest.approx((0.07 * times) ** 2, rel=1e-6, abs=1e-8)
    _, still = MSD(remove_drift=True).measured(frames)
    assert still == pytest.approx(np.zeros(50), abs=1e-8)


def test_a_random_walk_diffuses() -> None:
    random = np.random.default_rng(2)
    walk = np.cumsum(random.normal(0, 0.1, (400, 200, 3)), axis=0)
    squares = mean_over_origins(walk)
    assert diffusion(None, squares) == pytest.approx(0.1**2 / 2, rel=0.1)


def test_the_fast_average_is_the_plain_one() -> None:
    path = np.random.default_rng(3).normal(size=(12, 4, 3))
    plain = [float(((path[lag:] - path[: 12 - lag]) ** 2).sum(axis=2).mean()) for lag in range(12)]
    assert mean_over_origins(path).tolist() == pytest.approx(plain, abs=1e-12)


def test_only_one_clock_is_believed() -> None:
    frames = [Atoms("H", [[float(i), 0, 0]], info={"time": time}) for i, time in enumerate([0, 5, 0, 5])]
    times, squares = MSD().measured(frames)
    assert times is None and squares == pytest.approx([0, 1, 4, 9])
    times, _ = MSD(interval=2).measured(frames)
    assert times is not None and times.tolist() == [0, 2, 4, 6]


def test_frames_of_different_atoms_have_no_displacement() -> None:
    with pytest.raises(BadInput, match="do not hold the same atoms"):
        MSD().measured([molecule("H2O"), molecule("CO2")])
    with pytest.raises(BadInput, match="at least two frames"):
        MSD().measured([molecule("H2O")])
