"""P5: structures into a room and out of it, through the public API and a server process of its own."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator
from statistics import median
from typing import Any

import numpy as np
import psycopg
from ase import Atoms

from bench.live import workroom_server
from bench.place import Place
from bench.row import Group, Row
from workroom import Room
from workroom.client.frames.ase_codec import encode_atoms

ROUNDS, APPENDS, READS = 5, 1_000, 300
MANY, OF = 1_000, 100
MORE, SMALL = 10_000, 20
LARGE = 100_000


def measure(place: Place) -> Iterator[Row]:
    """`room.extend(frames)` and `room[:]` with 1,000 structures of 100 atoms with two vector arrays, 10,000 of 20, and
    1 of 100,000; one random frame; `append` 1,000 times; `len(room)`. Medians, after one unmeasured round.

    The floor is the bare database: COPY of the same bytes into a table and out of it, one row inserted, one read, each
    as durable as ours, without HTTP, accounts, layouts, positions, changes and structures.
    """
    with place.database() as url, workroom_server() as (address, _), Room("bench", url=address, user="bench") as room:
        floor = _Floor(url)
        for name, frames, limits in (
            ("P5", _structures(place.size(MANY), OF), (150, 100)),
            ("P5-many", _structures(place.size(MORE), SMALL), (500, 300)),
            ("P5-large", _structures(1, LARGE), (None, None)),
        ):
            yield from _there_and_back(name, room, floor, frames, limits)
        yield from _one_by_one(place, room, floor)


def _there_and_back(
    name: str, room: Room, floor: _Floor, frames: list[Any], limits: tuple[int | None, int | None]
) -> Iterator[Row]:
    bodies = [encode_atoms(atoms) for atoms in frames]
    sent: list[float] = []
    received: list[float] = []
    copied_in: list[float] = []
    copied_out: list[float] = []
    for _ in range(ROUNDS + 1):
        room.clear()
        sent.append(_milliseconds(lambda: room.extend(frames)))
        received.append(_milliseconds(lambda: room[:]))
        copied_in.append(_milliseconds(lambda: floor.write(bodies)))
        copied_out.append(_milliseconds(floor.read))
    assert room[:] == frames
    megabytes = sum(map(len, bodies)) / 1e6
    what = f"{len(frames):,} frames x {len(frames[0]):,} atoms ({megabytes:.1f} MB)"
    for suffix, verb, values, beside, limit in (
        ("extend", "extend by", sent, copied_in, limits[0]),
        ("read", "read back", received, copied_out, limits[1]),
    ):
        value = median(values[1:])
        target = "printed" if limit is None else f"≤ {limit}"
        met = limit is None or value <= limit
        yield Row(f"{name}-{suffix}", f"{verb} {what}", value, "ms", median(beside[1:]), target, met)


def _one_by_one(place: Place, room: Room, floor: _Floor) -> Iterator[Row]:
    frames = _structures(MANY, OF)
    room[:] = frames
    body = encode_atoms(frames[0])
    floor.write([encode_atoms(atoms) for atoms in frames])
    order = random.Random(5)
    reads, appends = place.size(READS), place.size(APPENDS)
    for name, what, many, act, beside, limit in (
        ("P5-one", "one random frame, p50", reads, lambda: room[order.randrange(MANY)], floor.one, 3),
        ("P5-append", "append one frame, p50", appends, lambda: room.append(frames[0]), lambda: floor.write([body]), 5),
        ("P5-len", "len(room), p50", reads, lambda: len(room), None, None),
    ):
        values = [_milliseconds(act) for _ in range(many)]
        bare = median(_milliseconds(beside) for _ in range(many)) if beside else None
        value = median(values)
        target = "printed" if limit is None else f"≤ {limit}"
        yield Row(name, what, value, "ms", bare, target, limit is None or value <= limit)


class _Floor:
    """The database alone."""

    def __init__(self, url: str) -> None:
        self._connection = psycopg.connect(url, autocommit=True)
        self._connection.execute("CREATE TABLE floor (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, body bytea)")
        self._connection.execute("ALTER TABLE floor ALTER COLUMN body SET STORAGE EXTERNAL")
        self._last = 0
        self._many = 0

    def write(self, bodies: list[bytes]) -> None:
        with self._connection.cursor().copy("COPY floor (body) FROM STDIN (FORMAT binary)") as copy:
            copy.set_types(["bytea"])
            for body in bodies:
                copy.write_row((body,))
        self._last += len(bodies)
        self._many = len(bodies)

    def read(self) -> None:
        query = "SELECT body FROM floor WHERE id > %s ORDER BY id"
        rows = self._connection.execute(query, [self._last - self._many], binary=True).fetchall()
        assert len(rows) == self._many

    def one(self) -> None:
        self._connection.execute("SELECT body FROM floor WHERE id = %s", [self._last], binary=True).fetchone()


def _structures(many: int, atoms: int) -> list[Any]:
    random_numbers = np.random.default_rng(7)
    frames: list[Any] = []
    for _ in range(many):
        positions = random_numbers.random((atoms, 3))
        one: Any = Atoms(numbers=random_numbers.integers(1, 90, atoms), positions=positions, cell=np.eye(3), pbc=True)
        one.arrays["forces"] = random_numbers.random((atoms, 3))
        one.set_momenta(random_numbers.random((atoms, 3)))
        frames.append(one)
    return frames


def _milliseconds(act: Callable[[], object]) -> float:
    started = time.perf_counter()
    act()
    return (time.perf_counter() - started) * 1000


NAMES = ("P5-extend", "P5-read", "P5-many-extend", "P5-many-read", "P5-large-extend", "P5-large-read")
GROUP = Group((*NAMES, "P5-one", "P5-append", "P5-len"), measure)
