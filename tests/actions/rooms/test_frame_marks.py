"""Bookmarks, selected frames, links of figures and the step follow their frames through random edits and undos.

Selections of atoms, named ones too, name no frames: they stay as they are.

Each frame has a lineage: a frame that replaces another has the lineage of the replaced one, and every other new frame a
new one. Whatever marks a frame names its lineage, wherever the frame is.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from itertools import count
from typing import Any
from uuid import UUID

import numpy as np
import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from tests.workshop import Workshop

from workroom.actions.engine import Engine
from workroom.actions.rooms import frame_streams, items, rooms, step
from workroom.actions.rooms.undo import undo
from workroom.actions.rooms.write_transaction import WriteContext
from workroom.domain.errors import BadInput, Conflict, NoSuchFrame, NotFound
from workroom.domain.rooms.items import FRAMES, Kind
from workroom.domain.rooms.trajectory_edits import Edit, Extend, Insert, Places, Replace, Span
from workroom.store.database import Database
from workroom.wire.frames import decode, encode, framed

NUMBER = st.integers(0, 30)
VERBS = [
    "extend",
    "insert",
    "delete",
    "replace",
    "cut",
    "arrange",
    "undo",
    "undo",
    "undo",
    "bookmark",
    "remove bookmark",
    "select",
    "link",
    "atoms",
    "group",
    "step",
]
EDITS = st.lists(
    st.tuples(
        st.sampled_from(VERBS),
        NUMBER,
        NUMBER,
        st.integers(0, 3),
    ),
    min_size=6,
    max_size=18,
)


def body(lineage: int, version: int = 0, atoms: int = 2) -> bytes:
    numbers, positions = np.ones(atoms, int), np.zeros((atoms, 3))
    return encode({"arrays.numbers": numbers, "arrays.positions": positions, "info.of": [lineage, version]})


def figure(indices: list[int | None] | None) -> dict[str, Any]:
    link = {"trace": 0, "to": "frames", "indices": indices, "frame": None, "selection": "particles"}
    return {"data": [{"y": [0] * 6}], "layout": {}, "links": [link]}


class Story:
    """A room, and the lineages that its marks name."""

    def __init__(self, engine: Engine, room: str, person: UUID) -> None:
        self.engine, self.room, self.person = engine, room, person
        self.hand = WriteContext(person)
        self.lineages = count(1)
        self.trajectory: list[int] = []
        self.bookmarks: dict[str, int | None] = {}  # by label, the lineage; none: its setting is undone
        self.every_point: list[int] = []  # lineages
        self.marks: dict[str, Any] = {"selected": [], "linked": [], "atoms": None, "group": None}
        self.shown: int | None = None
        self.changes: list[tuple[UUID, str, Any]] = []

    async def write(self, edit: Edit, lineages: list[int], version: int = 0) -> None:
        async def pieces() -> AsyncIterator[bytes]:
            for lineage in lineages:
                yield b"".join(framed(body(lineage, version)))

        written = await frame_streams.write(self.engine, self.room, self.hand, edit, pieces(), size=100_000)
        self.changes.append((written.change_id, "frames", None))

    def new(self, number: int) -> list[int]:
        return [next(self.lineages) for _ in range(number)]

    async def play(self, verb: str, one: int, other: int, size: int) -> None:
        length = len(self.trajectory)
        if verb == "extend" or not length:
            await self.write(Extend(), self.new(size + 1))
        elif verb == "insert":
            await self.write(Insert(one % (length + 1)), self.new(size + 1))
        elif verb == "delete":
            where = Places(sorted({one % length, other % length, (one + other) % length}))
            written = await frame_streams.delete(self.engine, self.room, self.hand, where)
            self.changes.append((written.change_id, "frames", None))
        elif verb == "replace":
            positions = sorted({one % length, other % length})
            await self.write(Replace(Places(positions)), [self.trajectory[place] for place in positions], one + 1)
        elif verb == "cut":
            start = one % length
            stop = min(length, start + 1 + other % 3)
            kept = self.trajectory[start:stop][:size]
            await self.write(Replace(Span(start, stop)), kept + self.new(size - len(kept)), one + 1)
        elif verb == "arrange":
            order = sorted(range(length), key=lambda place: (place * (one + 1)) % (length + 1))
            written = await frame_streams.arrange(
                self.engine, self.room, self.hand, Places(order[: max(1, length - size)])
            )
            self.changes.append((written.change_id, "frames", None))
        elif verb == "undo":
            await self.undo(one)
        elif verb == "bookmark":
            position = one % length
            if self.trajectory[position] not in self.bookmarks.values():
                label = f"mark {len(self.bookmarks)}"
                done = await items.put(self.engine, self.room, self.hand, Kind.BOOKMARK, {str(position): label})
                self.bookmarks[label] = self.trajectory[position]
                assert done.change_id is not None
                self.changes.append((done.change_id, "bookmark", (label, None)))
        elif verb == "remove bookmark":
            present = [label for label, lineage in self.bookmarks.items() if lineage in self.trajectory]
            if present:
                label = present[one % len(present)]
                lineage, self.bookmarks[label] = self.bookmarks[label], None
                key = str(self.trajectory.index(lineage or 0))
                done = await items.remove(self.engine, self.room, self.hand, Kind.BOOKMARK, key)
                assert done.change_id is not None
                self.changes.append((done.change_id, "bookmark", (label, lineage)))
        elif verb == "select":
            positions = sorted({one % length, other % length})
            lineages = [self.trajectory[place] for place in positions]
            await self.mark("selected", Kind.FRAME_SELECTION, FRAMES, positions, lineages)
        elif verb == "link":
            places = [other % length, one % length, None]
            lineages = [0 if place is None else self.trajectory[place] for place in places]
            await self.mark("linked", Kind.FIGURE, "some points", figure(places), lineages)
        elif verb == "atoms":
            await self.mark("atoms", Kind.SELECTION, "particles", [one % 2], [one % 2])
        elif verb == "group":
            value = {"particles": sorted({one % 2, other % 2})}
            await self.mark("group", Kind.SELECTION_GROUP, "surface", value, value)
        elif verb == "step":
            self.shown = self.trajectory[one % length]
            await step.set_step(self.engine, self.room, one % length, by=self.person, name="ada")

    async def mark(self, name: str, kind: Kind, key: str, value: Any, kept: Any) -> None:
        done = await items.put(self.engine, self.room, self.hand, kind, {key: value})
        if done.change_id is not None and all(done.change_id != known for known, _, _ in self.changes):
            self.changes.append((done.change_id, name, self.marks[name]))
        self.marks[name] = kept

    async def undo(self, which: int) -> None:
        if not self.changes:
            return
        change_id, kind, before = self.changes[-1 - which % len(self.changes)]
        try:
            undone = await undo(self.engine, self.room, self.hand, change_id)
        except (Conflict, NotFound):  # an edit that changed nothing is no change
            return
        if kind == "bookmark":
            label, lineage = before
            before = label, self.bookmarks[label]
            self.bookmarks[label] = lineage
        elif kind in self.marks:
            before, self.marks[kind] = self.marks[kind], before
        self.changes.append((undone.change_id, kind, before))

    async def check(self) -> None:
        reading = await frame_streams.read(self.engine, self.room, Span())
        found = [decode(one)["info.of"][0] async for bodies in reading.frames for one in bodies]
        self.trajectory = [int(lineage) for lineage in found]
        kinds = (Kind.BOOKMARK, Kind.FRAME_SELECTION, Kind.FIGURE, Kind.SELECTION, Kind.SELECTION_GROUP)
        rows = await items.list_items(self.engine, self.room, *kinds)
        bookmarks = {row.value: found[int(row.key)] for row in rows if row.kind == Kind.BOOKMARK}
        assert bookmarks == {label: one for label, one in self.bookmarks.items() if one in found}
        selected = [found[place] for row in rows if row.kind == Kind.FRAME_SELECTION for place in row.value]
        assert sorted(selected) == sorted(one for one in self.marks["selected"] if one in found)
        for kind, name in ((Kind.SELECTION, "atoms"), (Kind.SELECTION_GROUP, "group")):
            assert [row.value for row in rows if row.kind == kind] == [self.marks[name]] * (
                self.marks[name] is not None
            )
        for row in rows:
            if row.kind == Kind.FIGURE:
                indices = row.value["links"][0]["indices"]
                lineages = self.every_point if row.key == "every point" else self.marks["linked"]
                places = range(len(lineages)) if indices is None else indices
                linked = [None if place is None else found[place] for place in places]
                assert linked == [one if one in found else None for one in lineages]
        data = await frame_streams.state(self.engine, self.room)
        assert data.step < max(1, data.length)
        if self.shown in found:
            assert found[data.step] == self.shown
        else:
            self.shown = None


async def a_story(engine: Engine, workshop: Workshop, room: str) -> Story:
    await rooms.create_room(engine, owner=workshop.person, name=room, description="", visibility="public")
    story = Story(engine, room, workshop.person)
    await story.write(Extend(), story.new(6))
    story.changes.clear()  # the links of the figures below are checked, not their undo
    await story.check()
    for name, indices in (("every point", None), ("some points", [4, None, 1])):
        await items.put(engine, room, story.hand, Kind.FIGURE, {name: figure(indices)})
    story.every_point = list(story.trajectory)
    story.marks["linked"] = [story.trajectory[4], 0, story.trajectory[1]]
    await step.set_step(engine, room, 2, by=workshop.person, name="ada")
    story.shown = story.trajectory[2]
    return story


@pytest.mark.parametrize("examples", [20, pytest.param(400, marks=pytest.mark.full)])
def test_marks_name_their_frames_through_every_edit_and_undo(database_url: str, examples: int) -> None:
    stories = count()
    with asyncio.Runner() as runner:
        database = Database(database_url)
        runner.run(database.open())
        engine = Engine(database)
        workshop = runner.run(Workshop.furnish(engine))

        async def tell(edits: list[tuple[str, int, int, int]]) -> None:
            story = await a_story(engine, workshop, f"story-{next(stories)}")
            for edit in edits:
                await story.play(*edit)
                await story.check()

        @settings(
            max_examples=examples,
            deadline=None,
            phases=[Phase.explicit, Phase.generate],
            suppress_health_check=[HealthCheck.too_slow],
        )
        @given(EDITS)
        def play(edits: list[tuple[str, int, int, int]]) -> None:
            runner.run(tell(edits))

        try:
            play()
        finally:
            runner.run(database.close())


async def test_frames_and_atoms_that_do_not_exist_are_refused_with_the_range(workshop: Workshop) -> None:
    story = await a_story(workshop.engine, workshop, "small")

    async def put(kind: Kind, key: str, value: Any) -> None:
        await items.put(workshop.engine, "small", story.hand, kind, {key: value})

    with pytest.raises(NoSuchFrame, match="0 to 5"):
        await put(Kind.BOOKMARK, "6", "far")
    with pytest.raises(NoSuchFrame, match="0 to 5"):
        await put(Kind.FRAME_SELECTION, FRAMES, [0, 6])
    for kind, value in ((Kind.SELECTION, [0, 2]), (Kind.SELECTION_GROUP, {"particles": [2]})):
        with pytest.raises(BadInput, match="There is no atom 2: the atoms of this room are 0 to 1"):
            await put(kind, "particles", value)
    link = {"trace": 0, "to": "frames", "indices": [6], "frame": None, "selection": "particles"}
    with pytest.raises(NoSuchFrame, match="0 to 5"):
        await put(Kind.FIGURE, "far", {"data": [], "layout": {}, "links": [link]})
    await put(Kind.SELECTION, "particles", [1])
    await put(Kind.SELECTION, "arrows", [100])  # the number of items of other geometries is not known


async def test_a_frame_that_is_not_shown_may_have_more_atoms(workshop: Workshop) -> None:
    story = await a_story(workshop.engine, workshop, "mixed")

    async def larger() -> AsyncIterator[bytes]:
        yield b"".join(framed(body(100, atoms=5)))

    await frame_streams.append(workshop.engine, "mixed", story.hand, larger(), size=10_000)
    await items.put(workshop.engine, "mixed", story.hand, Kind.SELECTION, {"particles": [4]})
