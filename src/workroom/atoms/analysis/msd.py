"""The mean square displacement of atoms over time."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from workroom.atoms.analysis.figures import Drawing, lines
from workroom.atoms.form_fields import described, quantity
from workroom.atoms.room_trajectory import chosen_frames, visited
from workroom.atoms.selection_and_results import Floats, Structure, periodic, picked
from workroom.client.extension import Category, Extension
from workroom.domain.errors import BadInput


class MSD(Extension):
    """Draw the mean square displacement of the selected atoms, or all, over time; across periodic boundaries."""

    category = Category.ANALYSIS

    interval: float | None = quantity(
        None, "fs", "The time between two frames; what the frames say (info.time) when left out.", gt=0
    )
    all_origins: bool = described(True, "Average over all starting points, not only the first frame.")
    remove_drift: bool = described(False, "Measure from the common centre of mass.")

    def run(self, vis: Any, **kwargs: Any) -> dict[str, Any]:
        frames = chosen_frames(vis)
        times, displacement = self.measured((atoms for _, atoms in visited(vis, frames)), tuple(vis.selection))
        drawing = self.drawn(times, displacement, frames)
        unit = "Å²/fs" if times is not None else "Å²/frame"
        return {"figure": drawing.put(vis), "diffusion": diffusion(times, displacement), "unit": unit}

    def measured(self, frames: Iterable[Structure], selection: Sequence[int] = ()) -> tuple[Floats | None, Floats]:
        """The times (fs), if they are known, and the mean square displacement (Å²) at each."""
        times: list[float | None] = []
        path: list[Floats] = []
        before: Structure = None
        for atoms in frames:
            if before is not None and not np.array_equal(atoms.numbers, before.numbers):
                raise BadInput("The frames do not hold the same atoms. Select frames that do.")
            path.append(_continued(path[-1], before, atoms) if before is not None else atoms.positions.copy())
            times.append(atoms.info.get("time"))
            before = atoms
        if len(path) < 2:
            raise BadInput("A displacement needs at least two frames.")
        walked = np.array(path)
        if self.remove_drift:
            masses = before.get_masses()
            walked -= np.einsum("n,fnx->fx", masses / masses.sum(), walked)[:, None]
        walked = walked[:, picked(selection, before)]
        squares = mean_over_origins(walked) if self.all_origins else ((walked - walked[0]) ** 2).sum(2).mean(1)
        return self._times(times), squares

    def _times(self, times: list[float | None]) -> Floats | None:
        if self.interval is not None:
            return np.arange(len(times), dtype=np.float64) * self.interval
        known = [float(time) for time in times if time is not None]
        if len(known) != len(times):
            return None
        since = np.array(known) - known[0]
        steps = np.diff(since)
        if np.any(steps <= 0) or (self.all_origins and np.ptp(steps) > 1e-6 * steps.max()):
            return None  # frames of several runs have no common time
        return since

    def drawn(self, times: Floats | None, displacement: Floats, frames: Sequence[int]) -> Drawing:
        x = np.arange(len(displacement)) if times is None else times
        return lines(
            "MSD",
            x.tolist(),
            {"MSD": displacement.tolist()},
            x_title="frames" if times is None else "time (fs)",
            y_title="mean square displacement (Å²)",
            # Averaged over starting points, a value belongs to no single frame.
            frames=None if self.all_origins else frames,
        )


def mean_over_origins(path: Floats) -> Floats:
    """The mean square displacement after each number of frames, over all starting points.

    |r(t+s) - r(t)|² = r(t+s)² + r(t)² - 2 r(t+s)·r(t): the sums of squares are running sums, the last term is an
    autocorrelation, and that is a product of Fourier transforms.
    """
    path = path - path.mean(axis=0)  # small numbers lose fewer digits
    count = len(path)
    transformed = np.fft.rfft(path, n=2 * count, axis=0)
    correlation = np.fft.irfft(np.abs(transformed) ** 2, n=2 * count, axis=0)[:count].sum(axis=2).mean(axis=1)
    squares = (path**2).sum(axis=2).mean(axis=1)
    heads = np.concatenate([[0.0], np.cumsum(squares)])
    lags = np.arange(count)
    both = heads[count - lags] + heads[count] - heads[lags]
    return np.maximum((both - 2 * correlation) / (count - lags), 0.0)


def diffusion(times: Floats | None, displacement: Floats) -> float | None:
    """A sixth of the slope in the middle of the curve, between ballistic motion and poor statistics."""
    x = np.arange(len(displacement), dtype=float) if times is None else times
    middle = slice(len(x) // 10, max(len(x) // 2, len(x) // 10 + 2))
    if len(x[middle]) < 2:
        return None
    return float(np.polyfit(x[middle], displacement[middle], 1)[0] / 6)


def _continued(last: Floats, before: Structure, atoms: Structure) -> Floats:
    """Unwrapped positions: each atom moved to the nearest image of its next position."""
    step = atoms.positions - before.positions
    if periodic(atoms).any():
        box = atoms.cell.complete()
        away: Floats = np.rint(box.scaled_positions(step), dtype=np.float64)
        step = step - np.where(periodic(atoms), away, 0.0) @ box.array
    return last + step
