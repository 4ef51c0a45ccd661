"""The command line `workroom`. It is the composition root: only here all layers are imported together.

commands/            one module for each command or group of commands
demo/                `workroom demo`
fleet/               `workroom fleet`
serving/             the processes of `workroom serve`
api                  requests of commands to a server, and the options that name it
browser              opens an address in a browser that has a window
child_processes      processes that a command starts and stops again
help_examples        examples of every command, for --help
ids                  ids as commands take them: whole, in part, or `last`
job_progress_bar     the progress bar of `workroom jobs watch`
profile_queries      where `workroom profiles` reads: a server or the database
celery_worker        `workroom celery`: a Celery worker that runs built-in extensions and posted functions
database             the database of a command (a URL or the embedded one), and printing of errors
worker_options       the options `--offer`, `--walltime` and `--until`
metavars             what stands for the value of an option in --help
output               tables, tab-separated lines and JSON
user_code_errors     errors in a user's own module
root_group           `workroom` itself: errors of all commands, files in place of a command, mistyped commands
"""

from __future__ import annotations

from typing import Annotated

import typer

from workroom import __version__
from workroom.cli import celery_worker
from workroom.cli.commands import (
    admin,
    config,
    db,
    doctor,
    jobs,
    login,
    pool,
    post,
    postings,
    profiles,
    rooms,
    serve,
    worker,
    workers,
)
from workroom.cli.commands.open import open_files
from workroom.cli.demo import demo
from workroom.cli.fleet import app as fleet
from workroom.cli.help_examples import add_examples
from workroom.cli.output import JsonOption, print_result
from workroom.cli.root_group import RootGroup


def _print_version(wanted: bool) -> None:
    if wanted:
        print(__version__)
        raise typer.Exit


app = typer.Typer(
    name="workroom",
    cls=RootGroup,
    no_args_is_help=True,
    context_settings={"help_option_names": ["-h", "--help"]},
    pretty_exceptions_enable=False,
)
app.command(name="open")(open_files)
app.command(name="serve")(serve.serve)
app.command(name="demo")(demo)
app.command(name="worker")(worker.worker)
app.command(name="pool")(pool.pool)
app.command(name="celery", context_settings={"allow_extra_args": True, "ignore_unknown_options": True})(
    celery_worker.celery
)
app.command(name="run")(jobs.run)
app.command(name="post")(post.post)
app.command(name="doctor")(doctor.doctor)
app.command(name="login")(login.login)
app.command(name="logout")(login.logout)
app.command(name="whoami")(login.whoami)
app.add_typer(login.token, name="token")
app.add_typer(fleet, name="fleet")
app.add_typer(postings.app, name="postings")
app.add_typer(jobs.app, name="jobs")
app.add_typer(workers.app, name="workers")
app.add_typer(rooms.app, name="rooms")
app.add_typer(admin.app, name="admin")
app.add_typer(config.app, name="config")
app.add_typer(db.app, name="db")
app.add_typer(profiles.app, name="profiles")


@app.callback()
def options(
    version: Annotated[
        bool,
        typer.Option("--version", "-V", help="Print the version.", is_eager=True, callback=_print_version),
    ] = False,
) -> None:
    """Shared rooms for science, with jobs that run anywhere.

    `workroom FILE…` opens trajectories in a room. `workroom COMMAND --help` describes a command.
    """


@app.command()
def version(json: JsonOption = False) -> None:
    """Print the version."""
    print_result(__version__, {"version": __version__}, json=json)


add_examples(app)


def main() -> None:
    app()
