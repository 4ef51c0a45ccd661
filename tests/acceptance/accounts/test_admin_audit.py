"""Every act of an admin on things of others leaves an audit row, and none of the owner's own acts does."""

from __future__ import annotations

from typing import Any

from tests.acceptance.live import LiveServer, PlainWorker, Someone


async def _acts(admin: Someone, subject: str) -> list[str]:
    """The audited acts on a subject, oldest first."""
    items: list[dict[str, Any]] = (await admin.get("/api/admin/audit", limit=200))["items"]
    return [one["act"] for one in reversed(items) if one["subject"] == subject and one["actorName"] == "admin"]


async def test_acts_of_an_admin_on_jobs_postings_workers_and_links_are_audited(
    server: LiveServer, ada: Someone, admin: Someone, room: str, workers: list[PlainWorker]
) -> None:
    worker = await PlainWorker.online(ada, room, "Relax")
    workers.append(worker)
    first = (await ada.submits(room, "Relax"))["jobId"]
    second = (await ada.submits(room, "Relax"))["jobId"]
    for someone, job in ((ada, first), (admin, second)):
        assert (await someone.http.delete(f"/api/jobs/{job}")).status_code < 300
    body = {"function": "nobody-runs-it", "jobs": [{"args": [1]}]}
    posting = (await ada.http.post("/api/postings", json=body)).json()["postingId"]
    for act in ("pause", "resume", "cancel"):
        assert (await admin.http.post(f"/api/postings/{posting}/{act}")).status_code < 300
    retried = await admin.http.post(f"/api/jobs/{second}/retry")
    link = (await ada.http.post(f"/api/rooms/{room}/links", json={"rights": "read"})).json()["id"]
    assert (await admin.http.delete(f"/api/rooms/{room}/links/{link}")).status_code < 300
    message = (await ada.http.post(f"/api/rooms/{room}/chat", json={"text": "hello"})).json()["id"]
    assert (await admin.http.delete(f"/api/rooms/{room}/chat/{message}")).status_code < 300
    assert (await admin.http.delete(f"/api/workers/{worker.id}")).status_code < 300

    assert await _acts(admin, first) == []
    assert await _acts(admin, second) == ["job.cancel"] + ["job.retry"] * retried.is_success
    assert await _acts(admin, posting) == ["posting.pause", "posting.resume", "posting.cancel"]
    assert await _acts(admin, room) == ["room.remove_link", "chat.delete"]
    assert await _acts(admin, worker.id) == ["worker.remove"]


async def test_an_extension_offered_to_all_rooms_is_audited(admin: Someone) -> None:
    body: dict[str, Any] = {
        "extensions": [{"name": "Everywhere", "category": "modifiers", "schema": {}, "public": True}]
    }
    answer = await admin.http.post("/api/workers/register", json=body)
    assert answer.status_code == 201, answer.text
    worker_id = answer.json()["workerId"]
    assert await _acts(admin, worker_id) == ["extension.offer"]
    assert (await admin.http.delete(f"/api/workers/{worker_id}")).status_code < 300


async def test_signing_out_here_or_everywhere_is_audited(server: LiveServer, ada: Someone, admin: Someone) -> None:
    name = (await ada.get("/api/users/me"))["name"]
    assert (await ada.http.post("/api/logout", json={"everywhere": False})).status_code == 204
    assert (await ada.http.get("/api/users/me")).status_code == 200  # another device stays signed in
    assert (await ada.http.post("/api/logout")).status_code == 204
    assert (await ada.http.get("/api/users/me")).status_code == 401
    items: list[dict[str, Any]] = (await admin.get("/api/admin/audit", limit=200))["items"]
    outs = [one["detail"] for one in reversed(items) if (one["act"], one["subject"]) == ("account.sign_out", name)]
    assert outs == [{"everywhere": False}, {"everywhere": True}]
