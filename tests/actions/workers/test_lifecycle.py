"""Workers and extensions come and go."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Any
from uuid import UUID, uuid4

import pytest
from tests.workshop import SCHEMA, Workshop, spec_of

from workroom.actions.engine import Transaction
from workroom.actions.events import AssignmentsRepeated, ExtensionsRemoved, JobsAssigned
from workroom.actions.extensions.register import ExtensionSpec, Registrant, function, register_all, register_extensions
from workroom.actions.extensions.remove import remove_extension
from workroom.actions.jobs.cancel import cancel
from workroom.actions.jobs.options import JobOptions
from workroom.actions.jobs.post import post
from workroom.actions.jobs.rescue import release_unconfirmed, remove_idle_extensions, rescue
from workroom.actions.workers.lifecycle import WorkerSpec, attach, detach, drain, heartbeat, leave, register_worker
from workroom.domain.errors import (
    AttemptLost,
    BadInput,
    NameReserved,
    NotFound,
    SchemaConflict,
    TooLarge,
    WorkerLost,
    WrongState,
)
from workroom.domain.jobs.outcomes import Started
from workroom.domain.jobs.states import State
from workroom.domain.schema_hash import schema_hash
from workroom.store.queue_tables.job_rows import Claimed

OTHER: dict[str, Any] = {"type": "object", "properties": {"m": {"type": "string"}}}


async def rows(workshop: Workshop) -> list[tuple[Any, ...]]:
    return await workshop.sql(
        "SELECT (SELECT count(*) FROM worker), (SELECT count(*) FROM offer), (SELECT count(*) FROM extension)"
    )


async def test_the_server_hashes_the_schema_and_the_same_schema_joins_the_pool(workshop: Workshop) -> None:
    spec = ExtensionSpec("modifiers", "Relax", {"b": 1, "a": 2}, room=workshop.room)
    same = replace(spec, schema={"a": 2, "b": 1})
    first = await register_worker(workshop.engine, WorkerSpec("pool", [spec]))
    second = await register_worker(workshop.engine, WorkerSpec("pool", [same]))
    assert first.extensions[0].created and not second.extensions[0].created
    assert {one.schema_hash for one in first.extensions + second.extensions} == {schema_hash({"a": 2, "b": 1})}
    assert await rows(workshop) == [(2, 2, 1)]


async def test_a_different_schema_is_refused_while_a_worker_offers_the_other(workshop: Workshop) -> None:
    relax = await workshop.extension()
    worker = await workshop.worker(relax)
    changed = replace(spec_of(relax), schema=OTHER)
    with pytest.raises(SchemaConflict) as refusal:
        await register_worker(workshop.engine, WorkerSpec("pool", [changed]))
    assert refusal.value.detail["currentHash"] == schema_hash(SCHEMA)
    assert refusal.value.detail["offeredHash"] == schema_hash(OTHER)
    await worker.is_lost()
    welcome = await register_worker(workshop.engine, WorkerSpec("pool", [changed]))
    assert welcome.extensions[0].schema_hash == schema_hash(OTHER)


async def test_a_different_schema_cancels_the_jobs_that_wait_and_is_refused_while_one_is_at_a_worker(
    workshop: Workshop,
) -> None:
    relax = await workshop.extension(on_worker_lost="requeue")
    changed = WorkerSpec("pool", [replace(spec_of(relax), schema=OTHER)])
    worker = await workshop.worker(relax)
    held = await workshop.pending_job(relax)
    await worker.claim()
    waiting, dependent = await workshop.pending_job(relax), await workshop.extension("Dependent")
    blocked = await workshop.blocked_job(dependent, waiting)
    posting = await post(workshop.engine, relax, [{}, {}], JobOptions(workshop.person, workshop.room))
    await workshop.sql("UPDATE worker SET ended_at = now(), end_reason = 'lost', attached = false")
    with pytest.raises(SchemaConflict):
        await register_worker(workshop.engine, changed)
    await rescue(workshop.engine)
    assert (await workshop.job(held)).state == State.PENDING
    welcome = await register_worker(workshop.engine, changed)
    assert welcome.extensions[0].schema_hash == schema_hash(OTHER)
    assert {(await workshop.job(job)).state for job in (held, waiting)} == {State.CANCELLED}
    assert (await workshop.job(blocked)).state == State.FAILED, "it depends on a cancelled one"
    assert await workshop.sql("SELECT status, cancelled FROM posting WHERE id = %s", posting) == [("cancelled", 2)]
    assert await workshop.miscounted() == []


async def test_another_account_cannot_cancel_jobs_by_a_schema_of_its_own(workshop: Workshop) -> None:
    relax = await workshop.extension()
    worker = await workshop.worker(relax)
    await worker.is_lost()
    ben = await workshop.another_person("ben")
    foreign = Registrant(uuid4(), ben, manages=False)
    changed = replace(spec_of(relax), schema=OTHER)

    async def registers(transaction: Transaction) -> None:
        await register_all(transaction, [changed], [schema_hash(OTHER)], foreign)

    job = await workshop.pending_job(relax)
    await workshop.sql("UPDATE extension SET owner_id = %s", workshop.person)
    with pytest.raises(SchemaConflict):
        await workshop.engine.transaction(registers)
    await cancel(workshop.engine, job)
    await workshop.engine.transaction(registers)
    assert await workshop.sql("SELECT owner_id, schema_hash FROM extension") == [(ben, schema_hash(OTHER))]


async def test_an_owner_removes_an_extension_without_workers_and_its_jobs_are_cancelled(workshop: Workshop) -> None:
    relax = await workshop.extension()
    worker = await workshop.worker(relax)
    job = await workshop.pending_job(relax)
    with pytest.raises(WrongState):
        await remove_extension(workshop.engine, relax)
    await worker.is_lost()
    assert await remove_extension(workshop.engine, relax) == 1
    assert (await workshop.job(job)).state == State.CANCELLED
    with pytest.raises(NotFound):
        await workshop.pending_job(relax)
    with pytest.raises(WrongState):
        await remove_extension(workshop.engine, relax)


async def test_the_only_worker_may_come_back_with_a_new_schema(workshop: Workshop) -> None:
    relax = await workshop.extension()
    worker = await workshop.worker(relax)
    spec = WorkerSpec("pool", [replace(spec_of(relax), schema=OTHER)], account_id=workshop.person, worker_id=worker.id)
    assert (await register_worker(workshop.engine, spec)).extensions[0].schema_hash == schema_hash(OTHER)
    await workshop.worker(replace_schema(relax, OTHER))
    with pytest.raises(SchemaConflict):
        await register_worker(workshop.engine, replace(spec, extensions=[spec_of(relax)]))


def replace_schema(row: Any, schema: dict[str, Any]) -> Any:
    return row._replace(schema=schema)


async def test_a_worker_registers_with_all_its_extensions_or_with_none(workshop: Workshop) -> None:
    relax = await workshop.extension("Relax")
    await workshop.worker(relax)
    before = await rows(workshop)
    fresh = ExtensionSpec("modifiers", "Another", SCHEMA, room=workshop.room)
    for offered in ([fresh, replace(spec_of(relax), schema=OTHER)], [replace(spec_of(relax), schema=OTHER), fresh]):
        with pytest.raises(SchemaConflict):
            await register_worker(workshop.engine, WorkerSpec("pool", offered))
    assert await rows(workshop) == before


async def test_registered_extensions_come_back_in_the_order_they_were_given(workshop: Workshop) -> None:
    specs = [ExtensionSpec("modifiers", name, SCHEMA, room=workshop.room) for name in ("C", "A", "B")]
    registered = await register_extensions(workshop.engine, specs)
    names = dict(await workshop.sql("SELECT id, name FROM extension"))
    assert [names[one.id] for one in registered] == ["C", "A", "B"]
    welcome = await register_worker(workshop.engine, WorkerSpec("pool", specs))
    assert [one.id for one in welcome.extensions] == [one.id for one in registered]


async def test_a_built_in_name_is_reserved_in_rooms_and_everywhere(workshop: Workshop) -> None:
    builtin = ExtensionSpec("selections", "All", SCHEMA, scope="builtin")
    await register_extensions(workshop.engine, [builtin])
    for spec in (
        replace(builtin, scope="room", room=workshop.room),
        replace(builtin, scope="global"),
    ):
        with pytest.raises(NameReserved):
            await register_worker(workshop.engine, WorkerSpec("remote", [spec]))
    await register_worker(workshop.engine, WorkerSpec("remote", [replace(builtin, scope="global", category="other")]))


@pytest.mark.parametrize(
    ("change", "error"),
    [
        ({"category": "Bad Category"}, BadInput),
        ({"name": "bad name"}, BadInput),
        ({"schema": {"x": float("nan")}}, BadInput),
        ({"schema": {"x": object()}}, BadInput),
        ({"schema": {"x": "nul\0"}}, BadInput),
        ({"schema": {"x": "y" * 100_001}}, TooLarge),
    ],
)
async def test_an_extension_that_cannot_be_kept_is_refused(
    workshop: Workshop, change: dict[str, Any], error: type[Exception]
) -> None:
    spec = replace(ExtensionSpec("modifiers", "Relax", SCHEMA, room=workshop.room), **change)
    with pytest.raises(error):
        await register_worker(workshop.engine, WorkerSpec("pool", [spec]))
    assert await rows(workshop) == [(0, 0, 0)]


async def test_a_worker_without_slots_or_with_too_many_extensions_is_refused(workshop: Workshop) -> None:
    spec = ExtensionSpec("modifiers", "Relax", SCHEMA, room=workshop.room)
    with pytest.raises(BadInput):
        await register_worker(workshop.engine, WorkerSpec("pool", [spec], capacity=0))
    with pytest.raises(TooLarge):
        await register_worker(workshop.engine, WorkerSpec("pool", [spec] * 1_001))


async def test_a_function_is_tried_three_times_and_requeued_when_its_worker_is_lost(workshop: Workshop) -> None:
    await register_extensions(workshop.engine, [function("resize")])
    found = await workshop.sql("SELECT scope, room, tries, on_worker_lost::text FROM extension")
    assert found == [("function", None, 3, "requeue")]


# Incarnations, leases, grace -----------------------------------------------------------------------------------------


async def again(workshop: Workshop, worker_id: UUID, relax: Any, kind: str = "remote") -> int:
    spec = WorkerSpec(kind, [spec_of(relax)], account_id=workshop.person, worker_id=worker_id)
    welcome = await register_worker(workshop.engine, spec)
    assert welcome.worker_id == worker_id
    return welcome.incarnation


async def test_a_worker_that_comes_back_keeps_its_job_and_its_older_incarnation_is_refused(workshop: Workshop) -> None:
    relax = await workshop.extension()
    worker = await workshop.worker(relax, kind="remote")
    job_id = await workshop.pending_job(relax)
    assert await again(workshop, worker.id, relax) == 2
    with pytest.raises(WorkerLost):
        await heartbeat(workshop.engine, worker.id, 1)
    with pytest.raises(WorkerLost):
        await attach(workshop.engine, worker.id, 1, "socket")
    await detach(workshop.engine, worker.id, 1, "socket")
    await attach(workshop.engine, worker.id, 2, "socket")
    await heartbeat(workshop.engine, worker.id, 2)
    assert (await workshop.job(job_id)).worker_id == worker.id
    assert await workshop.sql("SELECT attached FROM worker") == [(True,)], "the older one cannot detach it either"


async def test_only_its_own_account_brings_a_worker_back(workshop: Workshop) -> None:
    relax = await workshop.extension()
    worker = await workshop.worker(relax)
    ben = await workshop.another_person("ben")
    for spec in (
        WorkerSpec("pool", [spec_of(relax)], account_id=ben, worker_id=worker.id),
        WorkerSpec("remote", [spec_of(relax)], account_id=workshop.person, worker_id=worker.id),
        WorkerSpec("pool", [spec_of(relax)], account_id=workshop.person, worker_id=UUID(int=5)),
    ):
        with pytest.raises(WorkerLost):
            await register_worker(workshop.engine, spec)
    assert await workshop.sql("SELECT incarnation FROM worker") == [(1,)]


async def test_a_heartbeat_puts_off_the_end_of_the_lease(workshop: Workshop) -> None:
    relax = await workshop.extension()
    worker = await workshop.worker(relax)
    await workshop.sql("UPDATE worker SET lease_until = now() - interval '1 second'")
    await heartbeat(workshop.engine, worker.id, 1)
    assert await workshop.lost_workers() == []
    ((left,),) = await workshop.sql("SELECT extract(epoch FROM lease_until - now())::float FROM worker")
    assert left == pytest.approx(workshop.engine.timing.lease, abs=5)


async def test_a_worker_whose_lease_has_ended_is_lost_and_must_register_again(workshop: Workshop) -> None:
    relax = await workshop.extension()
    worker = await workshop.worker(relax)
    await worker.is_lost()
    assert await workshop.lost_workers() == [], "once"
    with pytest.raises(WorkerLost):
        await heartbeat(workshop.engine, worker.id, 1)
    await workshop.pending_job(relax)
    assert await worker.claim() == []
    assert await again(workshop, worker.id, relax, "pool") == 2
    await heartbeat(workshop.engine, worker.id, 2)
    assert len(await worker.claim()) == 1


async def test_a_disconnected_worker_is_lost_only_after_the_grace(workshop: Workshop) -> None:
    relax = await workshop.extension()
    worker = await workshop.worker(relax, kind="remote")
    await detach(workshop.engine, worker.id, 1, "socket")
    assert await workshop.lost_workers() == []
    job_id = await workshop.pending_job(relax)
    assert await workshop.state(job_id) is State.PENDING, "nothing reaches it meanwhile"
    await attach(workshop.engine, worker.id, 1, "socket")
    assert (await workshop.job(job_id)).worker_id == worker.id
    await detach(workshop.engine, worker.id, 1, "socket")
    await workshop.sql("UPDATE worker SET detached_at = now() - interval '16 seconds'")
    assert await workshop.lost_workers() == [worker.id]


async def test_a_draining_worker_gets_nothing_more_and_may_finish(workshop: Workshop) -> None:
    relax = await workshop.extension()
    worker, remote = await workshop.worker(relax, capacity=2), await workshop.worker(relax, kind="remote")
    job = await workshop.running_job(relax, worker) if await drain(workshop.engine, remote.id) else None
    assert job is not None
    assert await drain(workshop.engine, worker.id)
    waiting = await workshop.pending_job(relax)
    assert await worker.claim() == [] and await workshop.state(waiting) is State.PENDING
    await worker.finish(job)


async def test_a_draining_worker_gives_back_what_it_has_not_started(workshop: Workshop) -> None:
    relax = await workshop.extension()
    worker = await workshop.worker(relax, kind="remote", capacity=2)
    job_id = await workshop.pending_job(relax)
    assert (await workshop.job(job_id)).worker_id == worker.id
    assert await drain(workshop.engine, worker.id)
    assert await workshop.state(job_id) is State.PENDING
    refusal = await worker.say(Claimed(job_id, 1, relax.id, False, None, 1, {}), Started())
    assert isinstance(refusal, AttemptLost), "it cannot start what it gave back"
    other = await workshop.worker(relax, kind="remote")
    row = await workshop.job(job_id)
    assert (row.worker_id, row.attempt) == (other.id, 2)
    assert await workshop.miscounted() == []


async def test_a_draining_pool_keeps_what_it_has_claimed(workshop: Workshop) -> None:
    """It may have run a job whose start it has not reported."""
    relax = await workshop.extension()
    worker = await workshop.worker(relax)
    job = await workshop.assigned_job(relax, worker)
    assert await drain(workshop.engine, worker.id)
    await worker.finish(job)


async def test_an_unconfirmed_job_is_sent_again_to_a_worker_that_came_back(workshop: Workshop) -> None:
    relax = await workshop.extension()
    worker = await workshop.worker(relax, kind="remote", capacity=3)
    started, lost, cancelled = [await workshop.pending_job(relax) for _ in range(3)]
    assert await worker.say(Claimed(started, 1, relax.id, False, None, 1, {}), Started()) is None
    await cancel(workshop.engine, cancelled)
    await workshop.confirmation_is_overdue()
    await detach(workshop.engine, worker.id, 1, "socket")
    workshop.events.clear()
    await attach(workshop.engine, worker.id, 1, "socket")
    repeated = [event for event in workshop.events if isinstance(event, AssignmentsRepeated)]
    assert [(event.worker_id, [(job.id, job.attempt) for job in event.jobs]) for event in repeated] == [
        (worker.id, [(lost, 1)])
    ]
    assert not any(isinstance(event, JobsAssigned) for event in workshop.events)
    assert await release_unconfirmed(workshop.engine) == [], "it has the whole time to confirm"


async def test_an_extension_goes_some_time_after_its_last_worker_unless_jobs_are_left(workshop: Workshop) -> None:
    relax, busy = await workshop.extension("Relax"), await workshop.extension("Busy")
    one, other = await workshop.worker(relax, busy), await workshop.worker(relax)
    await workshop.pending_job(busy)
    assert await leave(workshop.engine, one.id)
    assert not await leave(workshop.engine, one.id), "once"
    assert await workshop.sql("SELECT name FROM extension WHERE removed_at IS NOT NULL") == []
    assert await leave(workshop.engine, other.id)
    offline = await workshop.sql(
        """SELECT name FROM extension, worker
           WHERE worker.id = %s AND offline_since = ended_at AND offered_by = account_id AND removed_at IS NULL""",
        other.id,
    )
    assert offline == [("Relax",)]
    assert await remove_idle_extensions(workshop.engine) == [], "not yet"
    await workshop.sql("UPDATE extension SET offline_since = offline_since - interval '1 day'")
    assert [one.name for one in await remove_idle_extensions(workshop.engine)] == ["Relax"], "Busy has a job"
    assert await workshop.sql("SELECT name FROM extension WHERE removed_at IS NOT NULL") == [("Relax",)]
    removed = [
        one.name for event in workshop.events if isinstance(event, ExtensionsRemoved) for one in event.extensions
    ]
    assert removed == ["Relax"]
    welcome = await register_worker(workshop.engine, WorkerSpec("pool", [spec_of(relax)]))
    assert welcome.extensions[0].id == relax.id
    assert await workshop.sql(
        "SELECT name FROM extension WHERE removed_at IS NOT NULL OR offline_since IS NOT NULL"
    ) == [("Busy",)]


async def test_built_in_extensions_and_functions_stay_without_workers(workshop: Workshop) -> None:
    await register_extensions(
        workshop.engine, [function("resize"), ExtensionSpec("selections", "All", SCHEMA, scope="builtin")]
    )
    assert await remove_idle_extensions(workshop.engine) == []


async def test_crossed_registrations_do_not_wait_for_each_other_for_ever(workshop: Workshop) -> None:
    specs = [ExtensionSpec("modifiers", f"E{n}", SCHEMA, room=workshop.room) for n in range(8)]
    orders = [specs, specs[::-1]] * 10
    welcomes = await asyncio.gather(*(register_worker(workshop.engine, WorkerSpec("pool", one)) for one in orders))
    assert len({welcome.worker_id for welcome in welcomes}) == 20
    assert await rows(workshop) == [(20, 160, 8)]
