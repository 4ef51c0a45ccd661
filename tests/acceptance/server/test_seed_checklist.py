"""Every line of the seeds' checklist, against a live server with a plain client acting as worker."""

from __future__ import annotations

from collections import Counter

import pytest
from tests.acceptance.live import PlainWorker, Someone, Watcher


async def test_a_worker_registers_and_a_pending_job_is_assigned_at_once(
    ada: Someone, room: str, workers: list[PlainWorker]
) -> None:
    first = await PlainWorker.online(ada, room, "Relax")
    await first.is_seen("idle")
    await first.leaves()
    await first.is_seen("offline")
    job = await ada.submits(room, "Relax", {"n": 1})
    assert (job["status"], job["waitingFor"], job["queuePosition"]) == ("pending", "no_worker", 0)
    worker = await PlainWorker.online(ada, room, "Relax")
    workers.append(worker)
    assigned = await worker.gets()
    assert assigned["jobId"] == job["jobId"]
    assert (assigned["data"], assigned["room"], assigned["name"], assigned["attempt"]) == ({"n": 1}, room, "Relax", 1)


async def test_finishing_a_job_hands_out_the_next(ada: Someone, room: str, workers: list[PlainWorker]) -> None:
    worker = await PlainWorker.online(ada, room, "Relax")
    workers.append(worker)
    jobs = [(await ada.submits(room, "Relax", {"n": n}))["jobId"] for n in range(3)]
    for n, job_id in enumerate(jobs):
        job = await worker.gets()
        assert job["jobId"] == job_id
        await worker.runs(job, {"doubled": 2 * n})
    done = await ada.sees(jobs[2], "completed")
    assert done["result"] == {"doubled": 4}
    assert done["waitTimeMs"] >= 0 and done["executionTimeMs"] >= 0


async def test_several_workers_share_the_jobs(ada: Someone, room: str, workers: list[PlainWorker]) -> None:
    workers += [await PlainWorker.online(ada, room, "Relax") for _ in range(3)]
    served: Counter[str] = Counter()
    for n in range(12):
        job_id = (await ada.submits(room, "Relax", {"n": n}))["jobId"]
        worker_id = (await ada.sees(job_id, "assigned"))["workerId"]
        (worker,) = (one for one in workers if one.id == worker_id)
        await worker.runs(await worker.gets())
        served[worker_id] += 1
    print(f"12 jobs over 3 workers: {sorted(served.values())}")
    assert sorted(served.values()) == [4, 4, 4]


async def test_without_a_worker_a_job_stays_pending_and_says_so(ada: Someone, room: str) -> None:
    worker = await PlainWorker.online(ada, room, "Relax")
    await worker.is_seen("idle")
    await worker.leaves()
    await worker.is_seen("offline")
    first = await ada.submits(room, "Relax")
    second = await ada.submits(room, "Relax")
    assert [job["waitingFor"] for job in (first, second)] == ["no_worker", "no_worker"]
    assert [job["queuePosition"] for job in (first, second)] == [0, 1]
    assert (await ada.job(second["jobId"]))["status"] == "pending"


@pytest.mark.parametrize(
    ("policy", "when", "outcome"),
    [
        ("fail", "assigned", "failed"),
        ("fail", "running", "failed"),
        ("requeue", "assigned", "pending"),
        ("requeue", "running", "pending"),
        ("requeue_unstarted", "assigned", "pending"),
        ("requeue_unstarted", "running", "failed"),
    ],
)
async def test_a_worker_that_disconnects_for_good_leaves_its_job_to_the_policy(
    ada: Someone, room: str, policy: str, when: str, outcome: str
) -> None:
    worker = await PlainWorker.online(ada, room, "Relax", onWorkerLost=policy)
    job_id = (await ada.submits(room, "Relax"))["jobId"]
    job = await worker.gets()
    if when == "running":
        assert (await worker.says(job, "running"))["ok"]
    await worker.leaves()
    seen = await ada.sees(job_id, outcome)
    if outcome == "failed":
        assert seen["error"]["type"] == "WorkerLost"
        chat = (await ada.get(f"/api/rooms/{room}/chat"))["items"]
        assert [message["jobId"] for message in chat] == [job_id]
    else:
        assert (seen["waitingFor"], seen["attempt"]) == ("no_worker", 1)


