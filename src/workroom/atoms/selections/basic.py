"""Selections that need no geometry."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from workroom.atoms.form_fields import described
from workroom.atoms.selection_and_results import Structure, needed, selected
from workroom.atoms.selections.base import Selection
from workroom.domain.errors import BadInput


class All(Selection):
    """Select every atom."""

    def choose(self, atoms: Structure, selection: Sequence[int]) -> Iterable[int]:
        return range(len(atoms))


class NoneSelection(Selection, name="None"):
    """Clear the selection."""

    def choose(self, atoms: Structure, selection: Sequence[int]) -> Iterable[int]:
        return ()


class Invert(Selection):
    """Invert the selection."""

    def choose(self, atoms: Structure, selection: Sequence[int]) -> Iterable[int]:
        return np.setdiff1d(np.arange(len(atoms)), selected(selection, atoms))


class Range(Selection):
    """Select atoms by index, like a Python slice."""

    start: int = described(0, "The first atom; negative numbers count from the end.")
    stop: int | None = described(None, "The atom before which to stop; the end when left out.")
    step: int = described(1, "Take every n-th atom.", ge=1)

    def choose(self, atoms: Structure, selection: Sequence[int]) -> Iterable[int]:
        return range(len(atoms))[self.start : self.stop : self.step]


class Random(Selection):
    """Select random atoms."""

    count: int = described(1, "How many.", ge=0)
    seed: int | None = described(None, "The same seed selects the same atoms again.", ge=0)

    def choose(self, atoms: Structure, selection: Sequence[int]) -> Iterable[int]:
        if self.count > len(atoms):
            raise BadInput(f"count is {self.count}, but this frame has only {len(atoms)} atoms.")
        return np.sort(np.random.default_rng(self.seed).choice(len(atoms), self.count, replace=False))


class IdenticalSpecies(Selection):
    """Select all atoms of the elements that are selected now."""

    def choose(self, atoms: Structure, selection: Sequence[int]) -> Iterable[int]:
        chosen = needed(selection, atoms, "all atoms of its element are selected then")
        return np.flatnonzero(np.isin(atoms.numbers, atoms.numbers[chosen]))
