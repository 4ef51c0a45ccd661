"""The pruner: deletes rows that are older than they are kept."""

from __future__ import annotations

from workroom.actions.accounts.retention import delete_idle_guests, delete_old_audit
from workroom.actions.engine import Engine
from workroom.actions.extensions.delete_removed import delete_removed_extensions
from workroom.actions.forms.input_files import delete_unused_files
from workroom.actions.jobs.prune import delete_old_history, prune
from workroom.actions.rooms.expire_changes import (
    delete_expired_changes,
    delete_expired_links,
    delete_old_notices,
    delete_orphaned_frames,
    expire_changes,
)
from workroom.logs import get_logger
from workroom.upkeep.periodic_service import Service

log = get_logger(__name__)

# In this order: the rows of a later step are often referred to by the rows of an earlier one.
_STEPS = {
    "jobs": prune,
    "input_files": delete_unused_files,
    "expired_changes": expire_changes,
    "changes": delete_expired_changes,
    "frames": delete_orphaned_frames,
    "notices": delete_old_notices,
    "links": delete_expired_links,
    "extensions": delete_removed_extensions,
    "guests": delete_idle_guests,
    "audit_rows": delete_old_audit,
    "history_rows": delete_old_history,
}


class Pruner(Service):
    """Runs every retention rule in turn, each in bounded batches."""

    name = "pruner"
    pause = 600.0

    def __init__(self, engine: Engine) -> None:
        super().__init__()
        self._engine = engine

    async def run_once(self) -> None:
        counts = {name: await step(self._engine) for name, step in _STEPS.items()}
        if deleted := {name: count for name, count in counts.items() if count}:
            log.info("old rows pruned", **deleted)
