"""Selections on real structures."""

from __future__ import annotations

import numpy as np
import pytest
from tests.structures import bulk, molecule

from workroom.atoms.selection_and_results import Structure
from workroom.atoms.selections.basic import All, IdenticalSpecies, Invert, NoneSelection, Random, Range
from workroom.atoms.selections.neighbours import Connected, Neighbours
from workroom.domain.errors import BadInput


def waters() -> Structure:
    """Two water molecules in a cell, the second across its boundary."""
    box = molecule("H2O", cell=[10, 10, 10], pbc=True)
    box.positions += (3, 3, 3) - box.positions[0]
    second = molecule("H2O")
    second.positions += (9.9, 9.9, 7) - second.positions[0]
    box.extend(second)
    box.wrap()
    return box


def test_all_none_and_invert() -> None:
    water = molecule("H2O")
    assert list(All().choose(water, ())) == [0, 1, 2]
    assert list(NoneSelection().choose(water, (1,))) == []
    assert list(Invert().choose(water, (1,))) == [0, 2]


@pytest.mark.parametrize(
    ("given", "expected"),
    [({}, [0, 1, 2, 3]), ({"start": 1, "stop": 3}, [1, 2]), ({"start": -2}, [2, 3]), ({"step": 2}, [0, 2])],
)
def test_range_selects_as_a_slice_does(given: dict[str, int], expected: list[int]) -> None:
    assert list(Range(**given).choose(bulk("Cu", cubic=True), ())) == expected


def test_random_selects_so_many_and_the_same_with_the_same_seed() -> None:
    block = bulk("Cu", cubic=True) * 3
    chosen = list(Random(count=20, seed=7).choose(block, ()))
    assert len(set(chosen)) == 20 and chosen == sorted(chosen)
    assert chosen == list(Random(count=20, seed=7).choose(block, ()))
    with pytest.raises(BadInput, match="only 108 atoms"):
        Random(count=109).choose(block, ())


def test_identical_species_selects_every_atom_of_the_element() -> None:
    ethanol = molecule("CH3CH2OH")
    chosen = list(IdenticalSpecies().choose(ethanol, (0, 2)))
    assert set(ethanol.symbols[chosen]) == {"C", "O"} and len(chosen) == 3


def test_a_water_molecule_is_three_atoms_also_across_the_boundary() -> None:
    box = waters()
    assert np.ptp(box.positions[3:], axis=0).max() > 8
    for atom in (3, 4, 5):
        assert list(Connected().choose(box, (atom,))) == [3, 4, 5]
    assert list(Connected().choose(box, (0, 5))) == [0, 1, 2, 3, 4, 5]


def test_copper_has_twelve_neighbours_and_eighteen_in_two_shells() -> None:
    copper = bulk("Cu", "fcc", 3.6, cubic=True) * 4
    near = Neighbours(cutoff=3.6 / np.sqrt(2) + 0.1, keep=False).choose(copper, (0,))
    assert len(list(near)) == 12
    assert len(list(Neighbours(cutoff=3.7, keep=True).choose(copper, (0,)))) == 1 + 12 + 6


def test_neighbours_by_bonds_count_bonds() -> None:
    ethanol = molecule("CH3CH2OH")
    oxygen = int(np.flatnonzero(ethanol.numbers == 8)[0])
    first = list(Neighbours(by="bonds", shells=1, keep=False).choose(ethanol, (oxygen,)))
    assert sorted(ethanol.symbols[first]) == ["C", "H"]
    second = list(Neighbours(by="bonds", shells=2, keep=False).choose(ethanol, (oxygen,)))
    assert sorted(ethanol.symbols[second]) == ["C", "C", "H", "H", "H"]


@pytest.mark.parametrize("one", [Connected(), Neighbours(), IdenticalSpecies()])
def test_a_selection_that_grows_from_another_needs_one(one: Connected | Neighbours | IdenticalSpecies) -> None:
    with pytest.raises(BadInput, match="Select at least one atom"):
        one.choose(waters(), ())
