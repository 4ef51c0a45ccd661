"""Frames without atoms."""

from __future__ import annotations

from typing import Any

from workroom.atoms.form_fields import ANGSTROM, quantity
from workroom.atoms.room_trajectory import present
from workroom.atoms.selection_and_results import Structure
from workroom.client.extension import Category, Extension


class Empty(Extension):
    """Add a frame without atoms."""

    category = Category.MODIFIER

    cell: float | None = quantity(
        None, ANGSTROM, "Give it a cubic, periodic cell of this length; none when left out.", gt=0, le=100_000
    )

    def made(self) -> Structure:
        from ase import Atoms

        return Atoms() if self.cell is None else Atoms(cell=[self.cell] * 3, pbc=True)

    def run(self, vis: Any, **kwargs: Any) -> dict[str, Any]:
        return {"frame": present(vis, [self.made()]) - 1, "atoms": 0}


class NewCanvas(Empty):
    """Add an empty frame with a bookmark and a plane to draw on, and clear the selection."""

    size: float | None = quantity(20.0, ANGSTROM, "How large the plane is; none when left out.", gt=0, le=100_000)

    def run(self, vis: Any, **kwargs: Any) -> dict[str, Any]:
        result = super().run(vis, **kwargs)
        if vis.selection:
            vis.selection = ()
        vis.bookmarks[result["frame"]] = "New canvas"
        if self.size is not None:
            vis.geometries["canvas"] = {"type": "plane", "data": {"size": [self.size, self.size]}}
        return result
