"""Runs `deploy/` in a scratch root.

`python -m tests.acceptance.server.deploy.run_deployed units | fleet | compose | image`

It is one long file because units, services and the image share how a program is started, awaited and ended.
"""

from __future__ import annotations

import ctypes
import gzip
import json
import os
import pwd
import re
import shlex
import shutil
import signal
import socket
import ssl
import string
import subprocess
import sys
import time
import urllib.request
from collections.abc import Generator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import ase
import httpx2
import psycopg
import yaml
from psycopg.sql import SQL, Identifier
from tests.acceptance.fleet.fleet_process import wait_until
from tests.acceptance.fleet.slurm_cluster import running_cluster
from tests.acceptance.live import ADMIN_PASSWORD, ROOT
from tests.store.postgres_server import tcp_server

from workroom import Registry, Room
from workroom.worker.loading import load

DEPLOY = ROOT / "deploy"
ETC = Path("/etc/workroom")
DATA = Path("/var/lib/workroom")
SERVER = "http://127.0.0.1:8686"
LOGIN = f"WORKROOM_URL={SERVER}\nWORKROOM_USER=admin\nWORKROOM_PASSWORD={ADMIN_PASSWORD}\n"

RELAX = """
from workroom import Category, Extension

class Soften(Extension):
    category = Category.MODIFIER
    factor: float = 1.0

    def run(self, vis, **kwargs):
        return self.factor
"""
TASKS = """
from workroom import job

@job(name="deployed_square")
def square(n: int) -> int:
    return n * n
"""


def run_units() -> None:
    """Every unit of systemd, as its ExecStart and its environment say. A stop is a SIGTERM, which ends with 0."""
    _install_for_units()
    for name, text in {
        "workroom.env": f"WORKROOM_ADMIN_PASSWORD={ADMIN_PASSWORD}\n",
        "worker.env": LOGIN,
        "pool.env": f"WORKROOM_DATA={DATA}\n",
        "workers/relax.py": RELAX,
        "functions/tasks.py": TASKS,
    }.items():
        _write(ETC / name, text)
    load(str(ETC / "functions" / "tasks.py"))
    with (
        _unit("workroom", f"{SERVER}/readyz"),
        _unit("workroom-worker@relax"),
        _unit("workroom-pool@tasks"),
        Room("lobby", SERVER, "admin", ADMIN_PASSWORD) as room,
    ):
        _wait_for(room, "Soften")
        assert room.run("modifiers/Soften", factor=2.0).result(60) == 2.0
        posting = Registry["deployed_square"].post_work([(3,)], url=SERVER)
        assert list(posting.wait(timeout=60).results()) == [9]
        _back_up()
    _run_oneshot("workroom-backup")  # also while the server is stopped
    with _running(["redis-server", "--save", "", "--appendonly", "no"]):
        broker = "redis://127.0.0.1:6379/1"
        engine = f"WORKROOM_ENGINE=celery\nWORKROOM_BROKER={broker}\n"
        _write(ETC / "workroom.env", f"WORKROOM_ADMIN_PASSWORD={ADMIN_PASSWORD}\n{engine}")
        _write(ETC / "celery.env", f"{LOGIN}WORKROOM_DATA={DATA}\n{engine}")
        with _unit("workroom", f"{SERVER}/readyz"), _unit("workroom-celery"):
            posting = Registry["deployed_square"].post_work([(4,)], url=SERVER)
            assert list(posting.wait(timeout=90).results()) == [16]
            _run_built_in(SERVER)


