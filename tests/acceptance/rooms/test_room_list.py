# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false, reportUnknownArgumentType=false
"""A Room is a list: random operations on a live room and on a Python list always come to the same."""

from __future__ import annotations

import asyncio
import io
import time
from collections.abc import AsyncIterator, Callable, Generator, Iterator
from contextlib import redirect_stderr
from itertools import count
from typing import Any, ClassVar

import numpy as np
import pytest
from ase import Atoms
from ase.build import bulk, molecule
from ase.calculators.singlepoint import SinglePointCalculator
from ase.constraints import FixAtoms
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule, run_state_machine_as_test
from tests.acceptance.live import LiveServer

from workroom import AsyncRoom, Category, Extension, Room
from workroom.domain.errors import AttemptLost, BadInput, NoSuchFrame, RoomLocked

_numbers = count(1)


def atoms(number: int, size: int = 1) -> Atoms:
    """A structure one can tell from others."""
    return Atoms(numbers=np.full(size, 1 + number % 100), positions=np.full((size, 3), float(number)))


def numbers(frames: Any) -> list[int]:
    return [int(one.positions[0, 0]) for one in frames]


@pytest.fixture
def vis(server: LiveServer) -> Generator[Room]:
    number = next(_numbers)
    with Room(f"list-{number}", url=server.url, user=f"lister-{number}") as room:
        yield room


def outcome(act: Callable[[], Any]) -> Any:
    """What came of it; for an error its kind."""
    try:
        return act()
    except IndexError:
        return IndexError
    except ValueError:
        return ValueError


indices = st.integers(-9, 9)
ends = st.none() | indices
slices = st.builds(slice, ends, ends, st.none() | st.sampled_from([1, 2, 3, -1, -2, 0]))
new = st.integers(0, 5)


