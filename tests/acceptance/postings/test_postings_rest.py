"""Postings through REST: made, watched, paused, called off, retried; and who may."""

from __future__ import annotations

import asyncio
from typing import Any
from uuid import UUID, uuid4

import orjson
from tests.acceptance.live import LiveServer, PlainWorker, Someone, Watcher, eventually

from workroom.actions.engine import Engine
from workroom.actions.postings.postings import cancel_posting
from workroom.store.database import Database
from workroom.store.embedded import running_url


async def posts(someone: Someone, function: str, calls: list[Any], **more: Any) -> dict[str, Any]:
    body = {"function": function, "jobs": [{"args": args} for args in calls]} | more
    answer = await someone.http.post("/api/postings", json=body)
    assert answer.status_code == 201, answer.text
    return answer.json()


async def acts(someone: Someone, posting: dict[str, Any], act: str) -> dict[str, Any]:
    answer = await someone.http.post(f"/api/postings/{posting['postingId']}/{act}")
    assert answer.status_code < 300, answer.text
    return answer.json()


async def offers(owner: Someone, *functions: str, capacity: int = 1) -> PlainWorker:
    """A worker that offers functions, as anybody could write one."""
    worker = PlainWorker(owner)
    body: dict[str, Any] = {
        "extensions": [{"name": name, "category": "functions", "schema": {}, "function": True} for name in functions],
        "capacity": capacity,
    }
    answer = await owner.http.post("/api/workers/register", json=body)
    assert answer.status_code == 201, answer.text
    worker.id, worker.token = answer.json()["workerId"], answer.json()["workerToken"]
    return await worker.attaches()


async def test_a_posting_is_made_and_looked_at(ada: Someone) -> None:
    posting = await posts(ada, f"f-{ada.name}", [[n] for n in range(3)], label="three", priority=7, tries=2)
    assert (posting["status"], posting["total"], posting["remaining"]) == ("executing", 3, 3)
    assert (posting["label"], posting["priority"], posting["tries"], posting["user"]) == ("three", 7, 2, ada.name)
    detail = await ada.get(f"/api/postings/{posting['postingId']}")
    assert (detail["active"], detail["scope"], detail["etaSeconds"]) == (0, "function", None)
    jobs = await ada.get(f"/api/postings/{posting['postingId']}/jobs", limit=2)
    assert [(job["position"], job["data"], job["status"]) for job in jobs["items"]] == [
        (0, {"args": [0]}, "pending"),
        (1, {"args": [1]}, "pending"),
    ]
    rest = await ada.get(f"/api/postings/{posting['postingId']}/jobs", position=jobs["next"])
    assert [job["position"] for job in rest["items"]] == [2] and rest["next"] is None
    assert (await ada.get(f"/api/postings/{posting['postingId']}/jobs", status="failed"))["items"] == []


async def test_a_stream_of_calls_is_written_whole_or_not_at_all(ada: Someone) -> None:
    name = f"f-{ada.name}"
    head = orjson.dumps({"function": name, "label": "many"})
    lines = [head, *(orjson.dumps({"args": [n, "x" * 100]}) for n in range(25_000))]
    answer = await ada.http.post("/api/postings/stream", content=b"\n".join(lines))
    assert answer.status_code == 201, answer.text
    assert answer.json()["total"] == 25_000
    for bad, told in (
        (b'{"args": [1]', "Line 25002 is not valid JSON"),
        (b'{"arguments": 1}', "Line 25002: arguments"),
        (b'{"args": [{"~": ["pickle", "x"]}]}', "Call 25000 is malformed"),
    ):
        refused = await ada.http.post("/api/postings/stream", content=b"\n".join([*lines, bad]))
        assert refused.status_code == 400 and told in refused.json()["detail"], refused.text
    assert (await ada.http.post("/api/postings/stream", content=b"")).status_code == 400
    listed = await ada.get("/api/postings", function=name)
    assert [posting["label"] for posting in listed["items"]] == ["many"]


async def test_the_same_key_gives_the_same_posting(ada: Someone) -> None:
    name = f"f-{ada.name}"
    made = await asyncio.gather(*(posts(ada, name, [[1]], unique="nightly") for _ in range(5)))
    assert len({posting["postingId"] for posting in made}) == 1
    assert (await posts(ada, name, [[1]], unique="weekly"))["postingId"] != made[0]["postingId"]


