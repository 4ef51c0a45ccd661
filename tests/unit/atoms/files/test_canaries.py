"""No file that is read gives back a byte of another file, whatever it names."""

from __future__ import annotations

import os
import traceback
from importlib import import_module
from pathlib import Path
from typing import Any

import h5py
import numpy as np
import pytest
from tests.canary_files import CANARY, MARKS, CanaryFile, canary_files, hdf5_files, write_canary, write_hdf5_canary

from workroom.atoms.files import read_frames
from workroom.atoms.files.readable_formats import READABLE, REFUSED
from workroom.client.frames.ase_codec import encode_atoms
from workroom.domain.errors import BadInput


def what_comes_back(upload: CanaryFile, folder: Path) -> bytes:
    """All that a user would see of it: frames, and the error with its traceback."""
    file = folder / "spool"
    file.write_bytes(upload.content)
    seen = b""
    try:
        for frame in read_frames(file, name=upload.name, format=upload.format):
            seen += b"".join(bytes(part) for part in encode_atoms(frame)) + frame.positions.tobytes()
            seen += np.asarray(frame.cell).tobytes() + repr((frame.info, frame.calc and frame.calc.results)).encode()
            if frame.calc is not None:
                seen += np.asarray(frame.calc.results.get("energy", 0.0)).tobytes()
    except BadInput as error:
        seen += str(error).encode() + "".join(traceback.format_exception(error)).encode()
    return seen


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "work"
    made.mkdir()
    return made


def test_no_format_gives_back_a_file_that_it_names(
    tmp_path: Path, folder: Path, capfd: pytest.CaptureFixture[str], recwarn: pytest.WarningsRecorder
) -> None:
    canary = write_canary(tmp_path / "secret-key")
    leaks = [
        (upload.attempt, upload.format)
        for upload in canary_files(canary, folder)
        if any(mark in what_comes_back(upload, folder) for mark in MARKS)
    ]
    assert leaks == []
    printed = "".join(capfd.readouterr()).encode() + repr([str(one.message) for one in recwarn]).encode()
    assert not any(mark in printed for mark in MARKS)


def test_no_format_gives_back_the_environment_of_the_process(folder: Path) -> None:
    inside = Path("/proc/self/environ").read_bytes()[:200]
    marks = [part for part in inside.split(b"\0") if len(part) > 8]
    for upload in canary_files(Path("/proc/self/environ"), folder):
        seen = what_comes_back(upload, folder)
        assert not any(mark in seen for mark in marks), upload.attempt


def test_hdf5_with_parts_in_other_files_is_refused_before_any_of_them_is_opened(tmp_path: Path, folder: Path) -> None:
    for canary in (write_canary(tmp_path / "secret-key"), write_hdf5_canary(tmp_path / "other.h5")):
        for upload in hdf5_files(canary, folder):
            os.utime(canary, (1, 1))
            file = folder / "spool"
            file.write_bytes(upload.content)
            with pytest.raises(BadInput, match="Only files that contain all their data are read"):
                list(read_frames(file, format="h5md"))
            assert canary.stat().st_atime == 1, upload.attempt  # where the file system keeps it


def test_links_within_an_hdf5_file_are_followed(tmp_path: Path) -> None:
    opened: Any = h5py.File(tmp_path / "a.h5", "w")
    with opened as root:
        root["values"] = np.ones((2, 1, 3))
        group = root.create_group("particles/all")
        group["species"] = [1]
        group.create_group("position")["value"] = h5py.SoftLink("/values")
        group["velocity/value"] = root["values"]  # a second name of the same dataset
        group["again"] = root["particles"]
    first, _ = read_frames(tmp_path / "a.h5")
    assert first.positions.tolist() == [[1, 1, 1]]


def test_every_format_of_ase_is_listed_as_read_or_as_refused() -> None:
    formats: Any = import_module("ase.io.formats")
    known = {name for name, one in formats.ioformats.items() if one.can_read}
    assert known == READABLE | set(REFUSED)


@pytest.mark.parametrize("format", sorted(REFUSED))
def test_a_refused_format_says_why_and_what_to_do(tmp_path: Path, format: str) -> None:
    (tmp_path / "a").write_text("x")
    with pytest.raises(BadInput, match=r"cannot be read here: .*ase convert"):
        list(read_frames(tmp_path / "a", format=format))


@pytest.mark.parametrize("format", sorted(READABLE - {"db"}))
def test_the_words_of_a_parser_are_not_repeated(tmp_path: Path, format: str) -> None:
    """The content of a broken file is not in the message: what the parser complains of could be anything."""
    (tmp_path / "a").write_bytes(CANARY + b"\n" + b"1\n" + (CANARY + b" ") * 8 + b"\n" + CANARY)
    seen = what_comes_back(CanaryFile("broken", format, (tmp_path / "a").read_bytes()), tmp_path)
    message = seen.partition(b"Traceback")[0]
    assert b"cannot be read as" not in message or not any(mark in message for mark in MARKS)
