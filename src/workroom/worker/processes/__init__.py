"""Job processes: a job that crashes takes only its own process with it, and can be killed with all that it started.

    the worker                                          a job process (in a session and process group of its own)
    ──────────                                          ─────────────────────────────────────────────────────────
    JobProcess ── jobs, "stop" ──────── stdin ────────► ChildRunner: runs one job after the other
               ◄─ progress, outcome, "idle" ─ FD ─────
               ◄─ output ──────── stdout, stderr ─────
    ConnectionBroker ── connections to the server ───►  (only in confined processes, which open no sockets)
    WarmProcessPool  keeps processes warm: modules imported, connection open; replaces those that end or are used up
    ProcessReaper    kills the processes and removes their folders if the worker itself is killed

`isolate=True` starts a process for each job (`OneShotExecutor`). The built-in extensions run in warm processes
(`WarmProcessExecutor`) under `ProcessLimits`, confined to Python, their own folder and the server (`confinement`).
A process of `isolate=True` runs the worker's own code and has the rights of its user account.

    process       `JobProcess`: the worker's side of a process
    child         `ChildRunner`: the program of the process
    confined_child     the same, which confines itself first
    connection_broker  `ConnectionBroker`
    one_shot      `OneShotExecutor`
    warm_pool     `WarmProcessPool`, `WarmProcessExecutor`
    limits        environment variables and resource limits
    workspace     the working folder of a job, and cleaning up after it
    output        the output of a process as lines of its job
    reaper        `ProcessReaper`
    parent_death  ends a process with its parent
"""
