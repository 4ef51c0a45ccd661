"""Structures from nothing."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest
from tests.structures import Atoms, bulk, molecule

from workroom.atoms.bonds import bonds
from workroom.atoms.modifiers.empty import Empty, NewCanvas
from workroom.atoms.modifiers.smiles import AddFromSMILES, beside
from workroom.domain.errors import BadInput

rdkit = pytest.importorskip("rdkit", reason="the extra `smiles` is not installed")


def test_an_empty_frame_has_no_atoms_and_the_cell_one_asks_for() -> None:
    assert len(Empty().made()) == 0 and Empty().made().cell.rank == 0
    boxed = NewCanvas(cell=12).made()
    assert boxed.cell.lengths().tolist() == [12, 12, 12] and boxed.pbc.all()


def test_benzene_from_smiles_is_flat_and_has_equal_bonds() -> None:
    benzene = AddFromSMILES(smiles="c1ccccc1").made()
    assert benzene.get_chemical_formula() == "C6H6"
    _, spread, _ = np.linalg.svd(benzene.positions - benzene.positions.mean(axis=0))
    assert spread[2] < 0.1
    found = bonds(benzene)
    rings = (benzene.numbers[found.first] == 6) & (benzene.numbers[found.second] == 6)
    assert rings.sum() == 12 and found.distance[rings] == pytest.approx(np.full(12, 1.39), abs=0.02)


def test_a_molecule_beside_a_structure_touches_nothing() -> None:
    copper = bulk("Cu", cubic=True)
    both = beside(copper, AddFromSMILES(smiles="O").made())
    assert both.get_chemical_formula() == "H2Cu4O"
    assert both.get_all_distances()[:4, 4:].min() > 2.9
    assert "connectivity" not in both.info, "found by distance, as in the periodic structure alone"


def test_a_molecule_has_its_bonds_also_beside_another_structure() -> None:
    ethene, water = AddFromSMILES(smiles="C=C").made(), AddFromSMILES(smiles="O").made()
    assert [0, 1, 2.0] in ethene.info["connectivity"] and len(ethene.info["connectivity"]) == 5
    both = beside(ethene, water)
    assert both.info["connectivity"] == [*ethene.info["connectivity"], [6, 7, 1.0], [6, 8, 1.0]]
    guessed = beside(molecule("H2O"), water)
    assert {tuple(row[:2]) for row in guessed.info["connectivity"]} == {(0, 1), (0, 2), (3, 4), (3, 5)}
    assert (bonds(beside(Atoms(), water)).first < 3).all()


@pytest.mark.parametrize("smiles", ["not smiles", "C1CC", "[Xx]"])
def test_what_is_no_smiles_is_refused(smiles: str) -> None:
    with pytest.raises(BadInput, match="not a valid SMILES"):
        AddFromSMILES(smiles=smiles).made()


def test_without_rdkit_the_error_says_what_to_install() -> None:
    code = (
        "import sys; sys.modules['rdkit'] = None\n"
        "from workroom.atoms.modifiers.smiles import AddFromSMILES\n"
        "try: AddFromSMILES().made()\n"
        "except Exception as error: print(error)"
    )
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "pip install 'workroom[smiles]'" in ended.stdout
