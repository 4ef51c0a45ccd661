"""Properties of a structure by name: derived quantities, results, info and arrays."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from workroom.atoms.selection_and_results import Floats, Structure, has_volume
from workroom.domain.errors import BadInput

# 1 atomic mass unit per cubic ångström, in g/cm³.
_DENSITY = 1.66053906660
_GPA = 160.21766208  # eV/Å³ in GPa


def _result(name: str) -> Callable[[Structure], Any]:
    return lambda atoms: None if atoms.calc is None else atoms.calc.results.get(name)


def _fmax(atoms: Structure) -> float | None:
    forces = _result("forces")(atoms)
    return None if forces is None or not len(forces) else float(np.linalg.norm(forces, axis=1).max())


def _energy_per_atom(atoms: Structure) -> float | None:
    energy = _result("energy")(atoms)
    return None if energy is None or not len(atoms) else energy / len(atoms)


def _total_energy(atoms: Structure) -> float | None:
    energy = _result("energy")(atoms)
    return None if energy is None else energy + atoms.get_kinetic_energy()


def _pressure(atoms: Structure) -> float | None:
    stress = _result("stress")(atoms)
    if stress is None:
        return None
    stress = np.asarray(stress)
    return float(-(stress[:3].sum() if stress.shape == (6,) else np.trace(stress)) / 3 * _GPA)


def _moving(of: Callable[[Structure], float]) -> Callable[[Structure], float | None]:
    return lambda atoms: of(atoms) if atoms.has("momenta") else None


def _in_cell(of: Callable[[Structure], float]) -> Callable[[Structure], float | None]:
    return lambda atoms: of(atoms) if has_volume(atoms) else None


def _velocities(atoms: Structure) -> Any:
    import ase.units

    return atoms.get_velocities() * ase.units.fs if atoms.has("momenta") else None


# The unit of each property, and the function that computes it.
DERIVED: dict[str, tuple[str, Callable[[Structure], Any]]] = {
    "energy": ("eV", _result("energy")),
    "energy_per_atom": ("eV", _energy_per_atom),
    "kinetic_energy": ("eV", _moving(lambda atoms: atoms.get_kinetic_energy())),
    "total_energy": ("eV", _total_energy),
    "temperature": ("K", _moving(lambda atoms: atoms.get_temperature())),
    "fmax": ("eV/Å", _fmax),
    "pressure": ("GPa", _pressure),
    "volume": ("Å³", _in_cell(lambda atoms: atoms.get_volume())),
    "density": ("g/cm³", _in_cell(lambda atoms: atoms.get_masses().sum() / atoms.get_volume() * _DENSITY)),
    "atoms": ("", len),
    "a": ("Å", _in_cell(lambda atoms: atoms.cell.lengths()[0])),
    "b": ("Å", _in_cell(lambda atoms: atoms.cell.lengths()[1])),
    "c": ("Å", _in_cell(lambda atoms: atoms.cell.lengths()[2])),
    "time": ("fs", lambda atoms: atoms.info.get("time")),
    "forces": ("eV/Å", _result("forces")),
    "positions": ("Å", lambda atoms: atoms.positions),
    "velocities": ("Å/fs", _velocities),
    "masses": ("u", lambda atoms: atoms.get_masses()),
    "numbers": ("", lambda atoms: atoms.numbers),
}
EXAMPLES = ["energy", "fmax", "temperature", "volume", "forces", "positions.z", "info.time", "arrays.tags"]
# Arrays that have as many rows as some frames have atoms.
_RESULTS_OF_FRAME = {"stress", "virial", "dipole", "polarization", "dielectric_tensor"}
_COMPONENTS = {"x": 0, "y": 1, "z": 2}


def value_of(atoms: Structure, name: str) -> Floats | None:
    """The value as numbers: one (shape ()), or one for each atom (shape (n,)); None when this frame has none.

    Of vectors it is the length, unless a component is named: `forces.z`.
    """
    stem, _, component = name.rpartition(".")
    if stem and component in _COMPONENTS:
        found = _numbers(_looked_up(atoms, stem), name)
        return None if found is None else _component(found, _COMPONENTS[component], name)
    found = _numbers(_looked_up(atoms, name), name)
    if found is None or found.ndim == 0:
        return found
    by_atom = len(found) == len(atoms) and name.removeprefix("calc.") not in _RESULTS_OF_FRAME
    if by_atom and found.ndim == 1:
        return found
    if by_atom and found.ndim == 2:
        return np.asarray(np.linalg.norm(found, axis=1), dtype=np.float64)
    if found.ndim == 1:
        return np.asarray(np.linalg.norm(found), dtype=np.float64)
    raise BadInput(f"{name} has the shape {found.shape}: only numbers and vectors can be drawn.")


def unit_of(name: str) -> str:
    stem = name.removeprefix("calc.").removesuffix(".x").removesuffix(".y").removesuffix(".z")
    return DERIVED[stem][0] if stem in DERIVED else ""


def titled(name: str) -> str:
    """The name with its unit, for an axis."""
    unit = unit_of(name)
    return f"{name} ({unit})" if unit else name


def unknown(name: str) -> BadInput:
    return BadInput(
        f"No frame has a value {name!r}. There are {', '.join(sorted(DERIVED))}; and info.…, arrays.… and calc.… for "
        f"what the frames carry."
    )


def _looked_up(atoms: Structure, name: str) -> Any:
    results: dict[str, Any] = {} if atoms.calc is None else atoms.calc.results
    homes: dict[str, dict[str, Any]] = {"calc": results, "info": atoms.info, "arrays": atoms.arrays}
    where, _, key = name.partition(".")
    if key and where in homes:
        return homes[where].get(key)
    if name in DERIVED:
        return DERIVED[name][1](atoms)
    return next((home[name] for home in homes.values() if name in home), None)


def _numbers(value: Any, name: str) -> Floats | None:
    if value is None:
        return None
    try:
        return np.asarray(value, dtype=np.float64)
    except (TypeError, ValueError):
        raise BadInput(f"{name} holds no numbers, so it cannot be drawn.") from None


def _component(found: Floats, index: int, name: str) -> Floats:
    if found.ndim == 0 or found.shape[-1] != 3:
        raise BadInput(f"{name}: it is not a vector of three, so it has no component.")
    return found[..., index]
