"""The base class of modifiers of one structure."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import Any

from workroom.atoms.form_fields import described
from workroom.atoms.room_trajectory import current, edit_all, present
from workroom.atoms.selection_and_results import Structure
from workroom.client.extension import Category, Extension


class Modifier(Extension):
    """Derives a structure from the current frame, appends it as a new frame and shows it."""

    category = Category.MODIFIER

    all: bool = described(False, "Edit every frame where it is, instead of adding the result as a new frame.")

    @abstractmethod
    def apply(self, atoms: Structure, selection: Sequence[int]) -> Structure:
        """The new structure; the given one is not changed."""

    def run(self, vis: Any, **kwargs: Any) -> dict[str, Any]:
        selection = tuple(vis.selection)
        if self.all:
            return {"frames": edit_all(vis, lambda atoms: self.apply(atoms, selection))}
        result = self.apply(current(vis), selection)
        return {"frame": present(vis, [result]) - 1, "atoms": len(result)}
