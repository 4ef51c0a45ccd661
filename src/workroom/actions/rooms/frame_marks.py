"""Bookmarks, the frame selection, links of figures and the step follow their frames, in the transaction of the edit.

The values that changes recorded keep the positions of their time. An undo moves them through all later splices, so that
it compares and restores what names the same frames now.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from itertools import groupby
from typing import Any, TypeVar
from uuid import UUID

import orjson

from workroom.actions.encoding import encode
from workroom.actions.engine import Transaction
from workroom.actions.events import ItemsChanged
from workroom.actions.rooms.write_transaction import PendingChange
from workroom.domain.errors import BadInput, ChangeExpired
from workroom.domain.rooms.frame_marks import MARKING_KINDS, FrameMoves, atoms_named, frames_named
from workroom.domain.rooms.items import Kind
from workroom.domain.rooms.trajectory_edits import position_of
from workroom.domain.rooms.undo_splices import Splice
from workroom.store.room_tables import changes, trajectories
from workroom.store.room_tables import items as item_table
from workroom.store.room_tables.changes import SpliceRow
from workroom.store.room_tables.items import FrameMarks, ItemChange

T = TypeVar("T")

_LONG = 10_000  # frames


async def check_named(transaction: Transaction, draft: PendingChange, kind: Kind, values: Mapping[str, Any]) -> None:
    """The frames and atoms that items name exist; NoSuchFrame or BadInput otherwise, with the valid range."""
    frames = [position for key, value in values.items() for position in frames_named(kind, key, value)]
    if frames:
        position_of(max(frames), draft.data.length)
    last = max((atom for key, value in values.items() for atom in atoms_named(kind, key, value)), default=-1)
    if last < 0:
        return
    atoms = await trajectories.atom_count(
        transaction.connection, draft.data.number, step=draft.data.step, least=last + 1
    )
    if last >= atoms:
        has = f"0 to {atoms - 1}" if atoms else "none"
        raise BadInput(f"There is no atom {last}: the atoms of this room are {has}.", index=last, atoms=atoms)


async def frame_moves(draft: PendingChange, splices: Sequence[Splice], *, restores: bool = False) -> FrameMoves:
    """What splices, of an undo if they restore frames, do to the marks of the trajectory before them."""
    size = sum(len(splice.removed) + len(splice.added) + 1 for splice in splices)
    return await beside(size, FrameMoves, splices, draft.data.length, restores)


async def beside(size: int, work: Callable[..., T], *arguments: Any) -> T:
    """Run work on a long trajectory in a thread: other requests must not wait for it."""
    return await asyncio.to_thread(work, *arguments) if size > _LONG else work(*arguments)


async def step_after(draft: PendingChange, moves: FrameMoves, length: int) -> int | None:
    """The step of the frame that viewers show, or of the one in its place if it was removed. None: it has not moved."""
    if moves.none:
        return None
    return await beside(draft.data.length, _step_after, draft.data.step, moves, length)


def _step_after(step: int, moves: FrameMoves, length: int) -> int | None:
    followed = moves.follow([step])[0]
    if followed < 0:
        followed = step - sum(1 for before in moves.follow(range(step)) if before < 0)
    followed = min(followed, max(0, length - 1))
    return None if followed == step else followed


async def move_marks(transaction: Transaction, draft: PendingChange, moves: FrameMoves, revision: int) -> None:
    """Move the marks of frames that have moved, and announce the items."""
    if moves.none:
        return
    found = await item_table.frame_marks(transaction.connection, draft.data.number)
    if not found:
        return
    followed, moved = await asyncio.to_thread(_moved_marks, moves, found)
    await _move_bookmarks(transaction, draft, followed, revision)
    if not moved:
        return
    await item_table.move_marks(transaction.connection, room=draft.data.number, marks=moved, revision=revision)
    for kind in sorted({kind for kind, _, _ in moved}):
        _announce(transaction, draft, Kind(kind), [key for of, key, _ in moved if of == kind], revision)


def _moved_marks(moves: FrameMoves, found: Sequence[FrameMarks]) -> tuple[dict[str, str], list[tuple[str, str, str]]]:
    """The new keys of all bookmarks, and the other items that change: kind, key, JSON."""
    keys = [one.key for one in found if one.kind == Kind.BOOKMARK]
    followed = dict(zip(keys, map(str, moves.follow(map(int, keys))), strict=True))
    moved: list[tuple[str, str, str]] = []
    for one in found:
        if one.kind != Kind.BOOKMARK and (marks := _moved(moves, one)) != one.marks:
            moved.append((one.kind, one.key, encode(marks, "The marks").decode()))
    return followed, moved


def _moved(moves: FrameMoves, one: FrameMarks) -> Any:
    if one.kind == Kind.FIGURE:
        return moves.links(one.marks, one.points or [])
    return moves.item(one.kind, one.key, one.marks)[1]


async def _move_bookmarks(
    transaction: Transaction, draft: PendingChange, followed: Mapping[str, str], revision: int
) -> None:
    """Give bookmarks new keys; `followed` has the new key of each."""
    moving = {key: to for key, to in followed.items() if key != to}
    if not moving:
        return
    taken = set(followed) - set(moving)
    doubled: list[str] = []  # a frame that was in the trajectory twice is there once
    for key, to in moving.items():
        if to in taken:
            doubled.append(key)
        taken.add(to)
    for key in doubled:
        del moving[key]
    if doubled:
        await item_table.remove(transaction.connection, room=draft.data.number, kind=Kind.BOOKMARK, keys=doubled)
    await item_table.move_bookmarks(
        transaction.connection,
        room=draft.data.number,
        keys=list(moving),
        new_keys=list(moving.values()),
        revision=revision,
    )
    _announce(transaction, draft, Kind.BOOKMARK, [*moving, *moving.values(), *doubled], revision)


def _announce(transaction: Transaction, draft: PendingChange, kind: Kind, keys: Sequence[str], revision: int) -> None:
    transaction.record(ItemsChanged(draft.room, kind, shown_keys(kind, keys), revision, draft.writer.account_id))


def shown_keys(kind: Kind, keys: Sequence[str]) -> tuple[str, ...]:
    """The keys without those of bookmarks whose frames are not in the trajectory."""
    shown = [key for key in keys if kind is not Kind.BOOKMARK or not key.startswith("-")]
    return tuple(dict.fromkeys(shown))


async def values_of_changes(
    transaction: Transaction, draft: PendingChange, change_ids: Sequence[UUID], own: Sequence[Splice]
) -> list[ItemChange]:
    """What these changes did to items, with the marks moved through all later splices; `own` are those of this undo."""
    made = await item_table.change_values(transaction.connection, change_ids)
    if not any(one.kind in MARKING_KINDS for one in made):
        return made
    rows = await changes.history(transaction.connection, room=draft.data.number, ids=change_ids)
    return await asyncio.to_thread(_followed_changes, draft, made, rows, own)


def _followed_changes(
    draft: PendingChange, made: Sequence[ItemChange], rows: Sequence[SpliceRow], own: Sequence[Splice]
) -> list[ItemChange]:
    expired = max((row.revision for row in rows if row.expired), default=0)
    length = draft.data.length  # before the splices of this undo, then before each earlier change
    moves = [(draft.data.revision + 1, FrameMoves(own, length, restores=True))]
    for revision, parts in reversed([(revision, list(parts)) for revision, parts in groupby(rows, _revision)]):
        splices = [Splice(row.start, tuple(row.removed), tuple(row.added)) for row in parts if row.start is not None]
        length -= sum(splice.growth for splice in splices)
        moves.append((revision, FrameMoves(splices, length, restores=any(row.undoes for row in parts))))
    moves.reverse()
    found: list[ItemChange] = []
    for one in made:
        if one.kind in MARKING_KINDS and one.revision < expired:
            raise ChangeExpired
        found.append(_followed(one, [move for revision, move in moves if revision > one.revision]))
    return found


def _revision(row: SpliceRow) -> int:
    return row.revision


def _followed(one: ItemChange, moves: Sequence[FrameMoves]) -> ItemChange:
    if one.kind not in MARKING_KINDS or all(move.none for move in moves):
        return one
    key = one.key
    texts: list[str | None] = []
    for text in (one.before, one.after):
        key, value = one.key, None if text is None else orjson.loads(text)
        for move in moves:
            if not move.none:
                key, value = move.item(one.kind, key, value)
        texts.append(None if text is None else encode(value, "The value").decode())
    return one._replace(key=key, before=texts[0], after=texts[1])
