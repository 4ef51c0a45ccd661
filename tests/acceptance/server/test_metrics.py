"""Metrics are complete, and the same at every server."""

from __future__ import annotations

import re
from collections.abc import Generator

import httpx2
import pytest
from prometheus_client.parser import text_string_to_metric_families
from tests.acceptance import pool_functions
from tests.acceptance.live import QUICK, LiveServer, PlainWorker, Someone, Watcher, eventually
from tests.posting_backend import close_backend

from workroom import ClusterPool, Registry
from workroom.store.embedded import running_url

CALLS = 1_000
Figures = dict[str, float]


@pytest.fixture(scope="module")
def counted() -> Generator[LiveServer]:
    """A server of its own: its counters are compared with exact numbers."""
    live = LiveServer().start()
    yield live
    live.remove()


async def metrics_page(server: LiveServer) -> str:
    token = {"Authorization": f"Bearer {QUICK['WORKROOM_METRICS_TOKEN']}"}
    async with httpx2.AsyncClient(base_url=server.url, headers=token, timeout=30, trust_env=False) as http:
        answer = await http.get("/metrics")
    assert answer.status_code == 200, answer.text
    return answer.text


def figures(page: str) -> Figures:
    """Each sample, with all labels but the replica; those of several replicas are added."""
    found: Figures = {}
    for family in text_string_to_metric_families(page):
        for sample in family.samples:
            labels = ",".join(f"{name}={value}" for name, value in sorted(sample.labels.items()) if name != "replica")
            key = f"{sample.name}{{{labels}}}" if labels else sample.name
            found[key] = found.get(key, 0) + sample.value
    return found


async def _seen(server: LiveServer) -> Figures:
    return figures(await metrics_page(server))


async def test_after_a_thousand_pool_calls_the_counters_say_a_thousand(counted: LiveServer) -> None:
    database = running_url(counted.data)
    assert database is not None
    try:
        good = Registry["square"].post_work([(n,) for n in range(CALLS)], database=database)
        bad = Registry["after_file"].post_work([("", -1)] * 7, database=database)
        waiting = await _seen(counted)
        assert waiting["workroom_jobs{state=pending}"] == CALLS + 7
        assert waiting["workroom_queue_jobs{category=functions,extension=square,room=,state=pending}"] == CALLS
        assert 0 < waiting["workroom_oldest_waiting_job_seconds"] < 60
        with ClusterPool(2, [pool_functions.__name__], database):
            good.wait(60)
            bad.wait(60)
            await eventually(lambda: _seen(counted), lambda seen: _pool_processes(seen) == 2, 30, "two processes")
    finally:
        close_backend(database)
    seen = await _seen(counted)
    assert seen["workroom_jobs_ended_total{state=completed}"] == CALLS
    assert seen["workroom_jobs_ended_total{state=failed}"] == 7
    assert seen["workroom_jobs_submitted_total"] == CALLS + 7
    for name in ("workroom_job_wait_seconds", "workroom_job_run_seconds"):
        assert seen[f"{name}_count"] == seen[f"{name}_bucket{{le=+Inf}}"] == CALLS + 7
    assert 0 < seen["workroom_job_run_seconds_sum"] < 60
    assert seen["workroom_oldest_waiting_job_seconds"] == 0
    assert (seen["workroom_servers"], seen["workroom_database_size_bytes"] > 1e6) == (1, True)
    assert await eventually(lambda: _seen(counted), lambda now: now["workroom_upkeep_leaders"] == 1)


def _pool_processes(seen: Figures) -> float:
    return sum(seen.get(f"workroom_workers{{kind=pool,state={state}}}", 0) for state in ("idle", "busy"))


async def test_counters_do_not_fall_when_a_room_is_deleted(counted: LiveServer) -> None:
    ada = await Someone.signs_in(counted, "ada")
    room = await ada.makes_room("short-lived")
    worker = await PlainWorker.online(ada, room, "Relax")
    await ada.submits(room, "Relax")
    await worker.runs(await worker.gets())
    await worker.leaves()
    before = await _seen(counted)
    assert (await ada.http.delete(f"/api/rooms/{room}")).status_code in (200, 204)
    after = await _seen(counted)
    for name in ("workroom_jobs_ended_total{state=completed}", "workroom_jobs_submitted_total"):
        assert after[name] == before[name] > 0
    await ada.close()


@pytest.mark.full
async def test_one_request_returns_the_metrics_of_all_replicas() -> None:
    server = LiveServer(WORKROOM_REPLICAS="3").start()
    watchers: list[Watcher] = []
    try:
        ada = await Someone.signs_in(server, "ada")
        room = await ada.makes_room("lab")
        watchers = [await Watcher.joins(ada, room) for _ in range(12)]
        for _ in range(5):  # each may be answered by another process
            page = await eventually(lambda: metrics_page(server), lambda page: len(_replicas(page)) == 3)
            seen = figures(page)
            assert (seen["workroom_sockets"], seen["workroom_servers"]) == (12, 3)
            assert seen["workroom_upkeep_leads"] <= 1
            assert len(set(re.findall(r'workroom_build_info{.*replica="([^"]+)"', page))) == 3
        await ada.close()
    finally:
        for watcher in watchers:
            await watcher.leaves()
        server.remove()


def _replicas(page: str) -> set[str]:
    return set(re.findall(r'replica="([^"]+)"', page))
