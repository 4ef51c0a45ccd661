"""An extension that opens every path and address it is told to, and says how it went: a job that cannot be trusted."""

from __future__ import annotations

import socket
from pathlib import Path
from typing import Any

from pydantic import Field

from workroom import Extension


class Curious(Extension):
    category = "curious"
    paths: list[str] = Field(default_factory=list[str])
    addresses: list[list[Any] | str] = Field(default_factory=list[list[Any] | str])

    def run(self, vis: Any, **kwargs: Any) -> dict[str, Any]:
        from ase import Atoms

        vis.append(Atoms("H"))
        vis.portal.call(vis.inner.live.join(vis.name))
        return {
            "paths": [_opened(Path(path)) for path in self.paths],
            "addresses": [_connected(address) for address in self.addresses],
            "frames": len(vis),
            "live": "joined",
        }


def _opened(path: Path) -> str:
    try:
        return str(list(path.iterdir()) if path.is_dir() else path.read_bytes()[:1_000])
    except OSError as error:
        return type(error).__name__


def _connected(address: list[Any] | str) -> str:
    try:
        with socket.socket(socket.AF_UNIX if isinstance(address, str) else socket.AF_INET) as tried:
            tried.connect(address if isinstance(address, str) else tuple(address))
            return "connected"
    except OSError as error:
        return type(error).__name__


BUILT_IN = (Curious,)
