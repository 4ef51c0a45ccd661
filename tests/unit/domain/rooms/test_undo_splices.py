"""Splices can be turned round and moved past others; undoing leaves what would be there had it never happened."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from itertools import count

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workroom.domain.errors import ChangeExpired, UndoConflict
from workroom.domain.rooms.undo_splices import AppliedChange, InverseSplice, Splice, apply, exchange_all, inverse, undo


@dataclass
class Story:
    """A trajectory, and every change that led to it."""

    frames: list[int] = field(default_factory=list[int])
    history: list[AppliedChange] = field(default_factory=list[AppliedChange])
    names: count[int] = field(default_factory=lambda: count(1))

    def change(self, *splices: Splice, undoes: list[object] | None = None) -> int:
        apply(self.frames, splices)
        name = next(self.names)
        self.history.append(AppliedChange(name, list(splices), undoes or [None] * len(splices)))
        return name

    def edit(self, start: int, removed: int, added: int) -> int:
        new = tuple(next(self.names) for _ in range(added))
        return self.change(Splice(start, tuple(self.frames[start : start + removed]), new))

    def since(self, name: int) -> list[AppliedChange]:
        place = next(place for place, one in enumerate(self.history) if one.id == name)
        return self.history[place:]

    def undo(self, *names: int) -> int:
        plan = undo(self.since(min(names)), names)
        undoing = self.change(*(step.splice for step in plan), undoes=[step.undoes for step in plan])
        for one in self.history:
            if one.undone_by in names:
                one.undone_by = None
            if one.id in names:
                one.undone_by = undoing
        return undoing


@st.composite
def stories(draw: st.DrawFn, most: int = 8) -> Story:
    story = Story()
    story.edit(0, 0, draw(st.integers(0, 8)))
    for _ in range(draw(st.integers(1, most))):
        splices: list[Splice] = []
        frames = list(story.frames)
        for _ in range(draw(st.integers(1, 3))):
            start = draw(st.integers(0, len(frames)))
            removed = draw(st.integers(0, min(3, len(frames) - start)))
            added = draw(st.integers(0, 3))
            splice = Splice(
                start, tuple(frames[start : start + removed]), tuple(next(story.names) for _ in range(added))
            )
            apply(frames, [splice])
            splices.append(splice)
        story.change(*splices)
    return story


@given(stories())
def test_what_is_turned_round_takes_everything_back(story: Story) -> None:
    frames = list(story.frames)
    for change in reversed(story.history):
        apply(frames, inverse(change.splices))
    assert frames == []


@given(stories(most=2))
def test_two_changes_that_concern_different_frames_come_to_the_same_in_either_order(story: Story) -> None:
    one, other = story.history[-2:]
    before = list(story.frames)
    apply(before, inverse(other.splices))
    try:
        back, other_alone = exchange_all(inverse(one.splices), other.splices)
    except Exception:
        return  # they overlap
    there, elsewhere = list(story.frames), list(before)
    apply(there, back)
    apply(elsewhere, inverse(one.splices))
    apply(elsewhere, other_alone)
    assert there == elsewhere


@given(stories(), st.data())
def test_undoing_some_leaves_what_would_be_there_without_them(story: Story, data: st.DataObject) -> None:
    names = [int(str(one.id)) for one in story.history]
    wanted = data.draw(st.sets(st.sampled_from(names), min_size=1))
    before = list(story.frames)
    try:
        story.undo(*wanted)
    except UndoConflict:
        assert story.frames == before
        return
    added_by_them = {
        frame for one in story.history if one.id in wanted for splice in one.splices for frame in splice.added
    }
    kept_by_others = [frame for frame in before if frame not in added_by_them]
    assert not added_by_them & set(story.frames)
    assert [frame for frame in story.frames if frame in set(kept_by_others)] == kept_by_others


@given(stories(), st.data())
def test_undoing_the_undoing_gives_back_the_same_trajectory(story: Story, data: st.DataObject) -> None:
    before = list(story.frames)
    wanted = data.draw(st.sampled_from([int(str(one.id)) for one in story.history]))
    try:
        undoing = story.undo(wanted)
    except UndoConflict:
        return
    story.undo(undoing)
    assert story.frames == before
    story.undo(wanted)
    assert len(story.history[-1].splices) == len(story.history[-3].splices)


@given(stories(), st.data())
def test_one_by_one_from_the_newest_everything_can_be_undone(story: Story, data: st.DataObject) -> None:
    """Whatever was undone in between stands in nobody's way."""
    names = [int(str(one.id)) for one in story.history]
    while names:
        many = data.draw(st.integers(1, len(names)))
        story.undo(*names[-many:])
        del names[-many:]
    assert story.frames == []


def test_later_changes_elsewhere_stay() -> None:
    story = Story()
    story.edit(0, 0, 4)
    first, second, third, fourth = story.frames
    removal = story.edit(1, 1, 0)
    story.edit(3, 0, 1)
    last = story.frames[-1]
    story.undo(removal)
    assert story.frames == [first, second, third, fourth, last]


def test_later_changes_of_the_same_frames_are_named() -> None:
    story = Story()
    beginning = story.edit(0, 0, 4)
    replacement = story.edit(1, 1, 1)
    with pytest.raises(UndoConflict) as refused:
        story.undo(beginning)
    assert refused.value.detail["changes"] == [str(replacement)]


def test_all_of_a_job_is_undone_at_once_though_its_changes_build_on_each_other() -> None:
    story = Story()
    story.edit(0, 0, 3)
    before = list(story.frames)
    made = story.edit(3, 0, 2)
    replaced = story.edit(4, 1, 1)
    cut = story.edit(3, 1, 0)
    story.undo(made, replaced, cut)
    assert story.frames == before


def test_what_is_forgotten_cannot_be_undone() -> None:
    with pytest.raises(ChangeExpired):
        undo([AppliedChange("old", [], forgotten=True)], {"old"})


def test_a_plan_says_what_it_takes_back() -> None:
    plan = undo([AppliedChange("one", [Splice(0, (), (7,))]), AppliedChange("two", [Splice(0, (), (8,))])], {"one"})
    assert plan == [InverseSplice(Splice(1, (7,), ()), "one")]


def apply_one_by_one(frames: list[int], splices: list[Splice]) -> None:
    for splice in splices:
        assert tuple(frames[splice.start : splice.end]) == splice.removed
        frames[splice.start : splice.end] = splice.added


@given(stories())
def test_runs_of_splices_are_applied_as_one_by_one(story: Story) -> None:
    one_by_one: list[int] = []
    together: list[int] = []
    splices = [splice for change in story.history for splice in change.splices]
    apply_one_by_one(one_by_one, splices)
    apply(together, splices)
    assert together == one_by_one == story.frames


def test_scattered_splices_take_one_pass() -> None:
    """One by one they would move 40 GB."""
    frames = list(range(200_000))
    removed = [Splice(start, (start,)) for start in range(199_998, 0, -2)]
    started = time.process_time()
    apply(frames, removed)
    assert frames == [0, *range(1, 200_000, 2)]
    apply(frames, inverse(removed))
    assert frames == list(range(200_000))
    assert time.process_time() - started < 5


def test_an_undo_that_would_exchange_too_many_splices_is_refused() -> None:
    story = Story()
    story.edit(0, 0, 4_000)
    first = story.change(*(Splice(start, (), (next(story.names),)) for start in range(0, 4_000, 2)))
    story.change(*(Splice(start, (), (next(story.names),)) for start in range(1, 4_000, 2)))
    with pytest.raises(UndoConflict, match="Too many scattered changes"):
        story.undo(first)
