"""Jobs in processes of their own: what they break breaks only there, and they can be killed with all they started.

    the worker                                       a job's process (a session, and so a process group, of its own)
    ──────────                                       ───────────────────────────────────────────────────────────────
    JobProcess ── orders, "stop" ── stdin ─────────► inside: runs one order after the other in its main thread
               ◄─ progress, outcome, "idle" ─ words ─
               ◄─ what is printed ─── stdout, stderr ─
    Stock      keeps so many of them warm: modules imported, connection open; replaces those that end or are used up
    Guard      kills what is left, and removes the folders, should the worker itself be killed

`isolate=True` starts a process for each job (`OneProcessEach`); the pool of built-in extensions takes a warm one from
its stock (`WarmProcesses`), confined by `Confines`. None of this is a sandbox: a job has the rights of the account it
runs under.
"""
