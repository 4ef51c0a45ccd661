"""How long things may take, in seconds."""

from __future__ import annotations

from dataclasses import dataclass, field

from workroom.domain.retention import Retention


@dataclass(frozen=True, slots=True)
class Timing:
    """The clockwork of workers and upkeep. A lost worker is noticed within `lease` + 2 x `sweep`."""

    heartbeat: float = 10.0  # how often a worker says it is alive
    lease: float = 30.0  # how long it is believed
    sweep: float = 5.0  # how often upkeep looks for the lost
    fair_turns: float = 7 * 86_400.0  # how long the turn of a submitter is kept after the last job
    grace: float = 15.0  # how long a disconnected worker may take to come back
    confirm: float = 5.0  # how long a worker may take to confirm a job
    keep: float = 30 * 86_400.0  # how long an ended job is kept
    retention: Retention = field(default_factory=Retention)  # how long other old rows are kept
