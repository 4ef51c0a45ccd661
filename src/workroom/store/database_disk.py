"""Whether the disk of the database is full."""

from __future__ import annotations

import shutil
from pathlib import Path

_LEAST_FREE_BYTES = 16_000_000  # PostgreSQL writes its log in files of this size


class DatabaseDisk:
    """What is known of the disk of the database."""

    def __init__(self, folder: Path | None) -> None:
        self._folder = folder
        self.was_full = False  # a write has failed for want of space, and none has succeeded since

    @property
    def is_full(self) -> bool:
        """Whether there is too little space for PostgreSQL to go on; False if the disk is not of this machine."""
        if self._folder is None:
            return False
        try:
            return shutil.disk_usage(self._folder).free < _LEAST_FREE_BYTES
        except OSError:
            return False
