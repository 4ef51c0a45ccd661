"""Every group of rows, in the order in which they are measured. A new group is a module here and an item of `GROUPS`.

claim_throughput   P1: jobs claimed and completed in batches
pool_throughput    P1-pool and its variants: postings through the public API, run by a pool
post_throughput    P2: jobs posted
push               P3 and P4: jobs through REST, push and remote workers
pool_roundtrip     P3b: one call through an idle pool
remote_worker      P4-worker: the same as P4 with `workroom worker` and the Python client
frames             P5: structures written to a room and read back
locks              P5-lock: a lock acquired
large_table        P6: a claim, statistics and a queue position in a large table
sockets            P7: memory and latency with thousands of idle sockets, with one server and with Redis
replicas           REPLICAS: the same as P3 and P4 with several server processes
pooler             POOLER: postings through PgBouncer
scale              SCALE: what a job costs on each part, and whether the simulation agrees
browser            P8: size of the app, time to show a large structure, smoothness of playing
start              P9: start of the server and of the embedded database
"""

from bench.rows import (
    browser,
    claim_throughput,
    frames,
    large_table,
    locks,
    pool_roundtrip,
    pool_throughput,
    pooler,
    post_throughput,
    push,
    remote_worker,
    replicas,
    scale,
    sockets,
    start,
)

GROUPS = (
    claim_throughput.GROUP,
    pool_throughput.GROUP,
    pool_throughput.MILLION_GROUP,
    post_throughput.GROUP,
    push.ROUNDTRIP_GROUP,
    pool_roundtrip.GROUP,
    push.RATE_GROUP,
    remote_worker.GROUP,
    frames.GROUP,
    locks.GROUP,
    large_table.GROUP,
    sockets.GROUP,
    sockets.REDIS_GROUP,
    replicas.GROUP,
    pooler.GROUP,
    scale.GROUP,
    browser.SIZE_GROUP,
    browser.GROUP,
    start.DATABASE_GROUP,
    start.GROUP,
)
