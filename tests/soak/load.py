"""Clients of a soak. They keep a ledger of what the server or the database has acknowledged."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from uuid import UUID

import httpx2

from tests.acceptance.live import Someone
from tests.soak import pool_program
from tests.soak.world import World
from workroom import WorkroomError
from workroom.actions.extensions.register import register_extensions
from workroom.actions.jobs.options import JobOptions
from workroom.actions.jobs.post import post
from workroom.client.portal import background
from workroom.store.queue_tables import extensions
from workroom.worker.postings.postgres_backend import extension_spec, open_postgres_backend

EXTENSIONS = ("Requeued", "Once", "Ignored")
POLICIES = ("requeue", "requeue_unstarted", "fail")
CALLS = 40
SUBMITTERS = 4
# How long jobs take. Long ones still run when a worker wakes that was declared lost with an earlier attempt.
SECONDS = (0.0, 0.02, 0.2, 3.0)
LOCK_TTL = 1.0
QUEUE = 30  # jobs of an extension that may wait; then the submitters pause
BACKLOG = 150  # calls that may wait; then no more are posted
# The server is away, restarting, or answers 503.
AWAY = (httpx2.HTTPError, AssertionError, WorkroomError)


@dataclass
class Ledger:
    """What was acknowledged."""

    jobs: set[str] = field(default_factory=set[str])
    postings: dict[UUID, int] = field(default_factory=dict[UUID, int])  # with the number of their calls
    cancels: int = 0
    retries: int = 0
    locked_writes: int = 0
    refused_writes: int = 0


class Load:
    """All clients, as tasks of one event loop. Postings go to the database directly, as those of a pool's client do."""

    def __init__(self, world: World, ada: Someone, chance: random.Random) -> None:
        self._world = world
        self._ada = ada
        self._chance = chance
        self.ledger = Ledger()
        self.stopping = asyncio.Event()

    async def run(self) -> None:
        async with asyncio.TaskGroup() as group:
            for step in (*[self._submit] * SUBMITTERS, self._post, self._cancel_or_retry):
                group.create_task(self._repeat(step))
            for number in range(3):
                group.create_task(self._repeat(lambda number=number: self._write_under_lock(number)))

    async def _repeat(self, step: Callable[[], Awaitable[None]]) -> None:
        while not self.stopping.is_set():
            try:
                await step()
            except AWAY:
                await asyncio.sleep(0.1)

    async def _submit(self) -> None:
        name = self._chance.choice(EXTENSIONS)
        seconds = self._chance.choices(SECONDS, (10, 5, 5, 3))[0]
        data = {} if name == "Ignored" else {"seconds": seconds}
        key = f"key-{self._chance.randrange(2**60)}"
        for _ in range(2):  # the key makes a repeated submit harmless
            try:
                submitted = await self._ada.submits("lab", name, data, idempotencyKey=key)
                self.ledger.jobs.add(submitted["jobId"])
                if (submitted["queuePosition"] or 0) > QUEUE:
                    await asyncio.sleep(2.0)
                break
            except AWAY:
                await asyncio.sleep(0.1)
        await asyncio.sleep(self._chance.uniform(0.0, 0.1))

    async def _post(self) -> None:
        await asyncio.sleep(self._chance.uniform(0.1, 0.5))
        policy = self._chance.choice(POLICIES)
        calls = [{"args": [self._chance.choices(SECONDS, (20, 20, 5, 2))[0]]} for _ in range(CALLS)]
        posting = await asyncio.wrap_future(background().start(_posted(self._world.url, policy, calls)))
        if posting is not None:
            self.ledger.postings[posting] = CALLS

    async def _cancel_or_retry(self) -> None:
        await asyncio.sleep(self._chance.uniform(0.05, 0.5))
        if not self.ledger.jobs:
            return
        job_id = self._chance.choice(sorted(self.ledger.jobs)[-50:])
        if self._chance.random() < 0.5:
            answer = await self._ada.http.delete(f"/api/jobs/{job_id}")
            self.ledger.cancels += answer.status_code < 300
            return
        answer = await self._ada.http.post(f"/api/jobs/{job_id}/retry")
        if answer.status_code == 202:
            self.ledger.jobs.add(answer.json()["jobId"])
            self.ledger.retries += 1

    async def _write_under_lock(self, number: int) -> None:
        """Acquire the lock, write, sleep for too long now and then, and write again with the token of before."""
        http, path = self._ada.http, "/api/rooms/locks"
        body = {"ttlSeconds": LOCK_TTL, "client": f"writer-{number}-{self._chance.randrange(2**40)}"}
        answer = await http.post(f"{path}/locks/metadata/acquire", json=body)
        if answer.status_code != 200:
            await asyncio.sleep(self._chance.uniform(0.05, 0.3))
            return
        grant = answer.json()
        for _ in range(self._chance.randrange(1, 5)):
            # One that sleeps past the TTL does not know it: it writes with its old token.
            await asyncio.sleep(self._chance.choice((0.0, 0.0, 0.1, 1.3 * LOCK_TTL)))
            value = {"fence": grant["fence"], "at": time.time_ns()}
            written = await http.put(
                f"{path}/metadata/x", json={"value": value}, headers={"Workroom-Lock": grant["token"]}
            )
            if written.status_code < 300:
                self.ledger.locked_writes += 1
            elif written.status_code < 500:
                self.ledger.refused_writes += 1
        await http.post(f"{path}/locks/metadata/release", json={"token": grant["token"]})


async def _posted(url: str, policy: str, calls: list[dict[str, list[float]]]) -> UUID | None:
    """Post the calls, unless many wait already."""
    backend = await open_postgres_backend(url)
    spec = extension_spec(pool_program.soak_call)
    registered = (await register_extensions(backend.engine, [spec]))[0]
    async with backend.engine.database.connection() as connection:
        row = await extensions.get(connection, registered.id)
        waiting = await connection.execute(
            "SELECT count(*) FROM job WHERE state = 'pending' AND extension_id = %s", (registered.id,)
        )
        found = await waiting.fetchone()
    assert row is not None and found is not None
    if found[0] > BACKLOG:
        return None
    return await post(backend.engine, row, calls, JobOptions(await backend.submitter(), on_worker_lost=policy))
