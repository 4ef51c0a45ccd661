"""What can be locked, and for how long.

A lock is the right of one client to write a target of a room. It counts until it expires; whoever has it puts that off
while they need it. Each grant has a fence, larger than those of all grants before.
"""

from __future__ import annotations

from workroom.domain.errors import BadInput

TRAJECTORY = "trajectory"
TTL_SECONDS = 60.0
LONGEST_TTL_SECONDS = 300.0
LONGEST_TARGET = 100
LONGEST_CLIENT = 100
LONGEST_MESSAGE = 1_000

# What writes go to: the lock of this name keeps others from it. Locks of other names are agreements between clients.
TARGETS = frozenset(
    {
        TRAJECTORY,
        "selections",
        "selection-groups",
        "frame-selection",
        "bookmarks",
        "geometries",
        "figures",
        "metadata",
    }
)


def lock_target(name: str) -> str:
    """The target of this name. `frame_selection`, as Python calls it, is `frame-selection`."""
    known = name.replace("_", "-")
    if known in TARGETS:
        return known
    if not 1 <= len(name) <= LONGEST_TARGET or not name.isprintable() or "/" in name:
        raise BadInput(f"A lock's target has 1 to {LONGEST_TARGET} printable characters, none of them '/'.")
    return name


def refresh_pause(ttl_seconds: float) -> float:
    """How long a holder waits between two refreshes: two of them may get lost."""
    return ttl_seconds / 3
