"""A socket that closes while its message is handled enters nothing."""

from __future__ import annotations

import time
from typing import Any, cast
from uuid import uuid4

import pytest

from workroom.actions.engine import Engine
from workroom.domain.errors import NotSignedIn
from workroom.server.auth.tokens import PersonToken
from workroom.server.realtime.hub import SocketHub
from workroom.server.realtime.presence import PresenceTracker


@pytest.fixture(params=["fast", "library"])
def hub(request: pytest.FixtureRequest) -> SocketHub:
    return SocketHub(origins=None, transport=request.param)


async def _opens(hub: SocketHub) -> str:
    sid: str = await hub.sio.manager.connect(f"engine-{uuid4()}", "/")
    hub.set_token(sid, cast(PersonToken, object()), time.time() + 60)
    return sid


async def _closes(hub: SocketHub, sid: str) -> None:
    """As the library does it: the handler of `disconnect` comes first."""
    hub.drop_token(sid)
    await hub.sio.manager.disconnect(sid, "/", ignore_queue=True)


@pytest.mark.parametrize("others", [0, 1])
async def test_a_closed_socket_joins_no_channel(hub: SocketHub, others: int) -> None:
    sid = await _opens(hub)
    for _ in range(others):
        await _opens(hub)
    await hub.join(sid, "room:lab")
    assert hub.members("room:lab") == [sid]
    await _closes(hub, sid)
    with pytest.raises(NotSignedIn, match="closed"):
        await hub.join(sid, "room:lab")
    assert hub.members("room:lab") == []


async def test_a_socket_that_closes_while_it_signs_in_joins_no_channel(hub: SocketHub) -> None:
    sid = await _opens(hub)
    await _closes(hub, sid)
    hub.set_token(sid, cast(PersonToken, object()), time.time() + 60)
    with pytest.raises(NotSignedIn, match="closed"):
        await hub.join(sid, "everyone")


async def test_a_closed_socket_is_not_bound_to_a_client(hub: SocketHub) -> None:
    """Otherwise the client would never count as disconnected, and its locks would not be freed."""
    presence = PresenceTracker(hub, cast(Engine, _NoEngine()))
    sid = await _opens(hub)
    await _closes(hub, sid)
    with pytest.raises(NotSignedIn, match="closed"):
        await presence.bind_client(sid, "window", uuid4())
    assert presence.client_of(sid) is None


class _NoEngine:
    def __getattr__(self, name: str) -> Any:
        raise AssertionError(f"the database was asked for {name}")