def run_fleet() -> None:
    """The unit of a fleet with a real SLURM, which runs a worker from the script of `deploy/slurm`."""
    _install_for_units()
    _write(ETC / "workroom.env", f"WORKROOM_ADMIN_PASSWORD={ADMIN_PASSWORD}\n")
    _write(ETC / "fleet" / "extensions.py", RELAX)
    shutil.copy(DEPLOY / "slurm" / "worker.sbatch", ETC / "fleet")
    # With addresses of the loopback device alone, slurmd finds none to listen at.
    subprocess.run(["ip", "address", "add", "192.0.2.1/32", "dev", "lo"], check=True)
    for slurm in running_cluster():
        # The queue of this cluster allows less than the script asks for.
        variables = slurm.environment | {"SBATCH_TIMELIMIT": "2"}
        _write(ETC / "fleet.env", LOGIN + "".join(f"{name}={value}\n" for name, value in variables.items()))
        with (
            _unit("workroom", f"{SERVER}/readyz"),
            _unit("workroom-fleet"),
            Room("lobby", SERVER, "admin", ADMIN_PASSWORD) as room,
        ):
            _wait_for(room, "Soften")
            try:
                assert room.run("modifiers/Soften", factor=3.0).result(90) == 3.0
            except BaseException:
                print(slurm.log(), *(log.read_text() for log in Path("/var/lib/workroom-fleet").glob("*.log")))
                raise
            assert len(slurm.active("workroom")) == 1, "the worker waits for more jobs"


def _install_for_units() -> None:
    """What the page on systemd does before the units are started."""
    shutil.rmtree(DATA, ignore_errors=True)
    try:
        pwd.getpwnam("workroom")
    except KeyError:
        subprocess.run(["useradd", "--system", "--home-dir", str(DATA), "workroom"], check=True)
    _link_program("/opt/workroom/bin")


def run_compose() -> None:
    """Every service of the compose file, its hosts being this one; an image's other programs are Debian's."""
    with Path("/etc/hosts").open("a") as hosts:
        hosts.write("127.0.0.1 postgres server redis\n" + "".join(f"127.0.0.{n + 1} replica{n}\n" for n in (1, 2, 3)))
    _link_program("/opt/workroom/bin")
    Path("/data").mkdir()
    compose = yaml.safe_load((DEPLOY / "compose.yaml").read_text())["services"]
    chosen = {
        "WORKROOM_NAME": "localhost",
        "WORKROOM_SECRET": "a random text, the same for all servers",
        "POSTGRES_PASSWORD": "of-the-database",
        "WORKROOM_ADMIN_PASSWORD": ADMIN_PASSWORD,
    }
    broker = {"WORKROOM_ENGINE": "celery", "WORKROOM_BROKER": "redis://redis:6379/1"}
    image = {"WORKROOM_DATA": "/data", "WORKROOM_LOG_FORMAT": "json"}

    @contextmanager
    def service(name: str, ready: str | None = None, **more: str) -> Generator[None]:
        given = compose[name]
        environment = {key: _filled(value, chosen | more) for key, value in given["environment"].items()}
        # In containers each has its own address, and that port of it.
        words = [socket.gethostbyname(name) if word == "0.0.0.0" else word for word in given["command"]]
        with _running(["workroom", *words], ready, **image, **environment):
            yield

    with _postgres(compose["postgres"], chosen), _running(compose["redis"]["command"]):
        with (
            service("server", f"{SERVER}/readyz"),
            _running(_caddy(), "https://localhost/readyz", **chosen | _upstream(compose, chosen)),
        ):
            subprocess.run(compose["server"]["healthcheck"]["test"][1:], check=True)
            os.environ["SSL_CERT_FILE"] = "/root/.local/share/caddy/pki/authorities/local/root.crt"  # Caddy's own
            _run_built_in("https://localhost")
        scale = _exported("WORKROOM_REDIS", "WORKROOM_UPSTREAM")
        names = [address.partition(":")[0] for address in scale["WORKROOM_UPSTREAM"].split()]
        with ExitStack() as servers:
            for name in names:
                address = socket.gethostbyname(name)
                servers.enter_context(service(name, f"http://{address}:8686/readyz", **scale))
            servers.enter_context(
                _running(_caddy(), "https://localhost/readyz", **chosen | _upstream(compose, chosen | scale))
            )
            _stay_at_one_server("https://localhost", len(names))
            _run_built_in("https://localhost")
        with service("server", f"{SERVER}/readyz", **broker), service("celery", **broker):
            _run_built_in(SERVER)


