"""Detects the format of a file by its name or its first bytes."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import Any

from workroom.atoms.files.readable_formats import H5MD, readable
from workroom.domain.errors import BadInput

_H5_MAGIC = b"\x89HDF\r\n\x1a\n"
_SQLITE_MAGIC = b"SQLite format 3\x00"
_H5MD_ENDINGS = (".h5", ".h5md", ".hdf5")
COMPRESSIONS = (".gz", ".bz2", ".xz")
_SYNONYMS = {"pdb": "proteindatabank", "h5": H5MD, "hdf5": H5MD, "poscar": "vasp", "xdatcar": "vasp-xdatcar"}


def format_of(file: Path, name: str, given: str | None = None) -> str:
    """The format: as given, or detected by name and first bytes. `name` is the file's original name."""
    if given:
        return readable(_SYNONYMS.get(given.lower(), given.lower()))
    start = _start(file)
    if not start:
        raise BadInput(f"{name} is empty.")
    if start.startswith(_H5_MAGIC):
        return H5MD
    if start.startswith(_SQLITE_MAGIC):
        return "db"
    if start.startswith(b"- of Ulm"):
        return "traj"
    if name.lower().endswith(_H5MD_ENDINGS):
        raise BadInput(f"{name} has the name of an HDF5 file, but not its content.")
    return _guessed(name, start)


def compression_of(file: Path) -> str | None:
    """The compression of the file: gz, bz2, xz or none."""
    start = _start(file)
    for magic, kind in ((b"\x1f\x8b", "gz"), (b"BZh", "bz2"), (b"\xfd7zXZ\x00", "xz")):
        if start.startswith(magic):
            return kind
    return None


def _guessed(name: str, start: bytes) -> str:
    formats: Any = import_module("ase.io.formats")
    plain = Path(name).name
    for ending in COMPRESSIONS:
        plain = plain.removesuffix(ending)
    for known in formats.ioformats.values():
        if known.match_name(plain):
            return readable(known.name)
    try:
        return readable(formats.match_magic(start).name)
    except formats.UnknownFileTypeError:
        pass
    ending = Path(plain).suffix.lstrip(".").lower()
    if ending in formats.extension2format:
        return readable(formats.extension2format[ending].name)
    if ending in formats.ioformats:
        return readable(ending)
    if start.split(b"\n", 1)[0].strip().isdigit():
        return "extxyz"
    raise BadInput(
        f"The format of {name} cannot be detected. Rename the file, or name its format (extxyz, vasp, cif, …): "
        '`--format extxyz` on the command line, `format="extxyz"` in Python.'
    )


def _start(file: Path) -> bytes:
    try:
        with file.open("rb") as opened:
            return opened.read(50_000)
    except OSError as error:
        raise BadInput(f"{file.name} cannot be opened: {error.strerror}.") from None
