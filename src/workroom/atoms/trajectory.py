"""What the built-in extensions do with a room's trajectory: look at it, add to it, edit all of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from workroom.atoms.structures import Structure
from workroom.domain.errors import BadInput

# So many frames are fetched at once.
_AT_ONCE = 64


def current(vis: Any) -> Structure:
    """The frame everybody looks at."""
    if len(vis) == 0:
        raise BadInput("The room has no frames yet. Open a file, or add a structure first.")
    return vis.atoms


def present(vis: Any, frames: Iterable[Structure]) -> int:
    """Add frames at the end, and show the last; how many there are now."""
    vis.extend(frames)
    length = len(vis)
    vis.step = length - 1
    return length


def edit_all(vis: Any, edit: Callable[[Structure], Structure]) -> int:
    """Edit every frame where it is, in one write; how many there are."""
    with vis.lock(msg="Editing every frame"):
        length = len(vis)
        # Read a few at a time, edited and sent while the next are read: the trajectory need not fit into memory.
        vis[:] = (edit(atoms) for _, atoms in visited(vis, range(length)))
    return length


def visited(vis: Any, indices: Iterable[int]) -> Iterator[tuple[int, Structure]]:
    """Frames of the room with their numbers, fetched a few at a time; the job's progress goes along."""
    wanted = list(indices)
    for start in range(0, len(wanted), _AT_ONCE):
        some = wanted[start : start + _AT_ONCE]
        yield from zip(some, vis[some], strict=True)
        vis.progress((start + len(some)) / len(wanted))


def chosen_frames(vis: Any) -> list[int]:
    """The frames to look at: the selected ones, or all."""
    length = len(vis)
    if length == 0:
        raise BadInput("The room has no frames yet. Open a file, or add a structure first.")
    return [frame for frame in (vis.frame_selection or ()) if frame < length] or list(range(length))
