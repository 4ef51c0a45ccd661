"""F7: whoever has lost a lock writes nothing under it, however long they were away.

Random schedules of several clients run against PostgreSQL on many connections; then a real process is stopped while it
holds a lock. Every run prints its seed.
"""

from __future__ import annotations

import asyncio
import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import AsyncIterator, Generator
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, NamedTuple
from uuid import UUID

import pytest
from ase import Atoms
from tests.acceptance.live import LiveServer
from tests.faults.fault_table import FaultRecorder
from tests.workshop import Workshop

from workroom import Room
from workroom.actions.engine import Transaction
from workroom.actions.rooms import frame_streams, items, locks
from workroom.actions.rooms.locks import LockRequest
from workroom.actions.rooms.write_transaction import WriteContext, lock_room
from workroom.client.frames.ase_codec import encode_atoms
from workroom.client.frames.transfer import stream
from workroom.domain.errors import DatabaseError, LockLost, RoomLocked
from workroom.domain.rooms.items import Kind
from workroom.domain.rooms.trajectory_edits import Span
from workroom.store.room_tables import rooms
from workroom.wire.frames import decode

CLIENTS, STEPS, AT_ONCE = 4, 10, 40
VERBS = ("acquire", "write", "plain", "refresh", "release", "expire")
WEIGHTS = (4, 6, 2, 1, 1, 2)


def token_of(grant_id: UUID) -> str:
    return f"token of {grant_id}"


class Done(NamedTuple):
    """Something that was accepted, between two moments."""

    fence: int | None  # none: written without a lock
    began: float
    ended: float


@dataclass
class Story:
    """What happened in one room to one target."""

    workshop: Workshop
    room: str
    target: str
    chance: random.Random
    granted: dict[int, Done] = field(default_factory=dict[int, Done])
    ends: dict[int, list[Done]] = field(default_factory=dict[int, list[Done]])  # released or expired, by fence
    written: list[Done] = field(default_factory=list[Done])
    refused: Counter[str] = field(default_factory=Counter[str])

    async def unfolds(self) -> None:
        await asyncio.gather(*(self._client(f"client {n}") for n in range(CLIENTS)))

    async def _client(self, name: str) -> None:
        token, fence = None, None
        for _ in range(STEPS):
            # A client that was stopped knows nothing of what happened meanwhile: it keeps its token.
            verb = self.chance.choices(
                ("acquire", "write", "plain", "refresh", "release", "expire"), (4, 6, 2, 1, 1, 2)
            )[0]
            began = time.monotonic()
            try:
                match verb:
                    case "acquire":
                        grant = await locks.acquire(
                            self.workshop.engine, self.room, self._hand(), LockRequest(self.target, name), token_of
                        )
                        token, fence = grant.token, grant.lock.fence
                        self.granted.setdefault(fence, Done(fence, began, time.monotonic()))
                    case "write" if token is not None:
                        await self._write(self._hand(token), fence)
                        self.written.append(Done(fence, began, time.monotonic()))
                    case "plain":
                        await self._write(self._hand(), None)
                        self.written.append(Done(None, began, time.monotonic()))
                    case "refresh" if token is not None:
                        await locks.refresh(self.workshop.engine, self.room, self.target, token)
                    case "release" if token is not None and fence is not None:
                        await locks.release(self.workshop.engine, self.room, self.target, token)
                        self._ended(fence, began)
                    case "expire":
                        for expired in await self._expire():
                            self._ended(expired, began)
                    case _:
                        pass
            except (LockLost, RoomLocked) as refusal:
                self.refused[refusal.code] += 1
            await asyncio.sleep(self.chance.random() * 0.002)

    async def _write(self, writer: WriteContext, fence: int | None) -> None:
        if self.target == "trajectory":
            atoms = Atoms("H", positions=[[fence or 0, 0, 0]])
            body = stream(encode_atoms(atoms))
            await frame_streams.append(self.workshop.engine, self.room, writer, _pieces(body), size=len(body))
        else:
            value = {"fence": fence, "luck": self.chance.random()}
            await items.put(self.workshop.engine, self.room, writer, Kind.METADATA, {"x": value})

    async def _expire(self) -> list[int]:
        """The holder is stopped until its time is over. Time does not run out in the middle of a write: that has
        checked the lock, and holds the room."""

        async def work(transaction: Transaction) -> list[int]:
            await lock_room(transaction, self.room)
            cursor = await transaction.connection.execute(
                b"UPDATE room_lock SET expires_at = clock_timestamp()"
                b" WHERE room = %s AND target = %s AND expires_at > clock_timestamp() RETURNING fence",
                (self.room, self.target),
            )
            return [row[0] for row in await cursor.fetchall()]

        return await self.workshop.engine.transaction(work)

    def _hand(self, token: str | None = None) -> WriteContext:
        return WriteContext(self.workshop.person, lock=token)

    def _ended(self, fence: int, began: float) -> None:
        self.ends.setdefault(fence, []).append(Done(fence, began, time.monotonic()))

    def stale(self) -> int:
        """Writes under a lock that was certainly over when they began."""
        return sum(one.fence is not None and one.began > self._over_since(one.fence) for one in self.written)

    def trespasses(self) -> int:
        """Writes without the lock that began and ended while somebody certainly had it."""
        return sum(
            one.fence is None
            and any(
                grant.ended < one.began and one.ended < self._held_until(fence) for fence, grant in self.granted.items()
            )
            for one in self.written
        )

    def _over_since(self, fence: int) -> float:
        later = [grant.ended for other, grant in self.granted.items() if other > fence]
        return min(later + [end.ended for end in self.ends.get(fence, [])], default=float("inf"))

    def _held_until(self, fence: int) -> float:
        later = [grant.began for other, grant in self.granted.items() if other > fence]
        return min(later + [end.began for end in self.ends.get(fence, [])], default=float("inf"))

    async def backwards(self) -> int:
        """Writes of an older grant that the database has after writes of a newer one."""
        if self.target == "trajectory":
            reading = await frame_streams.read(self.workshop.engine, self.room, Span())
            fences = [int(_position(body)) async for some in reading.frames for body in some]
        else:
            rows = await self.workshop.sql(
                "SELECT (value.after ->> 'fence')::bigint FROM change_value AS value"
                " JOIN change ON change.id = change_id JOIN room ON room.number = change.room"
                " WHERE room.name = %s ORDER BY change.revision",
                self.room,
            )
            fences = [row[0] or 0 for row in rows]
        assert len(fences) == len(self.written)
        held = [fence for fence in fences if fence]
        return sum(later < earlier for earlier, later in pairwise(held))


