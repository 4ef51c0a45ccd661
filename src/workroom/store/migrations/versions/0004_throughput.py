"""How much workers do."""

from workroom.store.migrations import run_sql

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    run_sql("0004_throughput.sql")


def downgrade() -> None:
    raise NotImplementedError("Schemas only go forward: restore a backup to go back.")
