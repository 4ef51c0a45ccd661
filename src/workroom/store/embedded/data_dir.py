"""The data folder and the place of its cluster."""

from __future__ import annotations

import os
import shutil
import tempfile
import time
from pathlib import Path

from workroom.domain.data_folder import SYSTEM_FOLDER, data_folder
from workroom.domain.errors import DataFolderUnusable
from workroom.store.embedded.orphaned_server import processes_of
from workroom.store.embedded.os_user import Account

CLUSTERS = SYSTEM_FOLDER / "clusters"
GRACE = 3600.0  # seconds


def default_data_folder() -> Path:
    return data_folder(os.environ, is_root=os.geteuid() == 0, home=Path.home())


def make_folder(folder: Path) -> None:
    """A folder we make is closed to others; as root, the server's account may pass through but not look around.

    A folder that is already there keeps its mode, and so do all its parents: they are not ours to open.
    """
    try:
        if folder.is_dir():
            return
        folder.mkdir(parents=True)
    except FileExistsError:
        if folder.is_dir():  # made by another process just now
            return
        raise DataFolderUnusable(f"{folder} is a file: choose another data folder with --data.") from None
    except OSError as trouble:
        raise DataFolderUnusable(
            f"The data folder {folder} cannot be used: {trouble.strerror}. Choose another with --data."
        ) from trouble
    folder.chmod(0o711 if os.geteuid() == 0 else 0o700)


def cluster_of(data: Path) -> Path:
    """Where the cluster is, or would be if the server's account can enter the data folder."""
    link = data / "postgres"
    return link.readlink() if link.is_symlink() else link


def require_cluster(data: Path) -> None:
    """For commands that only read: they make no folder and no database."""
    folder = data.expanduser().resolve()
    if not cluster_of(folder).exists():
        raise DataFolderUnusable(
            f"There is no database in the data folder {folder}. Name another folder with --data or WORKROOM_DATA, or a "
            f"PostgreSQL with --database or WORKROOM_DATABASE. `workroom serve` makes a new one."
        )


def settle_cluster(data: Path, account: Account) -> Path:
    """The cluster's place, decided once: in the data folder, or in the system's if the account cannot get there."""
    link = data / "postgres"
    if link.is_symlink():
        cluster = _cluster_elsewhere(data, link.readlink())
        require_entry(account, cluster.parent)
        return cluster
    if account.can_enter(data):
        return link
    if link.exists():
        raise DataFolderUnusable(
            f"The account '{account.name}', which owns the database in {data}, can no longer enter that folder. "
            f"Give it back the way in (chmod o+x on the folders above), or choose another folder with --data."
        )
    return _new_cluster_elsewhere(data, account)


def require_entry(account: Account, folder: Path) -> None:
    """For the system's folders: one that was made closed, by hand or by another program, is not ours to open."""
    if not account.can_enter(folder):
        folders = " ".join(str(one) for one in (*reversed(folder.parents), folder) if not account.can_enter(one))
        raise DataFolderUnusable(
            f"The account '{account.name}', which runs PostgreSQL, cannot enter {folder}. "
            f"Let it pass with `chmod 711 {folders}`, or choose with --data a folder that it can enter."
        )


def _new_cluster_elsewhere(data: Path, account: Account) -> Path:
    make_folder(SYSTEM_FOLDER)
    make_folder(CLUSTERS)
    require_entry(account, CLUSTERS)
    place = Path(tempfile.mkdtemp(prefix="", dir=CLUSTERS))
    place.chmod(0o711)
    # The link first: a place without an origin file is being created, and no process removes it.
    (data / "postgres").symlink_to(place / "postgres")
    (place / "origin").write_text(f"{data}\n")
    return place / "postgres"


def _cluster_elsewhere(data: Path, cluster: Path) -> Path:
    if not cluster.parent.exists():
        raise DataFolderUnusable(
            f"The database of {data} was kept in {cluster}, which is gone. "
            f"Restore it, or remove {data / 'postgres'} to start anew."
        )
    origin = cluster.parent / "origin"
    named = Path(origin.read_text().rstrip("\n")) if origin.exists() else None
    if named is None:
        origin.write_text(f"{data}\n")  # the start that created this place was interrupted
    elif named != data:
        if _points_to(named, cluster):
            raise DataFolderUnusable(
                f"{data} is a copy of {named}: both would write the same database. Choose another with --data."
            )
        origin.write_text(f"{data}\n")  # the data folder was moved
    return cluster


def remove_abandoned_clusters(*, idle_for: float = GRACE) -> None:
    """Remove the clusters of throw-away data folders that were thrown away.

    Only folders below the system's temporary ones count, and only after a while without use:
    from here a removed folder looks just like a moved one whose next start is still to come.
    """
    if os.geteuid() != 0 or not CLUSTERS.is_dir():
        return
    for place in CLUSTERS.iterdir():
        cluster = place / "postgres"
        try:
            named = Path((place / "origin").read_text().rstrip("\n"))
            idle = time.time() - _last_use(place)
        except OSError:  # another process is creating or removing it
            continue
        if idle >= idle_for and _is_temporary(named) and not _points_to(named, cluster) and not processes_of(cluster):
            shutil.rmtree(place, ignore_errors=True)


def _last_use(place: Path) -> float:
    """PostgreSQL writes its control file at every checkpoint and stop."""
    control = place / "postgres" / "global" / "pg_control"
    return (control if control.exists() else place).stat().st_mtime


def _points_to(data: Path, cluster: Path) -> bool:
    link = data / "postgres"
    return link.is_symlink() and link.readlink() == cluster


def _is_temporary(folder: Path) -> bool:
    return any(folder.is_relative_to(root) for root in (tempfile.gettempdir(), "/tmp", "/var/tmp"))  # noqa: S108 - only compared