class RoomAndList(RuleBasedStateMachine):
    """Does the same to both."""

    room: Room  # set before it runs; its frames are made in advance, as making some takes longer than sending them
    MADE: ClassVar = [atoms(number) for number in range(3_000)]

    def __init__(self) -> None:
        super().__init__()
        self.room.clear()
        self.list: list[int] = []
        self._number = count(0)

    def fresh(self, many: int) -> list[int]:
        return [next(self._number) % len(self.MADE) for _ in range(many)]

    def frames(self, wanted: list[int]) -> list[Atoms]:
        return [self.MADE[number] for number in wanted]

    def same(self, in_list: Callable[[], Any], in_room: Callable[[], Any]) -> None:
        expected, found = outcome(in_list), outcome(in_room)
        if isinstance(found, Atoms):
            found = numbers([found])[0]
        elif isinstance(found, list) and not isinstance(expected, type):
            found = numbers(found)
        assert found == expected

    @rule(many=new)
    def extend(self, many: int) -> None:
        added = self.fresh(many)
        self.same(lambda: self.list.extend(added), lambda: self.room.extend(iter(self.frames(added))))

    @rule()
    def append(self) -> None:
        (number,) = self.fresh(1)
        self.same(lambda: self.list.append(number), lambda: self.room.append(self.MADE[number]))

    @rule(index=indices)
    def insert(self, index: int) -> None:
        (number,) = self.fresh(1)
        self.same(lambda: self.list.insert(index, number), lambda: self.room.insert(index, self.MADE[number]))

    @rule(index=indices)
    def read_one(self, index: int) -> None:
        self.same(lambda: self.list[index], lambda: self.room[index])

    @rule(wanted=slices)
    def read_slice(self, wanted: slice) -> None:
        self.same(lambda: self.list[wanted], lambda: self.room[wanted])

    @rule(wanted=st.lists(indices, max_size=5), as_array=st.booleans())
    def read_some(self, wanted: list[int], as_array: bool) -> None:
        asked = np.array(wanted, int) if as_array else wanted
        self.same(lambda: [self.list[index] for index in wanted], lambda: self.room[asked])

    @rule(data=st.data())
    def read_by_mask(self, data: st.DataObject) -> None:
        mask = data.draw(st.lists(st.booleans(), min_size=len(self.list), max_size=len(self.list)))
        expected = [number for number, wanted in zip(self.list, mask, strict=True) if wanted]
        self.same(lambda: expected, lambda: self.room[np.array(mask, bool)])

    @rule(index=indices)
    def replace_one(self, index: int) -> None:
        (number,) = self.fresh(1)
        self.same(lambda: self.list.__setitem__(index, number), lambda: self.room.__setitem__(index, self.MADE[number]))

    @rule(where=slices, many=new)
    def replace_slice(self, where: slice, many: int) -> None:
        added = self.fresh(many)
        frames = self.frames(added)
        self.same(lambda: self.list.__setitem__(where, added), lambda: self.room.__setitem__(where, frames))

    @rule(where=st.lists(indices, min_size=1, max_size=4))
    def replace_some(self, where: list[int]) -> None:
        added = self.fresh(len(where))

        def one_by_one() -> None:
            found = list(self.list)
            for index, number in zip(where, added, strict=True):
                found[index] = number
            self.list[:] = found

        self.same(one_by_one, lambda: self.room.__setitem__(where, self.frames(added)))

    @rule(index=indices)
    def delete_one(self, index: int) -> None:
        self.same(lambda: self.list.__delitem__(index), lambda: self.room.__delitem__(index))

    @rule(where=slices)
    def delete_slice(self, where: slice) -> None:
        self.same(lambda: self.list.__delitem__(where), lambda: self.room.__delitem__(where))

    @rule(where=st.lists(indices, max_size=4))
    def delete_some(self, where: list[int]) -> None:
        def at_once() -> None:
            gone = {range(len(self.list))[index] for index in where}
            self.list[:] = [number for place, number in enumerate(self.list) if place not in gone]

        self.same(at_once, lambda: self.room.__delitem__(where))

    @rule(index=indices)
    def pop(self, index: int) -> None:
        self.same(lambda: self.list.pop(index), lambda: self.room.pop(index))

    @rule()
    def reverse(self) -> None:
        self.same(self.list.reverse, self.room.reverse)

    @rule(number=st.integers(0, 12))
    def find_and_remove(self, number: int) -> None:
        self.same(lambda: self.list.index(number), lambda: self.room.index(self.MADE[number]))
        self.same(lambda: self.list.count(number), lambda: self.room.count(self.MADE[number]))
        self.same(lambda: self.list.remove(number), lambda: self.room.remove(self.MADE[number]))

    @rule(many=new)
    def add_in_place(self, many: int) -> None:
        added = self.fresh(many)
        self.list += added
        self.room += self.frames(added)

    @rule(many=new, index=indices)
    def in_a_batch(self, many: int, index: int) -> None:
        added = self.fresh(many)
        with self.room.batch():
            for number in added:
                self.room.append(self.MADE[number])
                self.list.append(number)
            if -len(self.list) <= index < len(self.list):
                (self.list[index],) = self.fresh(1)
                self.room[index] = self.MADE[self.list[index]]
                self.list[0] = self.list[index]
                self.room[0] = self.MADE[self.list[0]]

    @rule()
    def walk_backwards(self) -> None:
        assert numbers(reversed(self.room)) == list(reversed(self.list))

    @invariant()
    def they_are_the_same(self) -> None:
        assert len(self.room) == len(self.list)
        assert numbers(self.room) == self.list


def test_random_operations_come_to_the_same_on_a_room_and_on_a_list(vis: Room) -> None:
    class InThisRoom(RoomAndList):
        room = vis

    run_state_machine_as_test(
        InThisRoom,
        settings=settings(
            max_examples=8,
            stateful_step_count=20,
            deadline=None,
            suppress_health_check=[HealthCheck.too_slow],
            database=None,
        ),
    )


