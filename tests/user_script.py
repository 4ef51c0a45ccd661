# pyright: strict, reportAny=true, reportExplicitAny=false
"""A program as people write it: every value that has a known type has it, also in their editor.

`make check` reads it with the strictest rules; nothing runs it.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import assert_type
from uuid import UUID

import numpy as np
from ase import Atoms
from pydantic import Field

from workroom import (
    BadInput,
    CallOutcome,
    Category,
    ClusterPool,
    Extension,
    JobFailed,
    JobHandle,
    Posting,
    Registry,
    Room,
    job,
)


class Stretch(Extension):
    """Stretches the cell."""

    category = Category.MODIFIER
    factor: float = Field(1.1, gt=0.1)
    name: str = ""

    def run(self, vis: Room, **kwargs: object) -> list[float]:
        atoms = vis[vis.step]
        assert_type(atoms, Atoms)
        vis.progress(0.5, "half")
        vis.append(atoms)
        assert_type(vis.cancelled, bool)
        assert_type(vis.selection, tuple[int, ...])
        return [self.factor]


class Unannotated(Extension):
    """The room is known although the class does not name its type."""

    category = Category.MODIFIER

    def run(self, vis, **kwargs):  # pyright: ignore[reportMissingParameterType, reportAny]
        assert_type(vis, Room)
        assert_type(vis[0], Atoms)


@job(name="energy", tries=3, timeout=60)
def energy(distance: float, *, cutoff: float = 5.0) -> float:
    return distance / cutoff


def frames_of(room: Room) -> Iterator[Atoms]:
    assert_type(len(room), int)
    assert_type(room[0], Atoms)
    assert_type(room[-1], Atoms)
    assert_type(room[np.int64(2)], Atoms)
    assert_type(room[1:3], list[Atoms])
    assert_type(room[[0, 2]], list[Atoms])
    assert_type(room[np.arange(3)], list[Atoms])
    room[0] = room[1]
    room[1:2] = [room[0], room[0]]
    del room[0]
    assert_type(room.pop(), Atoms)
    yield from room


def jobs_of(room: Room) -> list[UUID]:
    handle = room.run(Stretch(factor=1.5), priority=7, tries=3, run_at=datetime.now())
    assert_type(handle, JobHandle)
    assert_type(handle.wait(timeout=10), JobHandle)
    assert_type(handle.status, str)
    after = room.run("modifiers/Stretch", factor=2.0, depends_on=[handle])
    assert_type(after.retry(), JobHandle)
    try:
        after.result(timeout=5)
    except JobFailed as error:
        assert_type(error.message, str)
    except BadInput as error:
        assert_type(error.code, str)
    return [one.job_id for one in room.jobs(status="failed", category="modifiers", limit=10)]


def many_calls() -> list[float]:
    posting = energy.map(range(1_000))
    assert_type(posting, Posting[float])
    assert_type(energy.starmap([(1,), (2,)]), Posting[float])
    assert_type(energy.submit(1).result(), float)
    outcome = next(iter(posting.as_completed()))
    assert_type(outcome, CallOutcome[float])
    results = list(posting.wait().results())
    assert_type(results, list[float])
    assert_type(posting.counts().failed, int)
    assert_type(energy(2.0, cutoff=3.0), float)
    return results


def main() -> None:
    with Room("my-room", user="ada") as room, ClusterPool(max_workers=2):
        room.register_extension(Stretch, on_worker_lost="requeue", concurrency=2)
        assert_type(room.download(Path("all.extxyz")), Path)
        with room.lock(msg="Uploading") as lock:
            lock.msg = "Nearly done"
            room.extend(frames_of(room))
        print(jobs_of(room), sum(many_calls()), list(Registry))


if __name__ == "__main__":
    main()
