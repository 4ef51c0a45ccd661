"""An upload is removed when its job ends, at whichever server that is."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any, cast
from uuid import UUID, uuid4

import pytest

from workroom.actions.events import JobsMoved
from workroom.domain.errors import NotFound
from workroom.server.files.body_spool import UploadBudget
from workroom.server.files.service import FileService
from workroom.server.replicas.bus import ReplicaBus
from workroom.store.queue_tables.job_rows import Transition


class _Bus:
    """Carries messages to the other servers at once."""

    def __init__(self, buses: list[_Bus]) -> None:
        self._buses = buses
        self._handlers: dict[str, Callable[[str, Any], None]] = {}
        buses.append(self)

    def on(self, kind: str, handler: Callable[[str, Any], None]) -> None:
        self._handlers[kind] = handler

    def send(self, kind: str, body: Any) -> None:
        for bus in self._buses:
            if bus is not self:
                bus._handlers[kind]("another one", body)


async def _content() -> AsyncIterator[bytes]:
    yield b"content"


def _ended(job_id: UUID) -> JobsMoved:
    return JobsMoved((Transition(job_id, 1, 1, None, "lab", "failed", False),))


@pytest.mark.parametrize("at", [0, 1])
async def test_an_upload_is_removed_at_the_server_where_its_job_ends(tmp_path: Path, at: int) -> None:
    buses: list[_Bus] = []
    servers = [FileService(tmp_path, [], UploadBudget(per_account=100, total=100)) for _ in range(2)]
    for server in servers:
        server.connect_bus(cast(ReplicaBus, _Bus(buses)))
    upload, job_id = await servers[0].uploads.save("lab", _content()), uuid4()
    servers[0].remove_after_job(job_id, "lab", upload)
    assert servers[1].uploads.find("lab", upload).is_file()
    servers[at].on_events([_ended(uuid4()), _ended(job_id)])
    with pytest.raises(NotFound):
        servers[1 - at].uploads.find("lab", upload)
