"""Everything that can be configured: by flags, by `WORKROOM_*` variables, by a TOML file, in this order.

The TOML file is `workroom.toml` in the data folder, or the one `WORKROOM_CONFIG` names.
"""

from __future__ import annotations

import difflib
import os
import re
import tomllib
from dataclasses import dataclass
from ipaddress import ip_network
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field, ValidationError, field_validator
from pydantic_settings import BaseSettings, PydanticBaseSettingsSource, SettingsConfigDict

from workroom.domain.errors import BadInput
from workroom.domain.jobs.heartbeat_and_lease import Timing
from workroom.domain.quotas import QuotaDefaults
from workroom.domain.retention import Retention
from workroom.server.sign_in_settings import SignInSettings

# Never shown.
SECRETS = frozenset(
    {"admin_password", "secret", "broker", "database", "pooler", "redis", "metrics_token", "oidc_client_secret"}
)
# Separated by commas in flags and environment variables.
_LISTS = frozenset(
    {"frame_ancestors", "hosts", "origins", "pool_modules", "pool_readable", "pool_writable", "proxies"}
    | {"allowed_groups", "admin_groups", "oidc_scopes", "header_proxies"}
)


class _ServerSettings(BaseSettings):
    """All settings but those of `sign_in_settings.py`."""

    model_config = SettingsConfigDict(env_prefix="WORKROOM_", extra="forbid")

    host: str = Field("127.0.0.1", description="The address to listen on; loopback by default.")
    port: int = Field(8686, ge=0, le=65535, description="The port to listen on; 0 takes a free one.")
    root_path: str = Field(
        "",
        pattern=r"^((/[A-Za-z0-9._~-]+)+)?$",
        description="The path below which a proxy serves the server, for example /workroom. The proxy may remove it.",
    )
    data: Path | None = Field(
        None,
        description="The data folder: embedded database, secrets. Without it: `$XDG_DATA_HOME/workroom`, else "
        "`~/.local/share/workroom`; for root `/var/lib/workroom`.",
    )
    database: str | None = Field(None, description="A PostgreSQL ≥ 15 by URL, instead of the embedded one.")
    pooler: str | None = Field(
        None,
        description="A PgBouncer in transaction mode by URL, through which statements go. `database` stays the address "
        "of PostgreSQL itself, for notifications and locks.",
    )
    connections: int = Field(20, ge=2, le=500, description="How many database connections each server process uses.")
    replicas: int = Field(1, ge=1, le=64, description="How many server processes share the port.")
    redis: str | None = Field(
        None,
        pattern="^(redis|rediss|unix)://",
        description="A Redis by URL, through which several servers on one database reach each other. All need the same "
        "`secret` or data folder.",
    )
    engine: str = Field(
        "pool",
        pattern="^(pool|celery)$",
        description="What runs the built-in extensions: `pool`, the processes of this server, or `celery`, the workers "
        "of `workroom celery`, which also run posted functions.",
    )
    broker: str | None = Field(
        None,
        pattern="^(redis|rediss|amqp|amqps)://",
        description="The broker of Celery by URL: a Redis or a RabbitMQ.",
    )
    celery_ahead: int = Field(
        4,
        ge=1,
        le=1_000,
        description="How many messages wait in the broker for each slot of the Celery workers. The other jobs wait in "
        "the database, where priorities and turns count.",
    )
    celery_republish_seconds: float = Field(
        10.0,
        gt=0,
        description="After how long a free Celery worker must have claimed a job, or its message is sent again.",
    )
    pool: int = Field(2, ge=0, le=256, description="How many processes run the built-in extensions; 0 for none.")
    pool_modules: list[str] = Field(["workroom.atoms"], description="Where the built-in extensions are.")
    pool_memory_mb: int = Field(4_096, ge=0, description="Memory a pool process may take (address space); 0: any.")
    pool_timeout_seconds: float = Field(
        600.0, gt=0, description="Time-out of built-in extensions that have none of their own."
    )
    pool_nice: int = Field(
        5, ge=0, le=19, description="The nice value of pool processes, so that the server has priority."
    )
    pool_jobs_each: int = Field(100, ge=1, description="After how many jobs a pool process is replaced.")
    pool_stop_seconds: float = Field(
        10.0, ge=0, description="How long jobs of the pool may run on when the server stops."
    )
    pool_confine: str = Field(
        "auto",
        pattern="^(auto|required|off)$",
        description="Confinement of built-in jobs and downloads: `auto` uses what the machine has, `required` runs "
        "nothing without it, `off` uses none.",
    )
    pool_network: bool = Field(False, description="Whether built-in jobs may open Internet connections of their own.")
    pool_readable: list[str] = Field(
        default_factory=list[str], description="Further files and folders that built-in jobs may read."
    )
    pool_writable: list[str] = Field(
        default_factory=list[str], description="Further folders that built-in jobs may change."
    )
    guests: bool = Field(True, description="Whether people may sign in without a password.")
    admin_password: str | None = Field(None, description="The first admin's password; a random one when left out.")
    secret: str | None = Field(None, min_length=32, description="What tokens are signed with; shared by replicas.")
    metrics_token: str | None = Field(
        None, min_length=16, description="A token with which a monitoring system reads /metrics, and nothing else."
    )
    origins: list[str] = Field(default_factory=list[str], description="Other sites whose pages may connect.")
    frame_ancestors: list[Annotated[str, Field(pattern=r"^(https?://[\w.:*\[\]-]+|'self')$")]] = Field(
        default_factory=list[str],
        description="Sites whose pages may show the web app in a frame, e.g. https://jupyter.example.org; "
        "none when empty.",
    )
    hosts: list[str] = Field(
        default_factory=list[str],
        description="Host names that requests may name, besides localhost and the address to listen on, "
        "e.g. workroom.example.org or *.example.org; * for any.",
    )
    proxies: list[str] = Field(
        default_factory=list[str],
        description="Addresses or networks of reverse proxies whose X-Forwarded-For and X-Forwarded-Proto are used.",
    )
    token_seconds: float = Field(86_400.0, gt=0, description="How long a person's token lasts.")
    login_days: float = Field(30.0, gt=0, description="How long a login of `workroom login` lasts.")
    worker_token_seconds: float = Field(
        3_600.0, gt=0, description="How long a worker's token lasts between heartbeats."
    )
    heartbeat_seconds: float = Field(10.0, gt=0, description="How often workers send heartbeats.")
    lease_seconds: float = Field(30.0, gt=0, description="How long a worker counts as alive without a heartbeat.")
    sweep_seconds: float = Field(5.0, gt=0, description="How often the server looks for lost workers.")
    grace_seconds: float = Field(15.0, gt=0, description="How long a disconnected worker may take to reconnect.")
    confirm_seconds: float = Field(5.0, gt=0, description="How long a worker may take to confirm a job.")
    fair_turn_days: float = Field(
        7.0, gt=0, description="How long the turn of a submitter in a queue is kept after the last job."
    )
    keep_days: float = Field(30.0, gt=0, description="How long ended jobs are kept, and changes can be undone.")
    change_days: float = Field(
        365.0, gt=0, description="How long changes are listed and frames name their change; never less than keep_days."
    )
    audit_days: float = Field(365.0, gt=0, description="How long rows of the audit log are kept.")
    notice_days: float = Field(
        30.0, gt=0, description="How long chat notices about failed jobs are kept; a notice stays as long as its job."
    )
    guest_days: float = Field(
        90.0,
        gt=0,
        description="How long a guest account without rooms, jobs or content is kept after its last sign-in; "
        "never less than token_seconds.",
    )
    link_days: float = Field(7.0, gt=0, description="How long expired share links are kept.")
    extension_days: float = Field(
        90.0, gt=0, description="How long extensions without workers and jobs are kept after their removal."
    )
    offline_extension_days: float = Field(
        1.0,
        gt=0,
        description="How long an extension stays listed as offline after its last worker has left; it stays as long as "
        "it has unfinished jobs.",
    )
    history_days: float = Field(
        90.0, gt=0, description="How long the numbers and times of ended jobs are kept, by extension, room and hour."
    )
    logins_per_minute: int = Field(5, ge=1, description="Failed sign-ins a minute, for each name from one address.")
    address_logins_per_minute: int = Field(200, ge=1, description="Failed sign-ins a minute, for each address.")
    name_logins_per_minute: int = Field(
        100, ge=1, description="Failed sign-ins a minute, for each name from all addresses."
    )
    guests_per_minute: int = Field(120, ge=1, description="New guest accounts a minute, for each address.")
    registrations_per_minute: int = Field(10, ge=1, description="New workers a minute, for each account.")
    submissions_per_minute: int = Field(60_000, ge=1, description="Jobs submitted a minute, for each account.")
    chat_per_minute: int = Field(600, ge=1, description="Chat messages a minute, for each account.")
    quota_rooms: int = Field(1_000, ge=0, description="Rooms that an account may own.")
    quota_bytes: int = Field(200_000_000_000, ge=0, description="Bytes in all rooms that an account owns.")
    quota_jobs: int = Field(1_000_000, ge=0, description="Unfinished jobs of an account, without those of postings.")
    quota_calls: int = Field(1_500_000, ge=0, description="Unfinished calls of all postings of an account.")
    quota_workers: int = Field(1_000, ge=0, description="Workers of an account that are online.")
    quota_room_bytes: int = Field(100_000_000_000, ge=0, description="Bytes in a room.")
    quota_room_frames: int = Field(10_000_000, ge=0, description="Frames in a room.")
    quota_room_jobs: int = Field(2_000_000, ge=0, description="Unfinished jobs in a room, without those of postings.")
    quota_room_calls: int = Field(3_000_000, ge=0, description="Unfinished calls of all postings of a room.")
    quota_room_workers: int = Field(2_000, ge=0, description="Workers online that were registered from a room.")
    quota_guest_percent: int = Field(
        10, ge=0, le=100, description="The share of an account's quotas that a guest gets, in percent."
    )
    upload_bytes: int = Field(8_000_000_000, ge=1_000_000, description="The largest upload of frames or files.")
    input_bytes: int = Field(100_000_000, ge=1_000, description="The largest file of a field of an extension.")
    upload_bytes_per_second: int = Field(
        5_000, ge=0, description="The least rate at which an upload arrives; a slower one is ended. 0: any rate."
    )
    upload_rate_seconds: float = Field(60.0, gt=0, description="The time over which this rate is measured.")
    unfinished_upload_bytes: int = Field(
        10_000_000_000, ge=1_000_000, description="Bytes of uploads that have not ended, for each account."
    )
    unfinished_upload_bytes_total: int = Field(
        40_000_000_000, ge=1_000_000, description="Bytes of uploads that have not ended, of all accounts together."
    )
    unread_seconds: float = Field(
        30.0, gt=0, description="How long a client may leave a response unread before its connection is closed."
    )
    transport: str = Field(
        "fast",
        pattern="^(fast|library)$",
        description="How WebSockets are served: by Workroom's transport, or by python-socketio alone (`library`).",
    )
    log_format: str = Field("text", pattern="^(text|json)$", description="How the log is written.")
    request_log: str = Field(
        "debug",
        pattern="^(off|debug|info)$",
        description="The level at which each request is logged, with its route, status, duration and account; `off`: "
        "none. Logged with `info`, they are in every log.",
    )
    log_level: str = Field("info", pattern="^(debug|info|warning|error)$", description="How much is logged.")

    @field_validator("proxies")
    @classmethod
    def _are_networks(cls, proxies: list[str]) -> list[str]:
        for proxy in proxies:
            try:
                ip_network(proxy, strict=False)
            except ValueError:
                raise ValueError(f"{proxy!r} is no address or network: use e.g. 10.0.0.7 or 10.0.0.0/24.") from None
        return proxies

    @property
    def has_replicas(self) -> bool:
        """Whether other servers may use the database."""
        return self.replicas > 1 or self.redis is not None

    @property
    def quotas(self) -> QuotaDefaults:
        return QuotaDefaults(
            account={
                "rooms": self.quota_rooms,
                "bytes": self.quota_bytes,
                "jobs": self.quota_jobs,
                "calls": self.quota_calls,
                "workers": self.quota_workers,
            },
            room={
                "bytes": self.quota_room_bytes,
                "frames": self.quota_room_frames,
                "jobs": self.quota_room_jobs,
                "calls": self.quota_room_calls,
                "workers": self.quota_room_workers,
            },
            guest_percent=self.quota_guest_percent,
        )

    @property
    def has_pool(self) -> bool:
        """Whether this server runs the built-in extensions itself."""
        return self.engine == "pool" and self.pool > 0

    @property
    def timing(self) -> Timing:
        return Timing(
            heartbeat=self.heartbeat_seconds,
            lease=self.lease_seconds,
            sweep=self.sweep_seconds,
            fair_turns=self.fair_turn_days * 86_400,
            grace=self.grace_seconds,
            confirm=self.confirm_seconds,
            keep=self.keep_days * 86_400,
            retention=Retention(
                changes=self.change_days * 86_400,
                audit=self.audit_days * 86_400,
                notices=self.notice_days * 86_400,
                # A guest whose token is still valid must not be deleted.
                guests=max(self.guest_days * 86_400, self.token_seconds),
                links=self.link_days * 86_400,
                extensions=self.extension_days * 86_400,
                offline=self.offline_extension_days * 86_400,
                history=self.history_days * 86_400,
            ),
        )

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        # `load` merges the sources, because it also records where each value came from.
        return (init_settings,)


