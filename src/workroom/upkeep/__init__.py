"""Periodic maintenance: most of it by one process at a time, that of remote workers by servers.

    maintainer   runs the services while this process holds the leadership
    periodic_service  base class: run, pause, run again
    heartbeat_window_recorder  records that heartbeats can arrive
    rescuer      finds lost workers and releases or fails their jobs
    scheduler    queues jobs whose start time has come
    pruner       deletes old rows
    lock_reaper  removes locks whose holders have disconnected
    celery_publisher  sends jobs to a Celery broker, from one server at a time

Every server and every pool has a `Maintainer`; an advisory lock in the database decides which one leads. All state is
in tables, so another process takes over when the leader stops. A pool that leads never declares a remote worker lost,
because it cannot hear one.
"""

from workroom.upkeep.maintainer import Maintainer

__all__ = ["Maintainer"]
