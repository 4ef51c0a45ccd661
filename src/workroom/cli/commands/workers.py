"""`workroom workers`: who runs jobs."""

from __future__ import annotations

from typing import Annotated

import typer

from workroom.cli import output
from workroom.cli.api import Server, identifier, talks
from workroom.cli.output import JsonOption

app = typer.Typer(name="workers", help="Who runs jobs.", no_args_is_help=True)
WorkerId = Annotated[str, typer.Argument(metavar="ID", help="The worker's id.")]

COLUMNS: output.Columns = {
    "worker": lambda one: one["id"],
    "kind": lambda one: one["kind"],
    "state": lambda one: one["state"],
    "jobs": lambda one: one["activeJobs"],
    "jobs/min": lambda one: f"{one['throughput']['perMinute']:,.1f}",
    "host": lambda one: one["info"].get("host"),
    "by": lambda one: one["user"],
    "room": lambda one: one["room"],
    "up": lambda one: output.ago(one["registeredAt"]),
    "offers": lambda one: ", ".join(offer["name"] for offer in one["extensions"]),
}


@app.command(name="list")
@talks()
def list_(
    server: Server,
    room: Annotated[str | None, typer.Option(help="Those that this room sees.")] = None,
    json: JsonOption = False,
) -> None:
    """Workers that are here: all of them for admins, otherwise your own."""
    path = "/api/workers" if room is None else f"/api/rooms/{room}/workers"
    output.rows(server.get(path)["items"], COLUMNS, json=json, empty="No workers. `workroom worker FILE` starts one.")


@app.command(name="show")
@talks()
def show_(server: Server, id: WorkerId, json: JsonOption = False) -> None:
    """One worker, and what it offers."""
    worker = server.get(f"/api/workers/{identifier(id, 'worker')}")
    facts = {name: cell(worker) for name, cell in COLUMNS.items() if name != "offers"} | {
        "slots": worker["capacity"],
        "lately": "{ended:,} ended, {failed:,} failed, in {seconds:.0f} s".format(**worker["throughput"]),
        "lease until": output.moment(worker["leaseUntil"]),
        "gone": output.moment(worker["goneAt"]),
        "why": worker["goneReason"],
    }
    output.facts(facts, worker, json=json)
    if not json:
        print()
        output.rows(worker["extensions"], OFFERS, json=False)


OFFERS: output.Columns = {
    "offers": lambda one: f"{one['category']}/{one['name']}",
    "scope": lambda one: one["scope"],
    "failures in a row": lambda one: one["failures"],
    "breaker": lambda one: one["breaker"],
}


@app.command()
@talks()
def drain(server: Server, id: WorkerId, json: JsonOption = False) -> None:
    """Let a worker finish what it has, and give it nothing more."""
    answer = server.post(f"/api/workers/{identifier(id, 'worker')}/shutdown")
    left = answer["activeJobs"]
    output.done("It is gone." if answer["state"] == "gone" else f"It finishes {left} jobs.", answer, json=json)


@app.command()
@talks()
def remove(server: Server, id: WorkerId, json: JsonOption = False) -> None:
    """Remove a worker by force; its jobs are dealt with as their policies say."""
    worker = identifier(id, "worker")
    server.delete(f"/api/workers/{worker}")
    output.done("Removed.", {"id": str(worker), "state": "gone"}, json=json)
