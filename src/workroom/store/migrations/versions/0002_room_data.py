"""Trajectories, scenes and changes."""

from workroom.store.migrations import run_sql

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    run_sql("0002_room_data.sql")


def downgrade() -> None:
    raise NotImplementedError("Schemas only go forward: restore a backup to go back.")
