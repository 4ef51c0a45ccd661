"""Every verb on every state, on PostgreSQL: exactly what `TRANSITIONS` lists happens, and nothing else does anything.

The statements are walked through actions, for the right and for the wrong worker and attempt. The schema's own trigger
is walked by raw updates: it must refuse what no statement would ever try.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from itertools import count, product
from typing import Any
from uuid import UUID

import pytest
from psycopg import IntegrityError
from tests.workshop import Worker, Workshop, failure

from workroom.actions.engine import new_id
from workroom.actions.jobs.cancel import cancel
from workroom.actions.jobs.rescue import release_unconfirmed, rescue
from workroom.domain.errors import AttemptLost, Conflict, JobFinal, WrongState
from workroom.domain.jobs.outcomes import Cancelled, Outcome, Started, Succeeded
from workroom.domain.jobs.states import ACTIVE, FINAL, MOVES, SHORTCUTS, TRANSITIONS, State, Verb
from workroom.store.queue_tables.extensions import ExtensionRow
from workroom.store.queue_tables.job_rows import Claimed

_numbers = count(1)

POLICIES = {Verb.RELEASE: "requeue", Verb.LOSE: "fail"}


@dataclass
class Scene:
    """A job in some state, and everybody who may have to do with it."""

    workshop: Workshop
    relax: ExtensionRow
    worker: Worker  # who has the job, if anybody
    other: Worker  # who has not, and could take one
    job_id: UUID
    needed: Claimed  # a running job of another extension that the job depends on, at least on paper
    needed_worker: Worker

    async def attempt(self) -> int:
        return (await self.workshop.job(self.job_id)).attempt

    async def as_claimed(self, attempt: int) -> Claimed:
        return Claimed(self.job_id, attempt, self.relax.id, False, self.workshop.room, 1, {})

    async def say(self, outcome: Outcome) -> None:
        await self.worker.say(await self.as_claimed(await self.attempt()), outcome)


async def scene(workshop: Workshop, state: State, *, tries: int = 1, policy: str = "fail") -> Scene:
    """A job brought into this state by the usual way."""
    number = next(_numbers)
    relax, other_extension = await workshop.extension(f"Relax-{number}"), await workshop.extension(f"Needed-{number}")
    worker, other, needed_worker = (
        await workshop.worker(relax, capacity=2),
        await workshop.worker(relax),
        await workshop.worker(other_extension),
    )
    needed = await workshop.running_job(other_extension, needed_worker)
    how: dict[str, Any] = {"tries": tries, "on_worker_lost": policy}
    match state:
        case State.BLOCKED:
            job_id = await workshop.blocked_job(relax, needed.id, **how)
        case State.PENDING:
            job_id = await workshop.pending_job(relax, **how)
        case State.ASSIGNED:
            job_id = (await workshop.assigned_job(relax, worker, **how)).id
        case State.RUNNING:
            job_id = (await workshop.running_job(relax, worker, **how)).id
        case State.COMPLETED:
            job_id = (await workshop.completed_job(relax, worker, **how)).id
        case State.FAILED:
            job_id = (await workshop.failed_job(relax, worker, on_worker_lost=policy)).id
        case State.CANCELLED:
            job_id = (await workshop.cancelled_job(relax, worker, **how)).id
    if state is not State.BLOCKED:
        # On paper the job waits for the other one all the same: the statements must see that it does not.
        await workshop.sql("INSERT INTO dependency (job_id, needs_job) VALUES (%s, %s)", job_id, needed.id)
        await workshop.sql("UPDATE job SET has_dependents = true WHERE id = %s", needed.id)
    assert await workshop.state(job_id) is state
    return Scene(workshop, relax, worker, other, job_id, needed, needed_worker)


async def unblock(on: Scene) -> None:
    assert await on.needed_worker.say(on.needed, Succeeded()) is None


async def abandon(on: Scene) -> None:
    assert await on.needed_worker.say(on.needed, failure()) is None


async def assign(on: Scene) -> None:
    await on.worker.claim(5)
    await on.other.claim(5)


async def start(on: Scene) -> None:
    await on.say(Started())


async def succeed(on: Scene) -> None:
    await on.say(Succeeded({"energy": -1}))


async def fail(on: Scene) -> None:
    await on.say(failure("another error"))


async def lose_the_worker(on: Scene) -> None:
    await on.worker.is_lost()
    await rescue(on.workshop.engine)


async def call_off(on: Scene) -> None:
    before = await on.workshop.state(on.job_id)
    try:
        await cancel(on.workshop.engine, on.job_id)
    except JobFinal:
        assert before in FINAL
    await on.say(Cancelled())


VERBS: dict[Verb, Callable[[Scene], Awaitable[None]]] = {
    Verb.UNBLOCK: unblock,
    Verb.ABANDON: abandon,
    Verb.ASSIGN: assign,
    Verb.START: start,
    Verb.SUCCEED: succeed,
    Verb.FAIL: fail,
    Verb.RETRY: fail,
    Verb.RELEASE: lose_the_worker,
    Verb.LOSE: lose_the_worker,
    Verb.CANCEL: call_off,
}


def test_every_verb_can_be_walked() -> None:
    assert set(VERBS) == set(Verb)
    assert len(State) * len(Verb) == 70


@pytest.mark.parametrize("state", [*State])
async def test_a_verb_does_what_the_table_says_or_nothing(workshop: Workshop, state: State) -> None:
    for verb in Verb:
        # Whether a failure is `fail` or `retry`, and a loss `lose` or `release`, is up to the job.
        on = await scene(workshop, state, tries=2 if verb is Verb.RETRY else 1, policy=POLICIES.get(verb, "fail"))
        before = await workshop.record(on.job_id)
        await VERBS[verb](on)
        after = await workshop.record(on.job_id)
        if (state, verb) in TRANSITIONS:
            assert after["state"] == TRANSITIONS[state, verb], (state, verb)
            assert after["attempt"] == before["attempt"] + (verb is Verb.ASSIGN)
            assert (after["finished_at"] is not None) == (after["state"] in FINAL)
            if after["state"] in (State.PENDING, State.BLOCKED):
                assert (after["worker_id"], after["assigned_at"], after["started_at"]) == (None, None, None)
        else:
            assert after == before, (state, verb)
        assert await workshop.miscounted() == []


async def test_an_assigned_job_is_also_released_when_a_remote_worker_never_confirms(workshop: Workshop) -> None:
    for state in (State.ASSIGNED, State.RUNNING):
        relax = await workshop.extension(f"Relax-{state}")
        worker = await workshop.worker(relax, kind="remote")
        job_id = await workshop.pending_job(relax)
        job = Claimed(job_id, 1, relax.id, False, None, 1, {})
        if state is State.RUNNING:
            assert await worker.say(job, Started()) is None
        await workshop.sql("UPDATE worker SET draining = true WHERE id = %s", worker.id)
        await workshop.confirmation_is_overdue()
        before = await workshop.record(job_id)
        await release_unconfirmed(workshop.engine)
        after = await workshop.record(job_id)
        if (state, Verb.RELEASE) in TRANSITIONS and state is State.ASSIGNED:
            assert (after["state"], after["worker_id"], after["attempt"]) == (State.PENDING, None, 1)
        else:
            assert after == before, "who has confirmed is not silent"


WORDS: dict[str, Outcome] = {
    "start": Started(),
    "succeed": Succeeded({"energy": -1}),
    "fail": failure("another error"),
    "confirm a cancel": Cancelled(),
}


@pytest.mark.parametrize("state", [*State])
async def test_the_word_of_a_wrong_worker_or_for_a_wrong_attempt_changes_nothing(
    workshop: Workshop, state: State
) -> None:
    for tries in (1, 2):
        on = await scene(workshop, state, tries=tries)
        before, attempt = await workshop.record(on.job_id), await on.attempt()
        owner = on.worker if before["worker_id"] else None
        assert (owner is not None) == (state in ACTIVE | FINAL)
        for speaker, shift in product((on.worker, on.other, on.needed_worker), (-1, 0, 1, 1000)):
            if speaker is owner and shift == 0:
                continue
            # A short report stands for the start too.
            for word, short in product(WORDS.values(), (False, True)):
                refusal = await speaker.say(await on.as_claimed(attempt + shift), word, short=short)
                assert type(refusal) is AttemptLost
                assert refusal.detail == {"jobId": str(on.job_id), "attempt": attempt + shift}
        assert await workshop.record(on.job_id) == before
        assert await workshop.miscounted() == []


async def test_the_word_for_a_job_that_never_was_is_refused(workshop: Workshop) -> None:
    worker = await workshop.worker(await workshop.extension())
    for word in WORDS.values():
        assert type(await worker.say(Claimed(new_id(), 1, 1, False, None, 1, {}), word)) is AttemptLost


@pytest.mark.parametrize(
    ("word", "tries", "state"),
    [
        ("succeed", 1, State.COMPLETED),
        ("fail", 1, State.FAILED),
        ("fail", 2, State.PENDING),
        ("confirm a cancel", 1, State.CANCELLED),
    ],
)
async def test_a_report_of_a_short_job_stands_for_its_start_too(
    workshop: Workshop, word: str, tries: int, state: State
) -> None:
    assert (State.ASSIGNED, state) in SHORTCUTS
    on = await scene(workshop, State.ASSIGNED, tries=tries)
    assert await on.worker.say(await on.as_claimed(1), WORDS[word], short=True) is None
    row = await workshop.job(on.job_id)
    assert row.state == state
    if state in (State.COMPLETED, State.FAILED):
        assert row.assigned_at and row.started_at and row.finished_at
        assert (row.started_at - row.assigned_at).total_seconds() == pytest.approx(0.001)
        assert (row.finished_at - row.started_at).total_seconds() == pytest.approx(0.002)
    assert await workshop.miscounted() == []


@pytest.mark.parametrize("word", ["succeed", "fail"])
async def test_an_end_without_a_start_is_refused_when_it_does_not_say_how_long_the_job_took(
    workshop: Workshop, word: str
) -> None:
    on = await scene(workshop, State.ASSIGNED)
    before = await workshop.record(on.job_id)
    assert type(await on.worker.say(await on.as_claimed(1), WORDS[word])) is WrongState
    assert await workshop.record(on.job_id) == before


# The trigger ---------------------------------------------------------------------------------------------------------

INSERT = """
    INSERT INTO job (id, extension_id, priority, tries, turn, state, on_worker_lost, attempt, unmet_dependencies,
                     submitter, worker_id, assigned_at, started_at, finished_at, error, arguments)
    VALUES (%s, 1, 5, 3, 0, %s::job_state, 'fail', 1, %s, gen_random_uuid(), %s, %s, %s, %s, %s, '{}')
