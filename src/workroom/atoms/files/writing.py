"""Writes frames into a file, one at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from importlib import import_module
from io import BytesIO, StringIO
from pathlib import Path
from types import MappingProxyType
from typing import Any, BinaryIO

from workroom.atoms.files import h5md_writing
from workroom.atoms.files.format_detection import H5MD
from workroom.atoms.selection_and_results import RESULTS, Structure, selected, with_results
from workroom.domain.errors import BadInput

_BY_ATOM = ("energies", "forces", "stresses", "charges", "magmoms")


def write_frames(
    frames: Iterable[Structure], file: Path | str, *, format: str | None = None, selection: Sequence[int] | None = None
) -> int:
    """Write frames, or the selected atoms of each, into a file; how many there were.

    The file is there when it is finished; until then, and when it could not be, what was there before stays.
    """
    file = Path(file)
    wanted = writable(format or file.suffix.lstrip("."))
    unfinished = file.with_name(f".{file.name}.part")
    try:
        if wanted in STREAMED:
            with unfinished.open("wb") as target:
                count = sum(target.write(piece) >= 0 for piece in pieces(frames, wanted, selection))
        else:
            count = write_seekable(frames, unfinished, wanted, selection)
        unfinished.replace(file)
    finally:
        unfinished.unlink(missing_ok=True)
    return count


def pieces(frames: Iterable[Structure], format: str, selection: Sequence[int] | None = None) -> Iterator[bytes]:
    """The file's bytes, frame by frame, for formats that are written sequentially."""
    encode = STREAMED[format]
    for index, atoms in enumerate(_parts(frames, selection)):
        try:
            yield encode(atoms, index)
        except Exception as error:
            raise BadInput(f"Frame {index} cannot be written as {format}: {error}.", format=format) from None


def write_seekable(frames: Iterable[Structure], file: Path, format: str, selection: Sequence[int] | None = None) -> int:
    """Write formats that need a seekable file."""
    if format == H5MD:
        return h5md_writing.write(_parts(frames, selection), file)
    writer: Any = import_module("ase.io.trajectory").TrajectoryWriter
    count = 0
    with writer(str(file), "w") as trajectory:
        for atoms in _parts(frames, selection):
            trajectory.write(atoms)
            count += 1
    return count


def writable(format: str) -> str:
    """Return the format if it can be written; BadInput otherwise."""
    found = {"h5": H5MD, "hdf5": H5MD}.get(format.lower(), format.lower())
    if found not in WRITABLE:
        raise BadInput(f"Files cannot be written as {format!r}. Choose one of {', '.join(WRITABLE)}.")
    return found


def part_of(atoms: Structure, selection: Sequence[int]) -> Structure:
    """Some atoms of a structure, with what is known of each; the energy is that of the whole, and left out."""
    chosen = selected(selection, atoms)
    part = atoms[chosen]
    if atoms.calc is None:
        return part
    results = {name: atoms.calc.results[name] for name in _BY_ATOM if atoms.calc.results.get(name) is not None}
    return with_results(part, {name: value[chosen] for name, value in results.items()}, str(atoms.calc.name))


def _parts(frames: Iterable[Structure], selection: Sequence[int] | None) -> Iterator[Structure]:
    for atoms in frames:
        yield atoms if selection is None else part_of(atoms, selection)


def _extxyz(atoms: Structure, index: int) -> bytes:
    write: Any = import_module("ase.io.extxyz").write_xyz
    text = StringIO()
    write(text, [_without_twins(atoms)])
    return text.getvalue().encode()


def _xyz(atoms: Structure, index: int) -> bytes:
    write: Any = import_module("ase.io.xyz").write_xyz
    text = StringIO()
    write(text, [atoms], fmt="%.10f")
    return text.getvalue().encode()


def _cif(atoms: Structure, index: int) -> bytes:
    write: Any = import_module("ase.io.cif").write_cif
    binary = BytesIO()
    write(binary, [atoms])
    return binary.getvalue().replace(b"data_image0", f"data_image{index}".encode(), 1)


def _pdb(atoms: Structure, index: int) -> bytes:
    write: Any = import_module("ase.io.proteindatabank").write_proteindatabank
    text = StringIO()
    write(text, [atoms])
    return text.getvalue().replace("MODEL     1\n", f"MODEL     {index + 1:>4}\n", 1).encode()


def _without_twins(atoms: Structure) -> Structure:
    """Where an array or a note is called like a result, the result is the one that is written."""
    if atoms.calc is None:
        return atoms
    duplicates = [name for name in RESULTS if atoms.calc.results.get(name) is not None]
    if not any(name in atoms.arrays or name in atoms.info for name in duplicates):
        return atoms
    plain = atoms.copy()
    for name in duplicates:
        plain.arrays.pop(name, None)
        plain.info.pop(name, None)
    return with_results(plain, atoms.calc.results, str(atoms.calc.name))


STREAMED: MappingProxyType[str, Callable[[Structure, int], bytes]] = MappingProxyType(
    {"extxyz": _extxyz, "xyz": _xyz, "cif": _cif, "pdb": _pdb}
)
WRITABLE = (*STREAMED, "traj", H5MD)


def copied(file: Path, target: BinaryIO) -> None:
    """The file's bytes in chunks."""
    with file.open("rb") as source:
        while piece := source.read(1 << 20):
            target.write(piece)
