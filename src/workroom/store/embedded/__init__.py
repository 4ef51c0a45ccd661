"""A PostgreSQL that starts by itself, for whoever has none to offer.

The binaries come from PyPI; the life cycle is ours, because the database must live exactly as long
as the process that owns it, and that process may be killed at any moment.

    owner ──── owner.lock      held with flock: the kernel lets go of it however the owner ends
      │
      └─ pipe ─► guard ─► postgres ─► Unix socket in a folder only this user may enter
                 (sh)     at the pipe's end the guard stops PostgreSQL, removes the socket and leaves

    <data>/owner.lock      who owns the folder, and the URL others may share
    <data>/postgres        the cluster, or a link to it where the server's account cannot enter <data>
    <data>/postgres.log    PostgreSQL's own words
"""

from workroom.store.embedded.data_dir import default_data_folder, remove_abandoned_clusters
from workroom.store.embedded.data_dir_lock import running_url
from workroom.store.embedded.postgres import EmbeddedPostgres

__all__ = ["EmbeddedPostgres", "default_data_folder", "remove_abandoned_clusters", "running_url"]
