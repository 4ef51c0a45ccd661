"""Users, rooms, extensions, workers, jobs, postings, locks and the audit trail."""

from workroom.store.migrations import run_sql

revision = "0001"
down_revision = None


def upgrade() -> None:
    run_sql("0001_foundation.sql")


def downgrade() -> None:
    raise NotImplementedError("Schemas only go forward: restore a backup to go back.")
