"""Workers end with the rights of their account, in the transaction that changes the rights."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from tests.workshop import SCHEMA, Workshop

from workroom.actions.accounts.accounts import reset_password, sign_out, update_account
from workroom.actions.engine import Engine
from workroom.actions.events import WorkersEnded
from workroom.actions.extensions.register import ExtensionSpec
from workroom.actions.rooms.members import put_member, remove_member
from workroom.actions.rooms.rooms import update_room
from workroom.actions.workers.lifecycle import WorkerSpec, attach, register_worker
from workroom.domain.errors import Forbidden, NotSignedIn, WorkroomError
from workroom.domain.jobs.states import State
from workroom.domain.rooms.rights import Rights
from workroom.server.settings import load


def _spec(workshop: Workshop, account: UUID, **more: Any) -> WorkerSpec:
    relax = ExtensionSpec("modifiers", "Relax", SCHEMA, room=workshop.room)
    return WorkerSpec("remote", [relax], account_id=account, room=workshop.room, epoch=0, **more)


async def _live(workshop: Workshop) -> int:
    return (await workshop.sql("SELECT count(*) FROM worker WHERE ended_at IS NULL"))[0][0]


async def test_a_worker_without_rights_gets_nothing_and_its_job_is_settled(workshop: Workshop) -> None:
    ben = await workshop.another_person("ben")
    await put_member(workshop.engine, workshop.room, actor=workshop.person, who="ben", rights=Rights.WRITE)
    registered = await register_worker(workshop.engine, _spec(workshop, ben))
    await attach(workshop.engine, registered.worker_id, registered.incarnation, "socket")
    relax = await workshop.extension()
    await workshop.worker(relax)  # a pool, so that the extension stays
    job = await workshop.pending_job(relax)
    assert await workshop.state(job) is State.ASSIGNED
    await put_member(workshop.engine, workshop.room, actor=workshop.person, who="ben", rights=Rights.READ)
    assert await workshop.state(job) is State.FAILED
    assert await workshop.state(await workshop.pending_job(relax)) is State.PENDING
    assert WorkersEnded((registered.worker_id,)) in workshop.events
    assert await workshop.miscounted() == []


async def test_signing_out_leaves_workers_running(workshop: Workshop) -> None:
    await register_worker(workshop.engine, _spec(workshop, workshop.person))
    await sign_out(workshop.engine, workshop.person)
    assert await _live(workshop) == 1


async def test_a_revoked_token_registers_no_worker(workshop: Workshop) -> None:
    await sign_out(workshop.engine, workshop.person)
    with pytest.raises(NotSignedIn):
        await register_worker(workshop.engine, _spec(workshop, workshop.person))
    ben = await workshop.another_person("ben")
    with pytest.raises(Forbidden, match="extensionsFrom"):
        await register_worker(workshop.engine, _spec(workshop, ben))
    assert await workshop.sql("SELECT count(*) FROM worker") == [(0,)]


async def _remove(engine: Engine, room: str, owner: UUID, _: UUID) -> None:
    await remove_member(engine, room, actor=owner, who="ben", may_remove_others=True)


async def _close(engine: Engine, room: str, owner: UUID, _: UUID) -> None:
    await remove_member(engine, room, actor=owner, who="ben", may_remove_others=True)
    await update_room(engine, room, actor=owner, visibility="private")


async def _disable(engine: Engine, _room: str, owner: UUID, ben: UUID) -> None:
    await update_account(engine, actor=owner, account_id=ben, disabled=True)


async def _reset(engine: Engine, _room: str, owner: UUID, ben: UUID) -> None:
    await reset_password(engine, actor=owner, account_id=ben, new_hash="a hash")


@pytest.mark.parametrize("end", [_remove, _close, _disable, _reset])
async def test_no_worker_outlives_the_rights_that_end_while_it_registers(
    workshop: Workshop, end: Callable[[Engine, str, UUID, UUID], Awaitable[None]]
) -> None:
    """Whatever comes first: the registration is refused, or its worker is ended."""
    engine, room, owner = workshop.engine, workshop.room, workshop.person
    ben = await workshop.another_person("ben")
    for _ in range(12):
        await workshop.sql("UPDATE account SET disabled_at = NULL, token_epoch = 0")
        await put_member(engine, room, actor=owner, who="ben", rights=Rights.WRITE)
        registrations = [register_worker(engine, _spec(workshop, ben)) for _ in range(4)]
        results = await asyncio.gather(*registrations, end(engine, room, owner, ben), return_exceptions=True)
        unexpected = [one for one in results if isinstance(one, BaseException) and not isinstance(one, WorkroomError)]
        assert unexpected == []
        assert await _live(workshop) == 0


async def test_many_workers_of_one_account_register_at_once(workshop: Workshop) -> None:
    """They are counted one after the other. Locks that were taken in two steps made them collide again and again."""
    workshop.engine.quotas = load({}, Path()).settings.quotas
    began = time.monotonic()
    await asyncio.gather(*(register_worker(workshop.engine, _spec(workshop, workshop.person)) for _ in range(16)))
    assert await _live(workshop) == 16
    assert time.monotonic() - began < 10
