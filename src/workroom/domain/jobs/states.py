"""What a job can be, and which verbs move it.

`TRANSITIONS` is the whole truth: a verb that is not listed for a state changes nothing. The statements in
`store/sql/job` and a trigger in the schema hold the same table; one test walks every pair on PostgreSQL.
"""

from __future__ import annotations

from enum import StrEnum


class State(StrEnum):
    """Where a job is on its way."""

    BLOCKED = "blocked"  # waits for other jobs or postings
    PENDING = "pending"  # waits for a worker, or for its start time
    ASSIGNED = "assigned"  # handed to a worker that has not confirmed yet
    RUNNING = "running"  # confirmed by the worker
    COMPLETED = "completed"  # final: ended well
    FAILED = "failed"  # final: ended badly
    CANCELLED = "cancelled"  # final: called off


class Verb(StrEnum):
    """What can be done to a job."""

    UNBLOCK = "unblock"  # the last thing it waited for is done
    ABANDON = "abandon"  # something it waited for failed or was cancelled
    ASSIGN = "assign"  # give it to a worker; raises `attempt` by one
    START = "start"  # the worker confirms
    SUCCEED = "succeed"  # the worker reports a result
    FAIL = "fail"  # the worker reports an error, and no tries are left
    RETRY = "retry"  # the worker reports an error, and tries are left
    RELEASE = "release"  # never confirmed, or its worker was lost and the policy says requeue
    LOSE = "lose"  # its worker was lost and the policy says fail
    CANCEL = "cancel"  # called off; for a job at a worker: the worker confirms, or is lost


ACTIVE = frozenset({State.ASSIGNED, State.RUNNING})
WAITING = frozenset({State.BLOCKED, State.PENDING})
FINAL = frozenset({State.COMPLETED, State.FAILED, State.CANCELLED})

TRANSITIONS: dict[tuple[State, Verb], State] = {
    (State.BLOCKED, Verb.UNBLOCK): State.PENDING,
    (State.BLOCKED, Verb.ABANDON): State.FAILED,
    (State.BLOCKED, Verb.CANCEL): State.CANCELLED,
    (State.PENDING, Verb.ASSIGN): State.ASSIGNED,
    (State.PENDING, Verb.CANCEL): State.CANCELLED,
    (State.ASSIGNED, Verb.START): State.RUNNING,
    (State.ASSIGNED, Verb.RELEASE): State.PENDING,
    (State.ASSIGNED, Verb.LOSE): State.FAILED,
    (State.ASSIGNED, Verb.CANCEL): State.CANCELLED,
    (State.RUNNING, Verb.SUCCEED): State.COMPLETED,
    (State.RUNNING, Verb.FAIL): State.FAILED,
    (State.RUNNING, Verb.RETRY): State.PENDING,
    (State.RUNNING, Verb.RELEASE): State.PENDING,
    (State.RUNNING, Verb.LOSE): State.FAILED,
    (State.RUNNING, Verb.CANCEL): State.CANCELLED,
}

# A pool worker that ran a short job reports its start and its end in one message: two verbs, one statement.
# So an assigned job may also be seen to go straight to where `start` and the second verb together lead.
SHORTCUTS: frozenset[tuple[State, State]] = frozenset(
    (State.ASSIGNED, TRANSITIONS[State.RUNNING, verb]) for verb in (Verb.SUCCEED, Verb.FAIL, Verb.RETRY, Verb.CANCEL)
)

MOVES: frozenset[tuple[State, State]] = frozenset((a, b) for (a, _), b in TRANSITIONS.items()) | SHORTCUTS

# Words of other programs for the same states, accepted wherever a status comes in.
SYNONYMS: dict[str, State] = {
    "processing": State.RUNNING,
    "finished": State.COMPLETED,
    "queued": State.PENDING,
    "submitted": State.PENDING,
    "waiting": State.PENDING,
}


def state_named(word: str) -> State:
    """The state a word means; ValueError when it means none."""
    return SYNONYMS[word] if word in SYNONYMS else State(word)


class PostingStatus(StrEnum):
    """Where a posting is."""

    EXECUTING = "executing"  # its jobs run as workers get to them
    PAUSED = "paused"  # no further job of it is assigned until resumed
    COMPLETED = "completed"  # every job completed
    FAILED = "failed"  # every job ended, at least one failed
    CANCELLED = "cancelled"  # called off, and every job ended
