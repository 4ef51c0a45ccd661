"""Ids of postings and of their jobs.

Every id is a UUID version 7: it starts with a timestamp, so newer ids are larger. The jobs of a posting share the
first twelve bytes of the posting's id and count upwards in the last four. Therefore the jobs of a posting are one
contiguous range of the job table's primary key, in their order, and need no further index.
"""

from __future__ import annotations

from collections.abc import Iterator
from uuid import UUID

JOBS_PER_POSTING = 2**32


def posting_id(fresh: UUID) -> UUID:
    """A posting id derived from a new UUIDv7: its last four bytes are zero."""
    return UUID(bytes=fresh.bytes[:12] + bytes(4))


def made_at(id: UUID) -> float:
    """The creation time of an id, in seconds since 1970. An id starts with that time in milliseconds."""
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
    """The smallest and the largest id that a job of a posting can have."""
    return job_id(posting, 0), job_id(posting, JOBS_PER_POSTING - 1)


def oldest_id(unix_seconds: float) -> UUID:
    """The smallest id created at or after a time."""
    return UUID(bytes=int(max(0.0, unix_seconds) * 1000).to_bytes(6, "big") + bytes(10))
