"""A server and a pool on the oldest PostgreSQL that is supported."""

from __future__ import annotations

import pytest
from tests.acceptance import pool_functions
from tests.acceptance.live import LiveServer
from tests.acceptance.server.database.test_dump_and_restore import OLDER, older_postgres
from tests.acceptance.server.database.test_pgbouncer import whole_path_of_a_job
from tests.acceptance.server.test_metrics import figures, metrics_page
from tests.posting_backend import close_backend

from workroom import ClusterPool, Registry


@pytest.mark.full
@pytest.mark.skipif(not (OLDER / "postgres").exists(), reason="PostgreSQL 15 is not installed")
async def test_jobs_postings_frames_and_metrics_on_postgresql_15(name: str) -> None:
    with older_postgres() as database:
        server = LiveServer(WORKROOM_DATABASE=database).start()
        try:
            await whole_path_of_a_job(server, name)
            posting = Registry["square"].post_work([(n,) for n in range(500)], database=database)
            with ClusterPool(1, [pool_functions.__name__], database):
                assert list(posting.wait(60).results()) == [n * n for n in range(500)]
            seen = figures(await metrics_page(server))
            assert seen["workroom_jobs_ended_total{state=completed}"] == 520
            assert seen["workroom_job_run_seconds_count"] == 520
        finally:
            close_backend(database)
            server.remove()