async def test_a_worker_that_comes_back_in_time_keeps_its_running_job(
    ada: Someone, room: str, workers: list[PlainWorker]
) -> None:
    worker = await PlainWorker.online(ada, room, "Relax")
    job_id = (await ada.submits(room, "Relax"))["jobId"]
    job = await worker.gets()
    assert (await worker.says(job, "running"))["ok"]
    await worker.leaves()
    back = PlainWorker(ada)
    back.id = worker.id
    assert (await back.registers(room, "Relax", again=True)).status_code == 201
    assert back.incarnation == worker.incarnation + 1
    workers.append(await back.attaches())
    stale = await worker.puts(job, "completed", result="from the old one")
    assert (stale.status_code, stale.json()["code"]) == (409, "worker_lost")
    assert (await back.says(job, "completed", result="from the new one"))["ok"]
    assert (await ada.sees(job_id, "completed"))["result"] == "from the new one"


async def test_a_job_can_be_cancelled_in_every_state(ada: Someone, room: str, workers: list[PlainWorker]) -> None:
    worker = await PlainWorker.online(ada, room, "Relax")
    workers.append(worker)
    running = (await ada.submits(room, "Relax"))["jobId"]
    pending = (await ada.submits(room, "Relax"))["jobId"]
    blocked = (await ada.submits(room, "Relax", dependsOn=[running]))["jobId"]
    for job_id in (pending, blocked):
        answer = await ada.http.delete(f"/api/jobs/{job_id}")
        assert (answer.status_code, answer.json()["status"]) == (200, "cancelled")
    job = await worker.gets()
    assert (await worker.says(job, "running"))["ok"]
    answer = await ada.http.delete(f"/api/jobs/{running}")
    assert (answer.json()["status"], answer.json()["cancelling"]) == ("running", True)
    told = await worker.cancelled.get()
    assert (told["jobId"], told["attempt"]) == (running, 1)
    assert (await ada.job(running))["status"] == "running"
    assert (await worker.says(job, "cancelled"))["ok"]
    assert (await ada.sees(running, "cancelled"))["cancelling"] is False
    assigned = (await ada.submits(room, "Relax"))["jobId"]
    job = await worker.gets()
    assert (await ada.http.delete(f"/api/jobs/{assigned}")).json()["status"] == "assigned"
    assert (await worker.says(job, "cancelled"))["ok"]
    assert (await ada.http.delete(f"/api/jobs/{assigned}")).status_code == 200
    done = (await ada.submits(room, "Relax"))["jobId"]
    await worker.runs(await worker.gets())
    late = await ada.http.delete(f"/api/jobs/{done}")
    assert (late.status_code, late.json()["code"]) == (409, "job_final")


async def test_a_draining_worker_finishes_what_it_has_and_gets_nothing_more(
    ada: Someone, room: str, workers: list[PlainWorker]
) -> None:
    worker = await PlainWorker.online(ada, room, "Relax")
    workers.append(worker)
    first = (await ada.submits(room, "Relax"))["jobId"]
    job = await worker.gets()
    assert (await worker.says(job, "running"))["ok"]
    answer = await ada.http.post(f"/api/workers/{worker.id}/shutdown")
    assert (answer.status_code, answer.json()["state"]) == (200, "draining")
    second = await ada.submits(room, "Relax")
    assert second["status"] == "pending"
    assert (await worker.says(job, "completed"))["ok"]
    assert (await ada.job(first))["status"] == "completed"
    assert (await ada.job(second["jobId"]))["status"] == "pending"
    assert worker.assigned.empty()


