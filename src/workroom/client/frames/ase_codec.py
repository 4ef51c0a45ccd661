"""`ase.Atoms` as encoded frames, and back.

ASE is imported when the first structure is converted, so that the light client works without it.
"""

from __future__ import annotations

from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from workroom.extras import require
from workroom.wire.frames import FrameReader, encode
from workroom.wire.frames.dtypes import LONGEST_KEY

if TYPE_CHECKING:
    from ase import Atoms

_ARRAYS, _INFO, _RESULTS = "arrays.", "info.", "calc."
_NO_DISPLACEMENT = bytes(24)
# NumPy has one dtype object for each of these. They are compared by identity, which is much faster than by value.
_REAL, _WHOLE = np.dtype(float), np.dtype(int)
_STATE = ("positions", "numbers", "initial_charges", "initial_magmoms")  # with cell and pbc, the input of a calculator


def encode_atoms(atoms: Any) -> bytes:
    """Encode a structure as a frame; TypeError for other objects and for values that frames cannot hold."""
    if not isinstance(atoms, _ase().Atoms):
        raise TypeError(f"A frame must be an ase.Atoms, not a {type(atoms).__module__}.{type(atoms).__qualname__}.")
    values = values_of(atoms)
    try:
        return encode(values, _encode_special)
    except TypeError:
        texts = {key: text for key, value in values.items() if (text := _text_array(value)) is not None}
        if not texts:
            raise
        return encode(values | texts, _encode_special)


def _text_array(value: Any) -> Any:
    """An array of text objects, as pandas and others make them, as an array of text; None for other values."""
    if not isinstance(value, np.ndarray):
        return None
    array = cast(Any, value)
    is_text = array.dtype == object and array.size and all(type(item) is str for item in array.ravel().tolist())
    return array.astype(str) if is_text else None


def values_of(atoms: Atoms) -> dict[str, Any]:
    """The values of a structure, by the keys of a frame."""
    structure: Any = atoms
    values: dict[str, Any] = {_array_key(name): array for name, array in structure.arrays.items()}
    values["cell"] = structure.cell.array
    values["pbc"] = structure.pbc
    displacement = structure.get_celldisp()
    if displacement.tobytes() != _NO_DISPLACEMENT:
        values["celldisp"] = displacement
    if structure.info:
        _put_info(values, structure.info)
    if structure.calc is not None:
        _put_results(values, structure)
    if structure.constraints:
        values["constraints"] = [_constraint(constraint) for constraint in structure.constraints]
    return values


class AtomsReader:
    """Decodes the frames of one stream to structures."""

    def __init__(self) -> None:
        self._reader = FrameReader(_decode_special)

    def atoms(self, data: bytes | bytearray, start: int = 0, stop: int | None = None) -> Atoms:
        """The structure. Its arrays are views on a private copy of the frame, so they may be changed."""
        own = bytearray(memoryview(data)[start : len(data) if stop is None else stop])
        return atoms_of(self._reader.read(own))

    def values(self, data: bytes | bytearray, start: int = 0, stop: int | None = None) -> dict[str, Any]:
        own = bytearray(memoryview(data)[start : len(data) if stop is None else stop])
        return self._reader.read(own)


def atoms_of(values: dict[str, Any]) -> Atoms:
    """The structure of these values. It keeps references to the arrays, `info` and the results."""
    ase = _ase()
    arrays: dict[str, Any] = {}
    info: dict[Any, Any] = {}
    results: dict[str, Any] = {}
    others: dict[str, Any] = {}
    parts = {_ARRAYS: arrays, _INFO: info, _RESULTS: results, "": others}
    for key, value in values.items():
        part, name = _split_key(key)
        parts[part][name] = value
    if "info" in others:
        info.update(others["info"])
    arrays = _with_ase_dtypes(arrays)
    cell, pbc = others.get("cell"), others.get("pbc")
    atoms = ase.build(arrays, cell, pbc, others.get("celldisp"), info)
    if "constraints" in others:
        atoms.constraints = [ase.constraint(fields) for fields in others["constraints"]]
    if results:
        inputs = {key: arrays[key] for key in _STATE if key in arrays}
        calculator: Any = ase.SinglePointCalculator(ase.build(inputs, cell, pbc))
        calculator.results = results
        calculator.name = others.get("calculator", calculator.name)
        atoms.calc = calculator
    return atoms


