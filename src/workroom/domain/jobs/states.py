"""Job states, and the verbs that move a job from one state to another.

`TRANSITIONS` is complete: a verb that is not listed for a state changes nothing. The statements in `store/sql/job` and
a trigger in the schema implement the same table; one test checks every pair on PostgreSQL.
"""

from __future__ import annotations

from enum import StrEnum


class State(StrEnum):
    """The states of a job."""

    BLOCKED = "blocked"  # waits for other jobs or postings
    PENDING = "pending"  # waits for a worker, or for its start time
    ASSIGNED = "assigned"  # handed to a worker that has not confirmed yet
    RUNNING = "running"  # confirmed by the worker
    COMPLETED = "completed"  # final: has a result
    FAILED = "failed"  # final: has an error
    CANCELLED = "cancelled"  # final: stopped on request


class Verb(StrEnum):
    """The operations on a job."""

    UNBLOCK = "unblock"  # its last dependency completed
    ABANDON = "abandon"  # a dependency failed or was cancelled
    ASSIGN = "assign"  # hand it to a worker; raises `attempt` by one
    START = "start"  # the worker confirms
    SUCCEED = "succeed"  # the worker reports a result
    FAIL = "fail"  # the worker reports an error, and no tries are left
    RETRY = "retry"  # the worker reports an error, and tries are left
    RELEASE = "release"  # never confirmed, or its worker was lost and the policy says requeue
    LOSE = "lose"  # its worker was lost and the policy says fail
    CANCEL = "cancel"  # stop it on request; for a job at a worker: the worker confirms, or is lost


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

# A pool worker reports the start and the end of a short job in one message: two verbs, one statement.
# Therefore an assigned job may also move directly to the state after `start` and the second verb.
SHORTCUTS: frozenset[tuple[State, State]] = frozenset(
    (State.ASSIGNED, TRANSITIONS[State.RUNNING, verb]) for verb in (Verb.SUCCEED, Verb.FAIL, Verb.RETRY, Verb.CANCEL)
)

MOVES: frozenset[tuple[State, State]] = frozenset((a, b) for (a, _), b in TRANSITIONS.items()) | SHORTCUTS

# Names of other programs for the same states, accepted wherever a client sends a status.
SYNONYMS: dict[str, State] = {
    "processing": State.RUNNING,
    "finished": State.COMPLETED,
    "queued": State.PENDING,
    "submitted": State.PENDING,
    "waiting": State.PENDING,
}


def state_named(name: str) -> State:
    """The state of this name or synonym; ValueError for an unknown one."""
    return SYNONYMS[name] if name in SYNONYMS else State(name)


class PostingStatus(StrEnum):
    """The states of a posting."""

    EXECUTING = "executing"  # its jobs are assigned to workers
    PAUSED = "paused"  # no further job is assigned until it is resumed
    COMPLETED = "completed"  # every job completed
    FAILED = "failed"  # every job ended, at least one failed
    CANCELLED = "cancelled"  # cancelled on request, and every job ended
