"""`workroom jobs`: list, show, watch, cancel and retry jobs, and read their logs. `workroom run` submits one."""

from __future__ import annotations

import time
from datetime import datetime
from pathlib import Path
from typing import Annotated, Any
from uuid import UUID

import orjson
import typer

from workroom.cli import output
from workroom.cli.api import Server, find_id, jobs_path, server_command
from workroom.cli.job_progress_bar import JobBar
from workroom.cli.output import JsonOption
from workroom.domain.errors import BadInput, NotFound
from workroom.domain.jobs.states import FINAL
from workroom.domain.names import category_name, extension_name, room_path
from workroom.domain.values.exact_json import parse_packed
from workroom.domain.values.packed_to_plain import readable

app = typer.Typer(name="jobs", help="Jobs: list, show, watch, cancel, retry, logs.", no_args_is_help=True)
JobId = Annotated[str, typer.Argument(metavar="ID", help="The job's id, its beginning or end, or `last`.")]
_POLL_SECONDS = 0.4

COLUMNS: output.Columns = {
    "job": lambda one: one["jobId"],
    "name": lambda one: f"{one['category']}/{one['name']}",
    "status": lambda one: "cancelling" if one["cancelling"] else one["status"],
    "room": lambda one: one["room"],
    "by": lambda one: one["user"],
    "attempt": lambda one: one["attempt"],
    "ran": lambda one: None if one["executionTimeMs"] is None else output.duration(one["executionTimeMs"] / 1000),
    "created": lambda one: output.local_time(one["createdAt"]),
}


@app.command(name="list")
@server_command()
def list_(
    server: Server,
    room: Annotated[str | None, typer.Option(help="Only jobs of this room.")] = None,
    status: Annotated[list[str] | None, typer.Option(help="blocked, pending, assigned, running, …")] = None,
    posting: Annotated[str | None, typer.Option(help="Only jobs of this posting, in its order.")] = None,
    limit: output.LimitOption = 50,
    json: JsonOption = False,
) -> None:
    """List jobs, newest first: of a room, of a posting, or all that you may see."""
    filters: dict[str, Any] = {"status": status or None, "limit": limit}
    if posting is not None:
        path = f"/api/postings/{find_id(server, posting, 'posting')}/jobs"
    elif room is not None:
        path = f"{room_path(room)}/jobs"
    else:
        path = jobs_path(server)
    output.print_rows(server.get(path, **filters)["items"], COLUMNS, json=json, empty="No jobs.")


@app.command(name="show")
@server_command()
def show_(server: Server, id: JobId, json: JsonOption = False) -> None:
    """Show all details of a job, and why it waits."""
    job = server.get(f"/api/jobs/{find_id(server, id, 'job')}")
    error = job["error"]
    facts = {name: cell(job) for name, cell in COLUMNS.items()} | {
        "waiting for": job["waitingText"] or None,
        "jobs before it": job["queuePosition"],
        "starts in": output.duration(job["etaSeconds"]),
        "priority": job["priority"],
        "tries left": job["triesLeft"],
        "posting": job["postingId"],
        "worker": job["workerId"],
        "progress": None if job["progress"] is None else f"{job['progress']['fraction']} {job['progress']['message']}",
        "started": output.local_time(job["startedAt"]),
        "finished": output.local_time(job["finishedAt"]),
        "arguments": readable(job["data"]),
        "result": readable(job["result"]),
        "error": None if error is None else f"{error['type']}: {error['message']}",
    }
    output.print_fields(facts, job, json=json)
    if error is not None and error["traceback"] and not json:
        print(f"\n{error['traceback'].rstrip()}")


@app.command()
@server_command()
def watch(server: Server, id: JobId, json: JsonOption = False) -> None:
    """Follow a job until it ends. Exits with 1 if it failed or was cancelled."""
    job = _follow(server, str(find_id(server, id, "job")), json=json)
    if job["status"] != "completed":
        raise typer.Exit(1)


def _follow(server: Server, id: str, *, json: bool) -> dict[str, Any]:
    """Show each change of a job until it ends: as a bar on a terminal, as a line each in a pipe."""
    printed: Any = None
    with JobBar(shown=False if json else None) as bar:
        while True:
            job: dict[str, Any] = server.get(f"/api/jobs/{id}")
            state = (job["status"], job["progress"], job["waitingFor"])
            has_ended = job["status"] in FINAL
            bar.update(job, _summary(job))
            if state != printed and (has_ended or not bar.is_shown):
                printed = state
                output.print_result(_summary(job), job, json=json)
            if has_ended:
                return job
            time.sleep(_POLL_SECONDS)


