"""A fleet: polls what waits, and starts workers until every waiting job has one.

Workers end by themselves when they are idle or their walltime comes, so a fleet only starts them. Those of its minimum
have no idle exit. A set of resources for which no worker can be started, or for which started workers ended in vain, is
tried again after a pause that doubles each time. It does not keep others from being started.
"""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any, Protocol

from workroom.domain.errors import Unavailable, WorkroomError
from workroom.domain.jobs.resources import resources_text
from workroom.logs import get_logger
from workroom.worker.fleet.backend import BackendError, FleetBackend, StartedWorker
from workroom.worker.fleet.group import Group
from workroom.worker.fleet.plan import Demand, GroupKey, Member, grouped, missing
from workroom.worker.walltime import Walltime

log = get_logger(__name__)

_END_POLL_SECONDS = 0.5
_NAMED = 3  # workers whose logs a message names


class FleetServer(Protocol):
    """The requests of a fleet to its server."""

    def demand(self) -> list[Demand]:
        """What waits for workers that this fleet can start."""
        ...

    def workers(self) -> list[dict[str, Any]]:
        """The workers of the fleet's user, as REST answers them."""
        ...


class Fleet:
    """Workers of one user and one place."""

    def __init__(
        self,
        server: FleetServer,
        backend: FleetBackend,
        *,
        minimum: int,
        maximum: int,
        every: float = 5.0,
        say: Callable[[str], None] = log.info,
    ) -> None:
        self._server = server
        self._backend = backend
        self._minimum = minimum
        self._maximum = maximum
        self._every = every
        self._say = say
        self._groups: dict[GroupKey, Group] = {}
        self._time_limit: float | None = None  # of the workers that were listed last, also when none is left
        self._status = ""
        self._trouble = ""
        self._has_looked = False

    def run(self, stop: threading.Event) -> None:
        """Look again and again, until `stop` is set."""
        while not stop.is_set():
            self.look()
            stop.wait(self._every)

    def look(self) -> list[Member]:
        """Look once, and start what is missing. A server or scheduler that is away is only waited for."""
        try:
            demands = self._server.demand()
            members = self._members()
        except (BackendError, WorkroomError, OSError) as error:
            if not self._has_looked and isinstance(error, WorkroomError) and not isinstance(error, Unavailable):
                raise  # a wrong room or password is not waited for
            self._log_trouble(f"waiting: {_message(error)}")
            return []
        self._log_trouble("")
        self._has_looked = True
        self._learn(members, demands)
        started = self._start_missing(demands, members)
        self._show([*members, *started], demands)
        return [*members, *started]

    def end(self, *, leave: bool, grace: float) -> list[Member]:
        """Drain all workers and wait for their end, or leave them; returns those that still run."""
        members = self._members_or_none()
        if leave:
            self._say(f"{len(members)} workers are left running.")
            return members
        infos = self._infos_or_none()
        for worker in self._workers_or_none():
            if self._member(worker, infos).state == "ending":
                continue  # it drains already, and a second signal would end it and its jobs
            try:
                self._backend.stop(worker)
            except BackendError as error:
                log.warning("worker %s could not be stopped: %s", worker.id, error)
        deadline = time.monotonic() + grace
        while (members := self._members_or_none()) and time.monotonic() < deadline:
            self._show(members, [])
            time.sleep(min(_END_POLL_SECONDS, self._every))
        self._say(f"{len(members)} workers still finish their jobs." if members else "All workers have ended.")
        return members

    def _start_missing(self, demands: Sequence[Demand], members: Sequence[Member]) -> list[Member]:
        able = [one for one in demands if self._may_start(one)]
        started: list[Member] = []
        for one in missing(able, members, minimum=self._minimum, maximum=self._maximum):
            group = self._groups.setdefault(one.key, Group())
            if not group.may_start():
                continue
            try:
                # One that is started for no job belongs to the minimum.
                worker = self._backend.start(one.resources, stays=not one.waiting)
            except BackendError as error:
                pause = group.pause()
                self._log_reason(group, one, f"{error} Next try in {pause:.0f} s.", str(error))
                continue
            group.started[worker] = False
            started.append(Member(worker, one.resources, "starting"))
        return started

    def _may_start(self, demand: Demand) -> bool:
        group = self._groups.setdefault(demand.key, Group())
        limit = self._time_limit
        if limit is not None and demand.timeout is not None and not Walltime.of(limit).fits(demand.timeout):
            reason = (
                f"its jobs may run {demand.timeout:g} s, and workers live only {limit:g} s: "
                "raise the time limit, and start the fleet again."
            )
            self._log_reason(group, demand, reason, reason)
            return False
        return group.may_start()

    def _learn(self, members: Sequence[Member], demands: Sequence[Demand]) -> None:
        """Pause for resources whose workers all ended in vain."""
        limits = [member.time_limit for member in members if member.time_limit is not None]
        self._time_limit = max(limits, default=self._time_limit)
        waiting = {one.key: one.waiting for one in grouped(demands)}
        for key in {*self._groups, *waiting}:
            group = self._groups.setdefault(key, Group())
            if in_vain := group.learn(members, waiting.get(key, 0)):
                log.warning(
                    "%d worker%s%s ended without a job: %s. Next try in %.0f s.",
                    len(in_vain),
                    "" if len(in_vain) == 1 else "s",
                    f" with {', '.join(key)}" if key else "",
                    "; ".join(self._backend.told(worker) for worker in in_vain[:_NAMED]),
                    group.pause(),
                )

    def _members(self) -> list[Member]:
        infos = self._server.workers()
        return [self._member(worker, infos) for worker in self._backend.workers()]

    def _member(self, worker: StartedWorker, infos: Sequence[dict[str, Any]]) -> Member:
        registered = next((info for info in infos if self._backend.is_same(worker, info["info"])), None)
        state = "starting"
        if registered is not None and registered["state"] in ("idle", "busy"):
            # One that was served since the last poll has worked, also if it is idle now.
            state = registered["state"]
            if registered["servedAt"] is not None:
                self._mark_served(worker.id)
        elif registered is not None:
            state = "ending" if registered["state"] in ("draining", "gone") else "busy"
        if worker.is_ending:
            state = "ending"
        return Member(worker.id, worker.resources, state, worker.time_limit)

    def _mark_served(self, worker: str) -> None:
        for group in self._groups.values():
            group.mark_of_use(worker)

    def _members_or_none(self) -> list[Member]:
        return [Member(one.id, one.resources, "ending") for one in self._workers_or_none()]

    def _workers_or_none(self) -> list[StartedWorker]:
        try:
            return self._backend.workers()
        except BackendError as error:
            log.warning("the workers cannot be listed: %s", error)
            return []

    def _infos_or_none(self) -> list[dict[str, Any]]:
        try:
            return self._server.workers()
        except (WorkroomError, OSError) as error:
            log.warning("the server does not tell which workers drain already: %s", _message(error))
            return []

    def _show(self, members: Sequence[Member], demands: Sequence[Demand]) -> None:
        states = Counter(member.state for member in members)
        shown = ", ".join(
            f"{states[state]} {state}" for state in ("starting", "idle", "busy", "ending") if states[state]
        )
        waiting = "; ".join(
            f"{one.waiting:,} jobs wait{' for ' + resources_text(one.resources) if one.resources else ''}"
            for one in grouped(demands)
        )
        have = f"{len(members)} of at most {self._maximum} workers{f' ({shown})' if shown else ''}"
        status = f"{have}; {waiting or 'no job waits'}"
        if status != self._status:
            self._status = status
            self._say(status)

    def _log_reason(self, group: Group, demand: Demand, text: str, reason: str) -> None:
        if group.logged_reason != reason:
            group.logged_reason = reason
            needs = resources_text(demand.resources)
            log.warning("no worker%s is started: %s", f" with {needs}" if needs else "", text)

    def _log_trouble(self, text: str) -> None:
        if text and text != self._trouble:
            log.warning("%s", text)
        elif self._trouble and not text:
            log.info("the server and the scheduler answer again")
        self._trouble = text


def _message(error: BaseException) -> str:
    return error.message if isinstance(error, WorkroomError) else str(error)
