"""`workroom demo`: a server, workers and jobs of every kind, with temporary data.

The demo starts an embedded database, a server with its pool, a remote worker and a pool for functions. It drives jobs
through every state in a room with a trajectory, and opens the room in a browser, signed in. With `--check` it runs
every kind of job once and exits with 1 if one did not end as expected.

    functions     the function of the demo's posting
    sample_extensions  the extensions of the demo's worker
    sample_room   the content of the demo's room
    scenario      the steps of the demo
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Generator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from workroom.cli.child_processes import StopSignals
from workroom.extras import EXTRAS, require


def demo(
    check: Annotated[bool, typer.Option("--check", help="Run one job of each kind, then exit.")] = False,
    port: Annotated[
        int, typer.Option(min=0, max=65535, help="The server's port; if it is in use, the next free one.")
    ] = 8686,
) -> None:
    """Run a demonstration of all features, with temporary data."""
    from workroom.cli.demo.scenario import Scenario

    require([*EXTRAS["server"], *EXTRAS["atoms"]], "The demo")
    console = Console()
    tell_what_root_makes(console)
    signals = StopSignals()
    with _reporting_end(console, check=check), ExitStack() as stack:
        stack.enter_context(signals)
        with signals.deferred():
            data = Path(tempfile.mkdtemp(prefix="workroom-demo-"))
            stack.callback(shutil.rmtree, data, ignore_errors=True)
        data.chmod(0o711)
        scenario = stack.enter_context(Scenario(data, 0 if check else port, console, signals))
        scenario.start()
        if not check:
            scenario.open_browser()
        failures = scenario.run_jobs()
        scenario.run_posting()
        if check:
            if failures:
                raise typer.Exit(1)
            console.print("[green]Every kind of job ended as expected.[/]")
            return
        scenario.name_profiles()
        scenario.run_forever()


def tell_what_root_makes(console: Console) -> None:
    """The server of the demo logs to a file, so what it adds to the machine is printed here."""
    from workroom.domain.data_folder import SYSTEM_FOLDER
    from workroom.store.embedded import SYSTEM_ACCOUNT, will_make_account

    if will_make_account():
        console.print(
            f"As root, the demo makes the system account {SYSTEM_ACCOUNT!r}, because PostgreSQL refuses to run as "
            f"root, and uses {SYSTEM_FOLDER}. `userdel {SYSTEM_ACCOUNT}` and `rm -r {SYSTEM_FOLDER}` remove them.",
            soft_wrap=True,
        )


@contextmanager
def _reporting_end(console: Console, *, check: bool) -> Generator[None]:
    """Ctrl-C or SIGTERM is the normal end of the demo, but an unfinished check has failed."""
    try:
        yield
    except KeyboardInterrupt:
        console.print("The demo has ended.")
        if check:
            raise typer.Exit(130) from None
