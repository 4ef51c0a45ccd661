"""The submitter of a job hears of it without having joined its room, as long as the account may read the room."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count
from typing import Any

from tests.acceptance.live import LiveServer, PlainWorker, Someone, Watcher

_numbers = count(1)


async def outside(someone: Someone) -> Watcher:
    """A socket that has joined no room."""
    watcher = Watcher()
    await watcher.sio.connect(someone.server.url, auth={"token": someone.token}, transports=["websocket"])
    return watcher


def heard(watcher: Watcher, job: dict[str, Any]) -> list[str]:
    return [
        body["status"] for name, body in watcher.heard if name == "job:state_changed" and body["jobId"] == job["jobId"]
    ]


def ended(job: dict[str, Any]) -> Callable[[dict[str, Any]], bool]:
    return lambda body: body["jobId"] == job["jobId"] and body["status"] == "completed"


async def test_a_submitter_hears_of_own_jobs_outside_their_room_until_the_rights_end(
    server: LiveServer, ada: Someone
) -> None:
    bob = await Someone.signs_in(server, f"hearing-bob-{next(_numbers)}")
    private, public = [
        await ada.makes_room(f"hearing-{next(_numbers)}-{ada.name}", visibility) for visibility in ("private", "public")
    ]
    path = f"/api/rooms/{private}/members/{bob.name}"
    assert (await ada.http.put(path, json={"rights": "write"})).is_success
    worker = await PlainWorker.online(ada, private, "Melt", capacity=2)
    other = await PlainWorker.online(ada, public, "Melt")
    watchers = {someone: await outside(someone) for someone in (ada, bob)}

    own = await bob.submits(private, "Melt")
    await worker.runs(await worker.gets())
    await watchers[bob].until("job:state_changed", ended(own))
    posted = await bob.http.post(f"/api/rooms/{private}/extensions/modifiers/Melt/sweep", json={"over": {"n": [1]}})
    assert posted.is_success, posted.text
    await worker.runs(await worker.gets())
    # Who may no longer read the room hears no more of a job there.
    lost = await bob.submits(private, "Melt")
    job = await worker.gets()
    assert (await ada.http.delete(path)).is_success
    await worker.runs(job)
    await ada.sees(lost["jobId"], "completed")
    # Events keep their order: what was sent before this one has been heard.
    last = await bob.submits(public, "Melt")
    await other.runs(await other.gets())
    await watchers[bob].until("job:state_changed", ended(last))
    assert "completed" not in heard(watchers[bob], lost)
    assert {body["jobId"] for name, body in watchers[bob].heard if name == "job:state_changed"} <= {
        job["jobId"] for job in (own, lost, last)
    }
    assert not [name for name, _ in watchers[ada].heard if name == "job:state_changed"]
    for closed in (*watchers.values(), worker, other, bob):
        await (closed.close() if isinstance(closed, Someone) else closed.leaves())