class _Ase:
    """The parts of ASE that are used here."""

    def __init__(self) -> None:
        require(["ase"], "A structure")
        from ase import Atoms
        from ase.calculators.singlepoint import SinglePointCalculator
        from ase.constraints import dict2constraint

        self.Atoms = Atoms
        self.SinglePointCalculator = SinglePointCalculator
        self.constraint = dict2constraint

    def build(
        self, arrays: dict[str, Any], cell: Any, pbc: Any, celldisp: Any = None, info: dict[Any, Any] | None = None
    ) -> Any:
        """A structure that holds these arrays themselves, and a copy of the rest.

        The constructor would check and copy the arrays, which takes longer than the transfer of a frame.
        """
        atoms: Any = self.Atoms(cell=cell, pbc=pbc, celldisp=celldisp)
        atoms.arrays = arrays
        if info is not None:
            atoms.info = info
        return atoms


@cache
def _ase() -> _Ase:
    return _Ase()


@lru_cache(10_000)
def _split_key(key: str) -> tuple[str, str]:
    """The part of a structure that a key belongs to, and the name in that part."""
    part = next((part for part in (_ARRAYS, _INFO, _RESULTS) if key.startswith(part)), "")
    return part, key[len(part) :]


@lru_cache(10_000)
def _array_key(name: Any) -> str:
    if not isinstance(name, str):
        raise TypeError(f"The name of an array must be text, not {name!r:.100}.")
    return _ARRAYS + name


def _put_info(values: dict[str, Any], info: dict[Any, Any]) -> None:
    others: dict[Any, Any] = {}
    for key, value in info.items():
        if type(key) is str and len(key) <= LONGEST_KEY - len(_INFO) and "\0" not in key:
            values[_INFO + key] = value
        else:
            others[key] = value
    if others:
        values["info"] = others


def _put_results(values: dict[str, Any], atoms: Any) -> None:
    """Add the results of the calculator, if they belong to the structure in its present state."""
    calculator = atoms.calc
    results: dict[str, Any] | None = getattr(calculator, "results", None)
    if not results or not _results_are_current(calculator, atoms):
        return
    for name, value in results.items():
        values[_RESULTS + name] = value
    values["calculator"] = str(getattr(calculator, "name", None) or type(calculator).__name__.lower())


def _results_are_current(calculator: Any, atoms: Any) -> bool:
    known = getattr(calculator, "atoms", None)
    if known is None or not hasattr(calculator, "check_state"):
        return True
    same = known is atoms or (
        _same(known.cell.array, atoms.cell.array)
        and _same(known.pbc, atoms.pbc)
        and all(_same(known.arrays.get(name), atoms.arrays.get(name)) for name in _STATE)
    )
    return same or not calculator.check_state(atoms)


def _same(one: Any, other: Any) -> bool:
    if one is None or other is None:
        return one is other
    return one.shape == other.shape and one.tobytes() == other.tobytes()


def _constraint(constraint: Any) -> Any:
    try:
        return constraint.todict()
    except (AttributeError, NotImplementedError):
        raise TypeError(f"The constraint {constraint!r:.100} cannot be stored: it has no todict().") from None


def _with_ase_dtypes(arrays: dict[str, Any]) -> dict[str, Any]:
    """Arrays with the dtypes that ASE expects; a frame of another client may have others."""
    numbers = arrays.get("numbers")
    if numbers is None:
        arrays = {"numbers": np.zeros(len(arrays.get("positions", ())), int), **arrays}
    elif numbers.dtype is not _WHOLE:
        arrays["numbers"] = numbers.astype(int)
    positions = arrays.get("positions")
    if positions is None:
        arrays["positions"] = np.zeros((len(arrays["numbers"]), 3))
    elif positions.dtype is not _REAL:
        arrays["positions"] = positions.astype(float)
    return arrays


def _encode_special(value: Any) -> Any:
    """A replacement for objects that frames cannot hold: ASE's readers add a Spacegroup to `info`."""
    if type(value).__name__ == "Spacegroup" and type(value).__module__.startswith("ase."):
        return {"!": "spacegroup", "number": int(value.no), "setting": int(value.setting)}
    return None


def _decode_special(items: dict[str, Any]) -> Any:
    if items["!"] == "spacegroup":
        from ase.spacegroup import Spacegroup

        return Spacegroup(items["number"], items["setting"])
    return items
