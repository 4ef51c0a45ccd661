"""Files that try to read another file: for each format one that names it, and HDF5 files with parts outside."""

from __future__ import annotations

import gzip
import io
import tarfile
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

import h5py
import numpy as np

from tests.structures import ase_connect, ase_write, bulk

# In 24 bytes, so that it is also found as one row of three positions.
CANARY = b"CANARY-\xc3\xa90123456789abcde"
MARKS = (b"CANARY-", b"0123456789abcde")

# What programs write to include another file, under every name that a reader of ASE looks for.
_INCLUDES = """\
include_file : {path}
include "{path}"
%include {path}
AtomicCoordinatesFormat < {path}
GeometryFilename {path}
BasicInformation
XYZCoordinates = '{path}'
PDBCoordinates = "{path}"
XSFCoordinates = "{path}"
geometry = {path}
<<< "{path}"
<<+ "{path}"
@{path}
SPECIES_POT {path}
pseudo_dir = '{path}'
file={path}
"""
_ENTITY = '<?xml version="1.0"?><!DOCTYPE a [<!ENTITY x SYSTEM "file://{path}">]>'
_XML = {
    "vasp-xml": '<modeling><atominfo><atoms>&x;</atoms><array name="atoms"><set><rc><c>&x;</c></rc></set></array>'
    "</atominfo></modeling>",
    "xsd": '<XSD><AtomisticTreeRoot Name="&x;">&x;</AtomisticTreeRoot></XSD>',
    "xtd": '<XSD><AtomisticTreeRoot Name="&x;">&x;</AtomisticTreeRoot></XSD>',
    "qbox": '<fpmd:simulation xmlns:fpmd="x"><iteration><atomset>&x;</atomset></iteration></fpmd:simulation>',
}
_INPUTS = {
    "acemolecule-input": "%% BasicInformation\n    Type Scaling\n    GeometryFilename {path}\n%% End\n",
    "octopus-in": "XYZCoordinates = '{path}'\n",
    "onetep-in": "include_file : {path}\n",
    "extxyz": '1\nLattice="{path}" file={path} Properties=species:S:1:pos:R:3\nH 0 0 0\n',
    "xyz": "{path}\n\nH 0 0 0\n",
    "json": '{{"1": {{"numbers": [1], "positions": {{"__ndarray__": [[1, 3], "float64", "{path}"]}}}}, "ids": [1]}}',
    "vasp": "{path}\n1.0\n1 0 0\n0 1 0\n0 0 1\n{path}\n1\nDirect\n0 0 0\n",
}


@dataclass(frozen=True)
class CanaryFile:
    """A file that tries to read the canary: what it tries, the format to read it as, and its bytes."""

    attempt: str
    format: str | None
    content: bytes
    name: str = "upload"


def canary_files(canary: Path, folder: Path) -> Iterator[CanaryFile]:
    """Every format that ASE reads, and every way to point out of a file. They are made in the folder."""
    for known in ase_formats():
        if known in _XML:
            yield CanaryFile("external entity", known, (_ENTITY + _XML[known]).format(path=canary).encode())
        for attempt, text in (("its own include", _INPUTS.get(known)), ("all includes", _INCLUDES)):
            if text is not None:
                yield CanaryFile(attempt, known, text.format(path=canary).encode())
        yield CanaryFile("a path alone", known, str(canary).encode())
    yield CanaryFile("detected by name", None, _INPUTS["octopus-in"].format(path=canary).encode(), "inp")
    yield from _containers(canary, folder)
    yield from hdf5_files(canary, folder)


def ase_formats() -> list[str]:
    formats: Any = import_module("ase.io.formats")
    return sorted(name for name, known in formats.ioformats.items() if known.can_read)


