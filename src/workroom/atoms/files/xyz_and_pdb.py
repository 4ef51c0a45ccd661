"""Text formats (XYZ, PDB), split into frames line by line, so that only one frame is in memory."""

from __future__ import annotations

import bz2
import gzip
import lzma
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from importlib import import_module
from io import StringIO, TextIOWrapper
from pathlib import Path
from typing import Any, BinaryIO

from workroom.atoms.files.format_detection import compression_of
from workroom.atoms.selection_and_results import Structure

_LONGEST_LINE = 16_000_000
_MOST_ATOMS = 20_000_000
_MOST_LINES = 30_000_000


class Broken(Exception):
    """The file is malformed; the message names the line, and quotes nothing of the file."""


def own_words(error: Exception) -> str:
    """Why a file cannot be read. The text of a parser's error is left out: it quotes what the parser has read."""
    match error:
        case Broken():
            return str(error)
        case MemoryError():
            return "it needs more memory than there is for one job"
        case ImportError():
            return "a package that its reader needs is not installed here"
        case UnicodeError():
            return "it has bytes that are not text"
        case OSError():
            return "it is damaged, or of another format"
        case _:
            return "its content does not follow the format. Check the file, or name another format"


class Lines:
    """The lines of a text file, counted."""

    def __init__(self, text: TextIOWrapper) -> None:
        self._text = text
        self._back: str | None = None
        self.number = 0

    def next(self) -> str:
        """The next line, or an empty string at the end."""
        line, self._back = (self._back, None) if self._back is not None else (self._read(), None)
        self.number += line != ""
        return line

    def put_back(self, line: str) -> None:
        if line:
            self._back = line
            self.number -= 1

    def _read(self) -> str:
        line = self._text.readline(_LONGEST_LINE)
        if len(line) == _LONGEST_LINE and not line.endswith("\n"):
            raise Broken(f"line {self.number + 1} is too long")
        return line


@contextmanager
def opened(file: Path, source: BinaryIO) -> Generator[Lines]:
    """The lines of a file that is open already, unpacked on the way if it is compressed."""
    unpack: Any = {"gz": gzip.open, "bz2": bz2.open, "xz": lzma.open, None: None}[compression_of(file)]
    with TextIOWrapper(unpack(source) if unpack else source, encoding="utf-8", errors="replace", newline=None) as text:
        yield Lines(text)


def xyz_frames(lines: Lines) -> Iterator[Structure]:
    """The frames of a file in XYZ or extended XYZ format."""
    read: Any = import_module("ase.io.extxyz").read_xyz
    while (head := _first(lines)) != "":
        where = f"line {lines.number}"
        try:
            count = int(head)
        except ValueError:
            raise Broken(f"{where}: a number of atoms was expected") from None
        if not 0 <= count <= _MOST_ATOMS:
            raise Broken(f"{where}: {count} is no number of atoms")
        body = [head, *(lines.next() for _ in range(count + 1))]
        if body[-1] == "":
            missing = sum(line == "" for line in body)
            lines_missing = "1 line" if missing == 1 else f"{missing} lines"
            raise Broken(f"{where}: the frame has {count} atoms, but the file ends {lines_missing} too early")
        while (line := lines.next()).lstrip().startswith("VEC"):
            body.append(line)
        lines.put_back(line)
        try:
            yield from read(StringIO("".join(body)), index=slice(None))
        except Exception as error:
            raise Broken(f"the frame at {where}: {own_words(error)}") from None


def pdb_frames(lines: Lines) -> Iterator[Structure]:
    """The models of a file in PDB format."""
    read: Any = import_module("ase.io.proteindatabank").read_proteindatabank
    frame: dict[str, str] = {}  # the cell and the axes: given once, they apply to all following models
    body: list[str] = []
    began = 1
    while True:
        line = lines.next()
        if line.startswith(("CRYST1", "ORIGX")):
            frame[line[:6]] = line
        elif line.startswith(("ATOM", "HETATM")):
            body.append(line)
            if len(body) > _MOST_LINES:
                raise Broken(f"the model at line {began} has too many atoms")
        if body and (line == "" or line.startswith("END")):
            try:
                yield from read(StringIO("".join([*frame.values(), *body, "END\n"])), index=slice(None))
            except Exception as error:
                raise Broken(f"the model at line {began}: {own_words(error)}") from None
            body, began = [], lines.number + 1
        if line == "":
            return


def _first(lines: Lines) -> str:
    """The next line that is not blank; files may end with some."""
    while (line := lines.next()) != "" and not line.strip():
        pass
    return line
