"""The queue without a database: the rules of `jobs.md` in memory, one job at a time, with a clock that only counts.

Longer than most files, because it is the one place that says everything at once; the PostgreSQL machine compares every
step with it. It uses the pure rules of `domain` and nothing else of Workroom.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from enum import StrEnum

from workroom.domain.errors import (
    AttemptLost,
    Conflict,
    JobFinal,
    KeyReused,
    NotFound,
    SchemaConflict,
    WorkerLost,
    WrongState,
)
from workroom.domain.jobs.breaker import opens
from workroom.domain.jobs.fair_queue import Place, next_extension, next_turn
from workroom.domain.jobs.states import ACTIVE, FINAL, TRANSITIONS, WAITING, State, Verb
from workroom.domain.jobs.worker_loss import OnWorkerLost, verb_after_loss

Need = tuple[str, int]  # ("job" or "posting", its number)


@dataclass
class Extension:
    name: str
    tries: int
    policy: OnWorkerLost
    concurrency: int | None
    breaker_failures: int
    schema: str = "first"
    offline: bool = False  # it is known that it has no worker
    expired: bool = False  # it has been offline for its time
    removed: bool = False


class Breaker(StrEnum):
    CLOSED = "closed"
    OPEN = "open"
    PROBING = "probing"


@dataclass
class Offer:
    """An extension that a worker runs."""

    served: int = 0  # never
    failures: int = 0
    failed_inputs: set[tuple[str, int]] = field(default_factory=set[tuple[str, int]])  # (submitter, arguments)
    failed_for: str | None = None
    breaker: Breaker = Breaker.CLOSED


@dataclass
class Worker:
    number: int
    remote: bool
    capacity: int
    offers: dict[str, Offer]
    attached: bool
    incarnation: int = 1
    served: int = 0  # never
    gone: bool = False


@dataclass
class Posting:
    number: int
    jobs: list[int]


@dataclass
class Job:
    number: int  # also its age: smaller is older
    extension: str
    submitter: str
    priority: int
    tries: int
    policy: OnWorkerLost
    turn: int
    state: State
    arguments: int = 0
    later: bool = False  # its start time, or its next try, is still to come
    attempt: int = 0
    failures: int = 0
    losses: int = 0
    worker: int | None = None
    cancelling: bool = False
    needs: set[Need] = field(default_factory=set[Need])
    posting: int | None = None
    error: str | None = None
    history: list[State] = field(default_factory=list[State])

    @property
    def place(self) -> Place:
        return Place.of(self.priority, self.turn, self.number)

    @property
    def waits(self) -> bool:
        return self.state is State.PENDING and not self.later


class Said(StrEnum):
    """What a worker can say about a job."""

    STARTED = "started"
    SUCCEEDED = "succeeded"
    FAILED = "failed"
    CANCELLED = "cancelled"


@dataclass(frozen=True)
class Handed:
    """A job that a worker got, and what it could have got instead: enough to check the order of dispatch."""

    worker: int
    job: int
    attempt: int


class Queue:
    def __init__(self, extensions: Iterable[Extension]) -> None:
        self.clock = 0
        self.extensions = {extension.name: extension for extension in extensions}
        self.workers: list[Worker] = []
        self.jobs: list[Job] = []
        self.postings: list[Posting] = []
        self.keys: dict[tuple[str, str, str], tuple[int, int]] = {}
        self.last_turns: dict[tuple[str, int, str], int] = {}
        self.retried: set[tuple[int, int, int]] = set()  # (job, attempt, worker) of tries that failed and were repeated
        self.handed: list[Handed] = []

    # Submitting --------------------------------------------------------------------------------------------------

    def submit(
        self,
        extension: str,
        submitter: str,
        *,
        priority: int = 5,
        arguments: int = 0,
        key: str | None = None,
        needs: Iterable[Need] = (),
        later: bool = False,
    ) -> int:
        named = None if key is None else self.keys.get((submitter, extension, key))
        if named is not None:
            if named[1] != arguments:
                raise KeyReused
            return named[0]
        line = self.extensions[extension]
        if line.removed:
            raise NotFound
        turns = dict(self.last_turns)
        turn = self._turns(extension, submitter, priority, 1)
        next_worker = min(self._ready(extension), key=_served_longest_ago, default=None)
        direct = next_worker and not any(job.waits and job.extension in next_worker.offers for job in self.jobs)
        job = self._write(line, submitter, priority, turn, {*needs}, None)
        job.arguments, job.later = arguments, later
        if key is not None:
            self.keys[submitter, extension, key] = (job.number, arguments)
        self._enter([job])
        if direct and not needs and job.state is State.ASSIGNED:
            # No other job waited for that worker: the job was never in the queue, so it took no turn.
            job.turn, self.last_turns = 0, turns
        return job.number

    def post(self, extension: str, submitter: str, count: int, *, priority: int = 5, needs: Iterable[Need] = ()) -> int:
        line = self.extensions[extension]
        if line.removed and count:
            raise NotFound
        posting = Posting(len(self.postings), [])
        self.postings.append(posting)
        turn = self._turns(extension, submitter, priority, count) if count else 0
        made = [self._write(line, submitter, priority, turn + n, {*needs}, posting.number) for n in range(count)]
        for n, job in enumerate(made):
            job.arguments = n
        posting.jobs = [job.number for job in made]
        self._enter(made)
        return posting.number

    def _write(
        self,
        line: Extension,
        submitter: str,
        priority: int,
        turn: int,
        needs: set[Need],
        posting: int | None,
    ) -> Job:
        unmet = {need for need in needs if self.stand(need) is not State.COMPLETED}
        state = State.BLOCKED if unmet else State.PENDING
        job = Job(len(self.jobs), line.name, submitter, priority, line.tries, line.policy, turn, state)
        job.needs, job.posting, job.history = unmet, posting, [state]
        self.jobs.append(job)
        return job

    def _enter(self, made: list[Job]) -> None:
        doomed = [job for job in made if any(self.stand(need) in (State.FAILED, State.CANCELLED) for need in job.needs)]
        for job in doomed:
            self._move(job, Verb.ABANDON, error="dependency")
        self._settle(doomed)
        if not doomed:
            self._hand_out({job.extension for job in made if job.state is State.PENDING})

    def stand(self, need: Need) -> State | None:
        """How something that jobs depend on has ended; none while it has not."""
        kind, number = need
        if kind == "job":
            state = self.jobs[number].state
            return state if state in FINAL else None
        ends = Counter(self.jobs[job].state for job in self.postings[number].jobs)
        if set(ends) - FINAL:
            return None
        return State.FAILED if ends[State.FAILED] else State.CANCELLED if ends[State.CANCELLED] else State.COMPLETED

    def _turns(self, extension: str, submitter: str, priority: int, count: int) -> int:
        line = (extension, priority, submitter)
        first = next_turn(self._serving(extension, priority), self.last_turns.get(line))
        self.last_turns[line] = first + count - 1
        return first

    def _serving(self, extension: str, priority: int) -> int:
        """The turn now being served: of those never tried the first; when none waits, the last one taken."""
        waiting = (
            job.turn
            for job in self.jobs
            if job.waits and job.attempt == 0 and (job.extension, job.priority) == (extension, priority)
        )
        taken = (turn for (name, level, _), turn in self.last_turns.items() if (name, level) == (extension, priority))
        return min(waiting, default=max(taken, default=0))

    def _take_turns_from_now(self, jobs: list[Job]) -> None:
        """Jobs that could not start before join the line now: at their submitters' next turns, not at ones gone by."""
        serving = {(job.extension, job.priority): self._serving(job.extension, job.priority) for job in jobs}
        ranks: Counter[tuple[str, int, str]] = Counter()
        for job in sorted(jobs, key=lambda job: (job.turn, job.number)):
            line = (job.extension, job.priority, job.submitter)
            job.turn = max(job.turn, serving[job.extension, job.priority] + ranks[line])
            ranks[line] += 1
            self.last_turns[line] = max(self.last_turns[line], job.turn)

    def come_due(self, numbers: Iterable[int]) -> None:
        due = [self.jobs[number] for number in numbers if self.jobs[number].state is State.PENDING]
        due = [job for job in due if job.later]
        self._take_turns_from_now([job for job in due if job.attempt == 0])
        for job in due:
            job.later = False
        self._hand_out({job.extension for job in due})

    # Workers -----------------------------------------------------------------------------------------------------

    def register(self, offered: Iterable[str], *, schema: str, remote: bool, capacity: int) -> int:
        offered = sorted({*offered})
        for name in offered:
            self._check_schema(name, schema, None)
        for name in offered:
            self._put(name, schema)
        worker = Worker(len(self.workers), remote, capacity, {name: Offer() for name in offered}, attached=not remote)
        self.workers.append(worker)
        return worker.number

    def register_again(self, number: int, *, schema: str) -> int:
        worker = self.workers[number]
        for name in worker.offers:
            self._check_schema(name, schema, number)
        for name in worker.offers:
            self._put(name, schema)
        worker.gone, worker.attached = False, not worker.remote
        worker.incarnation += 1
        return worker.incarnation

    def _check_schema(self, name: str, schema: str, returning: int | None) -> None:
        extension = self.extensions[name]
        others = any(
            name in worker.offers and not worker.gone and worker.number != returning for worker in self.workers
        )
        held = any(job.extension == name and job.state in ACTIVE for job in self.jobs)
        if extension.schema != schema and not extension.removed and (others or held):
            raise SchemaConflict

    def _put(self, name: str, schema: str) -> None:
        """Register an extension. Jobs that wait were checked against its former schema, and are cancelled."""
        extension = self.extensions[name]
        replaced = extension.schema != schema and not extension.removed
        extension.schema, extension.removed, extension.offline, extension.expired = schema, False, False, False
        if replaced:
            self.cancel_waiting(name)

    def remove_extension(self, name: str) -> None:
        """By its owner."""
        extension = self.extensions[name]
        offered = any(name in worker.offers and not worker.gone for worker in self.workers)
        if extension.removed or offered or any(job.extension == name and job.state in ACTIVE for job in self.jobs):
            raise WrongState
        extension.removed = True
        self.cancel_waiting(name)

    def attach(self, number: int, incarnation: int) -> None:
        worker = self.workers[number]
        if worker.gone or worker.incarnation != incarnation:
            raise WorkerLost
        worker.attached = True
        self._fill(worker)

    def detach(self, number: int) -> None:
        worker = self.workers[number]
        worker.attached = worker.attached and worker.gone

    def heartbeat(self, number: int, incarnation: int) -> None:
        worker = self.workers[number]
        if worker.gone or worker.incarnation != incarnation:
            raise WorkerLost

    def lose(self, number: int) -> None:
        worker = self.workers[number]
        worker.gone, worker.attached = True, False

    def leave(self, number: int) -> bool:
        if self.workers[number].gone:
            return False
        self.lose(number)
        self.rescue()
        self.remove_idle()
        return True

    def remove_idle(self) -> list[str]:
        unoffered = [
            extension
            for extension in self.extensions.values()
            if not extension.removed
            and not any(extension.name in worker.offers and not worker.gone for worker in self.workers)
        ]
        for extension in unoffered:
            extension.offline = True
        idle = [one for one in unoffered if one.expired and not self.unfinished(one.name)]
        for extension in idle:
            extension.removed = True
        return sorted(extension.name for extension in idle)

    def offline_time_passes(self) -> None:
        for extension in self.extensions.values():
            extension.expired = extension.offline

    def unfinished(self, extension: str) -> bool:
        return any(job.extension == extension and job.state not in FINAL for job in self.jobs)

    def held(self, worker: Worker, extension: str | None = None) -> int:
        return sum(
            job.worker == worker.number and job.state in ACTIVE and extension in (None, job.extension)
            for job in self.jobs
        )

    # Assigning ---------------------------------------------------------------------------------------------------

    def claim(self, number: int, limit: int) -> list[tuple[int, int]]:
        """A pool worker fetches jobs, all of one extension: (job, attempt) in their order."""
        return self._claim(self.workers[number], limit)

    def spare(self, worker: Worker, extension: str) -> int:
        """How many jobs of an extension a worker may still take."""
        if worker.gone or not worker.attached:
            return 0
        offer, concurrency = worker.offers[extension], self.extensions[extension].concurrency
        slots = worker.capacity - self.held(worker)
        breaker = Breaker.CLOSED if self._others_wait(extension, offer.failed_for) else offer.breaker
        if breaker is Breaker.OPEN:
            return 0
        if breaker is Breaker.PROBING:
            return min(slots, 1 - self.held(worker, extension))
        return slots if concurrency is None else min(slots, concurrency - self.held(worker, extension))

    def line(self, extension: str) -> list[Job]:
        return sorted((job for job in self.jobs if job.waits and job.extension == extension), key=lambda job: job.place)

    def _others_wait(self, extension: str, failed_for: str | None) -> bool:
        """Whether jobs of other submitters wait than the one of all failures, as far as their turns tell."""
        if failed_for is None or not (line := self.line(extension)):
            return False
        heads = {job.priority: job.turn for job in reversed(line)}
        return line[0].submitter != failed_for or any(
            name == extension and submitter != failed_for and turn >= heads.get(priority, turn + 1)
            for (name, priority, submitter), turn in self.last_turns.items()
        )

    def _claim(self, worker: Worker, limit: int) -> list[tuple[int, int]]:
        lines = {name: self.line(name) for name in worker.offers if self.spare(worker, name) > 0}
        extension = next_extension(
            (name, line[0].priority, float(worker.offers[name].served)) for name, line in sorted(lines.items()) if line
        )
        if extension is None:
            return []
        taken = lines[extension][: min(limit, self.spare(worker, extension))]
        self.clock += 1
        worker.served = worker.offers[extension].served = self.clock
        for job in taken:
            self._move(job, Verb.ASSIGN)
            job.attempt += 1
            job.worker = worker.number
            self.handed.append(Handed(worker.number, job.number, job.attempt))
        return [(job.number, job.attempt) for job in taken]

    def _fill(self, worker: Worker) -> None:
        while self._claim(worker, 1):
            pass

    def _hand_out(self, extensions: Iterable[str]) -> None:
        for extension in sorted(extensions):
            while self.line(extension) and (ready := self._ready(extension)):
                self._claim(min(ready, key=_served_longest_ago), 1)

    def _ready(self, extension: str) -> list[Worker]:
        """The remote workers that can take a job of this extension now."""
        return [w for w in self.workers if w.remote and extension in w.offers and self.spare(w, extension) > 0]

    # Reports -----------------------------------------------------------------------------------------------------

    def report(
        self, number: int, job_number: int, attempt: int, said: Said, *, incarnation: int, short: bool = False
    ) -> Conflict | None:
        """A worker's word; the refusal, if any. `short`: it stands for the start too."""
        worker, job = self.workers[number], self.jobs[job_number]
        if worker.remote and worker.incarnation != incarnation:
            raise WorkerLost
        mine = (job.worker, job.attempt) == (number, attempt)
        ready = worker.remote and worker.attached and not worker.gone
        refusal: Conflict | None = None
        ended = mine and job.state in ACTIVE and said is not Said.STARTED
        if mine and said is Said.STARTED and job.state is State.ASSIGNED:
            self._move(job, Verb.START)
        elif mine and said is Said.CANCELLED and job.state in ACTIVE:
            self._move(job, Verb.CANCEL)
            self._settle([job])
        elif mine and self._has_run(job, said, short):
            self._end(worker, job, said)
            self._settle([job])
        else:
            refusal = self._refusal(number, job, attempt, said)
        if ready and refusal is None and ended:
            self._fill(worker)
        return refusal

    def _has_run(self, job: Job, said: Said, short: bool) -> bool:
        if said not in (Said.SUCCEEDED, Said.FAILED):
            return False
        return job.state is State.RUNNING or (short and job.state is State.ASSIGNED)

    def _end(self, worker: Worker, job: Job, said: Said) -> None:
        if job.state is State.ASSIGNED:
            self._move(job, Verb.START)
            job.history.pop()  # seen as one step
        offer = worker.offers[job.extension]
        if said is Said.SUCCEEDED:
            worker.offers[job.extension] = Offer(served=offer.served)
            self._move(job, Verb.SUCCEED)
            return
        only = offer.failures == 0 or offer.failed_for == job.submitter
        offer.failed_for = job.submitter if only else None
        if (job.submitter, job.arguments) not in offer.failed_inputs:
            offer.failures += 1
            offer.failed_inputs.add((job.submitter, job.arguments))
        self._open(offer, job.extension)
        job.failures += 1
        if job.failures < job.tries and not job.cancelling:
            self.retried.add((job.number, job.attempt, worker.number))
            self._move(job, Verb.RETRY)
            job.later = True
        else:
            self._move(job, Verb.FAIL, error="reported")

    def _refusal(self, number: int, job: Job, attempt: int, said: Said) -> Conflict | None:
        if said is Said.FAILED and (job.number, attempt, number) in self.retried:
            return None
        if (job.worker, job.attempt) != (number, attempt):
            return AttemptLost()
        repeated = {
            Said.STARTED: job.state is State.RUNNING,
            Said.SUCCEEDED: job.state is State.COMPLETED,
            Said.FAILED: job.state is State.FAILED and job.error == "reported",
            Said.CANCELLED: job.state is State.CANCELLED,
        }
        if repeated[said]:
            return None
        return JobFinal() if job.state in FINAL else WrongState()

    def _open(self, offer: Offer, extension: str) -> None:
        if opens(offer.failures, self.extensions[extension].breaker_failures):
            offer.breaker = Breaker.OPEN

    def breaker_time_passes(self) -> None:
        for worker in self.workers:
            for offer in worker.offers.values():
                if offer.breaker is Breaker.OPEN:
                    offer.breaker = Breaker.PROBING

    # Cancelling, losing, releasing -------------------------------------------------------------------------------

    def cancel(self, number: int) -> State:
        job = self.jobs[number]
        if job.state is State.CANCELLED:
            return job.state
        if job.state in FINAL:
            raise JobFinal
        job.cancelling = True
        if job.state not in ACTIVE:
            self._move(job, Verb.CANCEL)
            self._settle([job])
        return job.state

    def cancel_waiting(self, extension: str) -> None:
        waiting = [job for job in self.jobs if job.extension == extension and job.state in WAITING]
        for job in waiting:
            job.cancelling = True
            self._move(job, Verb.CANCEL)
        self._settle(waiting)

    def rescue(self) -> list[int]:
        stranded = [job for job in self.jobs if job.state in ACTIVE and self.workers[job.worker or 0].gone]
        for job in stranded:
            verb = verb_after_loss(job.state, job.policy, job.losses, cancelling=job.cancelling)
            if job.state is State.RUNNING and job.policy is OnWorkerLost.REQUEUE and not job.cancelling:
                job.losses += 1
            self._move(job, verb, error="lost" if verb is Verb.LOSE else None)
        self._settle(stranded)
        return [job.number for job in stranded]

    def release_unconfirmed(self) -> list[int]:
        late = [job for job in self.jobs if job.state is State.ASSIGNED and self._silent(self.workers[job.worker or 0])]
        silent = {(job.worker or 0, job.extension) for job in late}
        for worker, extension in silent:
            offer = self.workers[worker].offers[extension]
            offer.failures, offer.failed_for = offer.failures + 1, None
            self._open(offer, extension)
        for job in late:
            self._move(job, Verb.CANCEL if job.cancelling else Verb.RELEASE)
        self._settle(late)
        for worker in sorted({worker for worker, _ in silent}):
            self._fill(self.workers[worker])
        return [job.number for job in late]

    def _silent(self, worker: Worker) -> bool:
        # What a disconnected worker has is left to its return, or to the policy for lost workers.
        return worker.remote and worker.attached and not worker.gone

    # What follows ------------------------------------------------------------------------------------------------

    def _move(self, job: Job, verb: Verb, *, error: str | None = None) -> None:
        job.state = TRANSITIONS[job.state, verb]
        job.history.append(job.state)
        if job.state in FINAL:
            job.later, job.error = False, error
            job.needs = set()
        if job.state is State.PENDING:
            job.worker = None

    def _settle(self, moved: Iterable[Job]) -> None:
        """Free or fell those who waited for what has ended, then hand out whatever became pending."""
        freed = {job.extension for job in moved if job.state is State.PENDING}
        ended = set(self._ended_needs())
        while ended:
            unblocked: list[Job] = []
            felled: list[Job] = []
            for job in self.jobs:
                if job.state is not State.BLOCKED:
                    continue
                if any(self.stand(need) in (State.FAILED, State.CANCELLED) for need in job.needs):
                    felled.append(job)
                else:
                    job.needs -= ended
                    if not job.needs:
                        unblocked.append(job)
            self._take_turns_from_now(unblocked)
            for job in unblocked:
                self._move(job, Verb.UNBLOCK)
                freed.add(job.extension)
            for job in felled:
                self._move(job, Verb.ABANDON, error="dependency")
            ended = set(self._ended_needs())
        self._hand_out(freed)

    def _ended_needs(self) -> Iterator[Need]:
        for job in self.jobs:
            if job.state is State.BLOCKED:
                yield from (need for need in job.needs if self.stand(need) is not None)


def _served_longest_ago(worker: Worker) -> tuple[int, int]:
    return worker.served, worker.number