@server_command(as_admin=False)
def run(
    server: Server,
    room: Annotated[str, typer.Argument(metavar="ROOM", help="The room to run it in.")],
    extension: Annotated[str, typer.Argument(metavar="CATEGORY/NAME", help="The extension, e.g. modifiers/Relax.")],
    arguments: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="NAME=VALUE…", help="Its arguments. A value is JSON, @FILE for a file of this machine, or text."
        ),
    ] = None,
    priority: Annotated[int | None, typer.Option(min=0, max=10, help="10 is most urgent.")] = None,
    scope: Annotated[
        str | None, typer.Option(help="room, global or builtin, where several have the name. Default: the nearest.")
    ] = None,
    tries: Annotated[int | None, typer.Option(min=1, max=100, help="Maximum number of tries.")] = None,
    after: Annotated[
        list[str] | None,
        typer.Option(metavar="ID", help="A job or posting that must complete first: its id, or a part of it."),
    ] = None,
    at: Annotated[datetime | None, typer.Option(help="Not before this time.")] = None,
    unique: Annotated[str | None, typer.Option(help="An idempotency key: the same key returns the same job.")] = None,
    wait: Annotated[bool, typer.Option("--wait", help="Wait for its end; exits with 1 unless it completed.")] = False,
    json: JsonOption = False,
) -> None:
    """Run an extension in a room: workroom run my-room modifiers/Relax fmax=0.01 --wait"""
    category, slash, name = extension.partition("/")
    if not (category and slash and name):
        raise BadInput(f"{extension!r} has no category: write CATEGORY/NAME. `workroom rooms show {room}` lists them.")
    path = f"{room_path(room)}/extensions/{category_name(category)}/{extension_name(name)}"
    given = dict(map(_argument, arguments or []))
    body: dict[str, Any] = {"data": {name: _uploaded(server, room, name, value) for name, value in given.items()}}
    options = {
        "priority": priority,
        "scope": scope,
        "tries": tries,
        "dependsOn": [str(_job_or_posting(server, one)) for one in after or []],
        "runAt": None if at is None else at.astimezone().isoformat(),
        "idempotencyKey": unique,
    }
    body |= {option: value for option, value in options.items() if value not in (None, [])}
    accepted = server.post(f"{path}/submit", body)
    if accepted["jobId"] is None or not wait:
        text = "Stored." if accepted["jobId"] is None else f"Submitted as {accepted['jobId']}: {accepted['status']}."
        output.print_result(text, accepted, json=json)
        return
    job = _follow(server, accepted["jobId"], json=json)
    if job["status"] != "completed":
        raise typer.Exit(1)
    if not json:
        output.print_json(readable(job["result"]))


def _job_or_posting(server: Server, text: str) -> UUID:
    try:
        return find_id(server, text, "job")
    except NotFound:
        return find_id(server, text, "posting")


def _argument(text: str) -> tuple[str, Any]:
    name, equals, value = text.partition("=")
    if not equals or not name:
        raise BadInput(f"{text!r} is not an argument: write NAME=VALUE, for example fmax=0.01.")
    try:
        return name, parse_packed(value)
    except orjson.JSONDecodeError:
        return name, Path(value[1:]) if value.startswith("@") else value


def _uploaded(server: Server, room: str, name: str, value: Any) -> Any:
    """The value of an argument; a file is uploaded first."""
    if not isinstance(value, Path):
        return value
    if not value.is_file():
        raise BadInput(
            f"{name}: there is no file {value}. To pass the text itself, write it as JSON: {name}='\"@{value}\"'."
        )
    return server.upload(f"{room_path(room)}/inputs", value)


@app.command()
@server_command()
def cancel(server: Server, id: JobId, json: JsonOption = False) -> None:
    """Cancel a job."""
    answer = server.delete(f"/api/jobs/{find_id(server, id, 'job')}")
    pending = "Its worker was asked to stop; the job ends when the worker confirms."
    output.print_result(pending if answer["cancelling"] else "Cancelled.", answer, json=json)


@app.command()
@server_command()
def retry(server: Server, id: JobId, json: JsonOption = False) -> None:
    """Run an ended job again, as a new job."""
    answer = server.post(f"/api/jobs/{find_id(server, id, 'job')}/retry")
    output.print_result(f"Submitted as {answer['jobId']}: {answer['status']}.", answer, json=json)


@app.command()
@server_command()
def logs(
    server: Server,
    id: JobId,
    follow: Annotated[bool, typer.Option("--follow", "-f", help="Follow until the job ends.")] = False,
    json: JsonOption = False,
) -> None:
    """Print the last log lines of a job."""
    path = f"/api/jobs/{find_id(server, id, 'job')}"
    after = 0
    while True:
        ended = not follow or server.get(path)["status"] in FINAL
        for line in server.get(f"{path}/logs", after=after)["items"]:
            after = line["line"]
            output.print_result(line["text"], line, json=json)
        if ended:
            return
        time.sleep(_POLL_SECONDS)


def _summary(job: dict[str, Any]) -> str:
    text = job["status"]
    if job["waitingFor"] != "nothing":
        text += f" ({job['waitingText'].partition(':')[0]}, {job['queuePosition'] or 0} before it)"
    if job["progress"] is not None and job["status"] == "running":
        fraction = job["progress"]["fraction"]
        text += f" {'' if fraction is None else f'{fraction:.0%} '}{job['progress']['message']}"
    if job["error"] is not None:
        text += f": {job['error']['type']}: {job['error']['message']}"
    return text
