"""The files of `deploy/`: proxies carry real traffic, units and the compose file name real commands and settings."""

from __future__ import annotations

import re
import shutil
import socket
import subprocess
import sys
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import yaml
from tests.acceptance.live import ROOT, LiveServer, PlainWorker, Someone, Watcher
from tests.acceptance.server.port import wait_for_port
from typer.testing import CliRunner

from workroom.cli import app
from workroom.server.settings import Settings

DEPLOY = ROOT / "deploy"


class Address(NamedTuple):
    """What a client needs of a server."""

    url: str


def _free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port: int = free.getsockname()[1]
        return port


def _program(name: str) -> str:
    found = shutil.which(name, path="/usr/sbin:/usr/bin:/usr/local/bin")
    if found is None:
        pytest.skip(f"{name} is not installed")
    return found


@contextmanager
def _running(command: list[str], port: int, log: Path, **environment: str) -> Generator[str]:
    with log.open("w") as output:
        process = subprocess.Popen(command, stdout=output, stderr=output, env={"PATH": "/usr/bin"} | environment)
    try:
        wait_for_port(process, port, log)
        yield f"http://127.0.0.1:{port}"
    finally:
        process.terminate()
        process.wait(20)


@contextmanager
def _caddy(server: LiveServer, folder: Path) -> Generator[str]:
    port = _free_port()
    file = folder / "Caddyfile"
    file.write_text("{\n\tadmin off\n\tauto_https off\n}\n" + (DEPLOY / "caddy" / "Caddyfile").read_text())
    upstream = server.url.removeprefix("http://")
    names = {"WORKROOM_NAME": f"http://127.0.0.1:{port}", "WORKROOM_UPSTREAM": upstream, "HOME": str(folder)}
    command = [_program("caddy"), "run", "--config", str(file), "--adapter", "caddyfile"]
    with _running(command, port, folder / "caddy.log", **names) as url:
        yield url


