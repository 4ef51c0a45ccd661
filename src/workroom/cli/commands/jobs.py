"""`workroom jobs`: single jobs, their state and what they print."""

from __future__ import annotations

import time
from typing import Annotated, Any

import typer

from workroom.cli import output
from workroom.cli.api import Server, identifier, talks
from workroom.cli.output import JsonOption
from workroom.domain.jobs.states import FINAL

app = typer.Typer(name="jobs", help="Jobs: their state, their lines, the levers.", no_args_is_help=True)
JobId = Annotated[str, typer.Argument(metavar="ID", help="The job's id.")]
_LOOK = 0.4  # seconds between looks

COLUMNS: output.Columns = {
    "job": lambda one: one["jobId"],
    "name": lambda one: f"{one['category']}/{one['name']}",
    "status": lambda one: "cancelling" if one["cancelling"] else one["status"],
    "room": lambda one: one["room"],
    "by": lambda one: one["user"],
    "attempt": lambda one: one["attempt"],
    "ran": lambda one: None if one["executionTimeMs"] is None else output.span(one["executionTimeMs"] / 1000),
    "created": lambda one: output.moment(one["createdAt"]),
}


@app.command(name="list")
@talks()
def list_(
    server: Server,
    room: Annotated[str | None, typer.Option(help="Of this room.")] = None,
    status: Annotated[list[str] | None, typer.Option(help="blocked, pending, assigned, running, …")] = None,
    posting: Annotated[str | None, typer.Option(help="Of this posting, in its order.")] = None,
    limit: Annotated[int, typer.Option("--limit", "-n", min=1, max=500)] = 50,
    json: JsonOption = False,
) -> None:
    """Jobs, newest first: of a room, of a posting, or all you may see."""
    filters: dict[str, Any] = {"status": status or None, "limit": limit}
    if posting is not None:
        path = f"/api/postings/{identifier(posting, 'posting')}/jobs"
    elif room is not None:
        path = f"/api/rooms/{room}/jobs"
    else:
        me = server.me()
        path = "/api/jobs" if me["role"] == "admin" else f"/api/users/{me['id']}/jobs"
    output.rows(server.get(path, **filters)["items"], COLUMNS, json=json, empty="No jobs.")


@app.command(name="show")
@talks()
def show_(server: Server, id: JobId, json: JsonOption = False) -> None:
    """Everything recorded about a job, and why it waits."""
    job = server.get(f"/api/jobs/{identifier(id, 'job')}")
    error = job["error"]
    facts = {name: cell(job) for name, cell in COLUMNS.items()} | {
        "waiting for": None if job["waitingFor"] == "nothing" else job["waitingFor"].replace("_", " "),
        "jobs before it": job["queuePosition"],
        "starts in": output.span(job["etaSeconds"]),
        "priority": job["priority"],
        "tries left": job["triesLeft"],
        "posting": job["postingId"],
        "worker": job["workerId"],
        "progress": None if job["progress"] is None else f"{job['progress']['fraction']} {job['progress']['message']}",
        "started": output.moment(job["startedAt"]),
        "finished": output.moment(job["finishedAt"]),
        "arguments": job["data"],
        "result": job["result"],
        "error": None if error is None else f"{error['type']}: {error['message']}",
    }
    output.facts(facts, job, json=json)
    if error is not None and error["traceback"] and not json:
        print(f"\n{error['traceback'].rstrip()}")


@app.command()
@talks()
def watch(server: Server, id: JobId, json: JsonOption = False) -> None:
    """Follow a job until it ends. Exits with 1 when it failed or was cancelled."""
    path = f"/api/jobs/{identifier(id, 'job')}"
    seen: Any = None
    while True:
        job = server.get(path)
        told = (job["status"], job["progress"], job["waitingFor"])
        if told != seen:
            seen = told
            output.done(_words(job), job, json=json)
        if job["status"] in FINAL:
            break
        time.sleep(_LOOK)
    if job["status"] != "completed":
        raise typer.Exit(1)


@app.command()
@talks()
def cancel(server: Server, id: JobId, json: JsonOption = False) -> None:
    """Call a job off."""
    answer = server.delete(f"/api/jobs/{identifier(id, 'job')}")
    words = (
        "Cancelled." if not answer["cancelling"] else "Its worker is told to stop; it ends when the worker confirms."
    )
    output.done(words, answer, json=json)


@app.command()
@talks()
def retry(server: Server, id: JobId, json: JsonOption = False) -> None:
    """Run an ended job once more, as a new one."""
    answer = server.post(f"/api/jobs/{identifier(id, 'job')}/retry")
    output.done(f"Submitted as {answer['jobId']}: {answer['status']}.", answer, json=json)


@app.command()
@talks()
def logs(
    server: Server,
    id: JobId,
    follow: Annotated[bool, typer.Option("--follow", "-f", help="Until the job ends.")] = False,
    json: JsonOption = False,
) -> None:
    """The last lines a job has printed."""
    path = f"/api/jobs/{identifier(id, 'job')}"
    after = 0
    while True:
        ended = not follow or server.get(path)["status"] in FINAL
        for line in server.get(f"{path}/logs", after=after)["items"]:
            after = line["line"]
            output.done(line["text"], line, json=json)
        if ended:
            return
        time.sleep(_LOOK)


def _words(job: dict[str, Any]) -> str:
    words = job["status"]
    if job["waitingFor"] != "nothing":
        words += f" ({job['waitingFor'].replace('_', ' ')}, {job['queuePosition'] or 0} before it)"
    if job["progress"] is not None and job["status"] == "running":
        fraction = job["progress"]["fraction"]
        words += f" {'' if fraction is None else f'{fraction:.0%} '}{job['progress']['message']}"
    if job["error"] is not None:
        words += f": {job['error']['type']}: {job['error']['message']}"
    return words