def test_everything_in_a_structure_comes_back_from_a_room(vis: Room) -> None:
    water = molecule("H2O")
    water.info |= {"note": "wet", "deep": {"a": [1, (2.5, None)]}, "vector": np.arange(3, dtype=np.float32)}
    water.set_constraint(FixAtoms([1]))
    water.calc = SinglePointCalculator(water, energy=-1.5, forces=np.ones((3, 3)))
    water.set_array("weights", np.arange(3, dtype=np.int16))
    vis.append(water)
    vis.append(Atoms())
    back = vis[0]
    assert back == water and back.info["deep"] == water.info["deep"] and back.info["note"] == "wet"
    assert back.info["vector"].dtype == np.float32 and back.arrays["weights"].dtype == np.int16
    assert back.get_potential_energy() == -1.5 and (back.get_forces(apply_constraint=False) == 1).all()
    assert back.constraints[0].index.tolist() == [1]
    assert [len(one) for one in vis] == [3, 0] and vis[1] == Atoms()
    back.positions += 1  # ours alone
    assert vis[0] == water
    values = vis.get(0, keys=["info.note", "arrays.positions", "calc.energy", "info.missing"])
    assert list(values) == ["arrays.positions", "info.note", "calc.energy"]
    assert [list(one) for one in vis.get(slice(None), keys=["pbc"])] == [["pbc"], ["pbc"]]
    assert vis.frame_metadata(0).keys["info.deep"].type == "dict"


def test_mistakes_are_told_as_a_list_would(vis: Any) -> None:
    with pytest.raises(NoSuchFrame, match="it is empty"):
        vis[0]
    with pytest.raises(IndexError, match="no frames yet"):
        _ = vis.atoms
    vis.extend([atoms(1), atoms(2)])
    mistakes: list[tuple[Callable[[], Any], type[Exception], str]] = [
        (lambda: vis[2], IndexError, "0 to 1"),
        (lambda: vis[10**30], IndexError, "no frame"),
        (lambda: vis["a"], TypeError, "integer"),
        (lambda: vis[1.0], TypeError, "integer"),
        (lambda: vis[[0.5]], TypeError, "integer"),
        (lambda: vis[np.array([True])], IndexError, "mask"),
        (lambda: vis[::0], ValueError, "zero"),
        (lambda: vis.append("H2O"), TypeError, r"ase\.Atoms"),
        (lambda: vis.append([atoms(1)]), TypeError, r"ase\.Atoms"),
        (lambda: vis.extend(atoms(1)), TypeError, "append"),
        (lambda: vis.extend([atoms(1), 3]), TypeError, r"ase\.Atoms"),
        (lambda: vis.__setitem__(0, [atoms(1)]), TypeError, r"ase\.Atoms"),
        (lambda: vis.__setitem__(slice(0, 2, 2), []), ValueError, "0 frames for 1"),
        (lambda: vis.remove(atoms(9)), ValueError, "^$"),
    ]
    for act, kind, words in mistakes:
        with pytest.raises(kind, match=words):
            act()
    unfit = atoms(3)
    unfit.info["thing"] = object()
    with pytest.raises(TypeError, match=r"info\.thing"):
        vis.append(unfit)
    assert numbers(vis) == [1, 2]


def test_many_frames_go_out_in_one_request_while_they_are_made(vis: Room) -> None:
    """The generator may use the room itself; what it yields is there all at once, or not at all."""
    seen: list[int] = []

    def frames() -> Iterator[Atoms]:
        for number in range(300):
            if number % 100 == 0:
                seen.append(len(vis))
            yield atoms(number, 1_000)

    shown = io.StringIO()
    with redirect_stderr(shown):
        vis.extend(frames(), progress=True)
    assert "300frame" in shown.getvalue() and seen == [0, 0, 0]
    assert numbers(vis) == list(range(300)) and len(vis) == 300
    assert vis.frame_metadata(0).change.id == vis.frame_metadata(-1).change.id

    def broken() -> Iterator[Atoms]:
        yield from frames()
        raise RuntimeError("no more")

    with pytest.raises(RuntimeError, match="no more"):
        vis.extend(broken())
    assert len(vis) == 300
    vis.sort(key=lambda one: -numbers([one])[0])  # pyright: ignore[reportUnknownLambdaType]
    assert numbers(vis) == list(range(300))[::-1]
    del vis[np.arange(300) % 3 > 0]
    assert numbers(vis) == list(range(299, -1, -3))


