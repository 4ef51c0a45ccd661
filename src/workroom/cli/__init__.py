"""The command line: the composition root, where everything meets."""

from __future__ import annotations

import typer

from workroom import __version__
from workroom.cli import config, db, pool, profiles, serve, worker
from workroom.cli.demo import demo
from workroom.cli.open import FilesOrCommands, open_files

app = typer.Typer(
    name="workroom",
    cls=FilesOrCommands,
    help="Shared rooms for science, with jobs that run anywhere.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)
app.command(name="open")(open_files)
app.command(name="serve")(serve.serve)
app.command(name="demo")(demo)
app.command(name="worker")(worker.worker)
app.command(name="pool")(pool.pool)
app.add_typer(config.app, name="config")
app.add_typer(db.app, name="db")
app.add_typer(profiles.app, name="profiles")


@app.command()
def version() -> None:
    """Tell the version."""
    print(__version__)


def main() -> None:
    app()
