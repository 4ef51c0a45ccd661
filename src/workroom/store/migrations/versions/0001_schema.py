"""The whole schema of the first release."""

from workroom.store.migrations import run_sql

revision = "0001"
down_revision = None


def upgrade() -> None:
    run_sql("0001_schema.sql")


def downgrade() -> None:
    raise NotImplementedError("Migrations only go forward: restore a backup to go back.")