def _exported(*names: str) -> dict[str, str]:
    """What the page on containers sets."""
    page = (ROOT / "docs" / "howto" / "containers.md").read_text()
    found = dict(re.findall(r'(WORKROOM_\w+)="?([^"\n]+)"?', page))
    return {name: found[name] for name in names}


def _stay_at_one_server(url: str, servers: int) -> None:
    """Clients that use long polling: each request needs the server that made the session."""
    met: set[str] = set()
    for _ in range(15 * servers):
        with httpx2.Client(base_url=url, verify=False, trust_env=False) as http:
            session = {"EIO": "4", "transport": "polling"}
            opened = http.get("/socket.io/", params=session)
            session["sid"] = json.loads(opened.text[1:])["sid"]
            for answer in (
                http.post("/socket.io/", params=session, content="40"),
                http.get("/socket.io/", params=session),
            ):
                assert answer.status_code == 200, answer.text
            met.add(http.cookies["workroom_server"])
    assert len(met) == servers, f"{len(met)} of {servers} servers got clients"


def run_image() -> None:
    """The steps of the Containerfile, with this machine as the base image, and then the command of the image."""
    text = (DEPLOY / "Containerfile").read_text().replace("\\\n", "")
    steps = re.findall(r"^(FROM|WORKDIR|COPY|RUN|ENV|CMD) (.*)$", text, re.MULTILINE)
    environment = {"PATH": f"{Path(sys.executable).resolve().parent}:{os.environ['PATH']}", "HOME": "/root"}
    environment |= {name: value for name, value in os.environ.items() if "CERT" in name or name.startswith("PIP_")}
    subprocess.run(["userdel", "workroom"], check=False, capture_output=True)  # a base image has none
    folder = Path("/")
    command: list[str] = []
    for word, rest in steps:
        print(word, rest, flush=True)
        if word == "WORKDIR":
            folder = Path(rest)
            folder.mkdir()
        elif word == "COPY" and not rest.startswith("--from"):
            assert rest == ". ."
            subprocess.run(f"git -C {ROOT} archive HEAD | tar -x", shell=True, cwd=folder, check=True)
        elif word == "RUN":
            subprocess.run(["sh", "-c", rest], cwd=folder, env=environment, check=True)
        elif word == "ENV":
            named = dict(pair.split("=", 1) for pair in shlex.split(rest))
            environment |= {name: string.Template(value).substitute(environment) for name, value in named.items()}
        elif word == "CMD":
            command = json.loads(rest)
    _leave_network()
    (user,) = re.findall(r"^USER (.*)$", text, re.MULTILINE)
    workroom = shutil.which("workroom", path=environment["PATH"])
    assert workroom == "/opt/workroom/bin/workroom"
    _let_all_enter(Path(sys.executable).resolve())
    with _running([workroom, *command], f"{SERVER}/readyz", user, **environment):
        os.environ["WORKROOM_PASSWORD"] = Path("/data/admin-password").read_text().strip()
        _run_built_in(SERVER, os.environ["WORKROOM_PASSWORD"])
        with urllib.request.urlopen(f"{SERVER}/docs/", timeout=10) as page:
            assert b"Workroom" in page.read()


def _leave_network() -> None:
    """Go on in a network of its own: the build needs that of the machine, the server the port of the image."""
    new_network = 0x40000000
    assert ctypes.CDLL(None).unshare(new_network) == 0
    subprocess.run(["ip", "link", "set", "lo", "up"], check=True)


def _run_built_in(url: str, password: str = ADMIN_PASSWORD) -> None:
    with Room("deployed", url, "admin", password) as room:
        room.append(ase.Atoms("H2", positions=[(0, 0, 0), (0, 0, 0.7)]))
        _wait_for(room, "Translate")
        room.run("modifiers/Translate").wait(90)
        assert len(room) >= 2


def _wait_for(room: Room, extension: str) -> None:
    wait_until(lambda: any(one.name == extension for one in room.extensions))