class Settings(SignInSettings, _ServerSettings):
    """The settings of one server."""


@dataclass(frozen=True, slots=True)
class LoadedSettings:
    """The settings, and where each value came from."""

    settings: Settings
    origins: dict[str, str]


def load(flags: dict[str, Any], default_data: Path) -> LoadedSettings:
    """Settings from flags, then variables, then the TOML file, then defaults."""
    _refuse_mistyped_variables()
    values: dict[str, Any] = {}
    origins = dict.fromkeys(Settings.model_fields, "default")
    environment = {
        name: os.environ[f"WORKROOM_{name.upper()}"]
        for name in Settings.model_fields
        if os.environ.get(f"WORKROOM_{name.upper()}")
    }
    given = {name: value for name, value in flags.items() if value is not None}
    file = _file(given.get("data") or environment.get("data") or default_data)
    for source, found in ((str(file), _from_toml(file)), ("environment", environment), ("flag", given)):
        for name, value in found.items():
            values[name] = value.split(",") if name in _LISTS and isinstance(value, str) else value
            origins[name] = f"WORKROOM_{name.upper()}" if source == "environment" else source
    try:
        return LoadedSettings(Settings(**values), origins)
    except ValidationError as error:
        fault = error.errors()[0]
        name = str(fault["loc"][0]) if fault["loc"] else "settings"
        raise BadInput(f"{name} (from {origins.get(name, 'the file')}): {_reason(fault)}") from None


