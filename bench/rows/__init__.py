"""Every group of rows, in the order of `quality.md`. A new one is a file here and a line in `GROUPS`."""

from bench.rows import browser, claim, frames, locks, own, pool, posting, push, sockets, start, throughput

GROUPS = (
    throughput.GROUP,
    pool.GROUP,
    pool.MILLION_GROUP,
    posting.GROUP,
    push.TRIPS_GROUP,
    pool.TRIPS_GROUP,
    push.RATE_GROUP,
    own.GROUP,
    frames.GROUP,
    locks.GROUP,
    claim.GROUP,
    sockets.GROUP,
    browser.GROUP,
    start.GROUP,
    push.START_GROUP,
)
