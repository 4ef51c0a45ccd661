"""`workroom postings`: list, show, watch, pause, resume, cancel and retry postings."""

from __future__ import annotations

import sys
import time
from typing import Annotated, Any

import typer

from workroom.cli import output
from workroom.cli.api import Server, find_id, server_command
from workroom.cli.output import JsonOption
from workroom.domain.jobs.states import FINAL
from workroom.domain.jobs.wait_reason import WaitingFor

app = typer.Typer(
    name="postings", help="Postings: list, show, watch, pause, resume, cancel, retry.", no_args_is_help=True
)
PostingId = Annotated[str, typer.Argument(metavar="ID", help="The posting's id, its beginning or end, or `last`.")]

COLUMNS: output.Columns = {
    "posting": lambda one: one["postingId"],
    "function": lambda one: one["name"],
    "status": lambda one: one["status"],
    "done": lambda one: f"{one['total'] - one['remaining']}/{one['total']}",
    "failed": lambda one: one["failed"],
    "rate/s": lambda one: one["rate"],
    "eta": lambda one: output.duration(one["etaSeconds"]) if one["status"] == "executing" else None,
    "waiting for": lambda one: None if one["waitingFor"] == "nothing" else one["waitingFor"].replace("_", " "),
    "by": lambda one: one["user"],
    "room": lambda one: one["room"],
    "created": lambda one: output.local_time(one["createdAt"]),
    "label": lambda one: one["label"],
}


@app.command(name="list")
@server_command()
def list_(
    server: Server,
    status: Annotated[list[str] | None, typer.Option(help="executing, paused, completed, failed, cancelled.")] = None,
    function: Annotated[str | None, typer.Option(help="Only postings of this function or extension.")] = None,
    room: Annotated[str | None, typer.Option(help="Only postings of this room.")] = None,
    mine: Annotated[bool, typer.Option("--mine", help="Only your own.")] = False,
    limit: output.LimitOption = 50,
    json: JsonOption = False,
) -> None:
    """List postings, newest first."""
    answer = server.get(
        "/api/postings", status=status or None, function=function, room=room, mine=mine or None, limit=limit
    )
    output.print_rows(answer["items"], COLUMNS, json=json, empty="No postings. `workroom post` creates one.")


@app.command(name="show")
@server_command()
def show_(
    server: Server,
    id: PostingId,
    failures: Annotated[int, typer.Option(min=0, max=500, help="How many failures to show.")] = 5,
    json: JsonOption = False,
) -> None:
    """Show a posting and its failures."""
    posting = _posting(server, id)
    failed: list[dict[str, Any]] = []
    if failures:
        failed = server.get(f"/api/postings/{posting['postingId']}/failures", limit=failures)["items"]
    facts = {name: cell(posting) for name, cell in COLUMNS.items()} | {
        "waiting for": posting["waitingText"] or None,
        "at workers": posting["active"],
        "cancelled": posting["cancelled"],
        "priority": posting["priority"],
        "tries": posting["tries"],
        "finished": output.local_time(posting["finishedAt"]),
    }
    output.print_fields(facts, posting | {"failures": failed}, json=json)
    if failed and not json:
        print()
        output.print_rows(failed, FAILURES, json=False)


FAILURES: output.Columns = {
    "job": lambda one: one["jobId"],
    "position": lambda one: one["position"],
    "arguments": lambda one: _truncated(one["data"]),
    "error": lambda one: f"{one['error']['type']}: {one['error']['message']}"[:120],
    "attempts": lambda one: one["attempts"],
}


@app.command()
@server_command()
def watch(
    server: Server,
    id: PostingId,
    every: Annotated[float, typer.Option(min=0.1, max=3600, help="Seconds between updates.")] = 0.5,
    json: JsonOption = False,
) -> None:
    """Follow a posting until it ends. Exits with 1 when it failed or was cancelled."""
    from workroom.worker.postings.progress_bar import PostingBar

    posting = _posting(server, id)
    shown_reason = WaitingFor.NOTHING
    with PostingBar(posting["name"], False if json else None) as bar:
        while True:
            if json:
                output.print_json(posting)
            reason = WaitingFor(posting["waitingFor"])
            status = posting["status"] if reason is WaitingFor.NOTHING else f"waits: {reason.replace('_', ' ')}"
            bar.update(status, posting["total"], posting["total"] - posting["remaining"], failed=posting["failed"])
            if reason is not shown_reason and not json:
                shown_reason = reason
                if reason is not WaitingFor.NOTHING:
                    print(f"{posting['name']} waits: {posting['waitingText']}", file=sys.stderr)
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
@server_command()
def pause(server: Server, id: PostingId, json: JsonOption = False) -> None:
    """Pause a posting: no further job is assigned, running ones continue."""
    answer = _post_action(server, id, "pause")
    output.print_result(
        f"Paused; waiting until `workroom postings resume`: {output.count(answer['jobs'], 'job')}.", answer, json=json
    )


@app.command()
@server_command()
def resume(server: Server, id: PostingId, json: JsonOption = False) -> None:
    """Resume a paused posting."""
    answer = _post_action(server, id, "resume")
    output.print_result(f"Resumed; queued again: {output.count(answer['jobs'], 'job')}.", answer, json=json)


@app.command()
@server_command()
def cancel(server: Server, id: PostingId, json: JsonOption = False) -> None:
    """Cancel the jobs of a posting that have not ended."""
    answer = _post_action(server, id, "cancel")
    text = f"Cancelled {output.count(answer['jobs'], 'job')}; running ones are being stopped."
    if answer["status"] in ("completed", "failed"):
        text = f"Nothing to cancel: the posting has ended ({answer['status']})."
    output.print_result(text, answer, json=json)


@app.command()
@server_command()
def retry(server: Server, id: PostingId, json: JsonOption = False) -> None:
    """Post the failed jobs again, as a new posting."""
    posting = _posting(server, id)
    answer = server.post(f"/api/postings/{posting['postingId']}/failures/retry")
    again = answer["posting"]
    text = "No job of it has failed."
    if again is not None:
        text = f"Posted {output.count(again['total'], 'job')} as {again['postingId']}."
    output.print_result(text, answer, json=json)


def _posting(server: Server, id: str) -> dict[str, Any]:
    return server.get(f"/api/postings/{find_id(server, id, 'posting')}")


def _post_action(server: Server, id: str, action: str) -> dict[str, Any]:
    return server.post(f"/api/postings/{_posting(server, id)['postingId']}/{action}")


def _truncated(data: Any) -> str:
    text = str(data.get("args", data) if isinstance(data, dict) and not data.get("kwargs") else data)  # pyright: ignore[reportUnknownMemberType, reportUnknownArgumentType]
    return text if len(text) <= 60 else text[:59] + "…"
