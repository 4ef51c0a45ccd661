"""Workers: they run extensions and the calls of postings, and report the outcomes.

@job, Extension ── registry, loading
    │
    ├── remote/   RemoteWorker: connects to a server from anywhere, without a database
    │       └── execution/  Pipeline: resolve, validate, start, perform, report
    │               ├── in a thread (loaded models are kept)
    │               └── processes/  in a process of its own (`isolate=True`), or in a warm one
    ├── builtin/  the same worker for the built-in extensions, in warm and limited processes
    ├── fleet/    Fleet: starts remote workers while jobs wait, as jobs of SLURM or as processes
    ├── pool/     ClusterPool: processes that claim the calls of postings straight from the database
    └── celery/   `workroom celery`: both, for the jobs that messages of a Celery broker name

postings/     Posting: posts calls and follows them
function_registry  `@job`, `Registry`, and `Function.post_work`
loading       loads modules and files that define extensions and functions
code_version  the version of a function's code, for profiles
walltime      when a process must have ended, as its user or SLURM sets it
signals       graceful shutdown at Ctrl-C and SIGTERM
"""
