"""What all selections have in common."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Sequence
from typing import Any

from workroom.atoms.structures import Structure
from workroom.atoms.trajectory import current
from workroom.client.extension import Category, Extension


class Selection(Extension):
    """Chooses atoms of the frame that is shown."""

    category = Category.SELECTION

    @abstractmethod
    def choose(self, atoms: Structure, selection: Sequence[int]) -> Iterable[int]:
        """Which atoms to select, given what is selected now."""

    def run(self, vis: Any, **kwargs: Any) -> dict[str, Any]:
        chosen = [int(atom) for atom in self.choose(current(vis), tuple(vis.selection))]
        vis.selection = chosen
        return {"selected": len(chosen)}
