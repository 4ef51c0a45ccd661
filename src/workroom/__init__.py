"""Workroom: shared rooms for science, with jobs that run anywhere.

    confinement/  what processes of jobs may open, and protection of processes with secrets
    domain/      the rules as pure code: job states, rights, locks, names, errors
    wire/        models of REST bodies, socket messages and encoded frames
    store/       PostgreSQL: schema, SQL statements, the embedded server
    actions/     state changes, each in a transaction, with its events
    upkeep/      periodic services: rescue of jobs, schedules, pruning, expired locks
    server/      the FastAPI and Socket.IO server
    client/      the Python client of a server
    worker/      workers, process pools, execution of jobs, postings
    celery/      Celery as the engine of a server, and calls between Workroom and Celery applications
    atoms/       the built-in extensions, and structure files
    cli/         the command line
    extras       optional packages, and errors that name the command that installs them
    geometries   models of what the viewer draws
    logs         logging of all packages: structlog in front of `logging`
    ttl_cache    a dictionary of bounded size whose entries expire
    testing/     helpers for tests of extensions: a room without a server, a throw-away server, pytest fixtures
    pdoflow      names for scripts that were written for PDOFlow
    zndraw       names for scripts that were written for ZnDraw

The names that users import from `workroom` are listed in `_HOMES` below.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

__version__ = "0.1.0"

# The module of each public name; `__init__.pyi` has the same for type checkers. A module is imported at the first use
# of its name, so that `import workroom` is fast, and lower layers can import `__version__` without the upper ones.
_HOMES = {
    "Room": "workroom.worker.remote.offering_room",
    "AsyncRoom": "workroom.worker.remote.offering_room",
    "Extension": "workroom.client.extension",
    "Category": "workroom.client.extension",
    "choices": "workroom.client.choices_decorator",
    "File": "workroom.client.input_file",
    "FileLimits": "workroom.client.input_file",
    "JobHandle": "workroom.client.blocking_room",
    "AsyncJobHandle": "workroom.client.jobs",
    "job": "workroom.worker.function_registry",
    "Registry": "workroom.worker.function_registry",
    "Function": "workroom.worker.function_registry",
    "Posting": "workroom.worker.postings.posting",
    "CallOutcome": "workroom.worker.postings.call_outcomes",
    "PostedCall": "workroom.worker.postings.posted_call",
    "ClusterPool": "workroom.worker.pool",
    "ClusterProcess": "workroom.worker.pool",
    **dict.fromkeys(
        [
            "AdminNeeded",
            "AttemptLost",
            "BadInput",
            "ChangeExpired",
            "Conflict",
            "DataFolderInUse",
            "DataFolderUnusable",
            "DatabaseBusy",
            "DatabaseDiskFull",
            "DatabaseError",
            "DatabaseRefused",
            "DatabaseTooOld",
            "DatabaseUnreachable",
            "DiskFull",
            "EmbeddedUnavailable",
            "Forbidden",
            "InvalidArguments",
            "JobCancelled",
            "JobFailed",
            "JobFinal",
            "KeyReused",
            "LockLost",
            "MissingPackage",
            "NameReserved",
            "NameTaken",
            "NoSuchFrame",
            "NotFound",
            "NotSignedIn",
            "QuotaExceeded",
            "RevisionConflict",
            "RoomLocked",
            "SchemaConflict",
            "SchemaDiffers",
            "SchemaTooNew",
            "SchemaTooOld",
            "ScopeNeeded",
            "ServerRunning",
            "ServerUnreachable",
            "SettingsConflict",
            "SizeMismatch",
            "StorageQuotaExceeded",
            "TooLarge",
            "TooManyRequests",
            "TooSlow",
            "Unavailable",
            "UndoConflict",
            "UnknownFunction",
            "UnknownHost",
            "VersionMismatch",
            "WorkerLost",
            "WorkroomError",
            "WrongState",
        ],
        "workroom.domain.errors",
    ),
}


def __getattr__(name: str) -> Any:
    if name == "__all__":
        return __dir__()
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module 'workroom' has no attribute {name!r}")
    from workroom.extras import naming_extras

    with naming_extras():
        value = getattr(import_module(home), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(["__version__", *_HOMES])
