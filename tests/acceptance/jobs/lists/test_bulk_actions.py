"""Many jobs are cancelled and retried with one request, each with the rights that its own route needs."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from typing import Any

import pytest
from tests.acceptance.live import LiveServer, PlainWorker, Someone


@pytest.fixture
async def eve(server: LiveServer) -> AsyncGenerator[Someone]:
    someone = await Someone.signs_in(server, "eve-bulk")
    yield someone
    await someone.close()


@pytest.fixture
async def room(ada: Someone) -> str:
    """A private room with three waiting jobs of its owner."""
    name = await ada.makes_room("bulk-actions", visibility="private")
    assert (await PlainWorker(ada).registers(name, "Probe")).status_code == 201
    for n in range(3):
        await ada.submits(name, "Probe", {"n": n})
    return name


async def _bulk(someone: Someone, **body: Any) -> dict[str, Any]:
    answer = await someone.http.post("/api/jobs/bulk", json=body)
    assert answer.status_code == 200, answer.text
    return answer.json()


async def _jobs(someone: Someone, room: str, **query: str) -> list[dict[str, Any]]:
    return (await someone.http.get(f"/api/rooms/{room}/jobs", params=query)).json()["items"]


async def test_jobs_are_counted_cancelled_and_retried_by_filter_or_id(ada: Someone, eve: Someone, room: str) -> None:
    chosen = {"room": room, "search": "ers/pRO"}
    assert await _bulk(ada, action="cancel", filter=chosen, dryRun=True) == {"matched": 3, "done": 0, "refused": []}
    assert {job["status"] for job in await _jobs(ada, room)} == {"pending"}
    nothing: dict[str, Any] = {"matched": 0, "done": 0, "refused": []}
    assert await _bulk(ada, action="cancel", filter={"room": room, "search": "relax"}) == nothing
    assert await _bulk(ada, action="retry", filter=chosen) == nothing
    ids = [job["jobId"] for job in await _jobs(ada, room)]

    hidden = {"code": "not_found", "message": "There is no such job.", "count": 3}
    assert await _bulk(eve, action="cancel", jobIds=ids) == {"matched": 0, "done": 0, "refused": [hidden]}
    assert (await eve.http.post("/api/jobs/bulk", json={"action": "cancel", "filter": chosen})).status_code == 404
    added = await ada.http.put(f"/api/rooms/{room}/members/{eve.name}", json={"rights": "read"})
    assert added.status_code < 300, added.text
    refused = await _bulk(eve, action="cancel", filter=chosen)
    assert [(one["code"], one["count"]) for one in refused["refused"]] == [("forbidden", 3)]
    assert await _bulk(eve, action="cancel", filter={}) == nothing  # without a room: only her own jobs

    assert (await _bulk(ada, action="cancel", filter=chosen))["done"] == 3
    assert {job["status"] for job in await _jobs(ada, room)} == {"cancelled"}
    assert (await _bulk(ada, action="retry", jobIds=ids[:2]))["done"] == 2
    retried = await _jobs(ada, room, status="pending")
    assert {job["retryOf"] for job in retried} == set(ids[:2])
    assert sorted(job["dataText"] for job in retried) == ["n 1", "n 2"]
    assert [job["jobId"] for job in await _jobs(ada, room, id=ids[2])] == [ids[2]]


@pytest.mark.parametrize("body", [{}, {"jobIds": ["00000000-0000-0000-0000-000000000000"], "filter": {}}])
async def test_jobs_are_named_in_one_way(ada: Someone, body: dict[str, Any]) -> None:
    answer = await ada.http.post("/api/jobs/bulk", json={"action": "cancel", **body})
    assert answer.status_code == 400
    assert "`jobIds` or by `filter`" in answer.json()["detail"]
