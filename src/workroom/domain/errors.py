"""The errors that Workroom raises for callers.

    WorkroomError
    ├── BadInput              400  the request is malformed
    │   ├── InvalidArguments  422  a field does not fit its schema
    │   └── SizeMismatch      400  a ValueError too
    ├── NotSignedIn           401
    ├── Forbidden             403
    │   ├── AdminNeeded       403
    │   └── ScopeNeeded       403  the API token lacks the scope
    ├── NotFound              404
    │   ├── UnknownFunction   404  a KeyError too
    │   └── NoSuchFrame       404  an IndexError too
    ├── Conflict              409
    │   ├── AttemptLost       409  the attempt of this worker has ended
    │   ├── JobFinal          409  a final job never changes
    │   ├── WrongState        409  the verb does not apply to the job's state
    │   ├── KeyReused         409
    │   ├── SchemaConflict    409
    │   ├── SettingsConflict  409  the extension belongs to another account
    │   ├── NameReserved      409
    │   ├── NameTaken         409
    │   ├── WorkerLost        409
    │   ├── LockLost          409
    │   ├── RevisionConflict  409  the room has a newer revision
    │   ├── UndoConflict      409  later changes touch the same frames or items
    │   └── ChangeExpired     409  the change is too old to be undone
    ├── TooSlow               408  the body of the request arrives too slowly
    ├── TooLarge              413
    ├── UnknownHost           421
    ├── RoomLocked            423  another client holds the lock
    ├── TooManyRequests       429
    ├── QuotaExceeded         429
    │   └── StorageQuotaExceeded  507
    ├── JobFailed             500  raised by `result()` of a failed job
    ├── JobCancelled          409  raised by `result()` of a cancelled job
    ├── VersionMismatch       426  raised by the client
    ├── MissingPackage        501  a ModuleNotFoundError too
    └── Unavailable           503
        ├── ServerUnreachable 503  raised by the client
        ├── DiskFull          507  the disk of the server is full
        └── DatabaseError     503
            ├── DatabaseUnreachable, DatabaseRefused, DatabaseTooOld, DatabaseBusy
            ├── DatabaseDiskFull 507
            ├── SchemaTooNew, SchemaTooOld, SchemaDiffers
            └── DataFolderInUse, DataFolderUnusable, EmbeddedUnavailable, ServerRunning

The docstring of a class is its default message. `code` is stable and part of the API;
`status` is the HTTP status of the response; `detail` holds fields for programs. All classes are in this one file, above
300 lines, because the server, the client and the reference page derive their tables from it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar


class WorkroomError(Exception):
    """Something went wrong in Workroom."""

    code: ClassVar[str] = "error"
    status: ClassVar[int] = 500

    def __init__(self, message: str | None = None, /, **detail: Any) -> None:
        doc = (type(self).__doc__ or "").strip().partition("\n")[0]
        self.message = message or doc
        self.detail: dict[str, Any] = detail
        super().__init__(self.message)


class BadInput(WorkroomError):
    """The request is malformed."""

    code, status = "bad_input", 400


class InvalidArguments(BadInput):
    """The arguments do not fit the schema."""

    code, status = "invalid_arguments", 422


class SizeMismatch(BadInput, ValueError):
    """The number of frames differs from the number of indices."""

    code = "size_mismatch"


class NotSignedIn(WorkroomError):
    """Sign in first: the token is missing, expired or revoked."""

    code, status = "not_signed_in", 401


class Forbidden(WorkroomError):
    """You may not do this."""

    code, status = "forbidden", 403


class AdminNeeded(Forbidden):
    """Only an admin may do this."""

    code = "admin_needed"


class ScopeNeeded(Forbidden):
    """The API token lacks the scope that this needs."""

    code = "scope_needed"


class NotFound(WorkroomError):
    """The requested object does not exist."""

    code, status = "not_found", 404


class UnknownFunction(NotFound, KeyError):
    """No function of this name is registered here."""

    code = "unknown_function"

    def __str__(self) -> str:
        return self.message  # a KeyError would show its repr


class NoSuchFrame(NotFound, IndexError):
    """The trajectory has no frame at this index."""

    code = "no_such_frame"


class Conflict(WorkroomError):
    """The request conflicts with the current state."""

    code, status = "conflict", 409


class AttemptLost(Conflict):
    """The attempt has ended, and the job no longer belongs to this worker. Drop the result."""

    code = "attempt_lost"


class JobFinal(Conflict):
    """The job has ended and never changes again. Retry it by hand to run it once more."""

    code = "job_final"


class WrongState(Conflict):
    """The job's state does not allow this."""

    code = "wrong_state"


class KeyReused(Conflict):
    """The idempotency key was used before for different work."""

    code = "key_reused"


class SchemaConflict(Conflict):
    """Another worker offers this extension with a different schema."""

    code = "schema_conflict"


