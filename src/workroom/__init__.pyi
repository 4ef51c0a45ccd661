"""What people import from workroom; a test checks that `__init__.py` offers the same."""

from workroom.client.extension import Category, Extension
from workroom.client.facade import JobHandle
from workroom.client.handles import AsyncJobHandle
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
    Overlap,
    RoomLocked,
    SchemaConflict,
    ServerUnreachable,
    TooManyRequests,
    Unavailable,
    WorkroomError,
)
from workroom.worker.functions import Registry, job
from workroom.worker.pool import ClusterPool, ClusterProcess
from workroom.worker.posting import Posting
from workroom.worker.room import AsyncRoom, Room

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
    "Overlap",
    "Posting",
    "Registry",
    "Room",
    "RoomLocked",
    "SchemaConflict",
    "ServerUnreachable",
    "TooManyRequests",
    "Unavailable",
    "WorkroomError",
    "__version__",
    "job",
]
