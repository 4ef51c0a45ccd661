"""The steps of the demo."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

from rich.box import HEAVY_HEAD, Box
from rich.console import Console
from rich.live import Live
from rich.table import Table

import workroom
from workroom.cli.browser import open_browser
from workroom.cli.child_processes import Process, StopSignals
from workroom.cli.demo.sample_room import FRAMES, fill_room
from workroom.domain.errors import JobCancelled, JobFailed

_SQUARES = 20_000
# Short leases, so that the demo detects a lost worker within seconds.
_SHORT_TIMES = {
    "WORKROOM_HEARTBEAT_SECONDS": "1",
    "WORKROOM_LEASE_SECONDS": "4",
    "WORKROOM_SWEEP_SECONDS": "0.5",
    "WORKROOM_GRACE_SECONDS": "2",
}


class Scenario:
    """A server, a remote worker and a pool, and a client that submits jobs to them."""

    def __init__(self, data: Path, port: int, console: Console, signals: StopSignals) -> None:
        self._signals = signals
        self._data = data
        self._port = port
        self._console = console
        self._processes: list[Process] = []
        self._failures: list[str] = []

    def __enter__(self) -> Scenario:
        return self

    def __exit__(self, *_: object) -> None:
        for room in ("_room", "_bench"):
            if hasattr(self, room):
                getattr(self, room).close()
        for process in reversed(self._processes):
            process.stop()

    def start(self) -> None:
        server = self._start(
            "workroom.cli", "serve", "--port", str(self._port), "--data", str(self._data), **_SHORT_TIMES
        )
        self._url = server.wait_for_line(r"listens at (\S+)")[1]
        self._worker()
        password = (self._data / "admin-password").read_text().strip()
        self._room = workroom.Room("welcome", self._url, "admin", password)
        self._console.print(f"Workroom listens at [bold]{self._url}[/]; a remote worker is online in room welcome.")
        fill_room(self._room)
        # Jobs that change frames, step or selection have a room of their own: the trajectory in `welcome` plays on.
        self._bench = workroom.Room("workbench", self._url, "admin", password)
        self._bench.append(self._room[0])
        self._console.print(f"The room shows {len(self._room)} frames of a copper cluster, and their energies.")

    def open_browser(self) -> None:
        """Print the address of the room and open it in a browser, signed in by a code that works once.

        Other users of this machine can read the command line of the browser, so it must not hold a token.
        """
        code = self._room.portal.call(self._room.inner.access.post("/api/login/codes"))["code"]
        address = f"{self._url}/rooms/welcome#code={code}&play&panel=chat&tour"
        self._console.print(f"Open [bold]{address}[/] (the link signs in once)", soft_wrap=True)
        self._console.print(f"Later sign in as admin; the password is in {self._data / 'admin-password'}")
        open_browser(address)

    def run_jobs(self) -> list[str]:
        """Run one job of each kind; returns the kinds that did not end as expected."""
        title = "Jobs of the room, run by the remote worker and by the server's pool"
        table = Table("job", "outcome", "", title=title, box=self._box)
        with Live(table, console=self._console, refresh_per_second=10):
            for what, act in (
                ("Double: one call", self._double),
                ("Countdown: progress and log lines", self._countdown),
                ("Stumble: fails", self._fails),
                ("Stumble with two tries: retried", self._retried),
                ("Countdown: cancelled while it runs", self._cancelled),
                ("Double after Countdown: a dependency", self._after_another),
                ("Double, held back: a later start", self._later),
                ("Crash: its worker is lost", self._lost),
                ("Double: with a new worker", self._double),
                ("Supercell: a built-in modifier, by the pool", self._built_in),
                ("Relax: frames stream in while it runs", self._streams),
                ("IdenticalSpecies: a built-in selection", self._selects),
                ("Relax, undone", self._undone),
                ("A file, opened by a job", self._file),
            ):
                started = time.perf_counter()
                try:
                    outcome = act()
                except Exception as error:
                    outcome = f"[red]{type(error).__name__}: {error}[/]"
                    self._failures.append(what)
                table.add_row(what, outcome, f"{time.perf_counter() - started:.2f} s")
        self._end_table()
        return self._failures

    @property
    def _box(self) -> Box | None:
        """Lines of boxes are for terminals."""
        return HEAVY_HEAD if self._console.is_terminal else None

    def _end_table(self) -> None:
        """A live table in a pipe has no end of line."""
        if not self._console.is_terminal:
            self._console.print()

    def run_posting(self) -> None:
        """Post many function calls, run them with a pool of two processes, and show the counts live."""
        from workroom.cli.demo.functions import FAIL_EVERY, square
        from workroom.store.embedded import running_url

        url = running_url(self._data)
        source = "workroom.cli.demo.functions"
        pool = self._start("workroom.cli", "pool", "--import", source, "--workers", "2", "--data", str(self._data))
        pool.wait_for_line(r"processes run")
        started = time.perf_counter()
        posting = square.post_work(((number,) for number in range(_SQUARES)), label="squares", database=url)
        with Live(console=self._console, refresh_per_second=10) as live:
            while True:
                counts = posting.counts()
                title = f"A posting of {_SQUARES:,} function calls"
                table = Table("waiting or running", "completed", "failed", title=title, box=self._box)
                table.add_row(f"{counts.remaining:,}", f"{counts.completed:,}", f"{counts.failed:,}")
                live.update(table)
                if not counts.remaining:
                    break
                time.sleep(0.1)
        self._end_table()
        self._console.print(f"{_SQUARES:,} calls in {time.perf_counter() - started:.1f} s by a pool of two processes.")
        if (counts.completed, counts.failed) != (_SQUARES - _SQUARES // FAIL_EVERY, _SQUARES // FAIL_EVERY):
            self._failures.append("posting")

    def name_profiles(self) -> None:
        self._console.print(f"The profiles of the calls: [bold]{self._url}/profiles[/]")

    def run_forever(self) -> None:
        self._console.print("A job runs every few seconds. Ctrl-C ends the demo.")
        while True:
            self._room.run("analysis/Countdown", start=20, seconds=0.2).wait()
            time.sleep(10)

    def _double(self) -> str:
        result = self._room.run("analysis/Double", number=21).result(timeout=30)
        return _expect(result == 42, f"completed: {result}")

    def _countdown(self) -> str:
        job = self._room.run("analysis/Countdown", start=5, seconds=0.05)
        result = job.result(timeout=30)
        return _expect(
            result == "lift-off" and len(job.logs()) == 5, f"completed: {result}, {len(job.logs())} log lines"
        )

    def _fails(self) -> str:
        try:
            self._room.run("analysis/Stumble", word="once").result(timeout=30)
        except JobFailed as error:
            return _expect("stumbled" in str(error), f"failed: {error.message.splitlines()[0]}")
        return _expect(False, "it did not fail")

    def _retried(self) -> str:
        job = self._room.run("analysis/Stumble", word="twice", tries=2)
        result = job.result(timeout=60)
        return _expect(result == "walked past the stone", f"completed: {result}")

    def _cancelled(self) -> str:
        job = self._room.run("analysis/Countdown", start=1000, seconds=0.05)
        _until(lambda: job.status == "running")
        job.cancel()
        try:
            job.result(timeout=30)
        except JobCancelled:
            return "cancelled, and the worker confirmed"
        return _expect(False, "it was not cancelled")

    def _after_another(self) -> str:
        first = self._room.run("analysis/Countdown", start=5, seconds=0.05)
        second = self._room.run("analysis/Double", number=1, depends_on=[first])
        blocked = second.status == "blocked"
        return _expect(blocked and second.result(timeout=30) == 2, "blocked, then completed: 2")

    def _later(self) -> str:
        from datetime import UTC, datetime, timedelta

        job = self._room.run("analysis/Double", number=2, run_at=datetime.now(UTC) + timedelta(seconds=1))
        started = time.perf_counter()
        result = job.result(timeout=30)
        return _expect(time.perf_counter() - started > 0.8, f"waited, then completed: {result}")

    def _lost(self) -> str:
        job = self._room.run("analysis/Crash")
        try:
            job.result(timeout=60)
        except JobFailed as error:
            self._worker()
            return _expect("lost" in str(error), f"failed: {error.message.splitlines()[0]}")
        return _expect(False, "it did not fail")

    def _built_in(self) -> str:
        self._bench.run("modifiers/Supercell", a=2, b=1, c=1).result(timeout=60)
        atoms = len(self._bench[-1])
        return _expect(len(self._bench) == 2 and atoms == 2 * len(self._bench[0]), f"completed: {atoms} atoms")

    def _streams(self) -> str:
        self._bench.append(self._room[FRAMES - 1])
        self._bench.step = -1
        before = len(self._bench)
        self._relaxed = self._bench.run("modifiers/Relax", calculator="emt", fmax=0.2, steps=60)
        result = self._relaxed.result(timeout=120)
        added = len(self._bench) - before
        return _expect(added > 2 and isinstance(result, dict), f"completed: {added} frames added one by one")

    def _selects(self) -> str:
        self._bench.selection = [0]
        self._bench.run("selections/IdenticalSpecies").result(timeout=60)
        selected = len(self._bench.selection)
        return _expect(selected == len(self._bench[-1]), f"completed: {selected} atoms selected")

    def _undone(self) -> str:
        before = len(self._bench)
        self._bench.undo(self._relaxed)
        return _expect(len(self._bench) < before, f"{before - len(self._bench)} frames removed again")

    def _file(self) -> str:
        file = self._data / "water.xyz"
        file.write_text("3\nwater\nO 0 0 0\nH 0.76 0.59 0\nH -0.76 0.59 0\n")
        self._bench.upload(file).result(timeout=60)
        opened = self._bench[-1].get_chemical_formula()
        return _expect(opened == "H2O", f"completed: {opened}")

    def _worker(self) -> None:
        sample = str(Path(__file__).with_name("sample_extensions.py"))
        worker = self._start(
            "workroom.cli", "worker", sample, "--room", "welcome", "--url", self._url, "--user", "worker"
        )
        worker.wait_for_line(r"offers (\S+)")

    def _start(self, module: str, *arguments: str, **environment: str) -> Process:
        with self._signals.deferred():
            process = Process(module, *arguments, log=self._data / "demo.log", environment=environment)
            self._processes.append(process)
        return process


def _until(condition: Callable[[], bool], seconds: float = 15.0) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            raise TimeoutError(f"The job did not start within {seconds:g} s.")
        time.sleep(0.02)


def _expect(condition: bool, text: str) -> str:
    if not condition:
        raise ValueError(text)
    return text
