"""Commands as the admin of a live server."""

from __future__ import annotations

from collections.abc import Callable, Generator

import httpx2
import pytest
from tests.acceptance.live import ADMIN_PASSWORD, LiveServer
from typer.testing import CliRunner, Result

from workroom.cli import app
from workroom.worker.postings import http_backend


@pytest.fixture(scope="module")
def admin_token(server: LiveServer) -> str:
    with httpx2.Client(base_url=server.url, trust_env=False, timeout=30) as http:
        return http.post("/api/login", json={"user": "admin", "password": ADMIN_PASSWORD}).json()["token"]


@pytest.fixture
def run(server: LiveServer, admin_token: str, monkeypatch: pytest.MonkeyPatch) -> Generator[Callable[..., Result]]:
    """A command as the admin, against the server; checked to end with `code`."""
    for name in ("WORKROOM_DATABASE", "WORKROOM_DATA"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("WORKROOM_URL", server.url)
    monkeypatch.setenv("WORKROOM_TOKEN", admin_token)
    http_backend.forget_logins()

    def ran(*words: str, code: int = 0, input: str | None = None) -> Result:
        result = CliRunner().invoke(app, list(words), input=input)
        assert result.exit_code == code, (words, result.output, result.stderr, result.exception)
        return result

    yield ran
    http_backend.forget_logins()
