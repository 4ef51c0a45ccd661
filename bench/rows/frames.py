"""P5: structures written to a room and read back, through the public API and a server process of its own."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator
from statistics import median
from typing import Any

import numpy as np
import psycopg
from ase import Atoms

from bench.environment import Environment
from bench.live_processes import workroom_server
from bench.row import Group, Row, measured, printed
from workroom import Room
from workroom.client.frames.ase_codec import encode_atoms

ROUNDS, APPENDS, READS = 5, 1_000, 300
MANY, OF = 1_000, 100
MORE, SMALL = 10_000, 20
LARGE = 100_000


def measure(environment: Environment) -> Iterator[Row]:
    """`room.extend(frames)` and `room[:]` with 1,000 structures of 100 atoms with two vector arrays, 10,000 of 20, and
    1 of 100,000; one random frame; `append` 1,000 times; `len(room)`. Medians, after one round that does not count.

    The floor is the database alone: COPY of the same bytes into a table, a SELECT of them, one row inserted, one read;
    with the same durability, without HTTP, accounts, layouts, positions, changes and structures.
    """
    with (
        environment.database() as url,
        workroom_server() as (address, _),
        Room("bench", url=address, user="bench") as room,
    ):
        floor = _Floor(url)
        for name, frames, limits in (
            ("P5", _structures(environment.size(MANY), OF), (150, 100)),
            ("P5-many", _structures(environment.size(MORE), SMALL), (500, 300)),
            ("P5-large", _structures(1, LARGE), (None, None)),
        ):
            yield from _write_and_read(name, room, floor, frames, limits, environment.rounds(ROUNDS))
        yield from _one_by_one(environment, room, floor)


def _write_and_read(
    name: str, room: Room, floor: _Floor, frames: list[Any], limits: tuple[int | None, int | None], rounds: int
) -> Iterator[Row]:
    bodies = [encode_atoms(atoms) for atoms in frames]
    written: list[float] = []
    read: list[float] = []
    copied_in: list[float] = []
    copied_out: list[float] = []
    for _ in range(rounds + 1):
        room.clear()
        written.append(_milliseconds(lambda: room.extend(frames)))
        read.append(_milliseconds(lambda: room[:]))
        copied_in.append(_milliseconds(lambda: floor.write(bodies)))
        copied_out.append(_milliseconds(floor.read))
    assert room[:] == frames
    megabytes = sum(map(len, bodies)) / 1e6
    what = f"{len(frames):,} frames x {len(frames[0]):,} atoms ({megabytes:.1f} MB)"
    for suffix, verb, values, floors, limit in (
        ("extend", "extend by", written, copied_in, limits[0]),
        ("read", "read back", read, copied_out, limits[1]),
    ):
        yield _row(f"{name}-{suffix}", f"{verb} {what}", median(values[1:]), median(floors[1:]), limit)


def _one_by_one(environment: Environment, room: Room, floor: _Floor) -> Iterator[Row]:
    frames = _structures(MANY, OF)
    room[:] = frames
    body = encode_atoms(frames[0])
    floor.write([encode_atoms(atoms) for atoms in frames])
    order = random.Random(5)
    reads, appends = environment.size(READS), environment.size(APPENDS)
    for name, what, times, act, floor_act, limit in (
        ("P5-one", "one random frame, p50", reads, lambda: room[order.randrange(MANY)], floor.one, 3),
        ("P5-append", "append one frame, p50", appends, lambda: room.append(frames[0]), lambda: floor.write([body]), 5),
        ("P5-len", "len(room), p50", reads, lambda: len(room), None, None),
    ):
        value = median(_milliseconds(act) for _ in range(times))
        yield _row(
            name, what, value, median(_milliseconds(floor_act) for _ in range(times)) if floor_act else None, limit
        )


def _row(name: str, what: str, value: float, floor: float | None, limit: int | None) -> Row:
    if limit is None:
        return printed(name, what, value, "ms", floor)
    return measured(name, what, value, "ms", floor, target=f"≤ {limit}", met=value <= limit)


class _Floor:
    """A table of bytes, without Workroom."""

    def __init__(self, url: str) -> None:
        self._connection = psycopg.connect(url, autocommit=True)
        self._connection.execute("CREATE TABLE floor (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, body bytea)")
        self._connection.execute("ALTER TABLE floor ALTER COLUMN body SET STORAGE EXTERNAL")
        self._last = 0
        self._written = 0

    def write(self, bodies: list[bytes]) -> None:
        with self._connection.cursor().copy("COPY floor (body) FROM STDIN (FORMAT binary)") as copy:
            copy.set_types(["bytea"])
            for body in bodies:
                copy.write_row((body,))
        self._last += len(bodies)
        self._written = len(bodies)

    def read(self) -> None:
        query = "SELECT body FROM floor WHERE id > %s ORDER BY id"
        rows = self._connection.execute(query, [self._last - self._written], binary=True).fetchall()
        assert len(rows) == self._written

    def one(self) -> None:
        self._connection.execute("SELECT body FROM floor WHERE id = %s", [self._last], binary=True).fetchone()


def _structures(count: int, atoms: int) -> list[Any]:
    random_numbers = np.random.default_rng(7)
    frames: list[Any] = []
    for _ in range(count):
        positions = random_numbers.random((atoms, 3))
        frame: Any = Atoms(numbers=random_numbers.integers(1, 90, atoms), positions=positions, cell=np.eye(3), pbc=True)
        frame.arrays["forces"] = random_numbers.random((atoms, 3))
        frame.set_momenta(random_numbers.random((atoms, 3)))
        frames.append(frame)
    return frames


def _milliseconds(act: Callable[[], object]) -> float:
    started = time.perf_counter()
    act()
    return (time.perf_counter() - started) * 1000


NAMES = ("P5-extend", "P5-read", "P5-many-extend", "P5-many-read", "P5-large-extend", "P5-large-read")
GROUP = Group((*NAMES, "P5-one", "P5-append", "P5-len"), measure)
