"""Which jobs a list shows, and in which order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from string import ascii_lowercase, ascii_uppercase
from uuid import UUID

_MOST_WORDS = 8
_LOWER = str.maketrans(ascii_uppercase, ascii_lowercase)


class JobSort(StrEnum):
    """What a list of jobs is sorted by."""

    TIME = "time"  # of the submission
    DURATION = "duration"  # of the last attempt; jobs without an end come last
    PRIORITY = "priority"
    NAME = "name"  # of the extension, with its category


@dataclass(frozen=True, slots=True)
class JobFilter:
    """Conditions that a job must meet, all of them. None: any job meets the condition."""

    room: str | None = None
    states: Sequence[str] | None = None
    submitter: UUID | None = None  # its single jobs, without the calls of its postings
    visible_to: UUID | None = None  # leaves out rooms that this account may not read
    worker_id: UUID | None = None
    category: str | None = None
    name: str | None = None
    search: str | None = None  # a part of `category/name`
    text: str | None = None  # words of the arguments or of the error's message
    user: str | None = None  # a part of the submitter's name
    worker: str | None = None  # a part of the worker's id, name or machine
    since: datetime | None = None  # submitted then or later
    until: datetime | None = None  # submitted before
    error_type: str | None = None
    error_place: str | None = None
    single: bool = False  # only jobs that belong to no posting
    ids: Sequence[UUID] | None = None
    posting_id: UUID | None = None


@dataclass(frozen=True, slots=True)
class JobOrder:
    """The order of a list of jobs."""

    sort: JobSort = JobSort.TIME
    ascending: bool = False


BY_TIME = JobOrder()  # newest first


def like_patterns(text: str) -> list[str]:
    """A pattern of LIKE for each word of a search text, with its ASCII letters in lower case."""
    return [f"%{_escaped(word)}%" for word in text.translate(_LOWER).split()[:_MOST_WORDS]]


def _escaped(word: str) -> str:
    return word.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")
