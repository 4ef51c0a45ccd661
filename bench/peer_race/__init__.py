"""The race against other queues: `make bench-peers`, or `make bench-peers PEERS=celery,rq` for some of them.

Each queue is installed from the package index into an environment of its own in `.bench-peers/`, which is kept, and
does the same work, one queue after the other in one run. `docs/reference/peers.md` has the table of the last full run.

    __main__        the command: runs the queues, prints a table, writes `bench/peers.json`
    entrants        the queues: their packages, servers, sizes and settings
    environments    the environment of each queue
    servers         what holds the tasks: Redis, PostgreSQL or Dask's scheduler; each can be killed and started again
    measuring       the phases of one queue, bounded in time
    machine         what this machine is, without its name
    bench/peers/    the program of each queue, run in its environment
"""
