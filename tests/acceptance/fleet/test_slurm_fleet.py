"""`workroom fleet slurm` with a real SLURM."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Generator
from datetime import datetime

import pytest
from tests.acceptance.fleet.fleet_process import FleetProcess, running_fleet, wait_until
from tests.acceptance.fleet.slurm_cluster import NODE, SlurmCluster, running_cluster
from tests.acceptance.live import ADMIN_PASSWORD, ROOT, LiveServer

from workroom import Room

SOURCE = str(ROOT / "tests" / "acceptance" / "fleet" / "fleet_extensions.py")
WALLTIME = 120  # seconds, by --time=2
LONGEST = 40  # seconds: the time-out of a job
SECONDS = [2.0] * 15 + [8.0] * 4 + [30.0]
TEMPLATE = str(ROOT / "deploy" / "slurm" / "worker.sbatch")


@pytest.fixture(scope="module")
def slurm() -> Generator[SlurmCluster]:
    yield from running_cluster()


def _arguments(slurm: SlurmCluster, name: str, *more: str) -> tuple[str, ...]:
    output = f"--sbatch-option=--output={slurm.folder}/%j.out"
    template = ("--template", TEMPLATE, "--sbatch-option=--time=2", output)
    return ("slurm", SOURCE, *template, "--room", name, "--name", name, "--every", "0.5", *more)


@pytest.fixture
def environment(slurm: SlurmCluster) -> dict[str, str]:
    return slurm.environment | {"PATH": f"{ROOT}/.venv/bin:/usr/bin:/bin"}


def _outputs(slurm: SlurmCluster, fleet: FleetProcess) -> str:
    return fleet.output + "".join(file.read_text() for file in slurm.folder.glob("*.out")) + slurm.log()


@pytest.mark.full
def test_a_fleet_submits_workers_and_shrinks_to_none(
    server: LiveServer, slurm: SlurmCluster, environment: dict[str, str], name: str
) -> None:
    arguments = _arguments(slurm, name, "--max", "2", "--idle-exit", "2", "--timeout", "20")
    with (
        Room(name, server.url, "admin", ADMIN_PASSWORD) as room,
        running_fleet(server, *arguments, **environment) as fleet,
    ):
        fleet.until("no job waits")
        jobs = [room.run("analysis/FleetStep", seconds=0.2) for _ in range(6)]
        # This cluster has no GPU: sbatch says so, and others are not kept waiting.
        train = room.run("analysis/FleetTrain")
        wait_until(lambda: all(job.refresh().status == "completed" for job in jobs), 90, lambda: _outputs(slurm, fleet))
        results = [job.result() for job in jobs]
        assert {result["node"] for result in results} == {NODE}
        assert 1 <= len({result["job"] for result in results}) <= 2
        waiting = train.refresh()
        assert (waiting.waiting_for, waiting.waiting_text) == ("no_resources", "no worker offers gpus=1")
        assert _timeout_of_steps(room) == 20, "the first worker keeps the time-out of the fleet"
        fleet.until("no worker with gpus=1 is started: sbatch failed:")
        wait_until(lambda: slurm.active(name) == [], 60, lambda: _outputs(slurm, fleet))
        train.cancel()
    assert "All workers have ended." in fleet.last_output


@pytest.mark.full
@pytest.mark.timeout(900)
def test_two_hundred_jobs_outlast_the_walltime_of_their_workers(
    server: LiveServer, slurm: SlurmCluster, environment: dict[str, str], name: str
) -> None:
    """On a queue with a walltime of two minutes: workers are replaced, no job is killed or tried twice."""
    arguments = _arguments(slurm, name, "--max", "6", "--idle-exit", "5", "--timeout", str(LONGEST))
    began = time.monotonic()
    with (
        Room(name, server.url, "admin", ADMIN_PASSWORD) as room,
        running_fleet(server, *arguments, **environment) as fleet,
    ):
        fleet.until("no job waits")
        jobs = [room.run("analysis/FleetStep", seconds=SECONDS[number % len(SECONDS)]) for number in range(200)]
        train = room.run("analysis/FleetTrain")
        most = 0
        left = {job.id: job for job in jobs}

        def are_done() -> bool:
            nonlocal most
            most = max(most, len(slurm.active(name)))
            for done in [key for key, job in list(left.items())[:20] if job.refresh().status == "completed"]:
                del left[done]
            return not left

        wait_until(are_done, 600, lambda: f"{len(left)} jobs are left\n{_outputs(slurm, fleet)}")
        assert _timeout_of_steps(room) == LONGEST
        assert [job.id for job in jobs if job.refresh().attempts] == [], "each was completed by its first attempt"
        results = [job.result() for job in jobs]
        workers = Counter(result["job"] for result in results)
        assert most <= 6 < len(workers), f"{most} at a time, {len(workers)} in all"
        waiting = train.refresh()
        assert (waiting.waiting_for, waiting.waiting_text) == ("no_resources", "no worker offers gpus=1")
        wait_until(lambda: slurm.active(name) == [], 120, lambda: _outputs(slurm, fleet))
        records = {record["JobId"]: record for record in slurm.completed(name)}
        states = Counter(record["JobState"] for record in records.values())
        ran = sorted(_time(record["EndTime"]) - _time(record["StartTime"]) for record in records.values())
        least = min(_time(records[one["job"]]["StartTime"]) + WALLTIME - one["began"] for one in results)
        print(
            f"\n200 jobs of {min(SECONDS):g} to {max(SECONDS):g} s with a time-out of {LONGEST} s in "
            f"{time.monotonic() - began:.0f} s; {len(workers)} workers, {most} at a time, ended as {dict(states)} "
            f"after {ran[0]:.0f} to {ran[-1]:.0f} s of {WALLTIME} s, "
            f"with {min(workers.values())} to {max(workers.values())} jobs each; "
            f"the last start of a job was {least:.0f} s before the end of its worker"
        )
        assert least >= LONGEST, "a job began although its worker would have ended before its time-out"
        assert len(records) == len(workers) and set(states) == {"COMPLETED"}, "none was ended by its limit"
        train.cancel()


def _time(text: str) -> float:
    return datetime.fromisoformat(text).timestamp()


def _timeout_of_steps(room: Room) -> float | None:
    (step,) = [one for one in room.extensions if one.name == "FleetStep"]
    return step.timeout_seconds


@pytest.mark.full
def test_a_restarted_fleet_finds_its_workers_and_drains_them_at_its_end(
    server: LiveServer, slurm: SlurmCluster, environment: dict[str, str], name: str
) -> None:
    arguments = _arguments(slurm, name, "--max", "1", "--idle-exit", "60")
    with Room(name, server.url, "admin", ADMIN_PASSWORD) as room:
        first = FleetProcess(server, *arguments, **environment)
        first.until("no job waits")
        job = room.run("analysis/FleetStep", seconds=15.0)
        wait_until(lambda: job.refresh().status == "running", 60, lambda: _outputs(slurm, first))
        first.kill()
        (worker,) = slurm.active(name)
        with running_fleet(server, *arguments, **environment) as second:
            second.until("1 of at most 1 workers (1 busy)")
            # A worker that its fleet ends gets SIGTERM and finishes its job.
            assert second.end() == 0
            assert job.refresh().status == "completed" and job.result()["job"] == worker
            assert slurm.active(name) == [] and "All workers have ended." in second.output
        first.log.unlink()


@pytest.mark.full
def test_a_preempted_worker_finishes_its_job(
    server: LiveServer, slurm: SlurmCluster, environment: dict[str, str], name: str
) -> None:
    """An urgent job needs the whole node: SLURM sends the worker a SIGTERM, and GraceTime later it would kill it."""
    arguments = _arguments(slurm, name, "--max", "1", "--idle-exit", "60")
    with (
        Room(name, server.url, "admin", ADMIN_PASSWORD) as room,
        running_fleet(server, *arguments, **environment) as fleet,
    ):
        fleet.until("no job waits")
        job = room.run("analysis/FleetStep", seconds=15.0)
        wait_until(lambda: job.refresh().status == "running", 60, lambda: _outputs(slurm, fleet))
        urgent = ("--partition=urgent", "--cpus-per-task=16", f"--job-name=urgent-{name}", "--output=/dev/null")
        slurm.run("sbatch", *urgent, "--wrap=true")
        fleet.until("1 of at most 1 workers (1 ending)")
        assert job.refresh().status == "running", "the worker drains"
        wait_until(lambda: job.refresh().status == "completed", 60, lambda: _outputs(slurm, fleet))
        assert not job.refresh().attempts, "it was completed by its first attempt"
        wait_until(lambda: slurm.completed(f"urgent-{name}"), 60, lambda: _outputs(slurm, fleet))
        assert {one["JobId"]: one["JobState"] for one in slurm.completed(name)}[job.result()["job"]] == "COMPLETED"
