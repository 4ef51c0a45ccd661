"""Replaces objects that ASE's readers leave in a structure by plain data: frames hold only numbers and text."""

from __future__ import annotations

from typing import Any

import numpy as np

from workroom.atoms.selection_and_results import Structure

_PLAIN = (type(None), bool, int, float, complex, str, bytes, np.generic)
_NUMBERS = "biufc"


def made_storable(atoms: Structure) -> Structure:
    """The structure without objects: they are dropped, or replaced by their names."""
    for name, array in list(atoms.arrays.items()):
        if array.dtype.kind in "OS":
            atoms.arrays[name] = array.astype(str)
    atoms.info = {str(key): kept for key, value in atoms.info.items() if (kept := _plain(value)) is not _NOTHING}
    return atoms


_NOTHING: Any = object()


def _plain(value: Any) -> Any:
    if _is(value, _PLAIN):
        return value
    if _is(value, np.ndarray):
        return value if value.dtype.kind in _NUMBERS + "U" else value.astype(str)
    if _is(value, dict):
        return {key: kept for key, one in value.items() if (kept := _plain(one)) is not _NOTHING}
    if _is(value, (list, tuple)):
        return [kept for one in value if (kept := _plain(one)) is not _NOTHING]
    symbol = getattr(value, "symbol", None)  # a space group
    return symbol if isinstance(symbol, str) else _NOTHING


def _is(value: Any, kinds: Any) -> bool:
    """isinstance without type narrowing: the value stays Any."""
    return isinstance(value, kinds)