def test_who_has_the_lock_writes_and_nobody_else(vis: Room, server: LiveServer) -> None:
    large = [atoms(number, 20_000) for number in range(3)]  # more than is read before the transaction begins
    with Room(vis.name, url=server.url, user="somebody-else") as other:
        with other.lock(msg="mine"):
            other.append(atoms(1))
            other.extend(large)
            for write in (
                lambda: vis.append(atoms(2)),
                lambda: vis.extend(large),
                lambda: vis.__setitem__(slice(0, 1), large),
                lambda: vis.__delitem__(0),
                vis.reverse,
            ):
                with pytest.raises(RoomLocked, match="mine"):
                    write()
            assert len(vis) == 4
        vis.append(atoms(3))
    assert numbers([vis[0], vis[-1]]) == [1, 3]


def test_more_indices_than_a_url_takes_are_no_trouble(vis: Room) -> None:
    many = 30_000
    vis.extend([atoms(0)] * 300)
    vis.portal.call(vis.inner.arrange([place % 300 for place in range(many)]))
    chosen = np.random.default_rng(3).permutation(many)[: many // 2]
    assert len(vis.get(chosen, keys=["pbc"])) == many // 2
    some = chosen[:9_000].tolist()
    vis[some] = [atoms(number) for number in range(300)] * 30
    assert numbers(vis[some[-5:]]) == list(range(295, 300))
    mask = np.zeros(many, bool)
    mask[chosen] = True
    del vis[mask]
    assert len(vis) == many - many // 2


def test_a_loop_sees_what_was_written_while_it_runs(vis: Room, server: LiveServer) -> None:
    vis.extend([atoms(number) for number in range(50)])
    found: list[int] = []
    for one in vis:
        found += numbers([one])
        if len(found) == 5:
            del vis[10:]
        if len(found) == 10:
            vis.append(atoms(99))
    assert found == [*range(10), 99]
    with Room(vis.name, url=server.url, user="somebody-else") as other:
        vis.portal.call(vis.inner.live.join(vis.name))
        walking = iter(vis)
        assert numbers([next(walking)]) == [0]
        version = vis.inner.frames_version
        other.clear()
        while vis.inner.frames_version == version:
            vis.portal.call(asyncio.sleep(0.01))
        assert list(walking) == []


def test_writes_in_a_batch_are_few_and_dropped_after_an_error(vis: Room) -> None:
    with vis.batch():
        for number in range(20):
            vis.append(atoms(number))
        vis.extend([atoms(20), atoms(21)])
    assert vis.portal.call(vis.inner.state()).revision == 1
    with vis.batch():
        vis[0], vis[5], vis[-1] = atoms(50), atoms(51), atoms(52)
        assert numbers([vis[5]]) == [51]  # reading sends what waits
        vis.append(atoms(53))
    assert vis.portal.call(vis.inner.state()).revision == 3

    def breaks() -> None:
        with vis.batch():
            vis.append(atoms(54))
            raise RuntimeError("stop")

    with pytest.raises(RuntimeError, match="stop"):
        breaks()
    assert len(vis) == 23 and numbers([vis[0], vis[21], vis[22]]) == [50, 52, 53]


def test_a_loop_appends_in_the_background_and_its_frames_appear_meanwhile(vis: Room, server: LiveServer) -> None:
    with Room(vis.name, url=server.url, user="somebody-else") as other, vis.batch(every=0.1):
        for number in range(10):
            vis.append(atoms(number))
        begun = time.monotonic()
        while len(other) < 10:
            assert time.monotonic() < begun + 10
        vis.append(atoms(10))
        assert numbers([vis[10]]) == [10]  # reading sends what waits
        vis.append(atoms(11))
    assert numbers(vis) == list(range(12))
    assert vis.portal.call(vis.inner.state()).revision <= 5  # few requests for many frames

    def breaks() -> None:
        with vis.batch(every=60):
            vis.append(atoms(12))
            raise RuntimeError("stop")

    with pytest.raises(RuntimeError, match="stop"):
        breaks()
    assert numbers(vis[12:]) == [12]  # what a simulation had written before its error stays
    with pytest.raises(BadInput, match="more than 0"), vis.batch(every=0):
        pass


def test_a_request_that_failed_in_the_background_is_raised_by_the_next_write(vis: Room, server: LiveServer) -> None:
    with Room(vis.name, url=server.url, user="somebody-else") as other, other.lock("trajectory"):

        def writes() -> None:
            with vis.batch(every=0.05):
                for number in range(1_000):
                    vis.append(atoms(number))
                    time.sleep(0.01)

        with pytest.raises(RoomLocked):
            writes()
    assert len(vis) == 0
    vis.append(atoms(1))
    assert numbers(vis) == [1]


def test_the_frame_everybody_looks_at_can_be_read_and_replaced(vis: Room) -> None:
    vis.atoms = atoms(1)
    assert numbers([vis.atoms]) == [1] and len(vis) == 1
    vis.append(atoms(2))
    vis.atoms = atoms(3)
    assert numbers(vis) == [3, 2]
    vis.set_frames(slice(0, 2), [atoms(4)])
    vis.set_frames(0, atoms(5))
    assert numbers(vis) == [5]


async def test_the_asynchronous_room_does_the_same(server: LiveServer) -> None:
    async def frames() -> AsyncIterator[Atoms]:
        for number in range(3):
            yield atoms(number)

    async with AsyncRoom("list-async", url=server.url, user="lister") as room:
        await room.extend(atoms(number) for number in range(100))
        await room.extend(frames())
        await room.append(atoms(7))
        assert await room.length() == 104
        assert numbers([one async for one in room]) == [*range(100), 0, 1, 2, 7]
        assert numbers([await room.frame(-1)]) == [7]
        assert numbers(await room.frames(slice(0, 4, 2))) == [0, 2]
        await room.insert(0, atoms(8))
        await room.set_frames([1, 2], [atoms(9), atoms(10)])
        await room.delete(slice(3, None))
        assert numbers([await room.pop()]) == [10]
        async with room.batch():
            await room.append(atoms(11))
        await room.reverse()
        assert numbers(await room.copy()) == [11, 9, 8]
        await room.append(atoms(9))
        await room.sort(key=lambda one: one.positions[0, 0])
        assert numbers(await room.frames()) == [8, 9, 9, 11]
        assert (await room.count(atoms(9)), await room.index(atoms(11))) == (2, 3)
        await room.remove(atoms(9))
        assert numbers(await room.frames()) == [8, 9, 11]
        with pytest.raises(ValueError, match="is not a frame of this room"):
            await room.remove(atoms(12))
        assert list(await room.get(0, keys=["cell"])) == ["cell"]
        await room.clear()
        assert await room.frames() == []


class Stretch(Extension):
    category = Category.MODIFIER
    factor: float = 1.1

    def run(self, vis: Any, **kwargs: Any) -> None:
        atoms = vis.atoms
        atoms.set_cell(atoms.cell * self.factor, scale_atoms=True)
        vis.append(atoms)
        vis.extend(list(vis)[:1])
        kwargs["kept"].append(vis)


def test_a_jobs_room_is_a_list_until_its_attempt_ends(vis: Room) -> None:
    kept: list[Any] = []
    vis.append(bulk("Cu", cubic=True))
    vis.register_extension(Stretch, run_kwargs={"kept": kept})
    handle = vis.run(Stretch(factor=2.0)).wait(10)
    assert handle.status == "completed"
    first, stretched, again = vis
    assert np.allclose(stretched.cell, first.cell.array * 2) and again == first
    change = vis.frame_metadata(1).change
    assert (change.job_id, change.extension, change.parameters) == (handle.id, "modifiers/Stretch", {"factor": 2.0})
    late = kept[0]
    for write in (lambda: late.append(first), lambda: late.extend([first] * 5), lambda: late.atoms, late.clear):
        with pytest.raises(AttemptLost):
            write()
    assert len(vis) == 3


def test_names_that_are_too_long_are_refused(vis: Room) -> None:
    one = atoms(1)
    one.arrays["x" * 300] = np.zeros(1)
    with pytest.raises(BadInput, match="200 characters"):
        vis.append(one)
