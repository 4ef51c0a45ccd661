"""TLS by the server itself and by a proxy: clients and workers that trust a private certificate authority use it."""

from __future__ import annotations

import json
import os
import re
import ssl
import subprocess
import sys
from collections.abc import Generator
from pathlib import Path
from typing import Any

import httpx2
import pytest
from tests.acceptance.live import ADMIN_PASSWORD, PROGRAM, ROOT, LiveServer, eventually
from tests.acceptance.server.deploy.certificates import Certificates, make_certificates
from tests.acceptance.server.deploy.proxies import PROXIES, TLS
from typer.testing import CliRunner

from workroom.cli import app


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Certificates:
    return make_certificates(tmp_path_factory.mktemp("tls"))


@pytest.fixture(scope="module")
def tls_server(files: Certificates) -> Generator[LiveServer]:
    live = LiveServer(
        WORKROOM_TLS_CERTIFICATE=str(files.certificate),
        WORKROOM_TLS_KEY=str(files.key),
        WORKROOM_POOL="1",
        WORKROOM_POOL_MODULES="tests.acceptance.built_in",
        PYTHONPATH=str(ROOT),
    ).start()
    yield live
    live.remove()


def _command(live: LiveServer, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("WORKROOM_", "SSL_"))}
    return subprocess.run(
        [sys.executable, *PROGRAM, *arguments],
        env=kept | {"HOME": str(live.data), "WORKROOM_DATA": str(live.data / "none")} | environment,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


_ROUND_TRIP = """
import sys
from workroom import Category, Extension, Room

class Double(Extension):
    category = Category.MODIFIER
    n: int = 1
    def run(self, vis, **kwargs):
        return 2 * self.n

room = Room("tls", user="tine", url=sys.argv[1], create=True)
room.register_extension(Double)
room.metadata["origin"] = "over TLS"
print(room.run("modifiers/Double", n=21).wait(30).result(), room.metadata["origin"])
room.close()
"""


def _make_round_trip(url: str, home: Path, files: Certificates) -> None:
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("WORKROOM_", "SSL_"))}
    trusting = subprocess.run(
        [sys.executable, "-c", _ROUND_TRIP, url],
        env=kept | {"HOME": str(home), "SSL_CERT_FILE": str(files.authority)},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert trusting.stdout == "42 over TLS\n", trusting.stderr


def test_clients_and_workers_use_a_private_authority(tls_server: LiveServer, files: Certificates) -> None:
    assert tls_server.url.startswith("https://127.0.0.1:")
    url = f"https://localhost:{tls_server.port}"
    _make_round_trip(url, tls_server.data, files)
    login = {"WORKROOM_URL": url, "WORKROOM_USER": "admin", "WORKROOM_PASSWORD": ADMIN_PASSWORD}
    assert "admin" in _command(tls_server, "whoami", SSL_CERT_FILE=str(files.authority), **login).stdout
    doubting = _command(tls_server, "whoami", **login)
    assert doubting.returncode == 1 and "SSL_CERT_FILE" in doubting.stderr, doubting.stderr
    assert "Traceback" not in doubting.stderr


async def test_this_machine_needs_no_certificate(tls_server: LiveServer) -> None:
    """The pool and programs beside the server reach it on a port of the loopback address, without TLS."""
    local = json.loads((tls_server.data / "server.json").read_text())["url"]
    assert local.startswith("http://127.0.0.1:")
    assert httpx2.get(f"{local}/healthz", trust_env=False).status_code == 200
    admin = {"user": "admin", "password": ADMIN_PASSWORD}
    async with httpx2.AsyncClient(base_url=local, trust_env=False) as http:
        http.headers["Authorization"] = f"Bearer {(await http.post('/api/login', json=admin)).json()['token']}"

        async def workers() -> list[dict[str, Any]]:
            return (await http.get("/api/workers")).json()["items"]

        await eventually(
            workers,
            lambda seen: any(one["kind"] == "pool" and one["state"] != "offline" for one in seen),
            30,
            "the pool",
        )
    found = _command(tls_server, "whoami", WORKROOM_DATA=str(tls_server.data), WORKROOM_USER="tine")
    assert found.returncode == 0, found.stderr


def test_a_plain_request_to_the_tls_port_is_not_answered(tls_server: LiveServer) -> None:
    with pytest.raises(httpx2.TransportError):
        httpx2.get(f"http://127.0.0.1:{tls_server.port}/healthz", trust_env=False)


def test_browsers_are_told_to_use_https_alone(tls_server: LiveServer, files: Certificates) -> None:
    local = json.loads((tls_server.data / "server.json").read_text())["url"]
    trusting = ssl.create_default_context(cafile=str(files.authority))
    trusting.check_hostname = False  # the certificate is that of localhost
    with httpx2.Client(verify=trusting, trust_env=False) as http:

        def header(url: str) -> str | None:
            return http.get(url).headers.get("Strict-Transport-Security")

        assert header(f"{tls_server.url}/healthz") == "max-age=31536000"
        assert header(f"https://localhost:{tls_server.port}/healthz") is None, "it would hold for all its ports"
        assert header(f"{local}/healthz") is None


@pytest.mark.parametrize("proxy", PROXIES)
def test_a_proxy_adds_tls(proxy: str, server: LiveServer, files: Certificates, tmp_path: Path) -> None:
    with PROXIES[proxy](TLS[proxy], tmp_path, server, certificates=files) as running:
        _make_round_trip(running.url, tmp_path, files)
        trusting = ssl.create_default_context(cafile=str(files.authority))
        with httpx2.Client(verify=trusting, trust_env=False) as http:
            answer = http.get(f"{running.url}/healthz")
            assert (answer.status_code, answer.headers["Strict-Transport-Security"]) == (200, "max-age=31536000")
            plain = http.get(f"{running.plain_url}/rooms/one?step=2")
            assert plain.status_code == 308
            assert re.fullmatch(r"https://localhost(:\d+)?/rooms/one\?step=2", plain.headers["location"])


def test_files_that_are_no_certificate_are_refused(files: Certificates, tmp_path: Path) -> None:
    (tmp_path / "text.pem").write_text("no certificate\n")

    def refused(*arguments: object) -> str:
        ended = CliRunner().invoke(app, ["serve", "--data", str(tmp_path / "data"), *map(str, arguments)])
        assert ended.exit_code == 1
        return ended.output.replace("\n", " ")

    assert "Set tls_key too" in refused("--tls-certificate", files.certificate)
    assert "cannot be read" in refused("--tls-certificate", tmp_path / "none.pem", "--tls-key", files.key)
    assert "no PEM" in refused("--tls-certificate", tmp_path / "text.pem", "--tls-key", files.key)
    assert "no PEM" in refused("--tls-certificate", files.authority, "--tls-key", files.key)
    assert not (tmp_path / "data").exists()
