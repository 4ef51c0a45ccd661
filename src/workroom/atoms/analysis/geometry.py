"""Distances, angles and dihedral angles, frame by frame."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Sequence
from itertools import combinations
from typing import Any, ClassVar

from workroom.atoms.analysis.figures import Drawing, lines, spread
from workroom.atoms.form_fields import described
from workroom.atoms.room_trajectory import chosen_frames, visited
from workroom.atoms.selection_and_results import Structure
from workroom.client.extension import Category, Extension
from workroom.domain.errors import BadInput

Group = tuple[int, ...]


class Measurement(Extension):
    """Measures groups of atoms in every frame, or in the selected frames."""

    category = Category.ANALYSIS
    quantity: ClassVar[str]
    unit: ClassVar[str]

    atoms: list[int] | None = described(
        None, "The numbers of the atoms, in this order; the selected ones when left out.", max_length=10
    )
    minimum_image: bool = described(True, "Measure to the nearest periodic image.")

    def run(self, vis: Any, **kwargs: Any) -> dict[str, Any]:
        groups = self.groups(tuple(self.atoms if self.atoms is not None else vis.selection))
        frames = chosen_frames(vis)
        series = self.measured(groups, (atoms for _, atoms in visited(vis, frames)))
        drawing = self.drawn(frames, series)
        return {"figure": drawing.put(vis), "values": {label: spread(line) for label, line in series.items()}}

    @abstractmethod
    def groups(self, atoms: Group) -> list[Group]:
        """The groups of atoms to measure; BadInput for an unsuitable number of atoms."""

    @abstractmethod
    def measure(self, atoms: Structure, group: Group) -> float:
        """The value in one frame."""

    def measured(self, groups: Sequence[Group], frames: Iterable[Structure]) -> dict[str, list[float | None]]:
        """The values of each group, frame by frame; None if a frame lacks the atoms."""
        series: dict[Group, list[float | None]] = {group: [] for group in groups}
        for atoms in frames:
            for group, line in series.items():
                line.append(float(self.measure(atoms, group)) if max(group) < len(atoms) else None)
        if series and all(value is None for line in series.values() for value in line):
            raise BadInput("No frame has all of these atoms. Select others.")
        return {"-".join(map(str, group)): line for group, line in series.items()}

    def drawn(self, frames: Sequence[int], series: dict[str, list[float | None]]) -> Drawing:
        (first, *others) = series
        name = f"{self.quantity} {first}" + (" …" if others else "")
        title = f"{self.quantity} ({self.unit})"
        return lines(name, frames, series, x_title="frame", y_title=title, frames=frames)


class Distance(Measurement):
    """Draw the distances between the selected atoms, frame by frame."""

    quantity = "Distance"
    unit = "Å"

    def groups(self, atoms: Group) -> list[Group]:
        if not 2 <= len(set(atoms)) == len(atoms) <= 10:
            raise BadInput(f"Select 2 to 10 different atoms to measure distances between; {len(atoms)} are selected.")
        return list(combinations(atoms, 2))

    def measure(self, atoms: Structure, group: Group) -> float:
        return atoms.get_distance(*group, mic=self.minimum_image)


class Angle(Measurement):
    """Draw the angle between three atoms, frame by frame. The second is the corner."""

    quantity = "Angle"
    unit = "°"

    def groups(self, atoms: Group) -> list[Group]:
        if not len(set(atoms)) == len(atoms) == 3:
            raise BadInput(f"Select 3 different atoms, the corner second, to measure an angle; not {len(atoms)}.")
        return [atoms]

    def measure(self, atoms: Structure, group: Group) -> float:
        return atoms.get_angle(*group, mic=self.minimum_image)


class Dihedral(Measurement):
    """Draw the dihedral angle of four atoms, frame by frame: how far the last is turned about the middle two."""

    quantity = "Dihedral"
    unit = "°"

    def groups(self, atoms: Group) -> list[Group]:
        if not len(set(atoms)) == len(atoms) == 4:
            raise BadInput(f"Select 4 different atoms, in a chain, to measure a dihedral angle; not {len(atoms)}.")
        return [atoms]

    def measure(self, atoms: Structure, group: Group) -> float:
        """From -180 to 180 degrees; 0 is eclipsed."""
        angle = float(atoms.get_dihedral(*group, mic=self.minimum_image))
        return angle - 360 if angle > 180 else angle
