"""Workroom: shared rooms for science, with jobs that run anywhere."""

from __future__ import annotations

from importlib import import_module
from typing import Any

__version__ = "0.1.0"

# Where each name lives; `__init__.pyi` tells type checkers the same. Names are looked up when first used, so that
# importing workroom stays quick, and the layers below may have `__version__` without importing what lies above them.
_HOMES = {
    "Room": "workroom.worker.remote.extension_room",
    "AsyncRoom": "workroom.worker.remote.extension_room",
    "Extension": "workroom.client.extension",
    "Category": "workroom.client.extension",
    "JobHandle": "workroom.client.sync",
    "AsyncJobHandle": "workroom.client.jobs",
    "job": "workroom.worker.registry",
    "Registry": "workroom.worker.registry",
    "Posting": "workroom.worker.postings.posting",
    "ClusterPool": "workroom.worker.pool",
    "ClusterProcess": "workroom.worker.pool",
    **dict.fromkeys(
        [
            "AdminNeeded",
            "AttemptLost",
            "BadInput",
            "Conflict",
            "Forbidden",
            "InvalidArguments",
            "JobCancelled",
            "JobFailed",
            "LockLost",
            "NotFound",
            "NotSignedIn",
            "UndoConflict",
            "RoomLocked",
            "SchemaConflict",
            "ServerUnreachable",
            "TooManyRequests",
            "Unavailable",
            "WorkroomError",
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
    value = getattr(import_module(home), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(["__version__", *_HOMES])
