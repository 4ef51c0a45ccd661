"""Selections by distance and by bonds."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal

import numpy as np

from workroom.atoms.bonds import connected, pairs_within, shells
from workroom.atoms.form_fields import ANGSTROM, described, quantity
from workroom.atoms.selection_and_results import Structure, needed
from workroom.atoms.selections.base import Selection

_TOLERANCE = "Atoms are bonded when closer than the sum of their covalent radii times this."


class Connected(Selection):
    """Select everything that is bonded to the selected atoms, directly or through others; across the boundary too."""

    tolerance: float = described(1.2, _TOLERANCE, gt=0, le=3)

    def choose(self, atoms: Structure, selection: Sequence[int]) -> Iterable[int]:
        return connected(atoms, needed(selection, atoms, "its molecule is selected then"), self.tolerance)


class Neighbours(Selection):
    """Select the surroundings of the selected atoms; across the boundary too."""

    by: Literal["distance", "bonds"] = described(
        "distance", "What counts: the distance, or the number of bonds between."
    )
    cutoff: float = quantity(3.0, ANGSTROM, "How far neighbours are away at most; by distance.", gt=0, le=50)
    shells: int = described(1, "How many bonds neighbours are away at most; by bonds.", ge=1, le=100)
    tolerance: float = described(1.2, _TOLERANCE, gt=0, le=3)
    keep: bool = described(True, "Keep the selected atoms selected, besides their neighbours.")

    def choose(self, atoms: Structure, selection: Sequence[int]) -> Iterable[int]:
        chosen = needed(selection, atoms, "its neighbours are selected then")
        if self.by == "bonds":
            found = np.array(shells(atoms, chosen, self.shells, self.tolerance))
        else:
            pairs = pairs_within(atoms, self.cutoff)
            found = np.union1d(pairs.second[np.isin(pairs.first, chosen)], chosen)
        return found if self.keep else np.setdiff1d(found, chosen)
