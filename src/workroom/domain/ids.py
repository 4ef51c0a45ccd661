"""How the ids of a posting and of its jobs hang together.

Every id is a UUID version 7: it begins with its time, so newer ids are larger. The jobs of a posting share the
first twelve bytes of the posting's id and count upwards in the last four. So the jobs of a posting are one
contiguous range of the job table's primary key, in their order, and need no index of their own.
"""

from __future__ import annotations

from collections.abc import Iterator
from uuid import UUID

JOBS_PER_POSTING = 2**32


def posting_id(fresh: UUID) -> UUID:
    """The id of a posting made from a fresh UUIDv7: its last four bytes are zero."""
    return UUID(bytes=fresh.bytes[:12] + bytes(4))


def made_at(id: UUID) -> float:
    """When an id was made, in seconds since 1970: it begins with that, in milliseconds."""
    return (id.int >> 80) / 1000


def job_id(posting: UUID, position: int) -> UUID:
    """The id of the job at `position` (from 0) in a posting."""
    return UUID(bytes=posting.bytes[:12] + position.to_bytes(4, "big"))


def job_ids(posting: UUID, start: int, stop: int) -> Iterator[UUID]:
    """The ids of the jobs at positions `start` to `stop` of a posting."""
    prefix = posting.bytes[:12]
    for position in range(start, stop):
        yield UUID(bytes=prefix + position.to_bytes(4, "big"))


def position(job: UUID) -> int:
    """The position in its posting of a job with this id."""
    return int.from_bytes(job.bytes[12:], "big")


def first_and_last(posting: UUID) -> tuple[UUID, UUID]:
    """The range of ids that the jobs of a posting can have."""
    return job_id(posting, 0), job_id(posting, JOBS_PER_POSTING - 1)


def oldest_id(unix_seconds: float) -> UUID:
    """The smallest id that can have been made at or after a time."""
    return UUID(bytes=int(max(0.0, unix_seconds) * 1000).to_bytes(6, "big") + bytes(10))
