"""Lock targets, TTLs and the refresh interval.

A lock gives one client the right to write a target of a room. It expires after its TTL unless its holder refreshes it.
Each grant has a fencing token, larger than those of all earlier grants.
"""

from __future__ import annotations

from workroom.domain.errors import BadInput

TRAJECTORY = "trajectory"
TTL_SECONDS = 60.0
LONGEST_TTL_SECONDS = 300.0
LONGEST_TARGET = 100
LONGEST_CLIENT = 100
LONGEST_MESSAGE = 1_000

# The server enforces locks on these targets. Locks of other names are advisory: clients agree on them.
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
    """Normalise and check a target name. `frame_selection`, the Python spelling, becomes `frame-selection`."""
    known = name.replace("_", "-")
    if known in TARGETS:
        return known
    if not 1 <= len(name) <= LONGEST_TARGET or not name.isprintable() or "/" in name:
        raise BadInput(f"A lock's target has 1 to {LONGEST_TARGET} printable characters, none of them '/'.")
    return name


def refresh_pause(ttl_seconds: float) -> float:
    """The interval of refreshes: a third of the TTL, so that two refreshes may get lost."""
    return ttl_seconds / 3