@contextmanager
def _nginx(server: LiveServer, folder: Path) -> Generator[str]:
    port = _free_port()
    site = (DEPLOY / "nginx" / "workroom.conf").read_text()
    site = site.replace("127.0.0.1:8686", server.url.removeprefix("http://"))
    site = site.replace("listen 80;", f"listen 127.0.0.1:{port};").replace("workroom.example.org", "127.0.0.1")
    (folder / "site.conf").write_text(site)
    temporary = "".join(
        f"  {kind}_temp_path {folder};\n" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    file = folder / "nginx.conf"
    file.write_text(
        f"daemon off;\nmaster_process off;\npid {folder}/nginx.pid;\nerror_log {folder}/error.log;\nevents {{}}\n"
        f"http {{\n  access_log off;\n{temporary}  include {folder}/site.conf;\n}}\n"
    )
    command = [_program("nginx"), "-c", str(file), "-e", str(folder / "error.log")]
    subprocess.run([*command, "-t"], check=True, capture_output=True)
    with _running(command, port, folder / "nginx.log") as url:
        yield url


@pytest.mark.full
@pytest.mark.parametrize("proxy", [_caddy, _nginx])
async def test_everything_live_works_behind_a_proxy(
    proxy: Callable[[LiveServer, Path], Any], server: LiveServer, tmp_path: Path, name: str
) -> None:
    with proxy(server, tmp_path) as url:
        ada = await Someone.signs_in(Address(url), f"ada-{name}")  # pyright: ignore[reportArgumentType]
        room = await ada.makes_room(name)
        watcher = await Watcher.joins(ada, room)
        worker = await PlainWorker.online(ada, room, "Relax")
        job_id = (await ada.submits(room, "Relax", {"n": 1}))["jobId"]
        await worker.runs(await worker.gets(within=10))
        await ada.sees(job_id, "completed")
        await watcher.until("job:state_changed", lambda body: body["status"] == "completed", within=10)
        await worker.leaves()
        polling = PlainWorker(ada)
        assert (await polling.registers(room, "Relax")).status_code == 201
        await (await polling.attaches("polling")).is_seen("idle")
        await polling.leaves()
        upload = await ada.http.post(f"/api/rooms/{room}/files", content=b"x" * 3_000_000)
        assert upload.status_code < 500, upload.text
        await watcher.leaves()
        await ada.close()


def _commands(lines: list[str]) -> list[list[str]]:
    return [re.split(r"\s+", line.partition("workroom ")[2].strip()) for line in lines]


def test_units_name_commands_that_exist(tmp_path: Path) -> None:
    units = sorted((DEPLOY / "systemd").glob("*.service"))
    assert [unit.name for unit in units] == [
        "workroom-celery.service",
        "workroom-fleet.service",
        "workroom-pool@.service",
        "workroom-worker@.service",
        "workroom.service",
    ]
    bin_folder = tmp_path / "bin"  # its path has no space
    bin_folder.symlink_to(Path(sys.executable).parent)
    for unit in units:
        text = unit.read_text()
        (tmp_path / unit.name).write_text(text.replace("/opt/workroom/bin", str(bin_folder)))
        (command,) = _commands(re.findall(r"^ExecStart=(.*)$", text, re.MULTILINE))
        _understood(command)
        assert set(re.findall(r"WORKROOM_(\w+)=", text)) <= {field.upper() for field in Settings.model_fields}
    if analyze := shutil.which("systemd-analyze"):
        verified = subprocess.run(
            [analyze, "verify", "--man=no", *(str(tmp_path / unit.name) for unit in units)],
            capture_output=True,
            text=True,
            check=False,
        )
        assert (verified.returncode, verified.stderr) == (0, "")


def test_the_compose_file_names_commands_and_settings_that_exist() -> None:
    compose = yaml.safe_load((DEPLOY / "compose.yaml").read_text())
    services: dict[str, Any] = compose["services"]
    assert set(services) == {"postgres", "server", "replica", "celery", "redis", "caddy"}
    for service in ("server", "replica"):
        _understood(services[service]["command"])
        names = {name.removeprefix("WORKROOM_").lower() for name in services[service]["environment"]}
        assert names <= set(Settings.model_fields)
    assert services["celery"]["command"][0] == "celery" and services["celery"]["environment"]["WORKROOM_URL"]
    mounted = [volume.partition(":")[0] for one in services.values() for volume in one.get("volumes", [])]
    assert {name for name in mounted if not name.startswith(".")} == set(compose["volumes"])
    assert all((DEPLOY / name).exists() for name in mounted if name.startswith("."))
    container = (DEPLOY / "Containerfile").read_text()
    _understood(re.findall(r'"([^"]+)"', re.findall(r"^CMD (.*)$", container, re.MULTILINE)[-1]))
    assert set(re.findall(r"WORKROOM_(\w+)=", container)) <= {field.upper() for field in Settings.model_fields}


def _understood(command: list[str]) -> None:
    """Command and options exist: with --help the command line is parsed as far as its options."""
    group = command[:2] if command[0] == "fleet" else command[:1]
    shown = CliRunner().invoke(app, [*group, "--help"])
    assert shown.exit_code == 0, shown.output
    for word in command[1:]:
        if word.startswith("--"):
            assert word in re.sub(r"\x1b\[[0-9;]*m", "", shown.output), f"{command[0]} has no option {word}"


def test_the_versions_of_the_image_are_those_of_the_lock() -> None:
    """The command that reads them from the lock finds each package."""
    (pattern,) = re.findall(r"--extended-regexp '([^']+)'", (DEPLOY / "Containerfile").read_text())
    lock = (ROOT / "requirements.lock").read_text()
    found = [line.group() for line in re.finditer(pattern, lock, re.MULTILINE)]
    assert len(found) == len(re.findall(r"^[A-Za-z0-9]", lock, re.MULTILINE)) > 50
    assert "redis==" in "\n".join(found)
    # A package may have a version for older Pythons and one for newer ones.
    assert all(" ; " in line for line in found if line.startswith("numpy=="))
