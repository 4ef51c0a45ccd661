"""A discrete-event simulation of jobs through servers, a database and workers.

A job takes processor time of a server and of the database when it is submitted and when it is reported, waits for two
commits, and holds a slot of a worker from its assignment to its report. Heartbeats of workers use the same processors.
The costs are measured (`bench/rows/scale.py`). `python -m bench.simulation SERVER DATABASE VIEWER HEARTBEAT
HEARTBEAT_DATABASE BUS`, each in milliseconds, prints the table of `docs/explanation/scale.md`.
"""

from __future__ import annotations

import heapq
import sys
from collections import deque
from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass
from itertools import count
from random import Random
from statistics import fmean, quantiles


@dataclass(frozen=True)
class Costs:
    """Seconds; processor time unless it says otherwise."""

    server: float  # of a server for a job, half when it is submitted and half when it is reported
    database: float  # of PostgreSQL for a job, likewise
    worker: float = 0.0  # of the worker's machine for a job, besides the work itself
    client: float = 0.0  # of the submitter's machine for a job
    commit: float = 0.001  # until a commit is on disk; no processor time
    network: float = 0.0005  # one way
    bus: float = 0.0  # of all servers together for a job, for each server beside the first: they tell each other of it
    viewer: float = 0.0  # of a server for a job and a viewer of its room, who sees its events
    heartbeat_server: float = 0.0  # of a server for a heartbeat
    heartbeat_database: float = 0.0


@dataclass(frozen=True)
class System:
    servers: int = 1  # processes, each of which uses one core
    database_cores: int = 4
    workers: int = 2
    slots: int = 32  # of each worker
    viewers: float = 0.0  # of each room, in the mean
    run: float = 0.0  # seconds that a job runs, in the mean, without using the processors that are simulated
    heartbeat: float = 10.0  # seconds between two of a worker
    shared_cores: int | None = None  # everything runs on one machine with so many cores


@dataclass(frozen=True)
class Outcome:
    rate: float  # jobs a second; with jobs in flight, of the middle of the run
    mean: float  # seconds from submission to end, without the time that the job ran
    p50: float
    p99: float
    server_load: float  # share of the time in which the servers' cores were busy
    database_load: float


class _Resource:
    """Identical places that are taken in the order of the requests."""

    def __init__(self, places: int) -> None:
        self.free = places
        self.places = places
        self.busy = 0.0  # seconds, of all places
        self.waiting: deque[Callable[[], None]] = deque()


_Step = tuple[str, _Resource | None, float]
_Process = Generator[_Step, None, None]


class _Simulation:
    def __init__(self, seed: int) -> None:
        self.now = 0.0
        self.random = Random(seed)
        self._events: list[tuple[float, int, Callable[[], None]]] = []
        self._numbers = count()

    def at(self, time: float, act: Callable[[], None]) -> None:
        heapq.heappush(self._events, (time, next(self._numbers), act))

    def run(self) -> None:
        while self._events:
            self.now, _, act = heapq.heappop(self._events)
            act()

    def advance(self, process: _Process) -> None:
        """Run a process to its next pause."""
        for kind, resource, seconds in process:
            if kind == "pause":
                if seconds > 0:
                    self.at(self.now + seconds, lambda: self.advance(process))
                    return
            elif kind == "take":
                assert resource is not None
                if resource.free == 0:
                    resource.waiting.append(lambda: self.advance(process))
                    return
                resource.free -= 1
            else:
                assert resource is not None
                if resource.waiting:
                    self.at(self.now, resource.waiting.popleft())  # the place goes to the next
                else:
                    resource.free += 1

    def use(self, resource: _Resource, mean: float) -> _Process:
        """Take a place for a random time; exponential, since the length of a step varies."""
        if mean <= 0:
            return
        seconds = self.random.expovariate(1 / mean)
        yield "take", resource, 0.0
        yield "pause", None, seconds
        resource.busy += seconds
        yield "release", resource, 0.0


