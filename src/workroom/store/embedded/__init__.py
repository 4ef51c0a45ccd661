"""The embedded PostgreSQL: used when no database URL is given.

The binaries come from PyPI. This package controls the life cycle, because the server must run exactly as long as the
process that owns it, and that process can be killed at any moment.

    owner ──── owner.lock      held with flock: the kernel releases it however the owner ends
      │
      └─ pipe ─► watchdog ─► postgres ─► Unix socket in a folder that only this user can enter
                 (sh)     when the pipe closes, the watchdog stops PostgreSQL, which removes the socket

The folder of the socket has the same path at each start: processes that share the database find it again.

    <data>/owner.lock      the owner of the folder, and the URL that other processes may share; servers on one
                           external database own it together
    <data>/postgres        the cluster, or a link to it where the server's account cannot enter <data>
    <data>/postgres.log    the log of PostgreSQL

    postgres         `EmbeddedPostgres`: start and stop the server
    data_dir         the data folder and the place of its cluster
    data_dir_lock    the lock of the folder's owner
    cluster          create and configure the cluster
    binaries         find the programs, or copy them for another account
    os_user          the account that runs the server
    socket_dir       the folder of the Unix socket
    tuning           settings of PostgreSQL for this machine
    watchdog         the shell that stops the server when its owner ends
    orphaned_server  stop a server whose owner and watchdog have died
"""

from workroom.store.embedded.data_dir import (
    default_data_folder,
    make_folder,
    remove_abandoned_clusters,
    require_cluster,
)
from workroom.store.embedded.data_dir_lock import OwnerLock, published_url, running_url
from workroom.store.embedded.os_user import SYSTEM_ACCOUNT, will_make_account
from workroom.store.embedded.postgres import EmbeddedPostgres

__all__ = [
    "SYSTEM_ACCOUNT",
    "EmbeddedPostgres",
    "OwnerLock",
    "default_data_folder",
    "make_folder",
    "published_url",
    "remove_abandoned_clusters",
    "require_cluster",
    "running_url",
    "will_make_account",
]
