"""The process that writes frames as a file."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import orjson
import pytest
from tests.structures import bulk, molecule

from workroom.atoms.files import read_frames
from workroom.atoms.selection_and_results import Structure
from workroom.client.frames.ase_codec import encode_atoms
from workroom.wire.frames import framed


def converted(order: dict[str, object], frames: list[Structure]) -> subprocess.CompletedProcess[bytes]:
    stream = b"".join(part for frame in frames for part in framed(encode_atoms(frame)))
    command = [sys.executable, "-m", "workroom.atoms.files.export_process"]
    return subprocess.run(command, input=orjson.dumps(order) + b"\n" + stream, capture_output=True, check=False)


@pytest.mark.parametrize("format", ["extxyz", "h5md"])
def test_a_stream_of_frames_becomes_a_file(tmp_path: Path, format: str) -> None:
    frames = [bulk("Cu", cubic=True), bulk("Au", cubic=True)]
    ended = converted({"format": format, "selection": [0, 2]}, frames)
    assert ended.returncode == 0, ended.stderr
    file = tmp_path / f"a.{format}"
    file.write_bytes(ended.stdout)
    back = list(read_frames(file))
    assert [atoms.get_chemical_formula() for atoms in back] == ["Cu2", "Au2"]
    assert np.allclose(back[1].get_distance(0, 1), frames[1].get_distance(0, 2), atol=2e-3)


def test_what_cannot_be_written_says_why() -> None:
    slab = bulk("Cu", cubic=True)
    slab.set_cell([3.6, 3.6, 0])
    ended = converted({"format": "cif"}, [slab])
    assert ended.returncode == 1
    assert "Frame 0 cannot be written as cif" in orjson.loads(ended.stderr.strip().rpartition(b"\n")[2])["message"]
    ended = converted({"format": "extxyz", "selection": [9]}, [molecule("H2O")])
    assert "Atom 9 is selected" in orjson.loads(ended.stderr.strip().rpartition(b"\n")[2])["message"]
