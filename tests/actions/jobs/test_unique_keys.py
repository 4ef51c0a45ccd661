"""Unique keys: a call that waits or runs is not posted again."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from typing import Any
from uuid import UUID

import pytest
from tests.workshop import Workshop, failure

from workroom.actions.jobs.options import Dependencies, JobOptions
from workroom.actions.jobs.post import post
from workroom.actions.postings.postings import look_up_posting
from workroom.domain import ids
from workroom.domain.errors import BadInput
from workroom.domain.values.codec import fingerprint, pack
from workroom.store.queue_tables.extensions import ExtensionRow
from workroom.worker.postings.packed_calls import Calls, KeyedCalls


async def posting(workshop: Workshop, extension: ExtensionRow, keys: Iterable[str | None], **options: Any) -> UUID:
    calls = [({"n": n}, key) for n, key in enumerate(keys)]
    return await post(workshop.engine, extension, calls, JobOptions(workshop.person, **options), keyed=True)


async def counted(workshop: Workshop, posting_id: UUID) -> tuple[int, int]:
    row = await look_up_posting(workshop.engine, posting_id)
    return row.total, row.duplicates


async def test_what_waits_or_runs_is_left_out_and_what_has_ended_is_not(workshop: Workshop) -> None:
    extension = await workshop.extension(tries=2)
    worker = await workshop.worker(extension, capacity=9)
    first = await posting(workshop, extension, ["a", "b", "a", None, None])
    assert await counted(workshop, first) == (4, 1)
    a, b = await worker.claim(2)
    await worker.finish(a)
    assert await worker.say(b, failure(), short=True) is None  # it will be tried again: it has not ended
    second = await posting(workshop, extension, ["a", "b", "c"])
    assert await counted(workshop, second) == (2, 1)
    positions = await workshop.sql("SELECT id FROM job WHERE posting_id = %s ORDER BY id", second)
    assert [ids.position(row[0]) for row in positions] == [0, 2], "each keeps its place among the calls"
    nothing = await posting(workshop, extension, ["b", "c"])
    assert (await look_up_posting(workshop.engine, nothing)).status == "completed"
    other = await workshop.extension("Another")
    assert await counted(workshop, await posting(workshop, other, ["b", "c"])) == (2, 0)
    assert await workshop.miscounted() == []


async def test_keys_hold_for_blocked_and_scheduled_jobs(workshop: Workshop) -> None:
    extension = await workshop.extension()
    worker = await workshop.worker(extension, capacity=9)
    needed = await posting(workshop, extension, ["first"])
    blocked = await posting(workshop, extension, ["a", "first", "b"], dependencies=Dependencies(postings=(needed,)))
    assert await counted(workshop, blocked) == (2, 1)
    assert await counted(workshop, await posting(workshop, extension, ["a", "b"])) == (0, 2)
    (job,) = await worker.claim(9)
    await worker.finish(job)
    freed = await worker.claim(9)
    assert [ids.position(one.id) for one in freed] == [0, 2]
    await worker.finish(*freed)
    assert (await look_up_posting(workshop.engine, blocked)).status == "completed"
    assert await workshop.miscounted() == []


async def test_many_at_once_post_each_key_once(workshop: Workshop) -> None:
    extension = await workshop.extension()
    keys = [str(n) for n in range(60)]
    orders = [keys, keys[::-1], keys[30:] + keys[:30], keys[::2] + keys[1::2]] * 3
    postings = await asyncio.gather(*(posting(workshop, extension, order) for order in orders))
    totals = [await counted(workshop, one) for one in postings]
    assert sum(total for total, _ in totals) == 60
    assert sum(duplicates for _, duplicates in totals) == 60 * 11
    assert await workshop.sql("SELECT count(*), count(DISTINCT unique_key) FROM job") == [(60, 60)]
    assert await workshop.miscounted() == []


async def test_a_job_that_ends_meanwhile_either_counts_or_does_not(workshop: Workshop) -> None:
    """Posted again and again while a worker finishes the jobs: never two unfinished ones with one key."""
    extension = await workshop.extension()
    worker = await workshop.worker(extension, capacity=50)
    done = 0

    async def poster() -> int:
        return sum([(await counted(workshop, await posting(workshop, extension, ["x", "y"])))[0] for _ in range(25)])

    async def finisher() -> None:
        nonlocal done
        while True:
            if jobs := await worker.claim(5):
                assert len(jobs) <= 2
                await worker.finish(*jobs)
                done += len(jobs)
            await asyncio.sleep(0)

    finishing = asyncio.create_task(finisher())
    posted = sum(await asyncio.gather(*(poster() for _ in range(4))))
    while done < posted:
        assert not finishing.done()
        await asyncio.sleep(0.01)
    finishing.cancel()
    assert done == posted > 4
    assert await workshop.miscounted() == []


def test_keys_come_from_arguments_a_function_or_a_list() -> None:
    def keys(unique: Any, *args: tuple[Any, ...]) -> list[str | None]:
        return [key for _, key in KeyedCalls.from_keys(Calls.from_args(args, None), unique)]

    one, same, other = keys(True, ({1, 2}, {3: 4, 5: 6}), ({2, 1}, {5: 6, 3: 4}), (1, 2))
    assert one == same != other

    def by_path(path: str, width: int) -> str:
        return path

    assert keys(by_path, ("a", 1), ("b", 2)) == ["a", "b"]
    assert keys([None, "k", 7], (1,), (2,), (3,)) == [None, "k", fingerprint(pack(7))]
    long = keys(["x" * 300], (1,))
    assert len(long[0] or "") == 64
    with pytest.raises(BadInput, match="one key for each call"):
        keys(["k"], (1,), (2,))
    for wrong in (b"abc", 5):
        with pytest.raises(BadInput, match="True, a function"):
            keys(wrong, (1,))
    with pytest.raises(BadInput, match="The unique key contains"):
        keys([object()], (1,))
