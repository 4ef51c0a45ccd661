"""Events of workers and the extensions they offer."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from workroom.store.queue_tables.extensions import Identity


@dataclass(frozen=True, slots=True)
class WorkersChanged:
    """Workers registered, ended, or changed their state."""

    worker_ids: tuple[UUID, ...]


@dataclass(frozen=True, slots=True)
class WorkersEnded:
    """Workers were ended because their account lost its rights, or by an owner of their room. The server closes their
    sockets.
    """

    worker_ids: tuple[UUID, ...]


@dataclass(frozen=True, slots=True)
class WorkerFreed:
    """A worker has a free slot, and no waiting job was found for it."""

    worker_id: UUID


@dataclass(frozen=True, slots=True)
class ExtensionsOffered:
    """Extensions were registered, paused or resumed, have a new schema, or are offered by one more or no worker."""

    extension_ids: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class ExtensionsRemoved:
    """Extensions were removed: they had been offline for their time, or their owner did it."""

    extensions: tuple[Identity, ...]
