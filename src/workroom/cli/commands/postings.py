"""`workroom postings`: how far postings are, and the levers."""

from __future__ import annotations

import time
from typing import Annotated, Any

import typer

from workroom.cli import output
from workroom.cli.api import Server, identifier, talks
from workroom.cli.output import JsonOption
from workroom.domain.errors import NotFound
from workroom.domain.jobs.states import FINAL

app = typer.Typer(name="postings", help="Postings: how far they are, and the levers.", no_args_is_help=True)
PostingId = Annotated[str, typer.Argument(metavar="ID", help="The posting's id, or `last` for your newest.")]

COLUMNS: output.Columns = {
    "posting": lambda one: one["postingId"],
    "function": lambda one: one["name"],
    "status": lambda one: one["status"],
    "done": lambda one: f"{one['total'] - one['remaining']:,}/{one['total']:,}",
    "failed": lambda one: one["failed"],
    "rate/s": lambda one: one["rate"],
    "eta": lambda one: output.span(one["etaSeconds"]) if one["status"] == "executing" else None,
    "by": lambda one: one["user"],
    "room": lambda one: one["room"],
    "created": lambda one: output.moment(one["createdAt"]),
    "label": lambda one: one["label"],
}


@app.command(name="list")
@talks()
def list_(
    server: Server,
    status: Annotated[list[str] | None, typer.Option(help="executing, paused, completed, failed, cancelled.")] = None,
    function: Annotated[str | None, typer.Option(help="Of this function or extension.")] = None,
    room: Annotated[str | None, typer.Option(help="Of this room.")] = None,
    mine: Annotated[bool, typer.Option("--mine", help="Only your own.")] = False,
    limit: Annotated[int, typer.Option("--limit", "-n", min=1, max=500)] = 50,
    json: JsonOption = False,
) -> None:
    """Postings, newest first."""
    answer = server.get(
        "/api/postings", status=status or None, function=function, room=room, mine=mine or None, limit=limit
    )
    output.rows(answer["items"], COLUMNS, json=json, empty="No postings. `workroom post` makes one.")


@app.command(name="show")
@talks()
def show_(
    server: Server,
    id: PostingId,
    failures: Annotated[int, typer.Option(min=0, max=500, help="How many failures to show.")] = 5,
    json: JsonOption = False,
) -> None:
    """One posting, and what failed of it."""
    posting = _found(server, id)
    failed: list[dict[str, Any]] = []
    if failures:
        failed = server.get(f"/api/postings/{posting['postingId']}/failures", limit=failures)["items"]
    facts = {name: cell(posting) for name, cell in COLUMNS.items()} | {
        "at workers": posting["active"],
        "cancelled": posting["cancelled"],
        "priority": posting["priority"],
        "tries": posting["tries"],
        "finished": output.moment(posting["finishedAt"]),
    }
    output.facts(facts, posting | {"failures": failed}, json=json)
    if failed and not json:
        print()
        output.rows(failed, FAILURES, json=False)


FAILURES: output.Columns = {
    "job": lambda one: one["jobId"],
    "position": lambda one: one["position"],
    "arguments": lambda one: _short(one["data"]),
    "error": lambda one: f"{one['error']['type']}: {one['error']['message']}"[:120],
    "attempts": lambda one: one["attempts"],
}


@app.command()
@talks()
def watch(
    server: Server,
    id: PostingId,
    every: Annotated[float, typer.Option(min=0.1, max=3600, help="Seconds between looks.")] = 0.5,
    json: JsonOption = False,
) -> None:
    """Follow a posting until it ends. Exits with 1 when it failed or was cancelled."""
    from workroom.worker.postings.posting import PostingBar

    posting = _found(server, id)
    with PostingBar(posting["name"], False if json else None) as bar:
        while True:
            if json:
                output.as_json(posting)
            bar.update(
                posting["status"], posting["total"], posting["total"] - posting["remaining"], failed=posting["failed"]
            )
            if posting["status"] in FINAL:
                break
            time.sleep(every)
            posting = server.get(f"/api/postings/{posting['postingId']}")
    if not json:
        print(
            f"{posting['status']}: {posting['completed']:,} completed, {posting['failed']:,} failed, "
            f"{posting['cancelled']:,} cancelled of {posting['total']:,}"
        )
    if posting["status"] != "completed":
        raise typer.Exit(1)


@app.command()
@talks()
def pause(server: Server, id: PostingId, json: JsonOption = False) -> None:
    """Hand out no further job; those that run go on."""
    answer = _acted(server, id, "pause")
    output.done(f"Paused: {answer['jobs']:,} jobs wait until `workroom postings resume`.", answer, json=json)


@app.command()
@talks()
def resume(server: Server, id: PostingId, json: JsonOption = False) -> None:
    """Go on with a paused posting."""
    answer = _acted(server, id, "resume")
    output.done(f"Resumed: {answer['jobs']:,} jobs wait in line again.", answer, json=json)


@app.command()
@talks()
def cancel(server: Server, id: PostingId, json: JsonOption = False) -> None:
    """Call off what has not ended."""
    answer = _acted(server, id, "cancel")
    output.done(f"Cancelled: {answer['jobs']:,} jobs at once; those that run are stopped.", answer, json=json)


@app.command()
@talks()
def retry(server: Server, id: PostingId, json: JsonOption = False) -> None:
    """Post the failed jobs once more, as a new posting."""
    posting = _found(server, id)
    answer = server.post(f"/api/postings/{posting['postingId']}/failures/retry")
    again = answer["posting"]
    words = "No job of it has failed." if again is None else f"Posted {again['total']:,} jobs as {again['postingId']}."
    output.done(words, answer, json=json)


def _found(server: Server, id: str) -> dict[str, Any]:
    if id != "last":
        return server.get(f"/api/postings/{identifier(id, 'posting')}")
    items = server.get("/api/postings", limit=1)["items"]
    if not items:
        raise NotFound("There is no posting yet: `workroom post` makes one.")
    return server.get(f"/api/postings/{items[0]['postingId']}")


def _acted(server: Server, id: str, act: str) -> dict[str, Any]:
    return server.post(f"/api/postings/{_found(server, id)['postingId']}/{act}")


def _short(data: Any) -> str:
    text = str(data.get("args", data) if isinstance(data, dict) and not data.get("kwargs") else data)  # pyright: ignore[reportUnknownMemberType, reportUnknownArgumentType]
    return text if len(text) <= 60 else text[:59] + "…"
