"""Schemathesis reads the OpenAPI document and sends whatever fits it, and whatever does not: never a server error."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections.abc import AsyncGenerator

import pytest
from tests.acceptance.live import LiveServer, Someone


@pytest.fixture
async def fuzzed(own_server: LiveServer) -> AsyncGenerator[Someone]:
    admin = await Someone.admin(own_server)
    await admin.makes_room("my-room")
    yield admin
    await admin.close()


@pytest.mark.slow
async def test_no_request_makes_a_server_error(fuzzed: Someone) -> None:
    run = await asyncio.to_thread(
        subprocess.run,
        [
            sys.executable,
            "-m",
            "schemathesis.cli",
            "run",
            f"{fuzzed.server.url}/api/openapi.json",
            "--header",
            f"Authorization: Bearer {fuzzed.token}",
            "--checks",
            "not_a_server_error",
            "--max-examples",
            "15",
            "--max-time",
            "20",
            "--continue-on-failure",
            "--no-shrink",
            "--generation-allow-x00",
            "true",
            # Its bodies are binary, which it cannot make; they have tests of their own.
            "--exclude-path",
            "/api/rooms/{room}/frames",
            "--exclude-path",
            "/api/postings/stream",
            # These end the session the others run in.
            "--exclude-path",
            "/api/logout",
            "--exclude-path",
            "/api/users/{who}",
            "--exclude-path",
            "/api/users/{id}",
            "--phases",
            "examples,coverage,fuzzing",
            "--warnings",
            "off",
            "--output-sanitize",
            "true",
        ],
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
    )
    print(run.stdout[-1500:])
    log = fuzzed.server.log()
    assert "unexpected error" not in log, log[-5000:]
    assert run.returncode == 0, run.stdout[-5000:] + run.stderr[-2000:]