async def test_postings_are_listed_by_what_is_asked_for_page_by_page(ada: Someone, admin: Someone, room: str) -> None:
    one, other = f"f-{ada.name}", f"g-{ada.name}"
    made = [await posts(ada, name, [[1]], room=where) for name in (one, other) for where in (None, room, None)]
    ids = [posting["postingId"] for posting in made]
    await acts(ada, made[1], "pause")
    assert [p["postingId"] for p in (await ada.get("/api/postings", mine=True))["items"]] == ids[::-1]
    assert [p["postingId"] for p in (await ada.get("/api/postings", function=one))["items"]] == ids[2::-1]
    assert [p["postingId"] for p in (await ada.get("/api/postings", room=room))["items"]] == [ids[4], ids[1]]
    assert [p["postingId"] for p in (await ada.get("/api/postings", status="paused", mine=True))["items"]] == [ids[1]]
    first = await ada.get("/api/postings", mine=True, limit=4)
    second = await ada.get("/api/postings", mine=True, limit=4, before=first["next"])
    assert [p["postingId"] for p in first["items"] + second["items"]] == ids[::-1] and second["next"] is None
    assert {p["postingId"] for p in (await admin.get("/api/postings", function=one))["items"]} == set(ids[:3])


async def test_a_stranger_finds_no_posting_and_a_member_of_its_room_does(server: LiveServer, ada: Someone) -> None:
    private = await ada.makes_room(f"{ada.name}-private", "private")
    own, shared = await posts(ada, "f", [[1]]), await posts(ada, "f", [[1]], room=private)
    stranger = await Someone.signs_in(server, f"stranger-to-{ada.name}")
    reader = await Someone.signs_in(server, f"reader-of-{ada.name}")
    assert (
        await ada.http.put(f"/api/rooms/{private}/members/{reader.name}", json={"rights": "read"})
    ).status_code < 300
    for posting in (own["postingId"], shared["postingId"], str(uuid4())):
        for method, path in (
            ("GET", ""),
            ("GET", "/jobs"),
            ("GET", "/results"),
            ("GET", "/failures"),
            ("GET", "/job-errors"),
            ("GET", "/job-history"),
            ("POST", "/pause"),
            ("POST", "/cancel"),
            ("POST", "/failures/retry"),
        ):
            answer = await stranger.http.request(method, f"/api/postings/{posting}{path}")
            assert answer.status_code == 404, (method, path, answer.text)
    refused = await stranger.http.post("/api/postings", json={"function": "f", "jobs": [], "room": private})
    assert refused.status_code == 404
    assert (await stranger.get("/api/postings", room=private))["items"] == []
    assert [p["postingId"] for p in (await reader.get("/api/postings", room=private))["items"]] == [shared["postingId"]]
    assert (await reader.http.get(f"/api/postings/{shared['postingId']}")).status_code == 200
    assert (await reader.http.post(f"/api/postings/{shared['postingId']}/pause")).status_code == 403
    assert (await reader.http.get(f"/api/postings/{own['postingId']}")).status_code == 404
    await stranger.close()
    await reader.close()


async def test_a_posting_is_paused_resumed_called_off_and_cannot_be_resumed_after(ada: Someone) -> None:
    posting = await posts(ada, f"f-{ada.name}", [[n] for n in range(4)])
    assert await acts(ada, posting, "pause") == {"postingId": posting["postingId"], "status": "paused", "jobs": 4}
    assert (await acts(ada, posting, "pause"))["jobs"] == 0
    assert (await acts(ada, posting, "resume"))["jobs"] == 4
    assert await acts(ada, posting, "cancel") == {"postingId": posting["postingId"], "status": "cancelled", "jobs": 4}
    refused = await ada.http.post(f"/api/postings/{posting['postingId']}/resume")
    assert (refused.status_code, refused.json()["code"]) == (409, "wrong_state")
    assert (await ada.http.post(f"/api/postings/{posting['postingId']}/explode")).status_code == 422