async def test_a_different_schema_is_refused_with_both_hashes_while_the_extension_lives(
    ada: Someone, room: str, workers: list[PlainWorker]
) -> None:
    worker = await PlainWorker.online(ada, room, "Relax")
    workers.append(worker)
    other = PlainWorker(ada)
    refused = await other.registers(room, "Relax", schema={"type": "object", "properties": {"x": {"type": "string"}}})
    problem = refused.json()
    assert (refused.status_code, problem["code"]) == (409, "schema_conflict")
    assert len(problem["currentHash"]) == len(problem["offeredHash"]) == 64
    assert problem["currentHash"] != problem["offeredHash"]
    assert (await other.registers(room, "Relax")).status_code == 201


async def test_registration_is_all_or_nothing(ada: Someone, room: str, workers: list[PlainWorker]) -> None:
    worker = await PlainWorker.online(ada, room, "Relax")
    workers.append(worker)
    other = PlainWorker(ada)
    refused = await other.registers(room, "Fresh", "Relax", schema={"type": "object", "title": "other"})
    assert refused.status_code == 409
    names = [one["name"] for one in (await ada.get(f"/api/rooms/{room}/extensions"))["items"] if one["scope"] == "room"]
    assert names == ["Relax"]


async def test_reserved_names_are_refused(ada: Someone) -> None:
    for name in ("public", "global", "builtin", "@me", "Public"):
        answer = await ada.http.post("/api/rooms", json={"name": name})
        assert (answer.status_code, answer.json()["code"]) == (409, "name_reserved"), name


async def test_only_an_admin_offers_to_all_rooms(ada: Someone, admin: Someone, workers: list[PlainWorker]) -> None:
    refused = await PlainWorker(ada).registers(None, "Everywhere")
    assert (refused.status_code, refused.json()["code"]) == (403, "admin_needed")
    worker = await PlainWorker.online(admin, None, "Everywhere")
    workers.append(worker)
    for number in range(2):
        room = await ada.makes_room(f"{ada.name}-global-{number}")
        job_id = (await ada.submits(room, "Everywhere"))["jobId"]
        job = await worker.gets()
        assert (job["jobId"], job["room"], job["scope"]) == (job_id, room, "global")
        await worker.runs(job)


async def test_an_extension_of_one_room_is_invisible_elsewhere(
    ada: Someone, room: str, workers: list[PlainWorker]
) -> None:
    workers.append(await PlainWorker.online(ada, room, "Relax"))
    elsewhere = await ada.makes_room(f"{ada.name}-elsewhere")
    listed = (await ada.get(f"/api/rooms/{elsewhere}/extensions"))["items"]
    assert "Relax" not in [one["name"] for one in listed]
    answer = await ada.http.post(f"/api/rooms/{elsewhere}/extensions/modifiers/Relax/submit", json={"data": {}})
    assert (answer.status_code, answer.json()["code"]) == (404, "not_found")


async def test_an_extension_stays_listed_as_offline_when_its_last_worker_has_left(ada: Someone, room: str) -> None:
    worker = await PlainWorker.online(ada, room, "Relax")
    assert (await ada.http.delete(f"/api/workers/{worker.id}")).status_code == 204
    await worker.leaves()
    listed = (await ada.get(f"/api/rooms/{room}/extensions"))["items"]
    assert [(one["state"], one["lastOfferedBy"]) for one in listed if one["name"] == "Relax"] == [("offline", ada.name)]


async def test_arguments_that_do_not_fit_are_refused_with_their_path(
    ada: Someone, room: str, workers: list[PlainWorker]
) -> None:
    workers.append(await PlainWorker.online(ada, room, "Relax"))
    answer = await ada.http.post(
        f"/api/rooms/{room}/extensions/modifiers/Relax/submit", json={"data": {"n": "one", "factor": -1}}
    )
    problem = answer.json()
    assert (answer.status_code, problem["code"]) == (422, "invalid_arguments")
    assert {fault["path"] for fault in problem["errors"]} == {"data.n", "data.factor"}
    assert (await ada.get(f"/api/rooms/{room}/jobs"))["items"] == []


