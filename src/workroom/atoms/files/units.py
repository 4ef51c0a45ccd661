"""Units as H5MD writes them ("nm ps-1"), in ångström, femtoseconds, electronvolts and atomic mass units."""

from __future__ import annotations

import re

from workroom.domain.errors import BadInput

_UNITS = {
    "angstrom": 1.0,
    "å": 1.0,
    "nm": 10.0,
    "pm": 0.01,
    "bohr": 0.529177210903,
    "fs": 1.0,
    "ps": 1e3,
    "ns": 1e6,
    "ev": 1.0,
    "mev": 1e-3,
    "hartree": 27.211386245988,
    "rydberg": 13.605693122994,
    "kj": 6.241509074e21,
    "kcal": 2.611447418e22,
    "j": 6.241509074e18,
    "mol": 6.02214076e23,
    "u": 1.0,
    "amu": 1.0,
    "e": 1.0,
    "k": 1.0,
}
_PART = re.compile(r"([A-Za-zÅå]+)([+-]?\d+)?\Z")


def factor(unit: str) -> float:
    """The conversion factor of a unit."""
    product = 1.0
    for part in unit.split():
        found = _PART.match(part)
        known = _UNITS.get(found[1].lower()) if found else None
        if found is None or known is None:
            raise BadInput(f"The unit {unit[:40]!r} is not known here. Known: {', '.join(sorted(_UNITS))}.")
        product *= known ** int(found[2] or 1)
    return product