"""
UPDATE = """
    UPDATE job SET state = %s::job_state, unmet_dependencies = %s, worker_id = %s, assigned_at = %s, started_at = %s,
                   finished_at = %s, error = %s, attempt = attempt + %s
    WHERE id = %s
"""


def columns(state: State) -> tuple[Any, ...]:
    """Legal values of unmet_dependencies, worker_id, assigned_at, started_at, finished_at and error in this state."""
    worker = UUID(int=7) if state in ACTIVE else None
    return (
        int(state is State.BLOCKED),
        worker,
        "2026-01-01" if worker else None,
        "2026-01-01" if state is State.RUNNING else None,
        "2026-01-01" if state in FINAL else None,
        "{}" if state is State.FAILED else None,
    )


async def accepted(workshop: Workshop, before: State, after: State, *, more_attempts: int) -> bool:
    job_id = new_id()
    await workshop.sql(INSERT, job_id, before, *columns(before))
    row = await workshop.record(job_id)
    try:
        await workshop.sql(UPDATE, after, *columns(after), more_attempts, job_id)
    except (Conflict, IntegrityError):
        assert await workshop.record(job_id) == row
        return False
    assert (await workshop.record(job_id))["state"] == after
    return True


async def test_the_database_itself_accepts_just_the_known_moves(workshop: Workshop) -> None:
    walked = 0
    for before, after in product(State, State):
        claims = (before, after) == (State.PENDING, State.ASSIGNED)
        known = (before, after) in MOVES or (before is after and before not in FINAL)
        assert await accepted(workshop, before, after, more_attempts=int(claims)) is known, (before, after)
        walked += 1
    assert walked == 49


async def test_the_database_itself_lets_the_attempt_rise_by_one_with_an_assignment_and_never_else(
    workshop: Workshop,
) -> None:
    for before, after in sorted(MOVES | {(state, state) for state in State}):
        right = int((before, after) == (State.PENDING, State.ASSIGNED))
        for more in (-1, 0, 1, 2):
            if more != right:
                assert not await accepted(workshop, before, after, more_attempts=more), (before, after, more)


async def test_the_database_itself_lets_nothing_change_a_final_job(workshop: Workshop) -> None:
    changes = (
        "state = state",
        "priority = 9",
        "result = NULL",
        "has_dependents = true",
        "finished_at = NULL",
        "attempt = 2",
    )
    for state in sorted(FINAL):
        job_id = new_id()
        await workshop.sql(INSERT, job_id, state, *columns(state))
        before = await workshop.record(job_id)
        for change in changes:
            with pytest.raises((Conflict, IntegrityError)):
                await workshop.sql(f"UPDATE job SET {change} WHERE id = %s", job_id)
            assert await workshop.record(job_id) == before
