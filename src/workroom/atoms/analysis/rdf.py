"""The radial distribution function: how likely a neighbour is at a distance, compared to an ideal gas."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations_with_replacement
from typing import Any

import numpy as np

from workroom.atoms.analysis.figures import Drawing, lines
from workroom.atoms.bonds import pairs_within
from workroom.atoms.form_fields import ANGSTROM, described, quantity
from workroom.atoms.room_trajectory import chosen_frames, visited
from workroom.atoms.selection_and_results import Floats, Structure, has_volume, number_of, symbols_of
from workroom.client.extension import Category, Extension
from workroom.domain.errors import BadInput


class RDF(Extension):
    """Draw the radial distribution function, averaged over all frames or the selected ones."""

    category = Category.ANALYSIS

    cutoff: float = quantity(6.0, ANGSTROM, "How far to look.", gt=0, le=50)
    bins: int = described(200, "How many intervals between 0 and the cutoff.", ge=2, le=10_000)
    first: str | None = described(None, "Around which element; all when left out.", max_length=3)
    second: str | None = described(None, "Which element around it; all when left out.", max_length=3)
    partial: bool = described(False, "A line for every pair of elements instead.")

    def run(self, vis: Any, **kwargs: Any) -> dict[str, Any]:
        frames = chosen_frames(vis)
        distances, series = self.measured(atoms for _, atoms in visited(vis, frames))
        drawing = self.drawn(distances, series)
        peaks = {label: float(distances[int(np.argmax(line))]) for label, line in series.items()}
        return {"figure": drawing.put(vis), "frames": len(frames), "highest": peaks}

    def measured(self, frames: Iterable[Structure]) -> tuple[Floats, dict[str, Floats]]:
        """The middles of the intervals, and for each pair of elements g(r)."""
        edges = np.linspace(0, self.cutoff, self.bins + 1)
        shells = 4 / 3 * np.pi * np.diff(edges**3)
        sums: dict[tuple[int | None, int | None], Floats] = {}
        seen: dict[tuple[int | None, int | None], int] = {}
        for atoms in frames:
            if not has_volume(atoms) or not atoms.pbc.all():
                raise BadInput("A frame is not periodic in all directions, so it has no density to compare with.")
            near = pairs_within(atoms, self.cutoff)
            for pair in self._pairs(atoms):
                one, other = (_is(atoms.numbers, number) for number in pair)
                if not one.any() or not other.any():
                    continue
                counted = one[near.first] & other[near.second]
                found, _ = np.histogram(near.distance[counted], bins=edges)
                ideal = one.sum() * other.sum() / atoms.get_volume() * shells
                sums[pair] = sums.get(pair, np.zeros(self.bins)) + found / ideal
                seen[pair] = seen.get(pair, 0) + 1
        if not sums:
            raise BadInput("No frame has atoms of these elements.")
        return (edges[1:] + edges[:-1]) / 2, {_label(pair): line / seen[pair] for pair, line in sums.items()}

    def drawn(self, distances: Floats, series: dict[str, Floats]) -> Drawing:
        name = "RDF" if self.partial else f"RDF {next(iter(series))}"
        plain = {label: line.tolist() for label, line in series.items()}
        drawing = lines(name, distances.tolist(), plain, x_title="r (Å)", y_title="g(r)")
        for trace in drawing.data:
            trace["mode"] = "lines"
        return drawing

    def _pairs(self, atoms: Structure) -> list[tuple[int | None, int | None]]:
        if self.partial:
            return list(combinations_with_replacement(np.unique(atoms.numbers).tolist(), 2))
        return [(number_of(self.first) if self.first else None, number_of(self.second) if self.second else None)]


def _is(numbers: Any, number: int | None) -> Any:
    return np.ones(len(numbers), dtype=bool) if number is None else numbers == number


def _label(pair: tuple[int | None, int | None]) -> str:
    return "-".join("all" if number is None else symbols_of([number])[0] for number in pair)
