"""Uploads on the disk: there until they are not needed, and nowhere else."""

from __future__ import annotations

import os
import time
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from workroom.domain.errors import BadInput, NotFound, Unavailable
from workroom.server.files.upload_store import KEPT_SECONDS, UploadStore


async def pieces(*content: bytes) -> AsyncIterator[bytes]:
    for piece in content:
        yield piece


async def breaks_off() -> AsyncIterator[bytes]:
    yield b"x" * 3_000_000
    raise ConnectionError


def files(folder: Path) -> list[Path]:
    return [file for file in folder.rglob("*") if file.is_file()]


async def test_an_upload_is_kept_for_its_room_alone(tmp_path: Path) -> None:
    spool = UploadStore(tmp_path)
    upload = await spool.save("lab", pieces(b"ab", b"c" * 2_000_000))
    assert spool.find("lab", upload).stat().st_size == 2_000_002
    assert spool.find("lab", upload).parent.stat().st_mode & 0o777 == 0o700
    with pytest.raises(NotFound):
        spool.find("another", upload)
    spool.remove("lab", upload)
    spool.remove("lab", upload)
    assert files(tmp_path) == []


@pytest.mark.parametrize("name", ["../../etc/passwd", "", "0" * 31, "0" * 33, "0" * 31 + "/", "A" * 32])
async def test_only_an_id_is_looked_for(tmp_path: Path, name: str) -> None:
    with pytest.raises(NotFound):
        UploadStore(tmp_path).find("lab", name)


async def test_an_upload_that_breaks_off_or_is_empty_leaves_nothing(tmp_path: Path) -> None:
    spool = UploadStore(tmp_path)
    with pytest.raises(Unavailable):
        await spool.save("lab", breaks_off())
    with pytest.raises(BadInput, match="empty"):
        await spool.save("lab", pieces())
    assert files(tmp_path) == []


async def test_what_nobody_came_for_is_swept_after_a_day(tmp_path: Path) -> None:
    spool = UploadStore(tmp_path)
    old, new = [await spool.save("lab", pieces(b"x")) for _ in range(2)]
    past = time.time() - KEPT_SECONDS - 1
    os.utime(spool.find("lab", old), (past, past))
    assert spool.sweep() == 1
    assert spool.find("lab", new)
    with pytest.raises(NotFound, match="older than a day"):
        spool.find("lab", old)
    assert spool.sweep(older_than=-1) == 1 and files(tmp_path) == []
