"""The default data folder of a server, shared by the server that writes it and the clients that look into it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

SYSTEM_FOLDER = Path("/var/lib/workroom")


def data_folder(environment: Mapping[str, str], *, is_root: bool, home: Path) -> Path:
    """WORKROOM_DATA, else the system folder for root, else a folder below XDG_DATA_HOME or the home folder."""
    if chosen := environment.get("WORKROOM_DATA"):
        return Path(chosen)
    if is_root:
        return SYSTEM_FOLDER
    shared = environment.get("XDG_DATA_HOME")
    return (Path(shared) if shared else home / ".local" / "share") / "workroom"
