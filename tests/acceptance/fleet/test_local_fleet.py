"""`workroom fleet local`: workers come while jobs wait, and go afterwards."""

from __future__ import annotations

import pytest
from tests.acceptance.fleet.fleet_extensions import FleetTrain
from tests.acceptance.fleet.fleet_process import PATIENCE, FleetProcess, running_fleet, wait_until, worker_processes
from tests.acceptance.live import ADMIN_PASSWORD, ROOT, LiveServer
from typer.testing import CliRunner

from workroom import Room
from workroom.cli import app

SOURCE = str(ROOT / "tests" / "acceptance" / "fleet" / "fleet_extensions.py")


@pytest.mark.full
def test_a_fleet_follows_its_queue_from_nothing_to_nothing(server: LiveServer, name: str) -> None:
    """It offers its extensions before the first worker runs, keeps to its maximum, and survives its own restart."""
    arguments = ("local", SOURCE, "--room", name, "--name", name, "--max", "2", "--every", "0.1", "--idle-exit", "1")
    with Room(name, server.url, "admin", ADMIN_PASSWORD) as room:
        first = FleetProcess(server, *arguments)
        first.until("no job waits")
        assert worker_processes(name) == []
        # Long enough that the second fleet finds the workers of the first, also on a busy machine.
        jobs = [room.run("analysis/FleetStep", seconds=3.0) for _ in range(6)]
        wait_until(lambda: len(worker_processes(name)) == 2)
        first.kill()
        with running_fleet(server, *arguments) as second:
            second.until("2 of at most 2 workers")
            pids = {job.result(PATIENCE)["pid"] for job in jobs}
            assert len(pids) <= 2
            second.until("0 of at most 2 workers; no job waits")
            assert worker_processes(name) == []
        first.log.unlink()


@pytest.mark.full
def test_a_fleet_is_the_only_one_of_its_name_and_drains_its_workers_when_it_ends(server: LiveServer, name: str) -> None:
    with (
        Room(name, server.url, "admin", ADMIN_PASSWORD) as room,
        running_fleet(server, "local", SOURCE, "--room", name, "--name", name, "--every", "0.1", "--max", "1") as fleet,
    ):
        fleet.until("no job waits")
        job = room.run("analysis/FleetStep", seconds=1.5)
        wait_until(lambda: job.refresh().status == "running")
        second = FleetProcess(server, "local", SOURCE, "--room", name, "--name", name)
        assert second.process.wait(PATIENCE) != 0
        assert f"A fleet {name} runs here already" in second.output
        second.log.unlink()
        assert fleet.end() == 0
        assert job.refresh().status == "completed"
        assert "All workers have ended." in fleet.output and worker_processes(name) == []


@pytest.mark.full
def test_a_fleet_starts_workers_that_offer_what_jobs_ask_for(server: LiveServer, name: str) -> None:
    arguments = ("--room", name, "--name", name, "--every", "0.1", "--idle-exit", "0.5", "--max", "1")
    with Room(name, server.url, "admin", ADMIN_PASSWORD) as room:
        with running_fleet(server, "local", SOURCE, *arguments) as fleet:
            fleet.until("no job waits")
            job = room.run("analysis/FleetTrain")
            assert job.result(PATIENCE) == "trained"
        room.register_extension(FleetTrain)
        waiting = room.run("analysis/FleetTrain").refresh()
        assert (waiting.waiting_for, waiting.waiting_text) == ("no_resources", "no worker offers gpus=1")


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("--min", "3", "--max", "2"), "--min 3 is more than --max 2"),
        (("--name", "a b;c"), "The name of a fleet"),
        (("--offer", "gpus=$(id)"), "write NAME=AMOUNT"),
    ],
)
def test_bad_options_are_named(server: LiveServer, arguments: tuple[str, ...], told: str) -> None:
    login = {"WORKROOM_USER": "admin", "WORKROOM_PASSWORD": ADMIN_PASSWORD}
    shown = CliRunner().invoke(app, ["fleet", "local", SOURCE, "--url", server.url, *arguments], env=login)
    assert shown.exit_code != 0 and told in " ".join(shown.output.split())
