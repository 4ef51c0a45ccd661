"""`workroom celery`: a Celery worker whose tasks run jobs in the processes of Workroom.

    broker ── id, attempt ──► Celery (threads) ── program: one task for functions, one for extensions
                                  │
                                  ├─ function_processes: processes of a pool, each runs the jobs that its parent names
                                  └─ extension_worker: warm, confined processes; jobs come from the server by socket

    celery_worker       the tasks, and what starts and stops with the Celery worker
    node_info           `CeleryNode`: the name, slots and queues of the Celery worker
    function_processes  `FunctionProcesses`: runs calls of posted functions
    claim_named_jobs    `RequestedJobs`: claims the jobs that the parent names, in place of the pool's fetcher
    extension_worker    `ExtensionWorker`: runs jobs of built-in extensions
    tasks_as_functions  tasks of an existing Celery application as functions

A task holds its Celery slot until the outcome of its job is stored. A message that names no waiting job does nothing.
"""
