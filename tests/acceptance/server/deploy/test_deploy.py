"""The files of `deploy/`: proxies carry real traffic, units and the compose file name real commands and settings."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from ipaddress import ip_address, ip_network
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import yaml
from tests.acceptance.live import ROOT, LiveServer, PlainWorker, Someone, Watcher
from tests.acceptance.server.deploy.proxies import DEPLOY, PLAIN, PROXIES
from typer.testing import CliRunner

from workroom.cli import app
from workroom.server.settings import Settings


class Address(NamedTuple):
    """What a client needs of a server."""

    url: str


@pytest.mark.full
@pytest.mark.parametrize("proxy", PROXIES)
async def test_everything_live_works_behind_a_proxy(proxy: str, server: LiveServer, tmp_path: Path, name: str) -> None:
    with PROXIES[proxy](PLAIN[proxy], tmp_path, server) as running:
        ada = await Someone.signs_in(Address(running.url), f"ada-{name}")  # pyright: ignore[reportArgumentType]
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
        "workroom-backup.service",
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
        (command,) = _commands(re.findall(r"^ExecStart=(.*bin/workroom .*)$", text, re.MULTILINE))
        _understood(command)
        assert set(re.findall(r"WORKROOM_(\w+)=", text)) <= {field.upper() for field in Settings.model_fields}
    shutil.copy(DEPLOY / "systemd" / "workroom-backup.timer", tmp_path)
    if analyze := shutil.which("systemd-analyze"):
        verified = subprocess.run(
            [analyze, "verify", "--man=no", *(str(file) for file in tmp_path.iterdir() if file != bin_folder)],
            capture_output=True,
            text=True,
            check=False,
        )
        assert (verified.returncode, verified.stderr) == (0, "")


def test_units_are_hardened_alike() -> None:
    """Only the server sends `READY=1`. Jobs of workers, pools and Celery may need the devices of GPUs."""
    exposure: dict[str, float] = {}
    lines: dict[str, set[str]] = {}
    for unit in sorted((DEPLOY / "systemd").glob("*.service")):
        text = unit.read_text()
        lines[unit.stem] = set(text[text.index("NoNewPrivileges=") :].partition("\n[")[0].splitlines())
        kind = {"workroom": "notify", "workroom-backup": "oneshot"}.get(unit.stem, "exec")
        assert re.findall(r"^Type=(.*)$", text, re.MULTILINE) == [kind], unit.name
        assert re.search(r"^StateDirectoryMode=0700$", text, re.MULTILINE), unit.name
        if analyze := shutil.which("systemd-analyze"):
            command = [analyze, "security", "--offline=true", "--no-pager", str(unit)]
            said = subprocess.run(command, capture_output=True, text=True, check=False).stdout
            exposure[unit.stem] = float(re.findall(r"Overall exposure level for \S+ ([\d.]+)", said)[0])
    for name, hardening in lines.items():
        without = (
            {"PrivateDevices=yes"} if name not in ("workroom", "workroom-fleet", "workroom-backup") else set[str]()
        )
        assert {line for line in hardening if not line.startswith("#")} == lines["workroom"] - without, name
    assert all(level < 5 for level in exposure.values()), exposure


def test_the_compose_file_names_commands_and_settings_that_exist() -> None:
    compose = yaml.safe_load((DEPLOY / "compose.yaml").read_text())
    services: dict[str, Any] = compose["services"]
    replicas = [name for name, one in services.items() if name != "redis" and one.get("profiles") == ["scale"]]
    assert set(services) == {"postgres", "server", "celery", "redis", "caddy"} | set(replicas)
    assert len(replicas) == 3 and "deploy" not in services["replica1"], "each server has a name of its own"
    for service in ("server", *replicas):
        _understood(services[service]["command"])
        names = {name.removeprefix("WORKROOM_").lower() for name in services[service]["environment"]}
        assert names <= set(Settings.model_fields)
    assert services["celery"]["command"][0] == "celery" and services["celery"]["environment"]["WORKROOM_URL"]
    networks = [ip_network(one) for one in services["server"]["environment"]["WORKROOM_PROXIES"].split(",")]
    for address in ("172.18.0.3", "10.89.0.3"):  # of Caddy in the first network of Docker and of Podman
        assert any(ip_address(address) in network for network in networks), address
    mounted = [volume.partition(":")[0] for one in services.values() for volume in one.get("volumes", [])]
    assert {name for name in mounted if not name.startswith(".")} == set(compose["volumes"])
    assert all((DEPLOY / name).exists() for name in mounted if name.startswith("."))
    container = (DEPLOY / "Containerfile").read_text()
    _understood(re.findall(r'"([^"]+)"', re.findall(r"^CMD (.*)$", container, re.MULTILINE)[-1]))
    assert set(re.findall(r"WORKROOM_(\w+)=", container)) <= {field.upper() for field in Settings.model_fields}


def test_the_health_of_a_page_is_asked_of_servers_alone() -> None:
    services = yaml.safe_load((DEPLOY / "compose.yaml").read_text())["services"]
    asked = {name for name, one in services.items() if "/readyz" in str(one.get("healthcheck"))}
    assert asked == {"server", "replica1", "replica2", "replica3"}
    assert services["celery"]["healthcheck"] == {"disable": True}
    assert "HEALTHCHECK" not in (DEPLOY / "Containerfile").read_text(), "an image of all roles"


def test_the_page_on_containers_sets_what_the_compose_file_needs_before_the_first_start() -> None:
    page = (ROOT / "docs" / "howto" / "containers.md").read_text()
    first = page[: page.index("compose.yaml up")]
    needed = set(re.findall(r"\$\{(\w+):\?", (DEPLOY / "compose.yaml").read_text()))
    assert needed == set(re.findall(r"^export (\w+)=", first, re.MULTILINE))
    assert "WORKROOM_ADMIN_PASSWORD=" not in page[len(first) :], "the account exists by then, with its password"


def test_the_image_is_built_from_the_tracked_files() -> None:
    """The test of the image copies these. What git ignores may be large, secret, or of another machine."""
    ignored = [line.rstrip("/") for line in (ROOT / ".gitignore").read_text().split()]
    wanted = [line.strip("/") if "/" in line else f"**/{line}" for line in ignored]
    written = [line for line in (ROOT / ".dockerignore").read_text().splitlines() if not line.startswith("#")]
    assert sorted(written) == sorted([".git", *wanted])
    git = ["git", "-C", str(ROOT), "ls-files", "--cached", "--ignored", "--exclude-standard"]
    assert subprocess.run(git, capture_output=True, text=True, check=True).stdout == ""


def test_the_script_for_slurm_passes_on_what_its_fleet_sets(tmp_path: Path) -> None:
    (tmp_path / "workroom").write_text('#!/bin/sh\nprintf "%s\\n" "$@"\n')
    (tmp_path / "srun").write_text("#!/bin/sh\n")
    for program in ("workroom", "srun"):
        (tmp_path / program).chmod(0o755)
    script = DEPLOY / "slurm" / "worker.sbatch"

    def options(**variables: str) -> list[str]:
        fleet = {f"WORKROOM_FLEET_{name}": value for name, value in variables.items()}
        environment = {"PATH": f"{tmp_path}:/usr/bin:/bin", **fleet}
        ran = subprocess.run(["bash", str(script)], capture_output=True, text=True, check=True, env=environment)
        return ran.stdout.splitlines()

    few = options(FILE="my file.py", ROOM="lab", GLOBAL="", IDLE_EXIT="2.5", TIMEOUT="")
    assert few == ["worker", "my file.py", "--room", "lab", "--idle-exit", "2.5"]
    assert "--idle-exit" not in options(FILE="m", IDLE_EXIT="")
    more = options(FILE="m", ROOM="lab", GLOBAL="1", IDLE_EXIT="120.0", TIMEOUT="1234567.5")
    assert more == ["worker", "m", "--room", "lab", "--idle-exit", "120.0", "--timeout", "1234567.5", "--global"]
    _understood(more)


def _understood(command: list[str]) -> None:
    """Command and options exist: with --help the command line is parsed as far as its options."""
    group = command[:2] if command[0] in ("fleet", "db") else command[:1]
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
