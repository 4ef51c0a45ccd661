"""Bonds that a structure brings in `info["connectivity"]` are used and kept, instead of bonds by distance."""

from __future__ import annotations

from typing import Any

import pytest
from tests.structures import molecule

from workroom.atoms.bonds import bonds
from workroom.atoms.modifiers.composition import Delete, Duplicate, Supercell
from workroom.atoms.selections.neighbours import Connected
from workroom.domain.errors import BadInput


def chain() -> Any:
    """Three atoms of water that are bonded in a row, H-H-O, unlike what distances say; the last across the boundary."""
    atoms = molecule("H2O", cell=[10, 10, 10], pbc=True)
    atoms.info["connectivity"] = [(1, 2, 2.0), (2, 0)]
    return atoms


def bonded(atoms: Any) -> list[tuple[int, int]]:
    found = bonds(atoms)
    return sorted((int(i), int(j)) for i, j in zip(found.first, found.second, strict=True) if i < j)


def test_selections_follow_the_bonds_of_the_structure() -> None:
    atoms = chain()
    assert bonded(atoms) == [(0, 2), (1, 2)]
    assert list(Connected().choose(atoms, [1])) == [0, 1, 2]
    atoms.info["connectivity"] = []
    assert list(Connected().choose(atoms, [1])) == [1]


def test_modifiers_keep_the_bonds() -> None:
    atoms = chain()
    assert Delete().apply(atoms, [0]).info["connectivity"] == [[0, 1, 2.0]]
    assert bonded(Duplicate().apply(atoms, [1, 2])) == [(0, 2), (1, 2), (3, 4)]
    assert bonded(Supercell(a=2, b=1, c=1).apply(atoms, [])) == [(0, 2), (1, 2), (3, 5), (4, 5)]


def test_a_bond_across_the_boundary_leads_to_the_next_image() -> None:
    atoms = chain()
    atoms.positions[0] = (9.8, 0, 0)
    atoms.positions[2] = (0.2, 0, 0)
    larger = Supercell(a=2, b=1, c=1).apply(atoms, [])
    assert bonded(larger) == [(0, 5), (1, 2), (2, 3), (4, 5)]
    assert bonds(larger).distance.max() < 3


@pytest.mark.parametrize("wrong", [[(0, 7)], [(0,)], [(0,)] * 3, [(0, 1, 1.0, 2)], [0, 1, 2], "bonds", [(0.5, 1)]])
def test_bonds_that_are_none_are_refused(wrong: Any) -> None:
    atoms = chain()
    atoms.info["connectivity"] = wrong
    with pytest.raises(BadInput, match="connectivity"):
        bonds(atoms)