def simulate(
    system: System,
    costs: Costs,
    jobs: int,
    *,
    per_second: float | None = None,
    in_flight: int | None = None,
    seed: int = 1,
) -> Outcome:
    """Run so many jobs: submitted all at once, at random times with a mean rate, or so that a number is in flight."""
    simulation = _Simulation(seed)
    shared = _Resource(system.shared_cores) if system.shared_cores else None
    servers = shared or _Resource(system.servers)
    database = shared or _Resource(system.database_cores)
    clients, machines = shared or _Resource(jobs), shared or _Resource(system.workers)
    slots = _Resource(system.workers * system.slots)
    times: list[float] = []
    ends: list[float] = []
    unsubmitted = jobs

    server = costs.server + costs.bus * (system.servers - 1)

    def job() -> _Process:
        submitted = simulation.now
        run = simulation.random.expovariate(1 / system.run) if system.run else 0.0
        yield from simulation.use(clients, costs.client)
        yield from simulation.use(servers, server / 2)
        yield from simulation.use(database, costs.database / 2)
        yield "pause", None, costs.commit
        yield "take", slots, 0.0
        yield "pause", None, costs.network
        yield from simulation.use(machines, costs.worker)
        yield "pause", None, run + costs.network
        yield from simulation.use(servers, server / 2 + costs.viewer * system.viewers)
        yield from simulation.use(database, costs.database / 2)
        yield "pause", None, costs.commit
        yield "release", slots, 0.0
        times.append(simulation.now - submitted - run)
        ends.append(simulation.now)
        if in_flight is not None:
            submit()

    def submit() -> None:
        nonlocal unsubmitted
        if unsubmitted > 0:
            unsubmitted -= 1
            simulation.at(simulation.now, lambda: simulation.advance(job()))
            if per_second is not None:
                simulation.at(simulation.now + simulation.random.expovariate(per_second), submit)

    def heartbeat() -> _Process:
        yield from simulation.use(servers, costs.heartbeat_server)
        yield from simulation.use(database, costs.heartbeat_database)

    def beat() -> None:
        if len(ends) < jobs:
            simulation.advance(heartbeat())
            simulation.at(simulation.now + simulation.random.expovariate(system.workers / system.heartbeat), beat)

    for _ in range(1 if per_second is not None else in_flight or jobs):
        submit()
    if costs.heartbeat_server or costs.heartbeat_database:
        beat()
    simulation.run()
    shares = quantiles(times, n=100, method="inclusive")
    first, last = (jobs // 3, 2 * jobs // 3) if in_flight else (0, jobs - 1)
    span = ends[last] - (ends[first] if in_flight else 0.0)
    loads = [resource.busy / (resource.places * simulation.now) for resource in (servers, database)]
    return Outcome((last - first + (not in_flight)) / span, fmean(times), shares[49], shares[98], loads[0], loads[1])


def capacity(system: System, costs: Costs) -> float:
    """The largest rate: more jobs are always submitted than workers have slots."""
    slots = system.workers * system.slots
    return simulate(system, costs, max(6_000, 6 * slots), in_flight=slots + 200).rate


# Server processes, cores of PostgreSQL, workers with one slot, rooms, viewers of each room, seconds that a job runs.
SCENARIOS = (
    (1, 2, 100, 10, 2, 0.1),
    (1, 4, 1_000, 100, 2, 0.1),
    (3, 8, 1_000, 100, 2, 0.05),
    (6, 1, 1_000, 100, 2, 0.05),
    (4, 8, 10_000, 1_000, 2, 10.0),
    (8, 16, 10_000, 1_000, 2, 2.0),
    (16, 32, 10_000, 1_000, 2, 0.5),
)


HEAD = (
    "| servers | cores of PostgreSQL | workers | rooms | a job runs | most | added to a job at 70 %, p99 | full |",
    "| --- | --- | --- | --- | --- | --- | --- | --- |",
)


def table_row(scenario: tuple[int, int, int, int, float, float], costs: Costs) -> str:
    """The capacity of a scenario, as a row in Markdown."""
    servers, cores, workers, rooms, viewers, run = scenario
    system = System(servers, cores, workers, 1, viewers, run)
    most = capacity(system, costs)
    added = simulate(system, costs, max(6_000, 3 * workers), per_second=0.7 * most).p99 * 1000
    beats = workers / system.heartbeat
    bounds = {
        "workers": workers / run,
        "servers": (servers - costs.heartbeat_server * beats)
        / (costs.server + costs.bus * (servers - 1) + costs.viewer * viewers),
        "PostgreSQL": (cores - costs.heartbeat_database * beats) / costs.database,
    }
    full = min(bounds, key=lambda name: bounds[name])
    return (
        f"| {servers} | {cores} | {workers:,} | {rooms:,} | {run:g} s | {most:,.0f} jobs/s | {added:,.0f} ms | {full} |"
    )


def costs_of(words: Sequence[str]) -> Costs:
    """The costs on the command line, in milliseconds."""
    server, database, viewer, heartbeat, heartbeat_database, bus = (float(word) / 1000 for word in words)
    return Costs(
        server, database, bus=bus, viewer=viewer, heartbeat_server=heartbeat, heartbeat_database=heartbeat_database
    )


if __name__ == "__main__":
    print(*HEAD, sep="\n")
    for one in SCENARIOS:
        print(table_row(one, costs_of(sys.argv[1:])))
