"""The benchmark: `make bench`, or `make bench ROWS=P1,P6` for some of its rows.

Each row measures one promise of speed, mostly beside a floor that is measured in the same run. The results are written
to `bench/results.json` row by row. `docs/reference/bench.md` explains the rows and how to read them.

    __main__          the command: measures the chosen rows, prints the table, exits with 1 if a target was missed
    results           `results.json`, written again after every row
    row               `Row`, one measured, skipped or failed row; `Group`, rows that are measured together
    environment       the throw-away PostgreSQL that rows run on, and the share of the full size to measure
    rows              one module for each group of rows
    noop_queue        a submitter, a no-op function and its queue, made through the actions
    live_processes    servers and workers as processes, and a REST client for them
    parallel_loops    one loop in several processes at once, timed together
    noop_extension    an extension that does nothing, for `workroom worker`
    bare_worker       a minimal remote worker: a Socket.IO client that only reports
    idle_sockets      thousands of WebSocket connections that only answer pings
    redis_server      a Redis with throw-away data
    simulation        a discrete-event simulation of servers, database and workers
    bare_table        floor of P1 and P2: a table of five columns, claimed and completed
    roundtrip_floor   floor of P3b: one row written, claimed, completed and read
    echo_server       floor of P3: the same frameworks and messages with two commits
    peer_race         the same work through other queues: `make bench-peers`, a command of its own
"""
