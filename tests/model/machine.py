"""Random play on the queue: the rules as Hypothesis draws them, and what must hold after every step."""

from __future__ import annotations

from collections import Counter
from typing import Any, ClassVar

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
from tests.model.queue import Breaker, Extension, Handed, Job, Queue, Said, Worker

from workroom.domain.errors import WorkroomError
from workroom.domain.jobs.states import ACTIVE, FINAL, MOVES, State
from workroom.domain.jobs.worker_loss import OnWorkerLost

PEOPLE = ("ada", "ben")
SCHEMAS = ("first", "second")
PRIORITIES = (5, 5, 5, 8)
CHOICE = st.integers(0, 2**12)

# Between them: every policy, with and without retries, with and without a bound per worker, with and without a breaker.
EXTENSIONS: tuple[dict[str, Any], ...] = (
    {"name": "a", "tries": 1, "policy": OnWorkerLost.FAIL, "concurrency": None, "breaker_failures": 2},
    {"name": "b", "tries": 3, "policy": OnWorkerLost.REQUEUE, "concurrency": 1, "breaker_failures": 0},
    {"name": "c", "tries": 2, "policy": OnWorkerLost.REQUEUE_UNSTARTED, "concurrency": None, "breaker_failures": 3},
)
OFFERS = (("a", "b", "c"), ("a", "b"), ("b", "c"), ("c",))