async def test_a_sweep_is_one_posting_of_jobs_in_the_room(ada: Someone, room: str, workers: list[PlainWorker]) -> None:
    worker = await PlainWorker.online(ada, room, "Relax")
    workers.append(worker)
    path = f"/api/rooms/{room}/extensions/modifiers/Relax/sweep"
    watcher = await Watcher.joins(ada, room)
    answer = await ada.http.post(path, json={"data": {"n": 7}, "over": {"factor": [1, 2]}, "label": "factors"})
    assert answer.status_code == 201, answer.text
    posting = answer.json()
    assert (posting["total"], posting["room"], posting["scope"], posting["name"]) == (2, room, "room", "Relax")
    first = await worker.gets()
    assert (first["data"], first["room"]) == ({"n": 7, "factor": 1}, room)
    await worker.runs(first, {"energy": -1})
    second = await worker.gets()
    assert (await worker.says(second, "running"))["ok"]
    assert (await worker.says(second, "failed", error={"type": "ValueError", "message": "no"}))["ok"]
    path = f"/api/postings/{posting['postingId']}"
    ended = await eventually(lambda: ada.get(path), lambda seen: seen["finishedAt"], wanted="its end")
    assert (ended["status"], ended["completed"], ended["failed"], ended["etaSeconds"]) == ("failed", 1, 1, 0.0)
    results = (await ada.get(f"{path}/results"))["items"]
    assert [(one["status"], one["result"]) for one in results] == [("completed", {"energy": -1}), ("failed", None)]
    (failure,) = (await ada.get(f"{path}/failures"))["items"]
    assert (failure["position"], failure["data"], failure["error"]["type"]) == (1, {"n": 7, "factor": 2}, "ValueError")
    again = (await ada.http.post(f"{path}/failures/retry")).json()["posting"]
    assert (again["total"], again["room"], again["label"]) == (1, room, "retry of factors")
    assert (await worker.gets())["data"] == {"n": 7, "factor": 2}
    told = await watcher.until("posting:changed", lambda body: body["postingId"] == posting["postingId"])
    assert told["room"] == room
    await watcher.until("posting:changed", lambda body: body["status"] == "failed" and body["completed"] == 1)
    await watcher.leaves()


async def test_failures_of_a_posting_are_grouped_and_one_group_is_retried(
    ada: Someone, room: str, workers: list[PlainWorker]
) -> None:
    worker = await PlainWorker.online(ada, room, "Relax")
    workers.append(worker)
    jobs = [{"n": n} for n in range(5)]
    posting = (await ada.http.post(f"/api/rooms/{room}/extensions/modifiers/Relax/sweep", json={"jobs": jobs})).json()
    placed = {"type": "ValueError", "message": "no cell", "traceback": "…", "place": "relax.py:7 in run"}
    errors = [None, placed, {"type": "KeyError", "message": "n"}, placed, placed | {"place": "relax.py:9 in run"}]
    for error in errors:
        job = await worker.gets()
        assert (await worker.says(job, "running"))["ok"]
        told = {"result": 1} if error is None else {"error": error}
        assert (await worker.says(job, "completed" if error is None else "failed", **told))["ok"]
    path = f"/api/postings/{posting['postingId']}"
    await eventually(lambda: ada.get(path), lambda seen: seen["finishedAt"], wanted="its end")
    told = await ada.get(f"{path}/job-history")
    assert [sum(step[state] for step in told["items"]) for state in ("completed", "failed")] == [1, 4]
    assert told["stepSeconds"] == 1
    # A job that failed in the same way, but is none of the posting.
    other = await ada.submits(room, "Relax", {"n": 9})
    job = await worker.gets()
    assert (await worker.says(job, "running"))["ok"]
    assert (await worker.says(job, "failed", error=placed))["ok"]
    groups = (await ada.get(f"{path}/job-errors"))["items"]
    assert [(one["type"], one["place"], one["jobs"]) for one in groups] == [
        ("ValueError", "relax.py:7 in run", 2),
        ("ValueError", "relax.py:9 in run", 1),
        ("KeyError", "", 1),
    ]
    assert other["jobId"] not in [one["newest"] for one in groups]
    one_error = {"errorType": "ValueError", "errorPlace": "relax.py:7 in run"}
    assert [one["position"] for one in (await ada.get(f"{path}/failures", **one_error))["items"]] == [1, 3]
    assert [one["position"] for one in (await ada.get(f"{path}/failures", errorPlace=""))["items"]] == [2]
    again = (await ada.http.post(f"{path}/failures/retry", params=one_error)).json()["posting"]
    assert again["total"] == 2
    assert [job["data"]["n"] for job in (await ada.get(f"/api/postings/{again['postingId']}/jobs"))["items"]] == [1, 3]
    none = await ada.http.post(f"{path}/failures/retry", params={"errorType": "OSError"})
    assert none.json()["posting"] is None


async def test_a_sweep_whose_arguments_do_not_fit_queues_nothing(
    ada: Someone, room: str, workers: list[PlainWorker]
) -> None:
    workers.append(await PlainWorker.online(ada, room, "Relax"))
    path = f"/api/rooms/{room}/extensions/modifiers/Relax/sweep"
    refused = await ada.http.post(path, json={"over": {"factor": [1, 2, -3]}})
    assert refused.status_code == 422 and refused.json()["detail"].startswith("Job 2: data.factor"), refused.text
    assert (await ada.http.post(path, json={"over": {"factor": []}})).status_code == 400
    over = {"n": list(range(1000)), "factor": list(range(1000))}
    assert (await ada.http.post(path, json={"over": over})).status_code == 413
    assert (await ada.http.post(path, json={"jobs": [{"n": 1}], "data": {"n": 2}})).status_code == 400
    assert (await ada.get("/api/postings", room=room))["items"] == []
    assert (await ada.http.post(path, json={"jobs": [{"n": 1}, {"n": 2}]})).json()["total"] == 2


