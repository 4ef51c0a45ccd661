"""Reads the frames of a file, one at a time."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Generator, Iterator
from contextlib import ExitStack, contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any, BinaryIO

from workroom.atoms.files import h5md
from workroom.atoms.files.format_detection import COMPRESSIONS, H5MD, compression_of, format_of
from workroom.atoms.files.sanitize import made_storable
from workroom.atoms.files.xyz_and_pdb import opened, own_words, pdb_frames, xyz_frames
from workroom.atoms.selection_and_results import Structure
from workroom.domain.errors import BadInput, WorkroomError

Progress = Callable[[float, int], None]
# Formats that ASE reads as a whole need several times the file's size in memory.
MOST_AT_ONCE = 256 * 1024 * 1024
_TEXT: dict[str, Callable[[Any], Iterator[Structure]]] = {
    "xyz": xyz_frames,
    "extxyz": xyz_frames,
    "proteindatabank": pdb_frames,
}


def read_frames(
    file: Path | str, *, name: str | None = None, format: str | None = None, progress: Progress | None = None
) -> Iterator[Structure]:
    """The frames of a file; only one is in memory at a time, where the format allows it.

    `name` is what people call the file, if it lies here under another name; `progress` is told how much has been
    read, from 0 to 1, and how many frames there were. A file that is broken raises BadInput with the place, but never
    with the words of the parser, which quote what it read.
    """
    file = Path(file)
    name = Path(name or file.name).name
    found = format_of(file, name, format)
    count = 0
    reader = _frames(file, found)
    while True:
        try:
            with _silence():
                share, atoms = next(reader)
                frame = made_storable(atoms)
        except StopIteration:
            break
        except WorkroomError:
            raise
        except Exception as error:
            raise BadInput(
                f"{name} cannot be read as {found} beyond {_so_many(count)}: {own_words(error)}.", format=found
            ) from None
        yield frame
        count += 1
        if progress is not None:
            progress(min(share, 1.0), count)
    if count == 0:
        raise BadInput(f"{name} has no structures, read as {found}. Is it of another format?", format=found)


def _frames(file: Path, format: str) -> Iterator[tuple[float, Structure]]:
    """Yield each frame with the share of the file that has been read."""
    if format == H5MD:
        return h5md.frames(file)
    if format in _TEXT:
        return _text_frames(file, _TEXT[format])
    if format == "traj":
        return _trajectory_frames(file)
    if format == "db":
        return _database_frames(file)
    return _frames_at_once(file, format)


def _text_frames(file: Path, cut: Callable[[Any], Iterator[Structure]]) -> Iterator[tuple[float, Structure]]:
    size = max(file.stat().st_size, 1)
    with file.open("rb") as source, opened(file, source) as lines:
        for atoms in cut(lines):
            yield _position(source) / size, atoms


def _trajectory_frames(file: Path) -> Iterator[tuple[float, Structure]]:
    reader: Any = import_module("ase.io.trajectory").TrajectoryReader
    with file.open("rb") as source, reader(source) as trajectory:
        count = len(trajectory)
        for index in range(count):
            yield (index + 1) / count, trajectory[index]


def _database_frames(file: Path) -> Iterator[tuple[float, Structure]]:
    connect: Any = import_module("ase.db").connect
    database = connect(str(file), type="db", use_lock_file=False)
    count = max(database.count(), 1)
    for index, row in enumerate(database.select()):
        atoms = row.toatoms()
        atoms.info.update(row.key_value_pairs)
        yield (index + 1) / count, atoms


def _frames_at_once(file: Path, format: str) -> Iterator[tuple[float, Structure]]:
    size = file.stat().st_size
    if size > MOST_AT_ONCE:
        raise BadInput(
            f"A file of format {format} is read as a whole, and may have at most {MOST_AT_ONCE // 2**20} MB; this one "
            f"has {size // 2**20} MB. Convert it to extxyz, traj or h5md first, which have no limit."
        )
    if compression_of(file):
        raise BadInput(f"Compressed ({', '.join(COMPRESSIONS)}) only XYZ and PDB can be read. Unpack it first.")
    formats: Any = import_module("ase.io.formats")
    known = formats.ioformats[format]
    with ExitStack() as stack:
        source: Any = str(file)
        if known.acceptsfd:  # this function closes it, also after an error
            source = stack.enter_context(file.open("rb" if known.isbinary else "r", encoding=known.encoding))
        for atoms in formats.iread(source, index=":", format=format, do_not_split_by_at_sign=True):
            yield 1.0, atoms


@contextmanager
def _silence() -> Generator[None]:
    """Drop the warnings of a reader. Like its errors they quote the content of files, and a job's output is its log."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def _position(source: BinaryIO) -> int:
    # The descriptor's position: `tell` of the buffered file would disable its read-ahead.
    return os.lseek(source.fileno(), 0, os.SEEK_CUR)


def _so_many(count: int) -> str:
    return "its start" if count == 0 else f"frame {count - 1}"
