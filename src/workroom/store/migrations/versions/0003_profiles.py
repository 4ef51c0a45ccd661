"""Profiles of jobs, and keys that keep a job from being posted twice."""

from workroom.store.migrations import run_sql

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    run_sql("0003_profiles.sql")


def downgrade() -> None:
    raise NotImplementedError("Schemas only go forward: restore a backup to go back.")
