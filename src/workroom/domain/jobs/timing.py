"""Heartbeat, lease, grace and retention times, in seconds."""

from __future__ import annotations

from dataclasses import dataclass, field

from workroom.domain.retention import Retention


@dataclass(frozen=True, slots=True)
class Timing:
    """Times of workers and of upkeep. A lost worker is detected within `lease` + 2 x `sweep`."""

    heartbeat: float = 10.0  # interval of a worker's heartbeats
    lease: float = 30.0  # how long a worker counts as online after a heartbeat
    sweep: float = 5.0  # interval of upkeep's search for expired leases
    fair_turns: float = 7 * 86_400.0  # how long the turn of a submitter is kept after the last job
    grace: float = 15.0  # how long a disconnected worker may take to reconnect
    confirm: float = 5.0  # how long a worker may take to confirm an assigned job
    keep: float = 30 * 86_400.0  # how long an ended job is stored
    retention: Retention = field(default_factory=Retention)  # how long other old rows are stored
