"""Processes that run the calls of postings, straight from the database.

    ClusterPool ── spawns, watches, replaces ──► ClusterProcess   (one for each core, say)
        │                                            │ main thread: runs one call after the other
        │ Marker, in shared memory:                  │
        │ what runs there, since when                └ Courier, in a thread beside it: claims ahead,
        │                                              reports behind, heartbeats, cancels
        └ Crew: the upkeep of the queue

A process that dies takes nothing with it: the pool gives back at once what was not begun, and deals with what ran by
the job's policy. A job that kills its process three times is failed.
"""

from workroom.worker.pool.job import PoolJob
from workroom.worker.pool.pool import ClusterPool
from workroom.worker.pool.process import ClusterProcess

__all__ = ["ClusterPool", "ClusterProcess", "PoolJob"]
