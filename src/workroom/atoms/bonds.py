"""Neighbours and bonds of atoms, across periodic boundaries."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any, cast

import numpy as np

from workroom.atoms.selection_and_results import Floats, Indices, Structure, periodic
from workroom.domain.errors import BadInput

CONNECTIVITY = "connectivity"  # the key of `Atoms.info` that holds the bonds


@dataclass(frozen=True, slots=True)
class Pairs:
    """Ordered pairs of atoms: each pair occurs twice, once in each direction."""

    first: Indices
    second: Indices
    distance: Floats
    vector: Floats  # from the first atom to the image of the second


def pairs_within(atoms: Structure, cutoff: float) -> Pairs:
    """All pairs closer than the cutoff, images included."""
    import vesin

    if len(atoms) == 0 or cutoff <= 0:
        return Pairs(np.empty(0, np.int64), np.empty(0, np.int64), np.empty(0), np.empty((0, 3)))
    # Directions that are not periodic get a cell vector too: the list needs a box of three.
    box = atoms.cell.complete().array
    first, second, distance, vector = vesin.NeighborList(cutoff=cutoff, full_list=True, n_threads=1).compute(
        points=np.ascontiguousarray(atoms.positions),
        box=np.ascontiguousarray(box),
        periodic=periodic(atoms),
        quantities="ijdD",
    )
    return Pairs(first.astype(np.int64), second.astype(np.int64), distance, vector)


def bonds(atoms: Structure, tolerance: float = 1.2) -> Pairs:
    """The bonds of the structure: those of `info["connectivity"]` if it has them.

    Otherwise the pairs closer than the sum of their covalent radii times the tolerance.
    """
    from ase.data import covalent_radii

    known = connectivity(atoms)
    if known is not None:
        return _pairs_of(atoms, known[:, :2].astype(np.int64))
    radii = np.asarray(covalent_radii)[atoms.numbers]
    near = pairs_within(atoms, float(2 * radii.max(initial=0.0) * tolerance))
    bonded = near.distance < tolerance * (radii[near.first] + radii[near.second])
    return Pairs(near.first[bonded], near.second[bonded], near.distance[bonded], near.vector[bonded])


def connectivity(atoms: Structure) -> Floats | None:
    """The bonds in `info["connectivity"]`: rows of two atoms and the order of the bond; None if it has none."""
    given = atoms.info.get(CONNECTIVITY)
    if given is None:
        return None
    try:
        rows = [tuple(bond) for bond in given]
        if not {len(row) for row in rows} <= {2, 3}:
            raise ValueError
        table = np.array([(*row, 1.0)[:3] for row in rows], dtype=float).reshape(-1, 3)
    except (TypeError, ValueError):
        raise BadInput(
            "info['connectivity'] must have a row for each bond: two atoms, and the order if known."
        ) from None
    ends = table[:, :2]
    if len(table) and (ends.min() < 0 or ends.max() >= len(atoms) or (ends != np.floor(ends)).any()):
        raise BadInput(f"info['connectivity'] names an atom that this frame does not have: it has {len(atoms)} atoms.")
    return table


def _pairs_of(atoms: Structure, ends: Indices) -> Pairs:
    from ase.geometry import find_mic  # pyright: ignore[reportUnknownVariableType]

    direct = atoms.positions[ends[:, 1]] - atoms.positions[ends[:, 0]]
    vectors: Floats = cast(Any, find_mic)(direct, atoms.cell, periodic(atoms))[0]
    vector = np.concatenate([vectors, -vectors]).reshape(-1, 3)
    first, second = np.concatenate([ends[:, 0], ends[:, 1]]), np.concatenate([ends[:, 1], ends[:, 0]])
    return Pairs(first, second, np.linalg.norm(vector, axis=1), vector)


def keep_connectivity(before: Structure, after: Structure, atoms: Sequence[int] | Indices) -> None:
    """Give a structure the bonds among its atoms; `atoms` are the numbers that they had before, in their order."""
    known = connectivity(before)
    if known is None:
        return
    places: dict[int, list[int]] = {}
    for place, atom in enumerate(atoms):
        places.setdefault(int(atom), []).append(place)
    after.info[CONNECTIVITY] = [
        [one, other, order]
        for first, second, order in known.tolist()
        for one, other in zip(places.get(int(first), ()), places.get(int(second), ()), strict=False)
    ]


def join_connectivity(first: Structure, second: Structure, both: Structure) -> None:
    """Give a structure of two parts the bonds of both.

    Bonds of a periodic part that are found by distance may lead to several images of an atom, which a list of bonds
    does not tell. Then the bonds of both parts are found by distance.
    """
    rows: list[list[float]] = []
    for part, offset in ((first, 0), (second, len(first))):
        known = connectivity(part)
        if known is None:
            if periodic(part).any():
                both.info.pop(CONNECTIVITY, None)
                return
            found = bonds(part)
            pairs = found.first < found.second
            known = np.column_stack([found.first[pairs], found.second[pairs], np.ones(pairs.sum())])
        rows += np.add(known, (offset, offset, 0)).tolist()
    both.info[CONNECTIVITY] = rows


def repeat_connectivity(before: Structure, after: Structure, repeats: tuple[int, int, int]) -> None:
    """Give a repeated structure the bonds of the original, also those to the neighbouring images."""
    known = connectivity(before)
    if known is None:
        return
    ends = known[:, :2].astype(np.int64)
    direct: Floats = before.positions[ends[:, 1]] - before.positions[ends[:, 0]]
    shortest = _pairs_of(before, ends).vector[: len(ends)]
    cell: Floats = before.cell.array
    shifts = np.rint((shortest - direct) @ np.linalg.inv(cell)).astype(int).tolist()
    found: list[list[float]] = []
    for image in product(*map(range, repeats)):
        for (first, second, order), shift in zip(known.tolist(), shifts, strict=True):
            other = [(place + step) % count for place, step, count in zip(image, shift, repeats, strict=True)]
            found.append(
                [
                    _image_number(image, repeats) * len(before) + int(first),
                    _image_number(other, repeats) * len(before) + int(second),
                    order,
                ]
            )
    after.info[CONNECTIVITY] = found


def _image_number(image: Sequence[int], repeats: Sequence[int]) -> int:
    return (image[0] * repeats[1] + image[1]) * repeats[2] + image[2]


def connected(atoms: Structure, seeds: Iterable[int], tolerance: float = 1.2) -> list[int]:
    """The seeds and all atoms connected to them by bonds."""
    return sorted(_reached(neighbours_of(len(atoms), bonds(atoms, tolerance)), seeds, None))


def shells(atoms: Structure, seeds: Iterable[int], count: int, tolerance: float = 1.2) -> list[int]:
    """The seeds and the atoms at most this number of bonds away."""
    return sorted(_reached(neighbours_of(len(atoms), bonds(atoms, tolerance)), seeds, count))


def neighbours_of(count: int, pairs: Pairs) -> list[list[int]]:
    """For each atom its neighbours."""
    order = np.argsort(pairs.first, kind="stable")
    ends = np.cumsum(np.bincount(pairs.first, minlength=count))
    return [part.tolist() for part in np.split(pairs.second[order], ends[:-1])] if count else []


def _reached(neighbours: list[list[int]], seeds: Iterable[int], depth: int | None) -> set[int]:
    seen = set(map(int, seeds))
    edge = list(seen)
    while edge and depth != 0:
        edge = [other for atom in edge for other in neighbours[atom] if not (other in seen or seen.add(other))]
        depth = None if depth is None else depth - 1
    return seen


def molecules_made_whole(atoms: Structure, tolerance: float = 1.2) -> Floats:
    """Positions in which bonded atoms are together, each molecule's middle inside the cell.

    A crystal, bonded to its own image, cannot be unwrapped completely; atoms stay together where possible.
    """
    found = bonds(atoms, tolerance)
    order = np.argsort(found.first, kind="stable")
    starts = np.searchsorted(found.first[order], np.arange(len(atoms) + 1))
    second, vector = found.second[order], found.vector[order]
    positions = atoms.positions.copy()
    box = atoms.cell.complete()
    seen = np.zeros(len(atoms), dtype=bool)
    for seed in range(len(atoms)):
        if seen[seed]:
            continue
        seen[seed] = True
        members, waiting = [seed], deque([seed])
        while waiting:
            atom = waiting.popleft()
            for bond in range(starts[atom], starts[atom + 1]):
                other = int(second[bond])
                if not seen[other]:
                    seen[other] = True
                    positions[other] = positions[atom] + vector[bond]
                    members.append(other)
                    waiting.append(other)
        middle = box.scaled_positions(positions[members].mean(axis=0))
        positions[members] -= np.where(periodic(atoms), np.floor(middle), 0.0) @ atoms.cell.array
    return positions
