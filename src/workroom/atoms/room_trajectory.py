"""Access of the built-in extensions to a room's trajectory: the current frame, appending, editing all frames."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from workroom.atoms.selection_and_results import Structure
from workroom.domain.errors import BadInput

# Frames per request.
_AT_ONCE = 64


def current(vis: Any) -> Structure:
    """The frame at the current step of the room."""
    if len(vis) == 0:
        raise BadInput("The room has no frames yet. Open a file, or add a structure first.")
    return vis.atoms


def present(vis: Any, frames: Iterable[Structure]) -> int:
    """Append frames and show the last; returns the new length."""
    vis.extend(frames)
    length = len(vis)
    vis.step = length - 1
    return length


def edit_all(vis: Any, edit: Callable[[Structure], Structure]) -> int:
    """Replace every frame by its edited version in one write; returns their number."""
    with vis.lock(msg="Editing every frame"):
        length = len(vis)
        # Frames are edited and sent while the next ones are read, so that the trajectory need not fit into memory.
        vis[:] = (edit(atoms) for _, atoms in visited(vis, range(length)))
    return length


def visited(vis: Any, indices: Iterable[int]) -> Iterator[tuple[int, Structure]]:
    """Iterate over frames with their indices, fetched in groups; reports the job's progress."""
    wanted = list(indices)
    for start in range(0, len(wanted), _AT_ONCE):
        some = wanted[start : start + _AT_ONCE]
        yield from zip(some, vis[some], strict=True)
        vis.progress((start + len(some)) / len(wanted))


def chosen_frames(vis: Any) -> list[int]:
    """The frames to analyse: the selected ones, or all."""
    length = len(vis)
    if length == 0:
        raise BadInput("The room has no frames yet. Open a file, or add a structure first.")
    return [frame for frame in (vis.frame_selection or ()) if frame < length] or list(range(length))