class SettingsConflict(Conflict):
    """The extension belongs to another account, whose settings stay."""

    code = "settings_conflict"


class NameReserved(Conflict):
    """This name is reserved."""

    code = "name_reserved"


class NameTaken(Conflict):
    """This name is taken. Choose another."""

    code = "name_taken"


class WorkerLost(Conflict):
    """The worker's lease expired, or a newer incarnation replaced it. Register again."""

    code = "worker_lost"


class LockLost(Conflict):
    """The lock has expired, or another client holds it."""

    code = "lock_lost"


class RevisionConflict(Conflict):
    """The room was changed in the meantime."""

    code = "revision_passed"


class UndoConflict(Conflict):
    """Later changes touch the same frames or items. Undo them first."""

    code = "overlap"


class ChangeExpired(Conflict):
    """The change is too old to be undone: its data was deleted."""

    code = "forgotten"


class TooSlow(WorkroomError):
    """The body of the request arrives too slowly."""

    code, status = "too_slow", 408


class TooLarge(WorkroomError):
    """This is larger than allowed."""

    code, status = "too_large", 413


class UnknownHost(WorkroomError):
    """The request names a host that this server does not answer for."""

    code, status = "unknown_host", 421


class RoomLocked(WorkroomError):
    """Another client holds the lock."""

    code, status = "locked", 423


class TooManyRequests(WorkroomError):
    """Too many requests: wait a little and try again."""

    code, status = "too_many_requests", 429


class QuotaExceeded(WorkroomError):
    """This would exceed a quota. An admin can raise it."""

    code, status = "quota_exceeded", 429


class StorageQuotaExceeded(QuotaExceeded):
    """This would exceed a quota of stored data. Delete something, or ask an admin to raise it."""

    code, status = "storage_quota_exceeded", 507


class JobFailed(WorkroomError):
    """The job failed."""

    code, status = "job_failed", 500

    @property
    def remote_type(self) -> str:
        """The name of the error's class where the job ran."""
        return str(self.detail.get("type", ""))

    @property
    def remote_traceback(self) -> str:
        """The traceback of the error where the job ran."""
        return str(self.detail.get("traceback", ""))


class JobCancelled(WorkroomError):
    """The job was cancelled."""

    code, status = "job_cancelled", 409


class MissingPackage(WorkroomError, ModuleNotFoundError):
    """An optional package is not installed."""

    code, status = "missing_package", 501


class VersionMismatch(WorkroomError):
    """The server has another major version than this client. Install the same version of workroom on both sides."""

    code, status = "version_mismatch", 426


class Unavailable(WorkroomError):
    """Not available right now: try again in a moment."""

    code, status = "unavailable", 503


class ServerUnreachable(Unavailable):
    """No Workroom server answers. Start one with `workroom serve`, or name it: url=…"""

    code = "server_unreachable"


class DiskFull(Unavailable):
    """The disk of the server is full. Free some space on it, then try again."""

    code, status = "disk_full", 507


class DatabaseError(Unavailable):
    """The database cannot be used."""

    code = "database_trouble"


class DatabaseUnreachable(DatabaseError):
    """No PostgreSQL answers at this address."""

    code = "database_unreachable"


class DatabaseRefused(DatabaseError):
    """PostgreSQL refused the user, the password or the database name."""

    code = "database_refused"


class DatabaseTooOld(DatabaseError):
    """This PostgreSQL is too old: Workroom needs version 15 or newer."""

    code = "database_too_old"


class DatabaseBusy(DatabaseError):
    """Another transaction holds the same rows. Try again."""

    code = "database_busy"


class DatabaseDiskFull(DatabaseError):
    """The disk of the database is full. Nothing was written. Free some space on it, then try again."""

    code, status = "database_disk_full", 507


class SchemaTooNew(DatabaseError):
    """The database was upgraded by a newer Workroom. Upgrade this program."""

    code = "schema_too_new"


class SchemaTooOld(DatabaseError):
    """The database needs an upgrade. Run `workroom db upgrade`."""

    code = "schema_too_old"


class SchemaDiffers(DatabaseError):
    """An unreleased version of Workroom made this database. Start with another data folder or database."""

    code = "schema_differs"


class DataFolderInUse(DatabaseError):
    """Another process owns this data folder."""

    code = "data_folder_in_use"


class ServerRunning(DatabaseError):
    """Another server runs on this database."""

    code = "server_running"


class DataFolderUnusable(DatabaseError):
    """This data folder cannot be used."""

    code = "data_folder_unusable"


class EmbeddedUnavailable(DatabaseError):
    """The embedded PostgreSQL is not installed. Install `workroom[server]`, or give a database URL."""

    code = "embedded_unavailable"


def all_errors() -> Iterator[type[WorkroomError]]:
    """Each error class, parents first."""
    queue: list[type[WorkroomError]] = [WorkroomError]
    while queue:
        error = queue.pop(0)
        yield error
        queue.extend(error.__subclasses__())
