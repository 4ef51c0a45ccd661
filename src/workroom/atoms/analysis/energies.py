"""Energies and forces along the trajectory."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from workroom.atoms.analysis.figures import lines, spread
from workroom.atoms.form_fields import described
from workroom.atoms.properties import value_of
from workroom.atoms.room_trajectory import chosen_frames, visited
from workroom.atoms.selection_and_results import Structure, picked_here
from workroom.client.extension import Category, Extension
from workroom.domain.errors import BadInput

Series = dict[str, list[float | None]]


class Energy(Extension):
    """Draw the energy of the frames: potential, and with velocities also kinetic and total."""

    category = Category.ANALYSIS

    per_atom: bool = described(False, "Divide by the number of atoms.")
    relative: bool = described(False, "Show each line from its smallest value up.")

    def run(self, vis: Any, **kwargs: Any) -> dict[str, Any]:
        frames = chosen_frames(vis)
        series = self.series(atoms for _, atoms in visited(vis, frames))
        title = "energy per atom (eV)" if self.per_atom else "energy (eV)"
        drawing = lines("Energy", frames, series, x_title="frame", y_title=title, frames=frames)
        return {"figure": drawing.put(vis), "values": {label: spread(line) for label, line in series.items()}}

    def series(self, frames: Iterable[Structure]) -> Series:
        names = {"potential": "energy", "kinetic": "kinetic_energy", "total": "total_energy"}
        series: Series = {label: [] for label in names}
        for atoms in frames:
            share = max(len(atoms), 1) if self.per_atom else 1
            moves = atoms.has("momenta")
            for label, name in names.items():
                value = value_of(atoms, name) if moves or label == "potential" else None
                series[label].append(None if value is None else float(value) / share)
        series = {label: line for label, line in series.items() if any(value is not None for value in line)}
        if "potential" not in series:
            raise BadInput("No frame carries an energy. Relax them first, or let a calculator give one.")
        return {label: _from_least(line) for label, line in series.items()} if self.relative else series


class Forces(Extension):
    """Draw the largest, the mean and the root mean square force on the selected atoms, or all, frame by frame."""

    category = Category.ANALYSIS

    def run(self, vis: Any, **kwargs: Any) -> dict[str, Any]:
        frames = chosen_frames(vis)
        series = self.series((atoms for _, atoms in visited(vis, frames)), tuple(vis.selection))
        drawing = lines("Forces", frames, series, x_title="frame", y_title="force (eV/Å)", frames=frames)
        return {"figure": drawing.put(vis), "values": {label: spread(line) for label, line in series.items()}}

    def series(self, frames: Iterable[Structure], selection: Sequence[int] = ()) -> Series:
        series: Series = {"largest": [], "mean": [], "root mean square": []}
        for atoms in frames:
            forces = value_of(atoms, "forces")
            sizes = np.empty(0) if forces is None else forces[picked_here(selection, atoms)]
            values = (sizes.max(), sizes.mean(), np.sqrt((sizes**2).mean())) if len(sizes) else (None, None, None)
            for line, value in zip(series.values(), values, strict=True):
                line.append(None if value is None else float(value))
        if all(value is None for value in series["largest"]):
            raise BadInput("No frame carries forces. Relax them first, or let a calculator give them.")
        return series


def _from_least(line: list[float | None]) -> list[float | None]:
    least = min(value for value in line if value is not None)
    return [None if value is None else value - least for value in line]