def _position(body: bytes) -> float:
    return float(decode(body)["arrays.positions"][0][0])


async def _pieces(content: bytes) -> AsyncIterator[bytes]:
    yield content


async def run_schedules(
    workshop: Workshop, capsys: pytest.CaptureFixture[str], fault: FaultRecorder, many: int
) -> None:
    seed = int(os.environ.get("WORKROOM_FAULT_SEED") or random.randrange(2**32))
    room = asyncio.Semaphore(AT_ONCE)

    async def one(number: int) -> Story:
        async with room:
            name = f"schedule-{number}"
            async with workshop.engine.database.connection() as connection:
                await rooms.create(connection, name=name, owner_id=workshop.person, description="", visibility="public")
            target = "trajectory" if number % 2 else "metadata"
            story = Story(workshop, name, target, random.Random(f"{seed} {number}"))
            try:
                await story.unfolds()
            except DatabaseError as trouble:
                raise AssertionError(f"seed {seed}, schedule {number}: {trouble}") from trouble
            return story

    stories = await asyncio.gather(*(one(number) for number in range(many)))
    counts = {
        "stale writes accepted": sum(story.stale() for story in stories),
        "written past a lock": sum(story.trespasses() for story in stories),
        "out of order": sum([await story.backwards() for story in stories]),
    }
    under = sum(one.fence is not None for story in stories for one in story.written)
    refused = sum((story.refused for story in stories), Counter[str]())
    fences = [fence for story in stories for fence in story.granted]
    with capsys.disabled():
        print(
            f"\nF7: seed = {seed}; {many} schedules, {len(fences)} grants, {under} writes under a lock, "
            f"{sum(len(story.written) for story in stories) - under} without, refused {dict(refused)}; "
            + ", ".join(f"{what} = {number}" for what, number in counts.items())
        )
    fault.record(runs=many, stale=sum(counts.values()))
    assert not any(counts.values()), (seed, counts)
    assert len(fences) == len(set(fences))
    # Whether the schedules got anywhere: how far is a matter of chance, and of how busy the machine is.
    assert min(under, refused["lock_lost"], refused["locked"]) > many / 4