async def test_whoever_needs_a_posting_by_rest_waits_for_all_of_it(
    ada: Someone, room: str, workers: list[PlainWorker]
) -> None:
    worker = await PlainWorker.online(ada, room, "Relax", "After")
    workers.append(worker)
    path = f"/api/rooms/{room}/extensions/modifiers/Relax/sweep"
    first = (await ada.http.post(path, json={"jobs": [{"n": 1}, {"n": 2}]})).json()
    after = await ada.submits(room, "After", dependsOn=[first["postingId"]])
    last = await posts(ada, f"f-{ada.name}", [[1]], dependsOn=[after["jobId"]])
    assert (after["status"], after["waitingFor"]) == ("blocked", "dependencies")
    await worker.runs(await worker.gets())
    assert (await ada.job(after["jobId"]))["status"] == "blocked", "the first job of it has the same id"
    await worker.runs(await worker.gets())
    job = await worker.gets()
    assert job["jobId"] == after["jobId"]
    assert (await worker.says(job, "running"))["ok"]
    assert (await worker.says(job, "failed", error="no"))["ok"]
    fallen = await eventually(
        lambda: ada.get(f"/api/postings/{last['postingId']}"), lambda seen: seen["status"] == "failed"
    )
    assert fallen["failed"] == 1


async def test_the_owner_hears_how_far_a_posting_is_and_no_more_than_a_few_times_a_second(
    server: LiveServer, ada: Someone, room: str, workers: list[PlainWorker]
) -> None:
    watcher = await Watcher.joins(ada, room)
    stranger = await Someone.signs_in(server, f"stranger-to-{ada.name}")
    deaf = await Watcher.joins(stranger, room)
    posting = await posts(ada, f"f-{ada.name}", [[n] for n in range(60)])
    worker = await offers(ada, f"f-{ada.name}")
    workers.append(worker)
    for _ in range(60):
        await worker.runs(await worker.gets())
    told = await watcher.until("posting:changed", lambda body: body["status"] == "completed")
    assert (told["postingId"], told["completed"], told["remaining"]) == (posting["postingId"], 60, 0)
    heard = [body for name, body in watcher.heard if name == "posting:changed"]
    assert 2 <= len(heard) < 60
    assert told["active"] == 0
    assert [name for name, _ in deaf.heard if name == "posting:changed"] == []
    await watcher.leaves()
    await deaf.leaves()
    await stranger.close()


async def test_whoever_listens_hears_once_what_is_at_workers_and_that_a_posting_slows_down(
    admin: Someone, room: str, workers: list[PlainWorker]
) -> None:
    watcher = await Watcher.joins(admin, room)
    posting = await posts(admin, f"f-{room}", [[n] for n in range(8)], room=room)
    worker = await offers(admin, f"f-{room}")
    workers.append(worker)

    def of_it(body: dict[str, Any]) -> bool:
        return body["postingId"] == posting["postingId"]

    job = await worker.gets()
    await watcher.until("posting:changed", lambda body: of_it(body) and body["active"] == 1)
    for _ in range(6):
        await worker.runs(job)
        job = await worker.gets()
    await watcher.until("posting:changed", lambda body: of_it(body) and body["completed"] == 6)
    heard = [body for name, body in watcher.heard if name == "posting:changed" and of_it(body)]
    counts = [(body["completed"], body["active"], body["rate"]) for body in heard]
    assert len(set(counts)) == len(counts), "an admin who posted it and is in its room hears it once"
    fastest = max(body["rate"] or 0.0 for body in heard)
    await watcher.until(
        "posting:changed",
        lambda body: of_it(body) and body["completed"] == 6 and body["rate"] < fastest / 2,
        within=15,
    )
    await watcher.leaves()


async def test_a_remote_worker_hears_what_is_called_off_straight_in_the_database(
    server: LiveServer, ada: Someone, workers: list[PlainWorker]
) -> None:
    posting = await posts(ada, f"f-{ada.name}", [[1]])
    worker = await offers(ada, f"f-{ada.name}")
    workers.append(worker)
    job = await worker.gets()
    assert (await worker.says(job, "running"))["ok"]
    url = running_url(server.data)
    assert url is not None
    async with Database(url, connections=1) as database:
        assert await cancel_posting(Engine(database, pushes=False), UUID(posting["postingId"])) == 0
    async with asyncio.timeout(10):
        assert (await worker.cancelled.get())["jobId"] == job["jobId"]
    assert (await worker.says(job, "cancelled"))["ok"]
