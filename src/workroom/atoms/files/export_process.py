"""A process that writes frames as a file: `python -m workroom.atoms.files.export_process [auto|required|off]`.

On its standard input comes a line of JSON (format, selection) and then a stream of frames; on its standard output goes
the file. What cannot be written ends it with code 1 and a line of JSON with the reason on its standard error. The
argument is the mode of confinement: the process can open only Python and the folder of its temporary files.
"""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Iterator
from io import BufferedReader
from pathlib import Path
from typing import Any, BinaryIO

import orjson

from workroom.atoms.files.writing import STREAMED, copied, pieces, writable, write_seekable
from workroom.atoms.selection_and_results import Structure
from workroom.client.frames.ase_codec import AtomsReader
from workroom.confinement.confine import confine
from workroom.confinement.policy import Policy, python_paths
from workroom.domain.errors import WorkroomError
from workroom.extras import naming_extras
from workroom.wire.frames import Splitter

_PIECE = 256 * 1024


def convert(source: BufferedReader, target: BinaryIO) -> None:
    order: dict[str, Any] = orjson.loads(source.readline())
    wanted, selection = writable(order["format"]), order.get("selection")
    if wanted in STREAMED:
        for piece in pieces(_frames(source), wanted, selection):
            target.write(piece)
        return
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "frames"
        write_seekable(_frames(source), file, wanted, selection)
        copied(file, target)


def _frames(source: BufferedReader) -> Iterator[Structure]:
    splitter, reader = Splitter(), AtomsReader()
    while piece := source.read1(_PIECE):
        data, spans = splitter.feed(piece)
        for start, stop in spans:
            yield reader.atoms(data, start, stop)
    splitter.end()


def main() -> None:
    try:
        confine(Policy((sys.argv[1:] or ["auto"])[0], readable=python_paths()), tempfile.gettempdir())  # pyright: ignore[reportArgumentType]
        with os.fdopen(0, "rb") as source, naming_extras():
            convert(source, sys.stdout.buffer)
        sys.stdout.buffer.flush()
    except BrokenPipeError:  # the reader has closed the pipe
        sys.exit(2)
    except Exception as error:
        message = error.message if isinstance(error, WorkroomError) else f"The frames cannot be written: {error}."
        sys.stderr.buffer.write(orjson.dumps({"message": message}) + b"\n")
        sys.exit(1)


if __name__ == "__main__":
    main()