@pytest.mark.fault("F7")
async def test_forty_random_schedules_accept_no_stale_write(
    workshop: Workshop, capsys: pytest.CaptureFixture[str], fault: FaultRecorder
) -> None:
    await run_schedules(workshop, capsys, fault, 40)


@pytest.mark.full
@pytest.mark.fault("F7")
async def test_a_thousand_random_schedules_accept_no_stale_write(
    workshop: Workshop, capsys: pytest.CaptureFixture[str], fault: FaultRecorder
) -> None:
    await run_schedules(workshop, capsys, fault, 1_000)


HOLDER = """
import sys
from ase import Atoms
from workroom import Room
from workroom.domain.errors import LockLost, WorkroomError

room = Room(sys.argv[1], sys.argv[2], "ada", create=False)
room.append(Atoms("H"))
try:
    with room.lock("trajectory", msg="Uploading", ttl=3.0):
        print("holds", flush=True)
        for line in sys.stdin:  # one try for each line
            if line.strip() == "leave":
                break
            outcomes = []
            for write in (
                lambda: room.append(Atoms("Xe")),
                lambda: room.extend([Atoms("Xe")] * 3),
                lambda: room.__setitem__(0, Atoms("Xe")),
                lambda: room.__delitem__(0),
                lambda: room.insert(0, Atoms("Xe")),
            ):
                try:
                    write()
                    outcomes.append("accepted")
                except WorkroomError as error:
                    outcomes.append(error.code)
            print(*outcomes, flush=True)
except LockLost:
    print("lost", flush=True)
"""


@pytest.fixture
def server() -> Generator[LiveServer]:
    live = LiveServer().start()
    yield live
    live.remove()


@pytest.fixture
def holder_process(server: LiveServer) -> Any:
    started: list[subprocess.Popen[str]] = []

    def start(room: str) -> subprocess.Popen[str]:
        process = subprocess.Popen(
            [sys.executable, "-c", HOLDER, room, server.url],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        started.append(process)
        return process

    yield start
    for process in started:
        if process.poll() is None:
            process.send_signal(signal.SIGCONT)
            process.kill()
        process.communicate()


@pytest.mark.fault("F7")
def test_a_stopped_lock_holder_cannot_write_after_its_ttl(
    server: LiveServer, holder_process: Any, capsys: pytest.CaptureFixture[str], fault: FaultRecorder
) -> None:
    with Room(f"stopped-{os.getpid()}", server.url, "bob") as room:
        holder = holder_process(room.name)
        assert holder.stdout.readline() == "holds\n"
        with pytest.raises(RoomLocked, match="ada holds the lock on the trajectory: Uploading"):
            room.append(Atoms("He"))
        os.kill(holder.pid, signal.SIGSTOP)
        seconds = [Atoms("He", positions=[[n / 7, n, -n]]) for n in range(5)]
        with room.lock("trajectory", wait=20):
            room[:] = seconds
            os.kill(holder.pid, signal.SIGCONT)
            tries = [_tries(holder)]  # while the second has the lock
        tries.append(_tries(holder))  # and when nobody has it
        left = [_told(atoms) for atoms in room]
        holder.stdin.write("leave\n")
        holder.stdin.flush()
        assert holder.stdout.readline() == "lost\n"
        accepted = sum(one == "accepted" for some in tries for one in some)
        with capsys.disabled():
            print(f"\nF7: a stopped holder tried {sum(map(len, tries))} writes; stale writes accepted = {accepted}")
        fault.record(stale=accepted)
        assert tries == [["lock_lost"] * 5] * 2
        assert left == [_told(atoms) for atoms in seconds]


def _told(atoms: Any) -> tuple[str, list[list[float]]]:
    return str(atoms.symbols), atoms.positions.tolist()


def _tries(holder: Any) -> list[str]:
    holder.stdin.write("try\n")
    holder.stdin.flush()
    return holder.stdout.readline().split()
