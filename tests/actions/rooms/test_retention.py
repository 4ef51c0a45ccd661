"""Retention on PostgreSQL: old rows are deleted, young rows and rows that something refers to stay."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import numpy as np
from tests.workshop import Workshop

from workroom.actions.accounts import audit
from workroom.actions.accounts.accounts import update_account
from workroom.actions.accounts.guests import create_guest, sign_in_guest
from workroom.actions.accounts.retention import delete_idle_guests, delete_old_audit
from workroom.actions.engine import Transaction
from workroom.actions.extensions.delete_removed import delete_removed_extensions
from workroom.actions.extensions.register import function, register_extensions
from workroom.actions.jobs.options import JobOptions
from workroom.actions.jobs.post import post
from workroom.actions.jobs.prune import prune
from workroom.actions.jobs.submit import submit
from workroom.actions.queries.changes import list_changes
from workroom.actions.quotas.limits import room_usage
from workroom.actions.rooms import chat, frame_streams, members
from workroom.actions.rooms.expire_changes import (
    delete_expired_changes,
    delete_expired_links,
    delete_old_notices,
    expire_changes,
)
from workroom.actions.rooms.write_transaction import JobAttempt, WriteContext
from workroom.domain.rooms.rights import Rights
from workroom.domain.rooms.trajectory_edits import Places
from workroom.server.settings import Settings
from workroom.store.queue_tables import extensions
from workroom.upkeep.pruner import Pruner
from workroom.wire.frames import encode, framed


def later(seconds: float) -> datetime:
    return datetime.now(UTC) + timedelta(seconds=seconds + 3_600)


async def one_frame() -> AsyncIterator[bytes]:
    yield b"".join(framed(encode({"arrays.numbers": np.ones(2, int), "arrays.positions": np.zeros((2, 3))})))


async def append(workshop: Workshop, writer: WriteContext) -> UUID:
    return (await frame_streams.append(workshop.engine, workshop.room, writer, one_frame(), size=1_000)).change_id


async def bytes_of(workshop: Workshop, *tables: str) -> int:
    rows = await workshop.sql(
        "SELECT sum(pg_total_relation_size(name::regclass))::bigint FROM unnest(%s::text[]) AS name", list(tables)
    )
    return rows[0][0]


async def guest(workshop: Workshop, name: str) -> UUID:
    """The guest of this name, which signs in; created with its first sign-in."""
    key = name * 32
    account = await sign_in_guest(workshop.engine, name, key) or await create_guest(workshop.engine, name, key)
    assert account is not None
    return account.id


async def test_a_thousand_changes_of_one_job_store_its_arguments_once(workshop: Workshop) -> None:
    relax = await workshop.extension()
    worker = await workshop.worker(relax)
    # Hexadecimal digits of random bytes: PostgreSQL cannot compress 100 kB of arguments to nothing.
    arguments = {"n": 1, "note": np.random.default_rng(1).bytes(50_000).hex()}
    job = await workshop.running_job(relax, worker, arguments=arguments)
    writer = WriteContext(workshop.person, JobAttempt(job.id, worker.id, job.attempt))
    before = await bytes_of(workshop, "change", "change_origin")
    for _ in range(1_000):
        await append(workshop, writer)
    grown = await bytes_of(workshop, "change", "change_origin") - before
    assert grown < 1_000_000, f"1,000 changes took {grown:,} bytes"
    newest = (await list_changes(workshop.engine, workshop.room, limit=1))[0]
    assert (newest.job_id, newest.extension, newest.parameters) == (job.id, "modifiers/Relax", arguments)
    await worker.finish(job)
    assert await prune(workshop.engine, now=later(workshop.engine.timing.keep)) == 1
    oldest = (await list_changes(workshop.engine, workshop.room, limit=1_000))[-1]
    assert (oldest.job_id, oldest.extension, oldest.parameters) == (job.id, "modifiers/Relax", arguments)
    described = (await frame_streams.describe(workshop.engine, workshop.room, 999))[2]
    assert (described.extension, described.parameters) == ("modifiers/Relax", arguments)


async def test_old_changes_are_deleted_with_their_origin_and_changes_that_can_be_undone_stay(
    workshop: Workshop,
) -> None:
    engine = workshop.engine
    relax = await workshop.extension()
    worker = await workshop.worker(relax, capacity=2)
    writers: list[WriteContext] = []
    for _ in range(2):
        job = await workshop.running_job(relax, worker)
        writers.append(WriteContext(workshop.person, JobAttempt(job.id, worker.id, job.attempt)))
    await append(workshop, writers[0])
    kept = await append(workshop, writers[1])
    far = later(engine.timing.retention.changes)
    assert await delete_expired_changes(engine, now=far) == 0, "a change that has not expired is never deleted"
    assert await expire_changes(engine, kept=1) == 1
    assert await delete_expired_changes(engine) == 0, "an expired change stays in the history until it is old"
    assert await delete_expired_changes(engine, now=far) == 1
    assert [change.id for change in await list_changes(engine, workshop.room, limit=10)] == [kept]
    assert writers[1].job is not None
    assert await workshop.sql("SELECT job_id FROM change_origin") == [(writers[1].job.job_id,)]
    assert (await frame_streams.state(engine, workshop.room)).length == 2, "frames stay when their change is deleted"


async def test_old_notices_are_deleted_and_messages_of_people_and_notices_of_kept_jobs_stay(
    workshop: Workshop,
) -> None:
    engine = workshop.engine
    relax = await workshop.extension(tries=1)
    worker = await workshop.worker(relax)
    await workshop.failed_job(relax, worker)
    message = await chat.post(engine, workshop.room, workshop.person, "hello")
    far = later(max(engine.timing.retention.notices, engine.timing.keep))
    assert len(await chat.messages(engine, workshop.room)) == 2
    assert await delete_old_notices(engine, now=far) == 0, "the job is still there"
    await prune(engine, now=far)
    assert await delete_old_notices(engine) == 0, "the notice is young"
    assert await delete_old_notices(engine, now=far) == 1
    assert [row.id for row in await chat.messages(engine, workshop.room)] == [message.id]


async def test_links_that_expired_long_ago_are_deleted_and_others_stay(workshop: Workshop) -> None:
    engine = workshop.engine
    links: dict[str, UUID] = {}
    for name, seconds in (("unlimited", None), ("valid", 1e9), ("expired", 0.001), ("old", 0.001)):
        link, _ = await members.create_share_link(
            engine, workshop.room, actor=workshop.person, rights=Rights.READ, seconds=seconds
        )
        links[name] = link.id
    await workshop.sql("UPDATE share_link SET expires_at = now() - interval '1 year' WHERE id = %s", links["old"])
    assert await delete_expired_links(engine) == 1
    left = {link for (link,) in await workshop.sql("SELECT id FROM share_link")}
    assert left == {links["unlimited"], links["valid"], links["expired"]}


async def test_old_audit_rows_are_deleted_and_young_ones_stay(workshop: Workshop) -> None:
    engine = workshop.engine

    async def work(transaction: Transaction) -> None:
        for subject in ("old", "young"):
            await audit.record_audit(transaction, workshop.person, "room.delete", subject)

    await engine.transaction(work)
    await workshop.sql("UPDATE audit_log SET at = now() - interval '2 years' WHERE subject = 'old'")
    assert await delete_old_audit(engine) == 1
    assert [row.subject for row in (await audit.list_audit(engine, limit=10, offset=0)).rows] == ["young"]


async def test_idle_guests_are_deleted_and_guests_that_something_refers_to_stay(workshop: Workshop) -> None:
    engine = workshop.engine
    relax = await workshop.extension()
    names = ("idle", "recent", "disabled", "owner", "member", "submitter", "writer", "speaker")
    guests = {name: await guest(workshop, name) for name in names}
    await workshop.sql("UPDATE account SET seen_at = now() - interval '1 year'")
    await guest(workshop, "recent")
    admin = await workshop.another_person("root")
    await workshop.sql("UPDATE account SET role = 'admin', password_hash = 'x' WHERE id = %s", admin)
    await update_account(engine, actor=admin, account_id=guests["disabled"], disabled=True)
    await workshop.sql("INSERT INTO room (name, owner_id) VALUES ('theirs', %s)", guests["owner"])
    await members.put_member(engine, workshop.room, actor=workshop.person, who="member", rights=Rights.READ)
    await submit(engine, relax, {"n": 1}, JobOptions(guests["submitter"]))
    await append(workshop, WriteContext(guests["writer"]))
    await chat.post(engine, workshop.room, guests["speaker"], "hello")
    before = {name for (name,) in await workshop.sql("SELECT name FROM account")}
    assert await delete_idle_guests(engine) == 1
    assert before - {name for (name,) in await workshop.sql("SELECT name FROM account")} == {"idle"}


async def test_extensions_that_were_removed_long_ago_are_deleted_and_those_with_jobs_stay(workshop: Workshop) -> None:
    engine = workshop.engine
    rows: dict[str, Any] = {name: await workshop.extension(name) for name in ("Unused", "Used", "Young", "Offered")}
    used = await workshop.worker(rows["Used"])
    await workshop.completed_job(rows["Used"], used)
    await used.is_lost()
    await workshop.worker(rows["Offered"])
    await workshop.removed(rows["Unused"], rows["Used"], rows["Young"])
    await workshop.sql("UPDATE extension SET removed_at = removed_at - interval '1 year' WHERE name <> 'Young'")
    assert await delete_removed_extensions(engine) == 1
    assert {name for (name,) in await workshop.sql("SELECT name FROM extension")} == {"Used", "Young", "Offered"}


async def test_functions_that_were_registered_long_ago_are_deleted_unless_they_are_in_use(
    workshop: Workshop,
) -> None:
    engine = workshop.engine
    names = ("unused", "posted", "offered", "young")
    made = dict(zip(names, await register_extensions(engine, [function(name) for name in names]), strict=True))
    await workshop.sql("UPDATE extension SET updated_at = updated_at - interval '1 year' WHERE name <> 'young'")
    async with engine.database.connection() as connection:
        rows = {name: await extensions.get(connection, made[name].id) for name in ("posted", "offered")}
    posted, offered = rows["posted"], rows["offered"]
    assert posted is not None
    assert offered is not None
    await post(engine, posted, [{"n": 1}], JobOptions(workshop.person))
    await workshop.worker(offered)
    await workshop.sql("UPDATE extension SET updated_at = updated_at - interval '1 year' WHERE name = 'offered'")
    assert await delete_removed_extensions(engine) == 1
    assert {name for (name,) in await workshop.sql("SELECT name FROM extension")} == {"posted", "offered", "young"}


async def test_the_pruner_runs_every_rule(workshop: Workshop) -> None:
    await guest(workshop, "idle")
    await workshop.sql("UPDATE account SET seen_at = now() - interval '1 year'")
    await Pruner(workshop.engine).run_once()
    assert await workshop.sql("SELECT count(*) FROM account WHERE name = 'idle'") == [(0,)]


def test_a_guest_is_never_deleted_while_a_token_of_theirs_is_valid() -> None:
    settings = Settings.model_validate({"guest_days": 1, "token_seconds": 10 * 86_400.0})
    assert settings.timing.retention.guests == 10 * 86_400.0


async def test_the_bytes_of_a_room_are_counted_and_freed_when_the_history_expires(workshop: Workshop) -> None:
    async def used() -> int:
        return (await room_usage(workshop.engine, workshop.room)).used["bytes"]

    writer = WriteContext(workshop.person)
    await append(workshop, writer)
    one = await used()
    assert one > 50
    for _ in range(3):
        await append(workshop, writer)
    await frame_streams.delete(workshop.engine, workshop.room, writer, Places([0, 1, 2]))
    assert await used() == 4 * one  # the deleted frames can still be restored
    assert await expire_changes(workshop.engine, kept=0) == 5
    items = await workshop.sql("SELECT sum(octet_length(value::text))::bigint FROM scene_item")
    assert await used() == one + (items[0][0] or 0)