def _reason(fault: Any) -> str:
    """Why a value is refused. For a pattern, list its alternatives."""
    choices = re.fullmatch(r"\^\((.*)\)\$", str(fault.get("ctx", {}).get("pattern", "")))
    return str(fault["msg"]) if choices is None else f"it must be one of {', '.join(choices[1].split('|'))}"


def _refuse_mistyped_variables() -> None:
    """A variable that nearly has the name of a setting would otherwise be ignored."""
    names = [f"WORKROOM_{name.upper()}" for name in Settings.model_fields]
    for name in os.environ:
        if not name.startswith("WORKROOM_") or name in names or name in _OTHER_VARIABLES:
            continue
        if close := difflib.get_close_matches(name, names, n=1, cutoff=0.9):
            raise BadInput(f"{name} is not a setting. Did you mean {close[0]}?")


# Of clients and of the tests.
_OTHER_VARIABLES = frozenset(f"WORKROOM_{name}" for name in ("URL", "USER", "PASSWORD", "TOKEN", "CONFIG", "PROFILE"))


def _file(data: str | Path) -> Path:
    named = os.environ.get("WORKROOM_CONFIG")
    if named and not _is_file(Path(named), "Name another with WORKROOM_CONFIG."):
        raise BadInput(f"WORKROOM_CONFIG names {named}, which is not a file.")
    return Path(named) if named else Path(data) / "workroom.toml"


def _is_file(file: Path, fix: str) -> bool:
    try:
        return file.is_file()
    except OSError as error:  # a folder on the way cannot be entered
        raise BadInput(f"{file} cannot be read: {error.strerror}. {fix}") from None


def _from_toml(file: Path) -> dict[str, Any]:
    if not _is_file(file, "Choose another data folder with --data or WORKROOM_DATA."):
        return {}
    try:
        found = tomllib.loads(file.read_text())
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, OSError) as error:
        raise BadInput(f"{file} cannot be read as TOML: {error}.") from None
    unknown = sorted(set(found) - set(Settings.model_fields))
    if unknown:
        raise BadInput(f"{file} sets {unknown[0]!r}, which is not a setting. `workroom config show` lists them all.")
    return found
