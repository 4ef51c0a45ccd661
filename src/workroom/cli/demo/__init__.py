"""`workroom demo`: the whole house in motion.

An embedded database, a server with its pool, a sample remote worker in a process of its own and a pool for functions
drive jobs through every state in a room with a moving trajectory, which the browser opens, already signed in. With
`--check` it is all done once and checked, and the exit code tells.
"""

from __future__ import annotations

import shutil
import tempfile
from contextlib import ExitStack
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from workroom.cli.database import errors_told


def demo(
    check: Annotated[bool, typer.Option("--check", help="One job of each kind to its result, then exit.")] = False,
    port: Annotated[int, typer.Option(help="The server's port; the next free one when it is taken.")] = 8686,
) -> None:
    """Show everything in motion, with throw-away data."""
    from workroom.cli.demo.scenario import Scenario

    console = Console()
    with errors_told(), ExitStack() as stack:
        data = Path(tempfile.mkdtemp(prefix="workroom-demo-"))
        data.chmod(0o711)
        stack.callback(shutil.rmtree, data, ignore_errors=True)
        show = stack.enter_context(Scenario(data, 0 if check else port, console))
        show.start()
        if not check:
            show.open_the_door()
        failures = show.every_kind_of_job()
        show.posting()
        if check:
            if failures:
                raise typer.Exit(1)
            console.print("[green]Every kind of job came to the end it should.[/]")
            return
        show.keep_moving()
