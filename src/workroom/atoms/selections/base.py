"""The base class of the selections."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Sequence
from typing import Any

from workroom.atoms.room_trajectory import current
from workroom.atoms.selection_and_results import Structure
from workroom.client.extension import Category, Extension


class Selection(Extension):
    """Selects atoms of the current frame."""

    category = Category.SELECTION

    @abstractmethod
    def choose(self, atoms: Structure, selection: Sequence[int]) -> Iterable[int]:
        """The atoms to select, given the present selection."""

    def run(self, vis: Any, **kwargs: Any) -> dict[str, Any]:
        chosen = [int(atom) for atom in self.choose(current(vis), tuple(vis.selection))]
        vis.selection = chosen
        return {"selected": len(chosen)}
