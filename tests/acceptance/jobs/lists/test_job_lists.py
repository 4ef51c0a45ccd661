"""Lists of jobs: filters, words of the arguments, orders, and the errors of failed jobs by type and place."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from tests.acceptance.live import PlainWorker, Someone, eventually

ERROR = {"type": "ValueError", "message": "no cell\nsecond line", "traceback": "…", "place": "relax.py:7 in run"}


@pytest.fixture
async def jobs(ada: Someone, room: str, workers: list[PlainWorker]) -> dict[str, str]:
    """Jobs of two extensions: one waits, one completed, two failed at the same place and one at another."""
    worker = await PlainWorker.online(ada, room, "Relax", "Scan")
    workers.append(worker)
    ids: dict[str, str] = {}

    async def ends(key: str, name: str, data: dict[str, Any], status: str, **more: Any) -> None:
        ids[key] = (await ada.submits(room, name, data, priority=more.pop("priority", 5)))["jobId"]
        job = await worker.gets()
        assert (await worker.says(job, "running"))["ok"]
        assert (await worker.says(job, status, **more))["ok"]

    await ends("done", "Relax", {"n": 1, "factor": 0.05}, "completed", result=3, priority=9)
    await ends("first", "Relax", {"n": 2, "factor": 0.5}, "failed", error=ERROR)
    await ends("second", "Scan", {"n": 3}, "failed", error=ERROR, priority=1)
    await ends("other", "Scan", {"n": 40}, "failed", error={"type": "KeyError", "message": "50% of_it"})
    await worker.leaves()
    await worker.is_seen("offline")  # else the next job could be assigned to it
    ids["waits"] = (await ada.submits(room, "Scan", {"n": 5}))["jobId"]
    ids["worker"] = worker.id
    return ids


async def _listed(someone: Someone, room: str, jobs: dict[str, str], **query: Any) -> list[str]:
    keys = {job_id: key for key, job_id in jobs.items()}
    answer = await someone.http.get(f"/api/rooms/{room}/jobs", params=query)
    assert answer.status_code == 200, answer.text
    return [keys[job["jobId"]] for job in answer.json()["items"]]


async def test_a_list_leaves_out_what_is_long_also_where_it_is_stored_compressed(
    ada: Someone, room: str, workers: list[PlainWorker]
) -> None:
    worker = await PlainWorker.online(ada, room, "Relax")
    workers.append(worker)
    for result in ("x" * 100_000, "x" * 1_000):
        await ada.submits(room, "Relax", {"n": 1})
        job = await worker.gets()
        assert (await worker.says(job, "running"))["ok"]
        assert (await worker.says(job, "completed", result=result))["ok"]
    listed = (await ada.get(f"/api/rooms/{room}/jobs"))["items"]
    assert ["xxx" in job["resultText"] for job in listed] == [True, False], listed


async def test_jobs_are_found_by_words_people_workers_times_and_errors(
    ada: Someone, room: str, jobs: dict[str, str]
) -> None:
    async def found(**query: Any) -> list[str]:
        return await _listed(ada, room, jobs, **query)

    assert await found() == ["waits", "other", "second", "first", "done"]
    assert await found(text="FACTOR 0.05") == ["done"]  # in any order and case
    assert await found(text="0.05 n") == ["done"]
    assert await found(text="50% of_") == ["other"]  # of the error; % and _ are no wildcards
    assert await found(text="5%") == []
    assert await found(text="factor", status="failed") == ["first"]
    assert await found(search="scan", status="failed,pending") == ["waits", "other", "second"]
    assert await found(user=ada.name[1:].upper(), text="40") == ["other"]
    assert await found(user="no such person") == []
    by_worker = ["other", "second", "first", "done"]
    assert await found(worker=jobs["worker"]) == by_worker
    assert await found(worker=jobs["worker"][-8:]) == by_worker
    assert await found(worker="TEST") == by_worker  # its machine
    assert await found(worker="no such worker") == []
    assert await found(errorType="ValueError", errorPlace="relax.py:7 in run") == ["second", "first"]
    assert await found(errorType="KeyError", errorPlace="") == ["other"]
    listed = (await ada.get(f"/api/rooms/{room}/jobs"))["items"]
    assert [job["worker"] for job in listed] == [None, "test", "test", "test", "test"]
    times = {job["jobId"]: datetime.fromisoformat(job["createdAt"]) for job in listed}
    # The id of a job, which tells its time, is made some milliseconds before the job is stored.
    middle = times[jobs["second"]] - (times[jobs["second"]] - times[jobs["first"]]) / 2
    assert set(await found(since=middle.isoformat())) | {"second"} == {"waits", "other", "second"}
    assert await found(until=(datetime.now(UTC) - timedelta(hours=1)).isoformat()) == []


async def test_jobs_are_sorted_and_continued(ada: Someone, room: str, jobs: dict[str, str]) -> None:
    async def found(**query: Any) -> list[str]:
        return await _listed(ada, room, jobs, **query)

    assert await found(order="ascending") == ["done", "first", "second", "other", "waits"]
    assert await found(order="ascending", limit=2, before=jobs["first"]) == ["second", "other"]
    assert await found(sort="priority", limit=1) == ["done"]
    assert (await found(sort="priority", order="ascending"))[0] == "second"
    assert await found(sort="priority", limit=2, offset=1) == ["waits", "other"]
    assert await found(sort="name", order="ascending", limit=2) == ["done", "first"]
    for order in ("ascending", "descending"):
        assert (await found(sort="duration", order=order))[-1] == "waits", "a job without an end comes last"
    page = await ada.get(f"/api/rooms/{room}/jobs", limit=2)
    assert await found(before=page["next"]) == ["second", "first", "done"]


async def test_errors_are_grouped_by_type_and_place(
    ada: Someone, admin: Someone, room: str, jobs: dict[str, str]
) -> None:
    groups = (await ada.get(f"/api/rooms/{room}/job-errors"))["items"]
    shown = [(one["type"], one["place"], one["message"], one["jobs"], one["name"]) for one in groups]
    assert shown == [
        ("ValueError", "relax.py:7 in run", "no cell", 2, "Scan"),
        ("KeyError", "", "50% of_it", 1, "Scan"),
    ]
    assert groups[0]["newest"] == jobs["second"]
    only = (await ada.get(f"/api/rooms/{room}/job-errors", search="relax"))["items"]
    assert [(one["type"], one["jobs"], one["newest"]) for one in only] == [("ValueError", 1, jobs["first"])]
    assert (await ada.http.get("/api/job-errors")).status_code == 403
    everywhere = (await admin.get("/api/job-errors", user=ada.name))["items"]
    assert [one["jobs"] for one in everywhere] == [2, 1]
    assert (await ada.job(jobs["first"]))["error"]["place"] == "relax.py:7 in run"


async def test_a_person_reads_the_errors_and_the_history_of_their_own_jobs(
    ada: Someone, admin: Someone, room: str, jobs: dict[str, str]
) -> None:
    groups = (await ada.get(f"/api/users/{ada.id}/job-errors"))["items"]
    assert [(one["type"], one["jobs"], one["newest"]) for one in groups] == [
        ("ValueError", 2, jobs["second"]),
        ("KeyError", 1, jobs["other"]),
    ]
    told = await ada.get(f"/api/users/{ada.id}/job-history")
    assert told["stepSeconds"] == 3600
    assert [sum(step[state] for step in told["items"]) for state in ("completed", "failed")] == [1, 3]
    relax, scan = told["extensions"]
    assert [(one["name"], one["completed"], one["failed"]) for one in (relax, scan)] == [
        ("Relax", 1, 1),
        ("Scan", 0, 2),
    ]
    assert 0 < relax["runP50Ms"] <= relax["runP95Ms"] < 10_000 and scan["runP50Ms"] is None
    only = await ada.get(f"/api/users/{ada.id}/job-history", search="scan")
    assert [one["name"] for one in only["extensions"]] == ["Scan"]
    for path in ("job-errors", "job-history"):
        assert (await ada.http.get(f"/api/users/{admin.id}/{path}")).status_code == 403
        assert (await admin.http.get(f"/api/users/{ada.id}/{path}")).status_code == 200


async def test_a_list_says_why_its_jobs_wait(ada: Someone, room: str, jobs: dict[str, str]) -> None:
    after = await ada.submits(room, "Relax", dependsOn=[jobs["waits"]])
    listed = {job["jobId"]: job for job in (await ada.get(f"/api/rooms/{room}/jobs"))["items"]}
    assert listed[jobs["waits"]]["waitingFor"] == "no_worker"
    assert "no worker offers Scan" in listed[jobs["waits"]]["waitingText"]
    assert listed[after["jobId"]]["waitingFor"] == "dependencies"
    assert (listed[jobs["done"]]["waitingFor"], listed[jobs["done"]]["waitingText"]) == ("nothing", "")


async def test_a_job_tells_since_when_it_is_asked_to_stop(ada: Someone, room: str, workers: list[PlainWorker]) -> None:
    worker = await PlainWorker.online(ada, room, "Relax")
    workers.append(worker)
    submitted = await ada.submits(room, "Relax", {"n": 1})
    job = await worker.gets()
    assert (await worker.says(job, "running"))["ok"]
    assert (await ada.job(submitted["jobId"]))["cancelRequestedAt"] is None
    assert (await ada.http.delete(f"/api/jobs/{submitted['jobId']}")).status_code < 300
    asked = (await ada.job(submitted["jobId"]))["cancelRequestedAt"]
    assert asked is not None
    assert (await worker.says(job, "completed", result=1))["ok"]
    (listed,) = (await ada.get(f"/api/rooms/{room}/jobs"))["items"]
    assert (listed["status"], listed["cancelling"], listed["cancelRequestedAt"]) == ("completed", False, asked)


async def test_ended_jobs_are_in_the_history_of_the_room(
    ada: Someone, admin: Someone, room: str, jobs: dict[str, str]
) -> None:
    async def history(**query: Any) -> dict[str, Any]:
        return await ada.get(f"/api/rooms/{room}/job-history", **query)

    told = await eventually(history, lambda told: sum(step["failed"] for step in told["items"]) == 3)
    assert told["stepSeconds"] == 3600
    assert sum(step["completed"] for step in told["items"]) == 1
    assert [(one["name"], one["completed"], one["failed"]) for one in told["extensions"]] == [
        ("Relax", 1, 1),
        ("Scan", 0, 2),
    ]
    relax, scan = told["extensions"]
    assert 0 < relax["runP50Ms"] <= relax["runP95Ms"] < 10_000 and scan["runP50Ms"] is None
    assert (await history(days=60, search="scan"))["stepSeconds"] == 24 * 3600
    assert (await ada.http.get("/api/job-history")).status_code == 403
    assert sum(step["failed"] for step in (await admin.get("/api/job-history"))["items"]) >= 3
    assert (await ada.http.get(f"/api/rooms/{room}/job-history", params={"days": 0})).status_code == 422


async def test_jobs_of_a_filter_are_retried(ada: Someone, room: str, jobs: dict[str, str]) -> None:
    chosen = {"room": room, "errorType": "ValueError", "text": "no cell", "search": "scan"}
    answer = await ada.http.post("/api/jobs/bulk", json={"action": "retry", "filter": chosen})
    assert answer.json() == {"matched": 1, "done": 1, "refused": []}, answer.text


@pytest.mark.parametrize(
    "query",
    [
        {"sort": "size"},
        {"order": "up"},
        {"since": "yesterday"},
        {"since": "2026-01-02T00:00:00Z", "until": "2026-01-01T00:00:00Z"},
        {"offset": 3},
        {"sort": "name", "before": "00000000-0000-0000-0000-000000000000"},
        {"text": "a\0b"},
        {"status": "done-ish"},
    ],
)
async def test_a_filter_that_makes_no_sense_is_refused(ada: Someone, room: str, query: dict[str, Any]) -> None:
    answer = await ada.http.get(f"/api/rooms/{room}/jobs", params=query)
    assert answer.status_code in {400, 422}, answer.text


async def test_arguments_with_secrets_are_not_searched(ada: Someone, room: str) -> None:
    schema = {"type": "object", "properties": {"key": {"type": "string", "format": "password"}}}
    assert (await PlainWorker(ada).registers(room, "Upload", schema=schema)).status_code == 201
    await ada.submits(room, "Upload", {"key": "hunter2"})
    assert (await ada.get(f"/api/rooms/{room}/jobs", text="hunter2"))["items"] == []
    assert len((await ada.get(f"/api/rooms/{room}/jobs", search="upload"))["items"]) == 1
