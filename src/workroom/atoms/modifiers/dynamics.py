"""Molecular dynamics."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from importlib import import_module
from typing import Any, Literal

import numpy as np

from workroom.atoms.calculators import Calculation, check_calculation
from workroom.atoms.form_fields import described, quantity
from workroom.atoms.frame_batcher import FrameBatcher
from workroom.atoms.room_trajectory import current
from workroom.atoms.selection_and_results import Structure, selected, with_results
from workroom.client.extension import Category, Extension
from workroom.domain.errors import BadInput


class MolecularDynamics(Calculation, Extension):
    """Run molecular dynamics of the selected atoms, or all, at a temperature or at constant energy."""

    category = Category.MODIFIER

    ensemble: Literal["Langevin", "Bussi", "Nose-Hoover", "NVE"] = described(
        "Langevin", "Which thermostat keeps the temperature; NVE is none: the energy is kept instead."
    )
    temperature: float = quantity(
        300.0, "K", "Of the thermostat, and of the velocities at the start.", ge=0, le=100_000
    )
    timestep: float = quantity(2.0, "fs", "How long a step is.", gt=0, le=100)
    steps: int = described(500, "How many steps.", ge=1, le=10_000_000)
    every: int = described(5, "Keep every n-th step as a frame.", ge=1, le=100_000)
    friction: float = quantity(0.01, "1/fs", "How tightly Langevin and Bussi hold the temperature.", gt=0, le=10)
    velocities: Literal["keep", "new"] = described(
        "keep", "Where velocities come from: the frame, if it has any; or drawn anew for the temperature."
    )
    seed: int | None = described(None, "The same seed gives the same run again.", ge=0)
    follow: bool = described(True, "Show each new frame as it comes; otherwise only the last.")

    def run(self, vis: Any, calculator: Any = None, **kwargs: Any) -> dict[str, Any]:
        batcher = FrameBatcher(vis, follow=self.follow)
        frame: Structure = None
        for step, frame in self.moved(current(vis), tuple(vis.selection), calculator):
            batcher.put(frame)
            vis.progress(step / self.steps, f"step {step}: {frame.get_temperature():.0f} K")
        batcher.flush(show=True)
        return {
            "steps": self.steps,
            "frames": batcher.count,
            "time": self.steps * self.timestep,
            "temperature": float(frame.get_temperature()) if frame is not None else None,
        }

    def moved(
        self, atoms: Structure, selection: Sequence[int] = (), calculator: Any = None
    ) -> Generator[tuple[int, Structure]]:
        """The number of each kept step, and the structure then, with velocities and results."""
        import ase.constraints

        mover = atoms.copy()
        mover.calc = atoms.calc
        name = self.attach(mover, calculator)
        chosen = selected(selection, atoms)
        if len(chosen):
            others = np.setdiff1d(np.arange(len(atoms)), chosen)
            mover.set_constraint([*atoms.constraints, ase.constraints.FixAtoms(indices=others)])
        check_calculation(mover, name)
        random = np.random.RandomState(self.seed)
        self._start(mover, random)
        dynamics = self._dynamics(mover, random)
        began = float(atoms.info.get("time", 0.0))
        for _ in dynamics.irun(self.steps):
            step = int(dynamics.nsteps)
            if step == 0 or (step % self.every and step != self.steps):
                continue
            if not np.isfinite(mover.positions).all():
                raise BadInput(f"The atoms fly apart before step {step}. Relax them first, or take a smaller timestep.")
            frame = with_results(mover, mover.calc.results, name)
            frame.set_constraint(atoms.constraints)
            frame.info["time"] = began + step * self.timestep
            yield step, frame

    def _start(self, mover: Structure, random: Any) -> None:
        """Keep the velocities, or draw them from a Maxwell-Boltzmann distribution."""
        if self.velocities == "keep" and mover.has("momenta") and np.any(mover.get_momenta()):
            return
        import ase.units

        spread = np.sqrt(mover.get_masses() * ase.units.kB * self.temperature)
        momenta = random.standard_normal((len(mover), 3)) * spread[:, None]
        if not mover.constraints and len(mover) > 1:
            momenta -= momenta.sum(axis=0) * (mover.get_masses() / mover.get_masses().sum())[:, None]  # no drift
        mover.set_momenta(momenta)

    def _dynamics(self, mover: Structure, random: Any) -> Any:
        import ase.units

        femtosecond: float = ase.units.fs
        step = self.timestep * femtosecond
        pull = self.friction / femtosecond
        module, name, more = {
            "NVE": ("verlet", "VelocityVerlet", {}),
            "Langevin": ("langevin", "Langevin", {"friction": pull, "rng": random, "fixcm": False}),
            "Bussi": ("bussi", "Bussi", {"taut": 1 / pull, "rng": random}),
            "Nose-Hoover": ("nose_hoover_chain", "NoseHooverChainNVT", {"tdamp": 50 * step}),
        }[self.ensemble]
        heat = {} if self.ensemble == "NVE" else {"temperature_K": self.temperature}
        maker: Any = getattr(import_module(f"ase.md.{module}"), name)
        return maker(mover, step, **heat, **more)
