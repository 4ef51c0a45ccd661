"""A copy of this program with one more migration, as the next version would have."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import workroom

SOURCE = Path(workroom.__file__).parent
MIGRATION = '''"""Changes the tables that jobs, workers and rooms use most."""

from workroom.store.migrations import run_sql

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    run_sql("0002_next.sql")
'''
SQL = """
ALTER TABLE job ADD COLUMN note text;
ALTER TABLE posting ADD COLUMN note text NOT NULL DEFAULT 'none';
ALTER TABLE worker ADD COLUMN note text;
CREATE TABLE note (id uuid PRIMARY KEY REFERENCES job (id) ON DELETE CASCADE, text text NOT NULL);
CREATE INDEX job_note ON job (note) WHERE note IS NOT NULL;
"""


class NextVersion:
    def __init__(self, folder: Path) -> None:
        package = folder / "workroom"
        shutil.copytree(SOURCE, package, ignore=shutil.ignore_patterns("static", "__pycache__"))
        (package / "server" / "static").symlink_to(SOURCE / "server" / "static")
        migrations = package / "store" / "migrations"
        (migrations / "versions" / "0002_next.py").write_text(MIGRATION)
        (migrations / "sql" / "0002_next.sql").write_text(SQL)
        self.path = str(folder)

    def environment(self) -> dict[str, str]:
        given = {name: value for name, value in os.environ.items() if not name.startswith("WORKROOM_")}
        return given | {"PYTHONPATH": self.path}

    @contextmanager
    def running(self, *words: str) -> Generator[subprocess.Popen[str]]:
        """`workroom` with these words."""
        command = [sys.executable, "-m", "workroom.cli", *words]
        pipe = subprocess.PIPE
        with subprocess.Popen(command, stdout=pipe, stderr=pipe, text=True, env=self.environment()) as process:
            try:
                yield process
            finally:
                process.kill()
