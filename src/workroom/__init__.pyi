"""The public names of workroom; a test checks that `__init__.py` has the same."""

from workroom.client.extension import Category, Extension
from workroom.client.jobs import AsyncJobHandle
from workroom.client.sync import JobHandle
from workroom.domain.errors import (
    AdminNeeded,
    AttemptLost,
    BadInput,
    Conflict,
    Forbidden,
    InvalidArguments,
    JobCancelled,
    JobFailed,
    LockLost,
    NotFound,
    NotSignedIn,
    RoomLocked,
    SchemaConflict,
    ServerUnreachable,
    TooManyRequests,
    Unavailable,
    UndoConflict,
    WorkroomError,
)
from workroom.worker.function_registry import Registry, job
from workroom.worker.pool import ClusterPool, ClusterProcess
from workroom.worker.postings.posting import Posting
from workroom.worker.remote.offering_room import AsyncRoom, Room

__version__: str

__all__ = [
    "AdminNeeded",
    "AsyncJobHandle",
    "AsyncRoom",
    "AttemptLost",
    "BadInput",
    "Category",
    "ClusterPool",
    "ClusterProcess",
    "Conflict",
    "Extension",
    "Forbidden",
    "InvalidArguments",
    "JobCancelled",
    "JobFailed",
    "JobHandle",
    "LockLost",
    "NotFound",
    "NotSignedIn",
    "Posting",
    "Registry",
    "Room",
    "RoomLocked",
    "SchemaConflict",
    "ServerUnreachable",
    "TooManyRequests",
    "Unavailable",
    "UndoConflict",
    "WorkroomError",
    "__version__",
    "job",
]
