"""Molecular dynamics of real structures."""

from __future__ import annotations

import numpy as np
import pytest
from tests.structures import EMT, bulk

from workroom.atoms.modifiers.dynamics import MolecularDynamics
from workroom.domain.errors import BadInput


def test_without_a_thermostat_the_energy_is_kept() -> None:
    copper = bulk("Cu", cubic=True) * 2
    run = MolecularDynamics(ensemble="NVE", temperature=600, timestep=2, steps=200, every=10, seed=1)
    frames = [frame for _, frame in run.moved(copper)]
    assert len(frames) == 20
    total = np.array([frame.get_total_energy() for frame in frames])
    kinetic = np.array([frame.get_kinetic_energy() for frame in frames])
    assert np.ptp(kinetic) > 0.5  # energy does go to and fro
    assert np.ptp(total) / len(copper) < 2e-3
    assert [frame.info["time"] for frame in frames[:3]] == [20, 40, 60]
    assert frames[-1].calc.name == "emt"


@pytest.mark.parametrize("ensemble", ["Langevin", "Bussi", "Nose-Hoover"])
def test_a_thermostat_brings_the_temperature(ensemble: str) -> None:
    copper = bulk("Cu", cubic=True) * 2
    run = MolecularDynamics.model_validate(
        {"ensemble": ensemble, "temperature": 500, "timestep": 5, "steps": 300, "every": 2, "friction": 0.03, "seed": 5}
    )
    warmth = [frame.get_temperature() for _, frame in run.moved(copper)]
    # Half of the kinetic energy is needed to stretch bonds first; 96 degrees of freedom fluctuate by 14 %.
    assert np.mean(warmth[60:]) == pytest.approx(500, rel=0.15)


def test_the_same_seed_gives_the_same_run() -> None:
    copper = bulk("Cu", cubic=True)
    run = MolecularDynamics(steps=20, every=20, seed=9)
    (_, one), (_, other) = [*run.moved(copper), *run.moved(copper)]
    assert np.array_equal(one.positions, other.positions)


def test_a_run_goes_on_with_the_velocities_and_the_time_of_its_frame() -> None:
    copper = bulk("Cu", cubic=True) * 2
    whole = MolecularDynamics(ensemble="NVE", steps=40, every=20, seed=4)
    half = MolecularDynamics(ensemble="NVE", steps=20, every=20, seed=4)
    straight = [frame for _, frame in whole.moved(copper)]
    ((_, first),) = half.moved(copper)
    ((_, second),) = half.moved(first)
    assert np.allclose(second.positions, straight[1].positions, atol=1e-8)
    assert second.info["time"] == straight[1].info["time"] == 80


def test_what_is_not_selected_stays() -> None:
    copper = bulk("Cu", cubic=True)
    ((_, end),) = MolecularDynamics(steps=10, every=10, temperature=800).moved(copper, (2,))
    moved = np.flatnonzero(np.linalg.norm(end.positions - copper.positions, axis=1) > 1e-9)
    assert moved.tolist() == [2] and end.constraints == []
    again = end.copy()
    again.calc = EMT()
    assert np.allclose(again.get_forces(), end.get_forces())


def test_atoms_that_fly_apart_are_noticed() -> None:
    hot = bulk("Cu", cubic=True)
    hot.positions[1] = hot.positions[0] + 0.01
    with pytest.raises(BadInput, match="fly apart before step"), np.errstate(all="ignore"):
        list(MolecularDynamics(ensemble="NVE", timestep=100, steps=500, every=1, calculator="lj").moved(hot))
