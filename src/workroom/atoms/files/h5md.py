"""H5MD: trajectories in HDF5 (nongnu.org/h5md), read in blocks of frames.

    particles/<group>/position/value  (frames, atoms, 3)     …/species, velocity, force, mass
    particles/<group>/box/edges       (frames, 3) or (frames, 3, 3), or one for all
    observables/<group>/potential_energy/value  (frames)

H5MD knows one number of atoms for all frames. Smaller frames are filled up with atoms of species -1, and what a frame
does not have with NaN; both are left out again when read.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from workroom.atoms.files.hdf5_links import check_self_contained
from workroom.atoms.files.units import factor
from workroom.atoms.files.xyz_and_pdb import Broken
from workroom.atoms.selection_and_results import Structure, with_results

BLOCK = 64  # frames
BLOCK_ATOMS = 200_000  # and no more atoms than these in all, unless it is one frame
ABSENT = -1


def frames(file: Path) -> Iterator[tuple[float, Structure]]:
    """Yield each frame with the share of the file that has been read."""
    import h5py

    with h5py.File(file, "r") as root:
        check_self_contained(root)
        group = _particles(root)
        length, atoms = map(int, group["position/value"].shape[:2])
        many = min(BLOCK, max(1, BLOCK_ATOMS // max(atoms, 1)))
        for start in range(0, length, many):
            block = _Block(root, group, slice(start, min(start + many, length)))
            for index in range(block.length):
                yield (start + index + 1) / length, block.frame(index)


class _Block:
    """Some frames of a file."""

    def __init__(self, root: Any, group: Any, rows: slice) -> None:
        self.length = rows.stop - rows.start
        if "species" not in group:
            raise Broken("the group of particles has no species")
        self._positions: Any = self._values(group, "position", rows)
        self._species: Any = self._values(group, "species", rows)
        if self._positions.shape[1:] != (*self._species.shape[1:], 3):
            raise Broken(f"positions of shape {self._positions.shape}, but species of {self._species.shape}")
        self._velocities: Any = self._values(group, "velocity", rows)
        self._forces: Any = self._values(group, "force", rows)
        self._masses: Any = self._values(group, "mass", rows)
        self._cells = self._boxes(group, rows)
        self._pbc = self._boundaries(group, rows)
        name = group.name.rsplit("/", 1)[1]
        observables = root.get(f"observables/{name}") or root.get("observables")
        self._energies: Any = None if observables is None else self._values(observables, "potential_energy", rows)
        self._times: Any = self._clock(group, rows)

    def frame(self, index: int) -> Structure:
        import ase.units
        from ase import Atoms

        here = self._species[index] != ABSENT
        atoms: Any = Atoms(
            numbers=self._species[index][here].astype(int),
            positions=self._positions[index][here],
            cell=self._cells[index],
            pbc=self._pbc[index],
        )
        if _known(self._masses, index):
            atoms.set_masses(self._masses[index][here])
        if _known(self._velocities, index):
            atoms.set_velocities(self._velocities[index][here] / ase.units.fs)
        if _known(self._times, index):
            atoms.info["time"] = float(self._times[index])
        results: dict[str, Any] = {}
        if _known(self._energies, index):
            results["energy"] = float(self._energies[index])
        if _known(self._forces, index):
            results["forces"] = self._forces[index][here]
        return with_results(atoms, results, "unknown") if results else atoms

    def _values(self, group: Any, name: str, rows: slice) -> Any:
        """The values of these frames, in our units; one that holds for all frames is repeated."""
        item = group.get(name)
        if item is None:
            return None
        if "value" not in getattr(item, "keys", tuple)():
            return np.broadcast_to(_scaled(item, item[()]), (self.length, *item.shape))
        return _scaled(item["value"], item["value"][rows])

    def _boxes(self, group: Any, rows: slice) -> Any:
        edges = self._values(group, "box/edges", rows)
        if edges is None:
            return np.zeros((self.length, 3, 3))
        return edges if edges.ndim == 3 else np.einsum("fi,ij->fij", edges, np.eye(3))

    def _boundaries(self, group: Any, rows: slice) -> Any:
        own = self._values(group, "box/pbc", rows)
        if own is not None:
            return own.astype(bool)
        boundary = group["box"].attrs.get("boundary", ["none"] * 3) if "box" in group else ["none"] * 3
        sides = [(side.decode() if isinstance(side, bytes) else str(side)) == "periodic" for side in boundary]
        return np.broadcast_to(sides, (self.length, 3))

    def _clock(self, group: Any, rows: slice) -> Any:
        times = group.get("position/time")
        if times is None or times.shape == ():
            return None
        return _scaled(times, times[rows])


def _particles(root: Any) -> Any:
    groups = [one for one in root.get("particles", {}).values() if "position/value" in one]
    if not groups:
        raise Broken("there is no particles/…/position/value: it is HDF5, but not H5MD")
    return groups[0]


def _scaled(dataset: Any, values: Any) -> Any:
    unit = dataset.attrs.get("unit")
    return values if unit is None else values * factor(unit.decode() if isinstance(unit, bytes) else str(unit))


def _known(values: Any, index: int) -> bool:
    return values is not None and not np.all(np.isnan(values[index]))