async def test_both_seeds_words_for_a_status_are_understood(
    ada: Someone, room: str, workers: list[PlainWorker]
) -> None:
    worker = await PlainWorker.online(ada, room, "Relax")
    workers.append(worker)
    job_id = (await ada.submits(room, "Relax"))["jobId"]
    job = await worker.gets()
    assert (await worker.puts(job, "processing")).json()["status"] == "running"
    assert (await worker.puts(job, "processing")).status_code == 200
    assert (await worker.puts(job, "finished", result=[1, 2])).status_code == 200
    assert (await worker.puts(job, "finished", result=[1, 2])).status_code == 200
    conflicting = await worker.puts(job, "failed", error={"message": "no"})
    assert (conflicting.status_code, conflicting.json()["code"]) == (409, "job_final")
    assert (await ada.job(job_id))["result"] == [1, 2]


async def test_an_assignment_that_is_never_confirmed_is_released(
    ada: Someone, room: str, workers: list[PlainWorker]
) -> None:
    worker = await PlainWorker.online(ada, room, "Relax")
    workers.append(worker)
    job_id = (await ada.submits(room, "Relax"))["jobId"]
    first = await worker.gets()
    second = await worker.gets(within=6)
    assert (first["jobId"], first["attempt"]) == (job_id, 1)
    assert (second["jobId"], second["attempt"]) == (job_id, 2)
    late = await worker.puts(first, "running")
    assert (late.status_code, late.json()["code"]) == (409, "attempt_lost")
    await worker.runs(second)


async def test_settings_are_kept_for_the_person_and_queue_nothing(
    ada: Someone, room: str, workers: list[PlainWorker]
) -> None:
    workers.append(await PlainWorker.online(ada, room, "Camera", category="settings"))
    stored = await ada.submits(room, "Camera", {"n": 7}, category="settings")
    assert (stored["jobId"], stored["status"]) == (None, "stored")
    assert await ada.get(f"/api/rooms/{room}/extensions/settings/Camera/values") == {"n": 7}
    assert (await ada.get(f"/api/rooms/{room}/jobs"))["items"] == []


async def test_progress_and_log_lines_reach_the_room(ada: Someone, room: str, workers: list[PlainWorker]) -> None:
    worker = await PlainWorker.online(ada, room, "Relax")
    workers.append(worker)
    watcher = await Watcher.joins(ada, room)
    job_id = (await ada.submits(room, "Relax"))["jobId"]
    job = await worker.gets()
    names = {"jobId": job_id, "attempt": job["attempt"]}
    assert (await worker.says(job, "running"))["ok"]
    assert (await worker.sio.call("job:progress", names | {"fraction": 0.5, "message": "half"}))["ok"]
    assert (await worker.sio.call("job:log", names | {"lines": ["one", "two"]}))["ok"]
    assert (await worker.says(job, "completed"))["ok"]
    seen = await watcher.until("job:state_changed", lambda body: body["status"] == "completed")
    states = [body["status"] for name, body in watcher.heard if name == "job:state_changed"]
    # An idle worker had it at once: it never waited.
    assert states == ["assigned", "running", "completed"]
    assert seen["jobId"] == job_id and "data" not in seen
    assert [body["fraction"] for name, body in watcher.heard if name == "job:progress"] == [0.5]
    assert [body["lines"] for name, body in watcher.heard if name == "job:log"] == [["one", "two"]]
    lines = (await ada.get(f"/api/jobs/{job_id}/logs"))["items"]
    assert [line["text"] for line in lines] == ["one", "two"]
    await watcher.leaves()