def _caddy() -> list[str]:
    # The certificate of a public name needs the network; Caddy's own authority signs that of localhost.
    for volume in yaml.safe_load((DEPLOY / "compose.yaml").read_text())["services"]["caddy"]["volumes"]:
        source, target, *_ = volume.split(":")
        if source.startswith("."):
            _copy(DEPLOY / source, Path(target))
    _write(Path("/etc/caddy/test.Caddyfile"), "{\n\tskip_install_trust\n}\nimport Caddyfile\n")
    return ["caddy", "run", "--config", "/etc/caddy/test.Caddyfile", "--adapter", "caddyfile"]


def _copy(source: Path, target: Path) -> None:
    if source.is_dir():
        shutil.copytree(source, target, dirs_exist_ok=True)
    else:
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(source, target)


def _upstream(compose: Mapping[str, Any], chosen: Mapping[str, str]) -> dict[str, str]:
    return {key: _filled(value, chosen) for key, value in compose["caddy"]["environment"].items()}


@contextmanager
def _postgres(service: Mapping[str, Any], chosen: Mapping[str, str]) -> Generator[None]:
    """What the image of PostgreSQL does with its environment, and the health check of the file."""
    name = service["environment"]["POSTGRES_USER"]
    password = _filled(service["environment"]["POSTGRES_PASSWORD"], chosen)
    with tcp_server(port=5432) as server:
        with psycopg.connect(server.url(), autocommit=True) as connection:
            connection.execute(SQL("ALTER ROLE {} PASSWORD {}").format(Identifier(name), password))
        kind, *check = service["healthcheck"]["test"]
        assert kind == "CMD"
        subprocess.run([*check, "--host", "postgres"], check=True, stdout=subprocess.DEVNULL)
        yield


def _back_up() -> None:
    """Dumps of a running server: by the unit of the timer, and from a shell of root, which has another /tmp."""
    _run_oneshot("workroom-backup")
    (made,) = Path("/var/lib/workroom-backup").glob("workroom-*.sql.gz")
    shell = Path("/root/before-upgrade.sql.gz")
    subprocess.run(["/opt/workroom/bin/workroom", "db", "dump", str(shell)], check=True, cwd="/root")
    for file in (made, shell):
        assert b"deployed_square" in gzip.decompress(file.read_bytes()), file


@contextmanager
def _unit(name: str, ready: str | None = None) -> Generator[None]:
    (command,), folder, environment = _as_systemd_starts(name)
    with _running(command, ready, None, folder, **environment):
        yield


def _run_oneshot(name: str) -> None:
    commands, folder, environment = _as_systemd_starts(name)
    for command in commands:
        print("runs", shlex.join(command), flush=True)
        subprocess.run(command, env=environment, cwd=folder, check=True)


def _as_systemd_starts(name: str) -> tuple[list[list[str]], str, dict[str, str]]:
    """The commands of a unit, their folder and their environment."""
    template, at, instance = name.partition("@")
    text = (DEPLOY / "systemd" / f"{template}{at}.service").read_text().replace("%i", instance)
    unit = dict(re.findall(r"^(\w+)=(.*)$", text, re.MULTILINE))
    environment = {"PATH": "/usr/local/bin:/usr/bin:/bin", "HOME": pwd.getpwnam(unit["User"]).pw_dir}  # from systemd
    for line in re.findall(r"^Environment=(.*)$", text, re.MULTILINE):
        environment |= dict(pair.split("=", 1) for pair in shlex.split(line))
    for file in re.findall(r"^EnvironmentFile=-?(.*)$", text, re.MULTILINE):
        environment |= dict(line.split("=", 1) for line in Path(file).read_text().splitlines() if line)
    writable = [_folder_of(unit, "State", "/var/lib")]
    if "RuntimeDirectory" in unit:
        runtime = _folder_of(unit, "Runtime", "/run")
        environment["RUNTIME_DIRECTORY"] = runtime
        writable.append(runtime)
    writable += [path.removeprefix("-") for path in unit.get("ReadWritePaths", "").split()]
    assert unit["PrivateTmp"] == "yes"
    words = ["unshare", "--mount", "sh", "-c", _HARDENED, "unit", " ".join(writable), unit["User"], str(ROOT)]
    starts = [
        line.replace("%%", "%").replace("$$", "$") for line in re.findall(r"^ExecStart=(.*)$", text, re.MULTILINE)
    ]
    return [[*words, *shlex.split(line)] for line in starts], unit.get("WorkingDirectory", "/"), environment