def _containers(canary: Path, folder: Path) -> Iterator[CanaryFile]:
    """Archives with a link, a compressed file, and binary files that hold the path as a value."""
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w") as tar:
        link = tarfile.TarInfo("POSCAR")
        link.type, link.linkname = tarfile.SYMTYPE, str(canary)
        tar.addfile(link)
    yield CanaryFile("link in a tar file", None, packed.getvalue(), "POSCAR.tar")
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        member = zipfile.ZipInfo("POSCAR")
        member.external_attr = 0o120777 << 16
        archive.writestr(member, str(canary))
    yield CanaryFile("link in a zip file", None, packed.getvalue(), "POSCAR.zip")
    yield CanaryFile("compressed", "xyz", gzip.compress(str(canary).encode()))
    copper = bulk("Cu", cubic=True)
    copper.info.update(file=str(canary), include=str(canary))
    ase_write(folder / "copper.traj", copper)
    yield CanaryFile("a path as a value", "traj", (folder / "copper.traj").read_bytes())
    with ase_connect(folder / "copper.db") as database:
        database.write(copper, data={"file": str(canary)}, path=str(canary))
    yield CanaryFile("a path as a value", "db", (folder / "copper.db").read_bytes())


def hdf5_files(canary: Path, folder: Path) -> Iterator[CanaryFile]:
    """H5MD files of one frame, where one part lies in another file."""
    for attempt, write in _HDF5.items():
        file = folder / "made.h5"
        file.unlink(missing_ok=True)
        opened: Any = h5py.File(file, "w")
        with opened as root:
            write(root, canary)
        yield CanaryFile(attempt, "h5md", file.read_bytes())


def _particles(root: Any) -> Any:
    group = root.create_group("particles/all")
    group["species"] = [1]
    return group


def _external(group: Any, name: str, shape: tuple[int, ...], canary: Path) -> None:
    group.create_dataset(name, shape, "f8", external=[(str(canary), 0, int(8 * np.prod(shape)))])


def _external_positions(root: Any, canary: Path) -> None:
    _external(_particles(root), "position/value", (1, 1, 3), canary)


def _external_box(root: Any, canary: Path) -> None:
    group = _particles(root)
    group["position/value"] = np.zeros((1, 1, 3))
    _external(group, "box/edges", (3,), canary)


def _external_observable(root: Any, canary: Path) -> None:
    group = _particles(root)
    group["position/value"] = np.zeros((1, 1, 3))
    _external(root, "observables/all/potential_energy/value", (1,), canary)


def _external_behind_a_soft_link(root: Any, canary: Path) -> None:
    group = _particles(root)
    _external(root, "deep/er/still/values", (1, 1, 3), canary)
    group.create_group("position")["value"] = h5py.SoftLink("/deep/er/still/values")


def _external_in_a_cycle(root: Any, canary: Path) -> None:
    _external_positions(root, canary)
    root["particles/all/again"] = root["particles"]


def _external_link(root: Any, canary: Path) -> None:
    group = _particles(root)
    group.create_group("position")["value"] = h5py.ExternalLink(str(canary), "/particles/all/position/value")


def _external_link_to_all(root: Any, canary: Path) -> None:
    root["particles"] = h5py.ExternalLink(str(canary), "/particles")


def _soft_link_through_an_external_one(root: Any, canary: Path) -> None:
    root["elsewhere"] = h5py.ExternalLink(str(canary), "/")
    root["particles"] = h5py.SoftLink("/elsewhere/particles")


def _virtual(root: Any, canary: Path) -> None:
    layout = h5py.VirtualLayout((1, 1, 3), "f8")
    layout[:] = h5py.VirtualSource(str(canary), "/particles/all/position/value", (1, 1, 3))
    _particles(root).create_virtual_dataset("position/value", layout)


_HDF5 = {
    "external positions": _external_positions,
    "external box": _external_box,
    "external observable": _external_observable,
    "external behind a soft link": _external_behind_a_soft_link,
    "external in a cycle": _external_in_a_cycle,
    "external link": _external_link,
    "external link to all": _external_link_to_all,
    "soft link through an external one": _soft_link_through_an_external_one,
    "virtual dataset": _virtual,
}


def write_canary(file: Path) -> Path:
    """A file whose content must not come back."""
    file.write_bytes(CANARY)
    return file


def write_hdf5_canary(file: Path) -> Path:
    """An H5MD file whose positions are the canary, for links, which lead to HDF5 files only."""
    opened: Any = h5py.File(file, "w")
    with opened as root:
        _particles(root)["position/value"] = np.frombuffer(CANARY, "f8").reshape(1, 1, 3)
    return file
