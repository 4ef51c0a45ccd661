"""One prepared cluster for a whole run, copied for each live server."""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path

from workroom.testing.prepared_cluster import PreparedCluster

FOLDER = "WORKROOM_TEST_CLUSTER"


def make_folder() -> None:
    """The first process of the run makes the folder; those that it starts find it in their environment."""
    folder = Path(tempfile.mkdtemp(prefix="workroom-test-"))
    folder.chmod(0o711)
    os.environ[FOLDER] = str(folder)


def remove_folder() -> None:
    shutil.rmtree(os.environ.pop(FOLDER), ignore_errors=True)


def copy_cluster(data: Path) -> None:
    """Put a copy into a data folder that has no cluster yet. Outside of pytest, the server makes its own."""
    if FOLDER in os.environ:
        PreparedCluster(Path(os.environ[FOLDER])).copy_to(data)