def _folder_of(unit: Mapping[str, str], kind: str, parent: str) -> str:
    folder = Path(parent, unit[f"{kind}Directory"])
    folder.mkdir(mode=int(unit[f"{kind}DirectoryMode"], 8), parents=True, exist_ok=True)
    shutil.chown(folder, unit["User"], unit["User"])
    return str(folder)


# What units ask of systemd, as far as a test can do it: ProtectSystem, PrivateTmp, User, NoNewPrivileges,
# CapabilityBoundingSet.
_HARDENED = """
set -e
writable=$1 user=$2 project=$3
shift 3
for folder in $writable; do mount --bind "$folder" "$folder"; done
# The project itself may lie below /tmp.
mount --bind "$project" /mnt
mount -o remount,bind,ro /
mount -t tmpfs -o mode=1777 tmpfs /tmp
[ -e "$project" ] || mkdir -p "$project"
mount --no-mtab --move /mnt "$project"
cd "$PWD"
exec setpriv --reuid="$user" --regid="$user" --clear-groups --no-new-privs --bounding-set=-all "$@"
"""


@contextmanager
def _running(
    command: Sequence[str],
    ready: str | None = None,
    user: str | None = None,
    folder: str = "/",
    **environment: str,
) -> Generator[None]:
    """A program until SIGTERM. `ready` is a URL that answers once it is."""
    print("runs", shlex.join(command), flush=True)
    paths = {"PATH": f"/opt/workroom/bin:{os.environ['PATH']}", "HOME": pwd.getpwnam(user or "root").pw_dir}
    process = subprocess.Popen(list(command), env=paths | environment, user=user, group=user, cwd=folder)
    try:
        if ready is not None:
            _wait(process, ready)
        yield
        assert process.poll() is None, f"{shlex.join(command)} ended with {process.returncode}"
    finally:
        process.send_signal(signal.SIGTERM)
        code = process.wait(60)
    assert code == 0, f"{shlex.join(command)} ended with {code} after SIGTERM"


def _wait(process: subprocess.Popen[bytes], url: str) -> None:
    deadline = time.monotonic() + 60
    any_authority = ssl.create_default_context()
    any_authority.check_hostname, any_authority.verify_mode = False, ssl.CERT_NONE
    while True:
        try:
            urllib.request.urlopen(url, timeout=5, context=any_authority if url.startswith("https") else None).close()
            return
        except OSError:
            if process.poll() is not None or time.monotonic() > deadline:
                raise
            time.sleep(0.1)


def _filled(value: str, chosen: Mapping[str, str]) -> str:
    """The value of a setting of the compose file: ${NAME}, ${NAME:-default} and ${NAME:?message}."""

    def replacement(found: re.Match[str]) -> str:
        name, kind, rest = found["name"], found["kind"], found["rest"]
        if chosen.get(name):
            return chosen[name]
        assert kind == ":-", f"{name}: {rest}"
        return rest

    return re.sub(r"\$\{(?P<name>\w+)(?:(?P<kind>:[-?])(?P<rest>[^}]*))?\}", replacement, value)


def _link_program(folder: str) -> None:
    place = Path(folder)
    place.parent.mkdir(parents=True, exist_ok=True)
    place.symlink_to(Path(sys.executable).parent)
    _let_all_enter(Path(sys.executable).resolve())
    _let_all_enter(ROOT / "pyproject.toml")


def _let_all_enter(file: Path) -> None:
    """Other users than root run programs here."""
    for parent in file.parents:
        parent.chmod(parent.stat().st_mode | 0o711)


def _write(file: Path, text: str) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)


if __name__ == "__main__":
    os.environ |= {"WORKROOM_USER": "admin", "WORKROOM_PASSWORD": ADMIN_PASSWORD}
    {"units": run_units, "fleet": run_fleet, "compose": run_compose, "image": run_image}[sys.argv[1]]()