class QueueMachine(RuleBasedStateMachine):
    """Plays on the model alone. A subclass plays every step on something else as well."""

    steps = 0  # over all plays
    ended: ClassVar[Counter[str]] = Counter()  # jobs by their state at the end, over all plays

    def __init__(self) -> None:
        super().__init__()
        self.queue = Queue(Extension(**settings) for settings in EXTENSIONS)
        self.acknowledged: set[int] = set()
        self.seen: list[tuple[State, int]] = []  # state and attempt of each job after the last step
        self.passed_over: dict[tuple[int, str], int] = {}

    def play(self, verb: str, *arguments: Any, **options: Any) -> Any:
        """One step: what the queue answers, or the error it raises."""
        type(self).steps += 1
        before = self._look_ahead()
        self.queue.handed.clear()
        try:
            answer: Any = getattr(self.queue, verb)(*arguments, **options)
        except WorkroomError as error:
            answer = type(error)
        self._check_dispatch(before)
        return answer

    @initialize()
    def open_the_shop(self) -> None:
        """Two workers are there from the start, so that most plays get somewhere."""
        self.play("register", OFFERS[0], schema="first", remote=False, capacity=2)
        self.play("register", OFFERS[0], schema="first", remote=True, capacity=1)
        self.play("attach", 1, 1)

    # The rules -----------------------------------------------------------------------------------------------------

    @rule(what=CHOICE, who=CHOICE)
    def submit(self, what: int, who: int) -> None:
        """Most submissions are plain; some are urgent, scheduled, keyed, or depend on others."""
        options: dict[str, Any] = {"priority": PRIORITIES[who // 4 % 4], "later": what % 7 == 6}
        if what % 5 == 4:
            options |= {"key": f"k{who % 3}", "arguments": who // 3 % 2}
        if what % 4 == 3 and self.queue.jobs:
            options["needs"] = {("job", one % len(self.queue.jobs)) for one in (who, who // 16)}
        if what % 9 == 8 and self.queue.postings:
            options["needs"] = {*options.get("needs", ()), ("posting", who % len(self.queue.postings))}
        answer = self.play("submit", self._extension(what), PEOPLE[who % 2], **options)
        if isinstance(answer, int):
            self.acknowledged.add(answer)

    @rule(what=CHOICE)
    def submit_for_both(self, what: int) -> None:
        for who in (0, 1, 0):
            answer = self.play("submit", self._extension(what), PEOPLE[who])
            if isinstance(answer, int):
                self.acknowledged.add(answer)

    @precondition(lambda self: any(not worker.remote for worker in self.queue.workers))
    @rule(which=CHOICE, said=CHOICE)
    def claim_and_run(self, which: int, said: int) -> None:
        """The usual way: a pool worker fetches jobs and reports each as started, then as ended, or all in one."""
        pool = [worker for worker in self.queue.workers if not worker.remote]
        worker = pool[which % len(pool)]
        for number, attempt in self.play("claim", worker.number, 1 + which // 8 % 3):
            incarnation, short = worker.incarnation, said % 2 == 0
            if not short:
                self.play("report", worker.number, number, attempt, Said.STARTED, incarnation=incarnation)
            word = (Said.SUCCEEDED, Said.SUCCEEDED, Said.FAILED)[said // 2 % 3]
            self.play("report", worker.number, number, attempt, word, incarnation=incarnation, short=short)

    @precondition(lambda self: any(job.state in ACTIVE for job in self.queue.jobs))
    @rule(said=CHOICE)
    def finish_the_oldest(self, said: int) -> None:
        job = next(job for job in self.queue.jobs if job.state in ACTIVE)
        incarnation = self.queue.workers[job.worker or 0].incarnation
        word = (Said.SUCCEEDED, Said.FAILED, Said.SUCCEEDED)[said % 3]
        self.play("report", job.worker, job.number, job.attempt, word, incarnation=incarnation, short=True)

    @rule(what=CHOICE, who=CHOICE)
    def post(self, what: int, who: int) -> None:
        needs = {("job", who % len(self.queue.jobs))} if what % 4 == 3 and self.queue.jobs else set[Any]()
        answer = self.play("post", self._extension(what), PEOPLE[who % 2], what % 5, needs=needs)
        if isinstance(answer, int):
            self.acknowledged.update(self.queue.postings[answer].jobs)

    @precondition(lambda self: len(self.queue.workers) < 6)
    @rule(what=CHOICE)
    def register(self, what: int) -> None:
        schema = SCHEMAS[what % 8 == 7]
        remote = what % 2 == 1
        offered, capacity = OFFERS[what // 8 % 4], 1 + what // 32 % 3
        answer = self.play("register", offered, schema=schema, remote=remote, capacity=capacity)
        if remote and isinstance(answer, int):
            self.play("attach", answer, 1)

    @precondition(lambda self: self.queue.workers)
    @rule(which=CHOICE)
    def register_again(self, which: int) -> None:
        worker = self._worker(which)
        self.play("register_again", worker.number, schema=SCHEMAS[which % 16 == 15])

    @precondition(lambda self: any(worker.remote for worker in self.queue.workers))
    @rule(which=CHOICE)
    def attach_or_detach(self, which: int) -> None:
        remote = [worker for worker in self.queue.workers if worker.remote]
        worker = remote[which % len(remote)]
        if which % 3 == 2 and worker.attached:
            self.play("detach", worker.number)
        else:
            self.play("attach", worker.number, worker.incarnation - (which % 5 == 4))

    @precondition(lambda self: any(not worker.remote for worker in self.queue.workers))
    @rule(which=CHOICE)
    def claim(self, which: int) -> None:
        pool = [worker for worker in self.queue.workers if not worker.remote]
        self.play("claim", pool[which % len(pool)].number, 1 + which // 8 % 3)

    @precondition(lambda self: any(job.state in ACTIVE for job in self.queue.jobs))
    @rule(which=CHOICE, said=CHOICE)
    def report(self, which: int, said: int) -> None:
        active = [job for job in self.queue.jobs if job.state in ACTIVE]
        job = active[which % len(active)]
        words = [Said.STARTED, Said.SUCCEEDED, Said.FAILED, Said.STARTED, Said.SUCCEEDED, Said.FAILED, Said.CANCELLED]
        incarnation = self.queue.workers[job.worker or 0].incarnation
        word, short = words[said % 7], said // 7 % 3 == 0
        self.play("report", job.worker, job.number, job.attempt, word, incarnation=incarnation, short=short)

    @precondition(lambda self: self.queue.workers and self.queue.jobs)
    @rule(which=CHOICE, said=CHOICE)
    def report_anything(self, which: int, said: int) -> None:
        """Late, repeated, conflicting and foreign words."""
        job = self.queue.jobs[which % len(self.queue.jobs)]
        worker = self._worker(said // 4) if said % 3 == 0 or job.worker is None else self.queue.workers[job.worker]
        attempt = max(0, job.attempt - (0, 0, 1, -1)[said // 2 % 4])
        incarnation = worker.incarnation - (said % 11 == 0)
        word, short = list(Said)[said % 4], said % 5 == 0
        self.play("report", worker.number, job.number, attempt, word, incarnation=incarnation, short=short)

    @precondition(lambda self: self.queue.jobs)
    @rule(which=CHOICE)
    def cancel(self, which: int) -> None:
        self.play("cancel", which % len(self.queue.jobs))

    @precondition(lambda self: any(job.later for job in self.queue.jobs))
    @rule(which=CHOICE)
    def come_due(self, which: int) -> None:
        later = [job.number for job in self.queue.jobs if job.later and job.state is State.PENDING]
        self.play("come_due", later[which % 3 :])

    @precondition(lambda self: self.queue.workers)
    @rule(which=CHOICE)
    def lose(self, which: int) -> None:
        worker = self._worker(which)
        if not worker.gone:
            self.play("lose", worker.number)
        if which % 3:
            self.play("rescue")

    @precondition(lambda self: self.queue.workers)
    @rule(which=CHOICE)
    def leave(self, which: int) -> None:
        # The first two seldom go for good.
        self.play("leave", self._worker(which if which % 4 == 0 else max(which, 2)).number)

    @precondition(lambda self: self.queue.workers)
    @rule(which=CHOICE)
    def heartbeat(self, which: int) -> None:
        worker = self._worker(which)
        self.play("heartbeat", worker.number, worker.incarnation - which % 2)

    @precondition(lambda self: any(job.state is State.ASSIGNED for job in self.queue.jobs))
    @rule()
    def release_unconfirmed(self) -> None:
        self.play("release_unconfirmed")

    @rule(which=CHOICE)
    def upkeep(self, which: int) -> None:
        self.play(("rescue", "remove_idle", "breaker_time_passes", "offline_time_passes")[which % 4])

    @rule(what=CHOICE)
    def remove_extension(self, what: int) -> None:
        if what % 5 == 0:  # they are needed for most of what follows
            self.play("remove_extension", self._extension(what // 5))

    def _extension(self, choice: int) -> str:
        return EXTENSIONS[choice % len(EXTENSIONS)]["name"]

    def _worker(self, choice: int) -> Worker:
        return self.queue.workers[choice % len(self.queue.workers)]

    # What must hold ------------------------------------------------------------------------------------------------

    @invariant()
    def everything_holds(self) -> None:
        self.no_acknowledged_submit_is_lost()
        self.a_job_ends_once_and_stays_ended()
        self.the_attempt_rises_by_one_per_assignment()
        self.no_worker_holds_more_than_it_can_and_only_active_jobs_are_held()
        self.who_is_blocked_waits_for_something_that_has_not_ended()
        self.an_extension_with_workers_or_unfinished_jobs_is_alive()
        self.no_remote_worker_idles_while_a_job_waits_for_it()

    def no_acknowledged_submit_is_lost(self) -> None:
        assert self.acknowledged == set(range(len(self.queue.jobs)))

    def a_job_ends_once_and_stays_ended(self) -> None:
        for job in self.queue.jobs:
            ends = [state for state in job.history if state in FINAL]
            assert ends == [job.state] * (job.state in FINAL)
            assert all(move in MOVES for move in zip(job.history, job.history[1:], strict=False))
        for job, (state, _) in zip(self.queue.jobs, self.seen, strict=False):
            assert job.state is state or state not in FINAL

    def the_attempt_rises_by_one_per_assignment(self) -> None:
        for job in self.queue.jobs:
            assert job.attempt == job.history.count(State.ASSIGNED)
        self.seen = [(job.state, job.attempt) for job in self.queue.jobs]

    def no_worker_holds_more_than_it_can_and_only_active_jobs_are_held(self) -> None:
        for worker in self.queue.workers:
            assert self.queue.held(worker) <= worker.capacity
            for extension in worker.offers:
                bound = self.queue.extensions[extension].concurrency
                assert bound is None or self.queue.held(worker, extension) <= bound
        for job in self.queue.jobs:
            assert (job.worker is not None) or job.state not in ACTIVE
            assert job.worker is None or job.state not in (State.PENDING, State.BLOCKED)

    def who_is_blocked_waits_for_something_that_has_not_ended(self) -> None:
        for job in self.queue.jobs:
            assert bool(job.needs) == (job.state is State.BLOCKED)
            assert all(self.queue.stand(need) is None for need in job.needs)

    def an_extension_with_workers_or_unfinished_jobs_is_alive(self) -> None:
        for extension in self.queue.extensions.values():
            offered = any(extension.name in worker.offers and not worker.gone for worker in self.queue.workers)
            assert not extension.removed or not (offered or self.queue.unfinished(extension.name))

    def no_remote_worker_idles_while_a_job_waits_for_it(self) -> None:
        for worker in self.queue.workers:
            for name, offer in worker.offers.items():
                # A breaker that has just come to probing is noticed by the next event or sweep.
                if worker.remote and offer.breaker is not Breaker.PROBING and self.queue.spare(worker, name) > 0:
                    assert not self.queue.line(name)

    def teardown(self) -> None:
        type(self).ended.update(job.state for job in self.queue.jobs)

    # Dispatch ------------------------------------------------------------------------------------------------------

    def _look_ahead(self) -> dict[int, tuple[Job, ...]]:
        """The jobs each pool worker could be given before a step; one step gives jobs to one of them at most."""
        return {
            worker.number: tuple(
                job for name in worker.offers if self.queue.spare(worker, name) > 0 for job in self.queue.line(name)
            )
            for worker in self.queue.workers
            if not worker.remote
        }

    def _check_dispatch(self, before: dict[int, tuple[Job, ...]]) -> None:
        """The order of dispatch, told from what was given and not from how the model chose it."""
        for handed in self.queue.handed:
            worker = self.queue.workers[handed.worker]
            if worker.remote:
                continue
            given = self.queue.jobs[handed.job]
            together = {one.job for one in self.queue.handed if one.worker == handed.worker}
            for other in before[handed.worker]:
                if other.number in together:
                    assert other.extension == given.extension, "a claim serves one extension"
                    continue
                if other.extension == given.extension:
                    assert given.place < other.place
            self._check_turn_of_extension(worker, handed, before[handed.worker])

    def _check_turn_of_extension(self, worker: Worker, handed: Handed, could: tuple[Job, ...]) -> None:
        first = {job.extension: job.priority for job in reversed(could)}  # the head of each line
        given = self.queue.jobs[handed.job]
        assert first[given.extension] == max(first.values()), "the highest waiting priority is served"
        if handed is not next(one for one in self.queue.handed if one.worker == handed.worker):
            return
        for extension, priority in first.items():
            key = (worker.number, extension)
            if extension == given.extension:
                self.passed_over[key] = 0
            elif priority == first[given.extension]:
                assert worker.offers[extension].served >= 0
                self.passed_over[key] = self.passed_over.get(key, 0) + 1
                assert self.passed_over[key] < len(worker.offers), "an extension starves"
