"""The pool: processes that run the calls of postings, straight from the database.

    ClusterPool ── spawns, watches, replaces ──► ClusterProcess      for each core, say
        │                                          main thread: runs one PoolJob after the other
        │  SharedStatus (shared memory):           DatabaseThread, beside it, over one PoolState:
        ├◄─ the job that runs, and since when        JobFetcher     claims jobs into the buffer
        │                                            Completer      reports outcomes in batches
        │                                            Monitor        heartbeats, cancellation, timeouts
        └─ Maintainer: the upkeep of the queue       ProfileFlusher stores profiles

When a process dies, the pool releases the jobs that it had not started, and treats the one that ran by the job's
policy. A job that kills its process three times is failed.

    pool                  `ClusterPool`
    process               `ClusterProcess`, with the hooks for subclasses
    job                   `PoolJob`: one call, as `process_job` receives it
    database_thread       `DatabaseThread`: what the main thread needs from the database
    state                 `PoolState`: the buffer, the outbox and the signals that the parts share
    worker_registration   `PoolSession`: the registration as a worker
    fetcher               `JobFetcher`
    completer             `Completer`
    heartbeat_and_cancel  `Monitor`
    batch_size            how many jobs to claim at a time
    main_thread_wakeup    wakes the main thread
    shared_status         `SharedStatus`
    profiled_executions   which executions are profiled
    profilers             cProfile and pyinstrument
    profile_flusher       `ProfileFlusher`
"""

from workroom.worker.pool.job import PoolJob
from workroom.worker.pool.pool import ClusterPool
from workroom.worker.pool.process import ClusterProcess

__all__ = ["ClusterPool", "ClusterProcess", "PoolJob"]
