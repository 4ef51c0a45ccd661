"""Real structures to test with. ASE has no type hints of its own: to the type checker they are Any."""

from __future__ import annotations

from importlib import import_module
from typing import Any


def _from(module: str, name: str) -> Any:
    return getattr(import_module(module), name)


Atoms: Any = _from("ase", "Atoms")
bulk: Any = _from("ase.build", "bulk")
molecule: Any = _from("ase.build", "molecule")
EMT: Any = _from("ase.calculators.emt", "EMT")
FixAtoms: Any = _from("ase.constraints", "FixAtoms")
ase_read: Any = _from("ase.io", "read")
ase_write: Any = _from("ase.io", "write")
Octahedron: Any = _from("ase.cluster", "Octahedron")
ase_connect: Any = _from("ase.db", "connect")
