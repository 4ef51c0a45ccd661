"""Relaxation of a structure."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from typing import Any, Literal

import numpy as np

from workroom.atoms.calculators import Calculation, check_calculation
from workroom.atoms.form_fields import described, quantity
from workroom.atoms.frame_batcher import FrameBatcher
from workroom.atoms.room_trajectory import current
from workroom.atoms.selection_and_results import Structure, has_volume, selected, with_results
from workroom.client.extension import Category, Extension
from workroom.domain.errors import BadInput


class Relax(Calculation, Extension):
    """Move the selected atoms, or all, until the forces on them are small. Every step is added as a frame."""

    category = Category.MODIFIER

    optimizer: Literal["BFGS", "LBFGS", "FIRE", "FIRE2", "MDMin", "BFGSLineSearch", "LBFGSLineSearch"] = described(
        "LBFGS", "How: the optimiser, one of ASE's."
    )
    fmax: float = quantity(0.05, "eV/Å", "Stop when no force is larger.", gt=0, le=100)
    steps: int = described(200, "Stop after so many steps in any case.", ge=1, le=1_000_000)
    every: int = described(1, "Keep every n-th step; the last is always kept.", ge=1, le=10_000)
    relax_cell: bool = described(False, "Relax the cell too, until the stress vanishes.")
    follow: bool = described(True, "Show each new frame as it comes; otherwise only the last.")

    def run(self, vis: Any, calculator: Any = None, **kwargs: Any) -> dict[str, Any]:
        batcher = FrameBatcher(vis, follow=self.follow)
        steps, force, frame = 0, float("inf"), None
        for steps, force, frame in self.relaxed(current(vis), tuple(vis.selection), calculator):
            if steps % self.every == 0 or force <= self.fmax or steps == self.steps:
                batcher.put(frame)
            vis.progress(min(steps / self.steps, 1.0), f"step {steps}: largest force {force:.3g} eV/Å")
        batcher.flush(show=True)
        return {
            "converged": force <= self.fmax,
            "steps": steps,
            "fmax": force,
            "energy": float(frame.get_potential_energy()) if frame is not None else None,
            "frames": batcher.count,
        }

    def relaxed(
        self, atoms: Structure, selection: Sequence[int] = (), calculator: Any = None
    ) -> Generator[tuple[int, float, Structure]]:
        """Step by step: its number, the largest force (eV/Å) on what may move, and the structure with its results."""
        import ase.constraints
        import ase.filters
        import ase.optimize

        mover = atoms.copy()
        mover.calc = atoms.calc
        name = self.attach(mover, calculator)
        chosen = selected(selection, atoms)
        if len(chosen):
            others = np.setdiff1d(np.arange(len(atoms)), chosen)
            mover.set_constraint([*atoms.constraints, ase.constraints.FixAtoms(indices=others)])
        check_calculation(mover, name)
        if self.relax_cell and not has_volume(atoms):
            raise BadInput("This structure has no cell to relax. Leave out relax_cell, or give it a cell.")
        target: Any = ase.filters.FrechetCellFilter(mover) if self.relax_cell else mover
        optimiser: Any = getattr(ase.optimize, self.optimizer)(target, logfile=None)
        for _ in optimiser.irun(fmax=self.fmax, steps=self.steps):
            frame = with_results(mover, mover.calc.results, name)
            frame.set_constraint(atoms.constraints)
            yield int(optimiser.nsteps), float(np.linalg.norm(target.get_forces(), axis=1).max(initial=0.0)), frame
