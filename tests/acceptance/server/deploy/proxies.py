"""Caddy and nginx with the files of `deploy/` as they are: only names, ports and addresses are substituted."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable, Generator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import NamedTuple

import pytest
from tests.acceptance.live import ROOT, LiveServer
from tests.acceptance.server.deploy.certificates import Certificates
from tests.acceptance.server.deploy.port import free_port, wait_for_port

DEPLOY = ROOT / "deploy"
PATH = "/workroom"  # where the files for a path of another site serve it


class Proxy(NamedTuple):
    """Where it listens. With TLS it redirects from `plain_url`."""

    url: str
    plain_url: str


@contextmanager
def caddy(file: str, folder: Path, *servers: LiveServer, certificates: Certificates | None = None) -> Generator[Proxy]:
    """Caddy with a file of `deploy`, and options that keep it off the ports and authorities of this machine."""
    port, plain_port = free_port(), free_port()
    url = f"https://localhost:{port}" if certificates else f"http://127.0.0.1:{port}"
    configuration = folder / "Caddyfile"
    options = f"admin off\n\tskip_install_trust\n\tdefault_bind 127.0.0.1\n\thttp_port {plain_port}"
    configuration.write_text(f"{{\n\t{options}\n}}\nimport {DEPLOY}/{file}\n")
    environment = {
        "HOME": str(folder),
        "WORKROOM_NAME": url,
        "WORKROOM_UPSTREAM": " ".join(_address(server) for server in servers),
    }
    if certificates:
        environment |= {
            "WORKROOM_TLS_CERTIFICATE": str(certificates.certificate),
            "WORKROOM_TLS_KEY": str(certificates.key),
        }
    program, chosen = _program("caddy"), ["--config", str(configuration), "--adapter", "caddyfile"]
    _accepts([program, "validate", *chosen], environment)
    with _running([program, "run", *chosen], port, folder / "caddy.log", environment):
        yield Proxy(url, f"http://localhost:{plain_port}" if certificates else url)


@contextmanager
def nginx(file: str, folder: Path, *servers: LiveServer, certificates: Certificates | None = None) -> Generator[Proxy]:
    """nginx with a file of `deploy`, included as a file of `conf.d` is."""
    port, plain_port = free_port(), free_port()
    addresses = " ".join(f"server {_address(server)};" for server in servers)
    values = {
        "server 127.0.0.1:8686;": addresses,
        "listen 80;": f"listen 127.0.0.1:{plain_port if certificates else port};",
        "listen 443 ssl;": f"listen 127.0.0.1:{port} ssl;",
        "workroom.example.org": "localhost",
        "example.org": "localhost",
    }
    if certificates:
        values["/etc/ssl/workroom/fullchain.pem"] = str(certificates.certificate)
        values["/etc/ssl/workroom/privkey.pem"] = str(certificates.key)
    site = folder / "conf.d" / "workroom.conf"
    snippets = {folder / "snippets" / one.name: one for one in (DEPLOY / "nginx" / "snippets").iterdir()}
    for target, source in {site: DEPLOY / file, **snippets}.items():
        text = source.read_text()
        for written, substituted in values.items():
            text = text.replace(written, substituted)
        target.parent.mkdir(exist_ok=True)
        target.write_text(text)
    temporary = "".join(
        f"  {kind}_temp_path {folder};\n" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    configuration = folder / "nginx.conf"
    configuration.write_text(
        f"daemon off;\nmaster_process off;\npid {folder}/nginx.pid;\nerror_log {folder}/error.log;\nevents {{}}\n"
        f"http {{\n  access_log off;\n{temporary}  include {site};\n}}\n"
    )
    command = [_program("nginx"), "-c", str(configuration), "-e", str(folder / "error.log")]
    _accepts([*command, "-t"], {})
    with _running(command, port, folder / "nginx.log", {}):
        plain = f"http://localhost:{plain_port if certificates else port}"
        yield Proxy(f"https://localhost:{port}" if certificates else plain, plain)


PROXIES: dict[str, Callable[..., AbstractContextManager[Proxy]]] = {"caddy": caddy, "nginx": nginx}
PLAIN = {"caddy": "Caddyfile", "nginx": "nginx.conf"}
TLS = {"caddy": "caddy/tls.Caddyfile", "nginx": "nginx/workroom-tls.conf"}
SUB_PATH = {"caddy": "caddy/sub-path.Caddyfile", "nginx": "nginx/workroom-sub-path.conf"}


def _address(server: LiveServer) -> str:
    return server.url.partition("://")[2]


def _program(name: str) -> str:
    found = shutil.which(name, path="/usr/sbin:/usr/bin:/usr/local/bin")
    if found is None:
        pytest.skip(f"{name} is not installed")
    return found


def _accepts(command: list[str], environment: dict[str, str]) -> None:
    """The program's own check of its configuration."""
    checked = subprocess.run(
        command, env={"PATH": "/usr/bin"} | environment, capture_output=True, text=True, check=False
    )
    assert checked.returncode == 0, checked.stderr


@contextmanager
def _running(command: list[str], port: int, log: Path, environment: dict[str, str]) -> Generator[None]:
    with log.open("w") as output:
        process = subprocess.Popen(command, stdout=output, stderr=output, env={"PATH": "/usr/bin"} | environment)
    try:
        wait_for_port(process, port, log)
        yield
    finally:
        process.terminate()
        process.wait(20)
