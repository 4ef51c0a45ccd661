"""The cluster, PostgreSQL's own folder: created once, configured at every start."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from workroom.domain.errors import DataFolderUnusable
from workroom.store.embedded.binaries import MAJOR_VERSION, Binaries
from workroom.store.embedded.os_user import Account
from workroom.store.embedded.tuning import Machine, settings_for

ROLE = DATABASE = "workroom"
SETTINGS = "workroom.conf"


def make_cluster(cluster: Path, account: Account, binaries: Binaries) -> None:
    """Create the cluster under another name and rename it when complete: an interrupted start leaves nothing behind."""
    unfinished = cluster.with_name(f"{cluster.name}.unfinished")
    shutil.rmtree(unfinished, ignore_errors=True)
    unfinished.mkdir(mode=0o700)
    account.give(unfinished)
    _run(account, binaries.program("initdb"), "--pgdata", str(unfinished), "--username", ROLE, "--encoding=UTF8",
         "--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8",
         "--auth-local=trust", "--auth-host=reject", "--no-instructions")  # fmt: skip
    _run(account, binaries.program("postgres"), "--single", "-D", str(unfinished), "postgres",
         feed=f"CREATE DATABASE {DATABASE}\n")  # fmt: skip
    with (unfinished / "postgresql.conf").open("a") as conf:
        conf.write(f"\n# Written anew at every start; ALTER SYSTEM overrides it.\ninclude_if_exists '{SETTINGS}'\n")
    unfinished.rename(cluster)


def require_our_version(cluster: Path) -> None:
    made_by = (cluster / "PG_VERSION").read_text().strip()
    if made_by != MAJOR_VERSION:
        raise DataFolderUnusable(
            f"The database in {cluster} was made by PostgreSQL {made_by}, and this Workroom brings {MAJOR_VERSION}. "
            f"Use the Workroom that made it, or start a new folder with --data."
        )


def configure(cluster: Path, account: Account, binaries: Binaries, *, socket_folder: Path) -> None:
    """Written at every start: the machine and the socket's folder may have changed."""
    settings = settings_for(Machine.here(), lz4=_knows_lz4(account, binaries)) | {
        "listen_addresses": "",
        "unix_socket_directories": str(socket_folder),
        "unix_socket_permissions": "0700",
    }
    lines = [f"{name} = {_quoted(value)}\n" for name, value in settings.items()]
    _replace(cluster / SETTINGS, "".join(lines), account)


def is_ready(cluster: Path) -> bool:
    """Whether the server is ready, from postmaster.pid: connection attempts would fill the log with refusals."""
    try:
        lines = (cluster / "postmaster.pid").read_text().splitlines()
    except OSError:
        return False
    return len(lines) >= 8 and lines[7].strip() == "ready"


def _quoted(value: str) -> str:
    return "'" + value.replace("\\", "\\\\").replace("'", "''") + "'"


def _knows_lz4(account: Account, binaries: Binaries) -> bool:
    return "--with-lz4" in account.run(binaries.program("pg_config"), "--configure").stdout


def _run(account: Account, *command: str, feed: str = "") -> None:
    done = account.run(*command, feed=feed)
    # The single-user server reports a failed statement, but exits with 0.
    if done.returncode != 0 or "ERROR:" in done.stderr:
        output = (done.stderr or done.stdout).strip()
        raise DataFolderUnusable(f"The database could not be made ({Path(command[0]).name}): {output}")


def _replace(file: Path, text: str, account: Account) -> None:
    """The folder is the account's, so as root we neither follow nor reuse what lies there under this name."""
    fresh = file.with_name(f"{file.name}.new")
    fresh.unlink(missing_ok=True)
    descriptor = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w") as writing:
        writing.write(text)
    account.give(fresh)
    fresh.replace(file)
