"""The fast transport is used only with library versions that it was tested with."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from workroom.server.realtime import fast_websocket_transport, hub
from workroom.server.realtime.hub import SocketHub

SOURCES = Path(__file__).parents[4] / "src" / "workroom"
INTERNALS = re.compile(r"\beio\b|manager\.rooms|import engineio|from engineio|socketio\.packet")


@pytest.mark.parametrize(
    ("package", "installed", "supported"),
    [
        ("python-engineio", "4.15.1", True),
        ("python-engineio", "4.16.0", False),
        ("python-engineio", "5.0", False),
        ("python-socketio", "5.18.0", True),
        ("python-socketio", "5.17.9", False),
    ],
)
def test_other_versions_fall_back_to_the_library(
    monkeypatch: pytest.MonkeyPatch, package: str, installed: str, supported: bool
) -> None:
    real = fast_websocket_transport.version

    def version(name: str) -> str:
        return installed if name == package else real(name)

    monkeypatch.setattr(fast_websocket_transport, "version", version)
    assert fast_websocket_transport.is_supported() is supported
    manager = SocketHub(origins=None).sio.manager
    assert isinstance(manager, fast_websocket_transport.FastClientManager) is supported


def test_the_setting_switches_to_the_library() -> None:
    manager = SocketHub(origins=None, transport="library").sio.manager
    assert not isinstance(manager, fast_websocket_transport.FastClientManager)


@pytest.mark.parametrize("transport", ["fast", "library"])
async def test_events_are_sent_through_the_client_manager_in_their_order(transport: str) -> None:
    """A pub/sub manager replaces the manager's `emit`, so all events must go through it."""
    sockets = SocketHub(origins=None, transport=transport)
    sent: list[tuple[Any, ...]] = []

    async def emit(event: str, data: Any, namespace: str, room: Any = None, **_: Any) -> None:
        sent.append((event, data, namespace, room))

    sockets.sio.manager.emit = emit
    sockets.emit("a", {"n": 1}, hub.room("lab"), hub.ADMINS)
    sockets.emit("b", {"n": 2}, hub.room("lab"))
    await sockets.close_room("lab")
    assert sent == [("a", {"n": 1}, "/", ["room:lab", "admins"]), ("b", {"n": 2}, "/", ["room:lab"])]


def test_only_the_transport_uses_internals_of_the_socket_libraries() -> None:
    using = [path.name for path in SOURCES.rglob("*.py") if INTERNALS.search(path.read_text())]
    assert using == ["fast_websocket_transport.py"]