async def test_an_ended_job_is_retried_by_hand_as_a_new_one(
    ada: Someone, room: str, workers: list[PlainWorker]
) -> None:
    worker = await PlainWorker.online(ada, room, "Relax")
    workers.append(worker)
    job_id = (await ada.submits(room, "Relax", {"n": 3}))["jobId"]
    job = await worker.gets()
    assert (await ada.http.post(f"/api/jobs/{job_id}/retry")).status_code == 409
    assert (await worker.says(job, "running"))["ok"]
    assert (await worker.says(job, "failed", error={"type": "E", "message": "m", "traceback": "t"}))["ok"]
    again = await ada.http.post(f"/api/jobs/{job_id}/retry")
    assert again.status_code == 202
    fresh = await worker.gets()
    assert (fresh["jobId"], fresh["data"]) == (again.json()["jobId"], {"n": 3})
    assert (await ada.job(fresh["jobId"]))["retryOf"] == job_id
    error = (await ada.job(job_id))["error"]
    assert error == {"type": "E", "message": "m", "traceback": "t", "reason": None, "place": None}


async def test_stats_and_queries(ada: Someone, admin: Someone, room: str, workers: list[PlainWorker]) -> None:
    worker = await PlainWorker.online(ada, room, "Relax")
    workers.append(worker)
    for n in range(3):
        await ada.submits(room, "Relax", {"n": n})
    stats = await ada.get(f"/api/rooms/{room}/extensions/{room}/modifiers/Relax/stats")
    assert (stats["idleWorkers"], stats["busyWorkers"], stats["pendingJobs"], stats["activeJobs"]) == (0, 1, 2, 1)
    assert len((await ada.get(f"/api/rooms/{room}/jobs", status="pending"))["items"]) == 2
    assert len((await ada.get(f"/api/users/{ada.id}/jobs"))["items"]) == 3
    assert len((await ada.get(f"/api/workers/{worker.id}/jobs"))["items"]) == 1
    assert (await ada.http.get("/api/jobs")).status_code == 403
    assert len((await admin.get("/api/jobs", roomId=room, status="pending,assigned"))["items"]) == 3
    (seen,) = (await ada.get(f"/api/rooms/{room}/workers"))["items"]
    assert (seen["id"], seen["state"]) == (worker.id, "busy")


async def test_however_a_submission_is_sent_it_is_taken_or_refused_with_the_reason(
    ada: Someone, room: str, workers: list[PlainWorker]
) -> None:
    workers.append(await PlainWorker.online(ada, room, "Relax"))
    path = f"/api/rooms/{room}/extensions/modifiers/Relax/submit"

    async def sent(body: bytes, kind: str | None = "application/json", **headers: str) -> tuple[int, str]:
        given = headers if kind is None else headers | {"Content-Type": kind}
        answer = await ada.http.post(path, content=body, headers=given)
        return answer.status_code, answer.json().get("code", "")

    assert await sent(b'{"data": {"n": 1}}') == (202, "")
    assert await sent(b'{"data": {"n": 1}}', "application/json; charset=utf-8") == (202, "")
    for bad in (b"", b"{", b"[]", b'{"data": NaN}', b'{"data": {}, "priority": "high"}', b'{"datum": {}}'):
        # As any other route answers it.
        elsewhere = await ada.http.post("/api/rooms", content=bad, headers={"Content-Type": "application/json"})
        assert (await sent(bad))[0] == elsewhere.status_code in (400, 422), bad
    assert (await sent(b'{"data": {"n": 1}}', "text/plain"))[0] == 422
    assert (await sent(b'{"data": {"n": "one"}}')) == (422, "invalid_arguments")
    assert (await sent(b'{"data": {"n": 1}}', Authorization="Bearer nonsense"))[0] == 401
    assert len((await ada.get(f"/api/rooms/{room}/jobs"))["items"]) == 2
