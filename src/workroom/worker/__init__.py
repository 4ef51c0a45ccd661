"""What runs extensions: here the remote worker, which reaches the server from anywhere and needs no database.

The server's own pool is one too (`builtin`), with a stock of warm processes.

RemoteWorker ── Offers        the extensions it runs
    │         ── Attachment   registered, connected, alive: for ever, through restarts and sleep
    │         ── Outbox       what it has to report, kept until the server has it
    ▼
Pipeline: resolve, validate, start, perform, outcome, report ── one Execution for each attempt
    │
    ├── in a thread (heavy models stay loaded)
    ├── in a process of its own (`isolate=True`), which can be killed
    └── in a warm, confined process of the server's pool
"""
