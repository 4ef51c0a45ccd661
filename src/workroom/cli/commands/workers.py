"""`workroom workers`: list, show, drain and remove workers."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from workroom.cli import output
from workroom.cli.api import Server, find_id, server_command
from workroom.cli.output import JsonOption
from workroom.domain.jobs.resources import resource_words
from workroom.domain.names import room_path

app = typer.Typer(name="workers", help="Workers: list, show, drain, remove.", no_args_is_help=True)
WorkerId = Annotated[str, typer.Argument(metavar="ID", help="The worker's id, its beginning or end, or `last`.")]

COLUMNS: output.Columns = {
    "worker": lambda one: one["id"],
    "kind": lambda one: one["kind"],
    "state": lambda one: one["state"],
    "jobs": lambda one: one["activeJobs"],
    "jobs/min": lambda one: float(one["throughput"]["perMinute"]),
    "host": lambda one: one["info"].get("host"),
    "by": lambda one: one["user"],
    "room": lambda one: one["room"],
    "up": lambda one: output.ago(one["registeredAt"]),
    "offers": lambda one: _offers(one["extensions"]),
}


def _offers(offers: list[dict[str, Any]]) -> str:
    names = [offer["name"] for offer in offers]
    return ", ".join(names if len(names) <= 4 else [*names[:3], f"{len(names) - 3} more"])


@app.command(name="list")
@server_command()
def list_(
    server: Server,
    room: Annotated[str | None, typer.Option(help="Only workers that are visible in this room.")] = None,
    json: JsonOption = False,
) -> None:
    """List connected workers: all of them for admins, otherwise your own."""
    path = "/api/workers" if room is None else f"{room_path(room)}/workers"
    output.print_rows(
        server.get(path)["items"], COLUMNS, json=json, empty="No workers. `workroom worker FILE` starts one."
    )


@app.command(name="show")
@server_command()
def show_(server: Server, id: WorkerId, json: JsonOption = False) -> None:
    """Show a worker and its offers."""
    worker = server.get(f"/api/workers/{find_id(server, id, 'worker')}")
    facts = {name: cell(worker) for name, cell in COLUMNS.items() if name != "offers"} | {
        "slots": worker["capacity"],
        "resources": ", ".join(resource_words(worker["resources"])) or None,
        "ends": output.local_time(worker["endsAt"]),
        "lately": "{ended:,} ended, {failed:,} failed, in {seconds:.0f} s".format(**worker["throughput"]),
        "lease until": output.local_time(worker["leaseUntil"]),
        "gone": output.local_time(worker["goneAt"]),
        "why": worker["goneReason"],
    }
    output.print_fields(facts, worker, json=json)
    if not json:
        print()
        output.print_rows(worker["extensions"], OFFERS, json=False)


OFFERS: output.Columns = {
    "offers": lambda one: f"{one['category']}/{one['name']}",
    "scope": lambda one: one["scope"],
    "failures in a row": lambda one: one["failures"],
    "breaker": lambda one: one["breaker"],
}


@app.command()
@server_command()
def drain(server: Server, id: WorkerId, json: JsonOption = False) -> None:
    """Drain a worker: it finishes its jobs and gets no new ones."""
    answer = server.post(f"/api/workers/{find_id(server, id, 'worker')}/shutdown")
    remaining = answer["activeJobs"]
    text = (
        "The worker has ended."
        if answer["state"] == "gone"
        else f"The worker finishes {output.count(remaining, 'job')}."
    )
    output.print_result(text, answer, json=json)


@app.command()
@server_command()
def remove(server: Server, id: WorkerId, json: JsonOption = False) -> None:
    """Remove a worker. Its jobs are requeued or fail, according to their `on_worker_lost` policies."""
    worker = find_id(server, id, "worker")
    server.delete(f"/api/workers/{worker}")
    output.print_result("Removed.", {"id": str(worker), "state": "gone"}, json=json)
