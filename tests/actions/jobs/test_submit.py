"""Queuing jobs: one, many, the same again, and what is refused."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from typing import Any
from uuid import UUID

import psycopg
import pytest
from tests.workshop import Workshop, failure

from workroom.actions.jobs import post as posting_many
from workroom.actions.jobs.call_chunks import PIECE
from workroom.actions.jobs.options import JobOptions
from workroom.actions.jobs.post import post, submit_each
from workroom.actions.jobs.rescue import remove_idle_extensions
from workroom.domain.errors import BadInput, KeyReused, NotFound, TooLarge, Unavailable
from workroom.domain.ids import job_ids
from workroom.domain.jobs.outcomes import Cancelled
from workroom.domain.jobs.states import State
from workroom.domain.limits import ARGUMENT_BYTES, KEY_LENGTH
from workroom.store.queue_tables import postings


async def everything(workshop: Workshop) -> list[tuple[Any, ...]]:
    return await workshop.sql(
        "SELECT (SELECT count(*) FROM job), (SELECT count(*) FROM posting), (SELECT count(*) FROM fair_turn)"
    )


# Keys ----------------------------------------------------------------------------------------------------------------


async def test_the_same_key_gives_the_same_job_whatever_its_state(workshop: Workshop) -> None:
    relax = await workshop.extension()
    worker = await workshop.worker(relax)
    job_id = await workshop.pending_job(relax, {"n": 1, "m": 2}, idempotency_key="k")
    assert await workshop.pending_job(relax, {"m": 2, "n": 1}, idempotency_key="k") == job_id
    (job,) = await worker.claim()
    assert await workshop.pending_job(relax, {"n": 1, "m": 2}, idempotency_key="k") == job_id
    await worker.finish(job)
    assert await workshop.pending_job(relax, {"n": 1, "m": 2}, idempotency_key="k") == job_id
    assert await workshop.sql("SELECT count(*) FROM job") == [(1,)]


async def test_a_key_used_for_different_work_is_refused(workshop: Workshop) -> None:
    relax = await workshop.extension()
    job_id = await workshop.pending_job(relax, {"n": 1}, idempotency_key="k")
    with pytest.raises(KeyReused) as refusal:
        await workshop.pending_job(relax, {"n": 2}, idempotency_key="k")
    assert refusal.value.detail == {"jobId": str(job_id)}


async def test_a_key_is_its_submitters_and_its_extensions(workshop: Workshop) -> None:
    relax, other = await workshop.extension("Relax"), await workshop.extension("Other")
    ben = await workshop.another_person("ben")
    ids = {
        await workshop.pending_job(relax, idempotency_key="k"),
        await workshop.pending_job(other, idempotency_key="k"),
        await workshop.pending_job(relax, idempotency_key="k", submitter=ben),
        await workshop.pending_job(relax, idempotency_key="l"),
        await workshop.pending_job(relax),
        await workshop.pending_job(relax),
    }
    assert len(ids) == 6


async def test_many_at_once_with_one_key_make_one_job(workshop: Workshop) -> None:
    relax = await workshop.extension()
    ids = await asyncio.gather(*(workshop.pending_job(relax, idempotency_key="k") for _ in range(40)))
    assert len({*ids}) == 1
    assert await workshop.sql("SELECT count(*) FROM job") == [(1,)]
    assert await workshop.miscounted() == []


@pytest.mark.parametrize("key", ["", "k" * (KEY_LENGTH + 1), "nul\0"])
async def test_a_key_that_cannot_be_kept_is_refused(workshop: Workshop, key: str) -> None:
    relax = await workshop.extension()
    with pytest.raises(BadInput):
        await workshop.pending_job(relax, idempotency_key=key)


# What is refused -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("options", [{"priority": 11}, {"priority": -1}, {"tries": 101}])
async def test_a_wish_out_of_bounds_is_refused(workshop: Workshop, options: dict[str, int]) -> None:
    relax = await workshop.extension()
    with pytest.raises(BadInput):
        await workshop.pending_job(relax, **options)
    with pytest.raises(BadInput):
        await post(workshop.engine, relax, [{}], JobOptions(workshop.person, **options))  # pyright: ignore[reportArgumentType]
    assert await everything(workshop) == [(0, 0, 0)]


BAD = {
    "NUL": ({"text": "a\0b"}, BadInput),
    "NUL in a name": ({"a\0b": 1}, BadInput),
    "no JSON": ({"text": object()}, BadInput),
    "a huge integer": ({"n": 2**70}, BadInput),
    "too large": ({"text": "x" * ARGUMENT_BYTES}, TooLarge),
    "too large in bytes, not in characters": ({"text": "é" * (ARGUMENT_BYTES // 2)}, TooLarge),
}


@pytest.mark.parametrize("bad", [*BAD])
async def test_arguments_that_cannot_be_stored_are_refused(workshop: Workshop, bad: str) -> None:
    arguments, error = BAD[bad]
    relax = await workshop.extension()
    with pytest.raises(error):
        await workshop.pending_job(relax, arguments)
    assert await everything(workshop) == [(0, 0, 0)]


async def test_arguments_just_small_enough_are_taken(workshop: Workshop) -> None:
    relax = await workshop.extension()
    worker = await workshop.worker(relax)
    text = "x" * (ARGUMENT_BYTES - len('{"text":""}'))
    await workshop.pending_job(relax, {"text": text})
    assert (await worker.claim())[0].arguments == {"text": text}


@pytest.mark.parametrize("bad", [*BAD])
async def test_one_bad_argument_late_in_a_posting_leaves_nothing_of_it(workshop: Workshop, bad: str) -> None:
    arguments, error = BAD[bad]
    relax = await workshop.extension()

    def many() -> Iterator[Any]:
        yield from ({"n": n} for n in range(12_000))
        yield arguments

    with pytest.raises(error):
        await post(workshop.engine, relax, many(), JobOptions(workshop.person))
    assert await everything(workshop) == [(0, 0, 0)]
    assert await workshop.miscounted() == []


async def test_a_generator_that_raises_leaves_nothing_of_its_posting(workshop: Workshop) -> None:
    relax = await workshop.extension()

    def many() -> Iterator[Any]:
        yield from ({"n": n} for n in range(12_000))
        raise RuntimeError("the disk is gone")

    with pytest.raises(RuntimeError, match="the disk is gone"):
        await post(workshop.engine, relax, many(), JobOptions(workshop.person))
    assert await everything(workshop) == [(0, 0, 0)]


async def test_a_submission_to_an_extension_that_was_removed_is_refused(workshop: Workshop) -> None:
    relax = await workshop.extension()
    await workshop.removed(relax)
    with pytest.raises(NotFound):
        await workshop.pending_job(relax)
    with pytest.raises(NotFound):
        await post(workshop.engine, relax, [{}], JobOptions(workshop.person))
    assert await everything(workshop) == [(0, 0, 0)]


async def test_arguments_checked_against_an_older_schema_are_refused(workshop: Workshop) -> None:
    """The last worker left and another brought the extension with new fields, between the check and the submission."""
    seen = await workshop.extension()
    await workshop.removed(seen)
    await workshop.worker(seen._replace(schema={"required": ["steps"]}))
    ways: list[Callable[[], Awaitable[Any]]] = [
        lambda: workshop.pending_job(seen),
        lambda: submit_each(workshop.engine, seen, [{}, {}], JobOptions(workshop.person, workshop.room)),
        lambda: post(workshop.engine, seen, [{}], JobOptions(workshop.person, workshop.room)),
        lambda: post(workshop.engine, seen, [{}], JobOptions(workshop.person, workshop.room, idempotency_key="k")),
    ]
    for way in ways:
        with pytest.raises(NotFound, match="was removed or has another schema"):
            await way()
    assert await everything(workshop) == [(0, 0, 0)]


async def test_a_submission_to_an_extension_without_a_worker_waits_and_keeps_it_alive(workshop: Workshop) -> None:
    relax = await workshop.extension()
    job_id = await workshop.pending_job(relax)
    assert await remove_idle_extensions(workshop.engine) == []
    worker = await workshop.worker(relax, kind="remote")
    assert (await workshop.job(job_id)).worker_id == worker.id


# Postings ------------------------------------------------------------------------------------------------------------


async def posting_row(workshop: Workshop, posting: UUID) -> postings.PostingRow:
    async with workshop.engine.database.connection() as connection:
        row = await postings.get(connection, posting)
    assert row is not None
    return row


async def test_twenty_five_thousand_jobs_are_posted_at_once_in_their_order(workshop: Workshop) -> None:
    relax = await workshop.extension()
    worker = await workshop.worker(relax, capacity=100_000)
    posting = await post(
        workshop.engine, relax, ({"n": n} for n in range(25_000)), JobOptions(workshop.person), label="big"
    )
    row = await posting_row(workshop, posting)
    assert (row.total, row.status, row.label) == (25_000, "executing", "big")
    claimed = await worker.claim(100_000)
    assert [job.id for job in claimed] == list(job_ids(posting, 0, 25_000))
    assert [job.arguments["n"] for job in claimed] == list(range(25_000))
    assert {job.posting_id for job in claimed} == {posting}
    await worker.finish(*claimed)
    row = await posting_row(workshop, posting)
    assert (row.status, row.completed) == ("completed", 25_000) and row.finished_at
    assert await workshop.miscounted() == []


async def test_a_posting_of_large_arguments_goes_to_the_database_in_smaller_pieces(workshop: Workshop) -> None:
    relax = await workshop.extension()
    large = "x" * 500_000
    posting = await post(
        workshop.engine, relax, ({"n": n, "x": large} for n in range(100)), JobOptions(workshop.person)
    )
    stored = await workshop.sql("SELECT id, (arguments->>'n')::integer FROM job ORDER BY turn, id")
    assert stored == list(zip(job_ids(posting, 0, 100), range(100), strict=True))


async def test_a_posting_ends_as_its_jobs_do(workshop: Workshop) -> None:
    relax = await workshop.extension(tries=1, breaker_failures=0)
    worker = await workshop.worker(relax, capacity=10)
    ends: dict[str, UUID] = {}
    for name, words in {
        "completed": ["ok", "ok"],
        "failed": ["ok", "bad", "off"],
        "cancelled": ["ok", "off"],
    }.items():
        ends[name] = await post(workshop.engine, relax, [{"n": 1}] * len(words), JobOptions(workshop.person))
        for job, word in zip(await worker.claim(10), words, strict=True):
            assert (await posting_row(workshop, ends[name])).status == "executing"
            if word == "ok":
                await worker.finish(job)
            else:
                assert await worker.say(job, failure() if word == "bad" else Cancelled(), short=True) is None
    for name, posting in ends.items():
        assert (await posting_row(workshop, posting)).status == name
    assert await workshop.miscounted() == []


async def test_an_empty_posting_is_completed(workshop: Workshop) -> None:
    relax = await workshop.extension()
    row = await posting_row(workshop, await post(workshop.engine, relax, [], JobOptions(workshop.person)))
    assert (row.status, row.total) == ("completed", 0) and row.finished_at


async def test_a_key_stands_for_one_posting_of_one_person(workshop: Workshop) -> None:
    relax = await workshop.extension()
    wish = JobOptions(workshop.person, idempotency_key="nightly")
    first = await post(workshop.engine, relax, [{"n": 1}], wish)
    assert await post(workshop.engine, relax, [{"n": 2}, {"n": 3}], wish) == first
    other = await workshop.another_person("eve")
    assert await post(workshop.engine, relax, [{}], JobOptions(other, idempotency_key="nightly")) != first
    assert await workshop.sql("SELECT count(*) FROM job WHERE posting_id = %s", first) == [(1,)]


@pytest.mark.parametrize("readable", ["twice", "once"])
async def test_a_posting_that_collided_is_written_again_in_full_or_refused(
    workshop: Workshop, readable: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    relax = await workshop.extension()
    collisions = iter([True])
    seal = postings.seal

    async def collide_once(*args: Any, **options: Any) -> Any:
        if next(collisions, False):
            raise psycopg.errors.DeadlockDetected
        return await seal(*args, **options)

    monkeypatch.setattr(posting_many.postings, "seal", collide_once)
    arguments = [{"n": n} for n in range(PIECE + 1)]  # fewer would go in one statement, which can be tried again
    if readable == "twice":
        posting = await post(workshop.engine, relax, arguments, JobOptions(workshop.person))
        assert (await posting_row(workshop, posting)).total == PIECE + 1
    else:
        with pytest.raises(Unavailable):
            await post(workshop.engine, relax, iter(arguments), JobOptions(workshop.person))
        assert await everything(workshop) == [(0, 0, 0)]


async def test_many_jobs_without_a_posting_stand_for_themselves(workshop: Workshop) -> None:
    relax = await workshop.extension()
    worker = await workshop.worker(relax, capacity=100)
    made = await posting_many.submit_each(
        workshop.engine, relax, [{"n": n} for n in range(5)], JobOptions(workshop.person)
    )
    claimed = await worker.claim(100)
    assert [(job.id, job.arguments["n"]) for job in claimed] == [(one.id, n) for n, one in enumerate(made)]
    assert not any(job.posted for job in claimed)
    assert await workshop.state(made[0].id) is State.ASSIGNED
    assert await workshop.miscounted() == []
