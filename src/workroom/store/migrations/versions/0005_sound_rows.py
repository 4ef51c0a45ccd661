"""What every row must be, kept where it is quickly checked."""

from workroom.store.migrations import run_sql

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    run_sql("0005_sound_rows.sql")


def downgrade() -> None:
    raise NotImplementedError("Schemas only go forward: restore a backup to go back.")
