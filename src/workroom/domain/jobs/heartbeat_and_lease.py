"""Heartbeat, lease, grace and retention times, in seconds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from workroom.domain.errors import BadInput
from workroom.domain.retention import Retention

_SECONDS = {name: f"WORKROOM_{name.upper()}_SECONDS" for name in ("heartbeat", "lease", "sweep", "grace", "confirm")}
_DAYS = {
    "keep": "WORKROOM_KEEP_DAYS",
    "fair_turns": "WORKROOM_FAIR_TURN_DAYS",
    "changes": "WORKROOM_CHANGE_DAYS",
    "audit": "WORKROOM_AUDIT_DAYS",
    "notices": "WORKROOM_NOTICE_DAYS",
    "guests": "WORKROOM_GUEST_DAYS",
    "links": "WORKROOM_LINK_DAYS",
    "extensions": "WORKROOM_EXTENSION_DAYS",
    "offline": "WORKROOM_OFFLINE_EXTENSION_DAYS",
    "history": "WORKROOM_HISTORY_DAYS",
}


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

    @classmethod
    def from_environment(cls, environment: Mapping[str, str]) -> Timing:
        """The times that the variables of the server's settings give, for a pool that a program starts itself."""
        days = {name: variable for name, variable in _DAYS.items() if environment.get(variable)}
        kept = {name: _positive(environment, variable) * 86_400 for name, variable in days.items()}
        times = {
            name: _positive(environment, variable) for name, variable in _SECONDS.items() if environment.get(variable)
        }
        own = {name: kept.pop(name) for name in ("keep", "fair_turns") if name in kept}
        return cls(**times, **own, retention=Retention(**kept))

    @property
    def gap(self) -> float:
        """How long no heartbeat may be able to arrive before every worker gets a whole lease again."""
        return self.lease / 3

    @property
    def window_interval(self) -> float:
        """Interval at which a process records that heartbeats can arrive."""
        return self.gap / 4


def _positive(environment: Mapping[str, str], variable: str) -> float:
    try:
        number = float(environment[variable])
    except ValueError:
        number = 0.0
    if not 0 < number < float("inf"):
        raise BadInput(f"{variable} must be a positive number, not {environment[variable]!r}.")
    return number
