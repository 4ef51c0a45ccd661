"""Plots of any property over the frames, or against another property."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Literal

import numpy as np

from workroom.atoms.analysis.figures import Drawing, Link, lines, plain, spread
from workroom.atoms.form_fields import described, frame_property
from workroom.atoms.properties import EXAMPLES, titled, unknown, value_of
from workroom.atoms.room_trajectory import chosen_frames, current, visited
from workroom.atoms.selection_and_results import Structure, picked, picked_here
from workroom.client.extension import Category, Extension
from workroom.domain.errors import BadInput

Summary = Literal["mean", "sum", "min", "max"]
_HOW = "What to make of a property that each atom has: it is taken over the selected atoms, or all."
_WHICH = (
    "energy, energy_per_atom, total_energy, kinetic_energy, temperature, fmax, pressure, volume, density, a, b, c, "
    "time, forces, velocities, positions, masses, …; info.…, arrays.… or calc.… for what the frames carry; .x, .y or "
    ".z behind a vector for one component."
)
_MOST_LINES = 50


class Properties1D(Extension):
    """Draw a property frame by frame."""

    category = Category.ANALYSIS

    property: str = frame_property("energy", f"Which: {_WHICH}", EXAMPLES)
    atoms: Summary | Literal["each"] = described("mean", f"{_HOW} Each: a line for every selected atom.")

    def run(self, vis: Any, **kwargs: Any) -> dict[str, Any]:
        frames = chosen_frames(vis)
        series = self.series((atoms for _, atoms in visited(vis, frames)), tuple(vis.selection))
        drawing = self.drawn(frames, series)
        return {"figure": drawing.put(vis), "values": {label: spread(line) for label, line in series.items()}}

    def series(self, frames: Iterable[Structure], selection: Sequence[int] = ()) -> dict[str, list[float | None]]:
        """Lines by name; None if a frame lacks the value."""
        if self.atoms == "each":
            return self._of_each(frames, selection)
        line = [summary(atoms, self.property, self.atoms, selection) for atoms in frames]
        if all(value is None for value in line):
            raise unknown(self.property)
        return {self.property: line}

    def _of_each(self, frames: Iterable[Structure], selection: Sequence[int]) -> dict[str, list[float | None]]:
        if not 1 <= len(selection) <= _MOST_LINES:
            raise BadInput(f"Select 1 to {_MOST_LINES} atoms to draw a line for each; {len(selection)} are selected.")
        series: dict[int, list[float | None]] = {atom: [] for atom in selection}
        for atoms in frames:
            value = value_of(atoms, self.property)
            if value is not None and value.ndim == 0:
                raise BadInput(f"{self.property} is one number for each frame: choose mean instead of each.")
            for atom, line in series.items():
                line.append(None if value is None or atom >= len(value) else float(value[atom]))
        if all(value is None for line in series.values() for value in line):
            raise unknown(self.property)
        return {f"{self.property} of {atom}": line for atom, line in series.items()}

    def drawn(self, frames: Sequence[int], series: dict[str, list[float | None]]) -> Drawing:
        title = titled(self.property)
        return lines(self.property, frames, series, x_title="frame", y_title=title, frames=frames)


class Properties2D(Extension):
    """Draw a property against another: a point for each frame, or for each atom of the current frame."""

    category = Category.ANALYSIS

    x: str = frame_property("volume", f"What goes to the right: {_WHICH}", EXAMPLES)
    y: str = frame_property("energy", "What goes up; as for x.", EXAMPLES)
    color: str | None = described(None, "What colours the points; as for x. The frame's number when left out.")
    points: Literal["frames", "atoms"] = described("frames", "What a point is: a frame, or an atom of the shown frame.")
    atoms: Summary = described("mean", _HOW)

    def run(self, vis: Any, **kwargs: Any) -> dict[str, Any]:
        selection = tuple(vis.selection)
        if self.points == "atoms":
            drawing = self.drawn_by_atom(current(vis), selection, frame=int(vis.step))
        else:
            frames = chosen_frames(vis)
            drawing = self.drawn_by_frame(frames, (atoms for _, atoms in visited(vis, frames)), selection)
        return {"figure": drawing.put(vis), "points": len(drawing.data[0]["x"])}

    def drawn_by_frame(
        self, numbers: Sequence[int], frames: Iterable[Structure], selection: Sequence[int] = ()
    ) -> Drawing:
        names = [self.x, self.y, *([self.color] if self.color else [])]
        rows = [[summary(atoms, name, self.atoms, selection) for name in names] for atoms in frames]
        columns = [list(column) for column in zip(*rows, strict=True)]
        for name, column in zip(names, columns, strict=True):
            if all(value is None for value in column):
                raise unknown(name)
        colour = columns[2] if self.color else list(numbers)
        return self._drawn(columns[0], columns[1], colour, Link(0, "frames", numbers))

    def drawn_by_atom(self, atoms: Structure, selection: Sequence[int] = (), *, frame: int | None = None) -> Drawing:
        chosen = picked(selection, atoms)
        columns = [_by_atom(atoms, name)[chosen] for name in (self.x, self.y, *([self.color] if self.color else []))]
        colour = columns[2] if self.color else chosen
        return self._drawn(columns[0], columns[1], colour, Link(0, "atoms", chosen.tolist(), frame))

    def _drawn(self, x: Any, y: Any, colour: Any, link: Link) -> Drawing:
        name = f"{self.y} against {self.x}"
        bar = {"title": {"text": titled(self.color) if self.color else link.to.removesuffix("s")}}
        trace = {
            "type": "scatter",
            "mode": "markers",
            "x": plain(x),
            "y": plain(y),
            "marker": {"color": plain(colour), "colorscale": "Viridis", "showscale": True, "colorbar": bar},
        }
        layout = {
            "title": {"text": name},
            "xaxis": {"title": {"text": titled(self.x)}},
            "yaxis": {"title": {"text": titled(self.y)}},
        }
        return Drawing(name, [trace], layout, [link])


def summary(atoms: Structure, name: str, how: Summary, selection: Sequence[int] = ()) -> float | None:
    """One number for a frame."""
    value = value_of(atoms, name)
    if value is None:
        return None
    if value.ndim == 0:
        return float(value)
    chosen = value[picked_here(selection, atoms)]
    return float(getattr(np, how)(chosen)) if len(chosen) else None


def _by_atom(atoms: Structure, name: str) -> Any:
    value = value_of(atoms, name)
    if value is None:
        raise unknown(name)
    if value.ndim == 0:
        raise BadInput(f"{name} is one number for the whole frame, not one for each atom. Choose points: frames.")
    return value
