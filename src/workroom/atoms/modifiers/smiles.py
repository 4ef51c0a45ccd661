"""Molecules from SMILES."""

from __future__ import annotations

from typing import Any

from workroom.atoms.bonds import CONNECTIVITY, join_connectivity
from workroom.atoms.form_fields import described
from workroom.atoms.room_trajectory import present
from workroom.atoms.selection_and_results import Structure, check_size
from workroom.client.extension import Category, Extension
from workroom.domain.errors import BadInput
from workroom.extras import require

# The 3D embedding of a larger molecule takes minutes.
_MOST_ATOMS = 1_000


class AddFromSMILES(Extension):
    """Add a molecule, written as SMILES, as a new frame or to the current one."""

    category = Category.MODIFIER

    smiles: str = described("CCO", "The molecule, e.g. CCO for ethanol.", min_length=1, max_length=2_000)
    into_frame: bool = described(False, "Put it beside what is in the frame that is shown.")
    seed: int = described(42, "Another seed may give another conformer.", ge=0, le=2**31 - 1)

    def run(self, vis: Any, **kwargs: Any) -> dict[str, Any]:
        made = self.made()
        if self.into_frame and len(vis):
            made = beside(vis.atoms, made)
        return {"frame": present(vis, [made]) - 1, "atoms": len(made)}

    def made(self) -> Structure:
        """The molecule in space, its hydrogens added, relaxed with a force field for organic molecules."""
        require(["rdkit"], "A SMILES")
        from ase import Atoms
        from rdkit import Chem, RDLogger
        from rdkit.Chem import AllChem

        chem: Any = Chem
        all_chem: Any = AllChem
        logger: Any = RDLogger
        logger.DisableLog("rdApp.*")
        parsed = chem.MolFromSmiles(self.smiles)
        if parsed is None:
            raise BadInput(f"{self.smiles!r} is not a valid SMILES. Ethanol, for example, is CCO.")
        check_size(int(parsed.GetNumAtoms()), _MOST_ATOMS)
        full = chem.AddHs(parsed)
        if all_chem.EmbedMolecule(full, randomSeed=self.seed) != 0:
            raise BadInput(f"No geometry could be found for {self.smiles!r}. Try another seed.")
        if all_chem.MMFFHasAllMoleculeParams(full):
            all_chem.MMFFOptimizeMolecule(full)
        numbers = [atom.GetAtomicNum() for atom in full.GetAtoms()]
        bonds = [[bond.GetBeginAtomIdx(), bond.GetEndAtomIdx(), bond.GetBondTypeAsDouble()] for bond in full.GetBonds()]
        info = {"smiles": self.smiles, CONNECTIVITY: bonds}
        return Atoms(numbers, full.GetConformer().GetPositions(), info=info)


def beside(atoms: Structure, molecule: Structure) -> Structure:
    """Both in one structure, 3 Å apart along x."""
    frame, guest = atoms.copy(), molecule.copy()
    if len(frame):
        guest.positions += frame.positions.mean(axis=0) - guest.positions.mean(axis=0)
        guest.positions[:, 0] += 3.0 + frame.positions[:, 0].max() - guest.positions[:, 0].min()
    frame.extend(guest)
    join_connectivity(atoms, molecule, frame)
    return frame
