"""Periodic maintenance, run by one process at a time.

    leader       runs the services while this process holds the leadership
    periodic_service  base class: run, pause, run again
    rescuer      finds lost workers and releases or fails their jobs
    scheduler    queues jobs whose start time has come
    pruner       deletes old rows
    lock_reaper  removes locks whose holders have disconnected

Every server and every pool has a `Maintainer`; an advisory lock in the database decides which one leads. All state is
in tables, so another process takes over when the leader stops.
"""

from workroom.upkeep.leader import Maintainer

__all__ = ["Maintainer"]
