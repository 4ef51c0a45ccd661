"""The fast transport is used only with library versions that it was tested with."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from workroom.server.realtime import hub
from workroom.server.realtime.hub import SocketHub
from workroom.server.realtime.transport import fast_websocket_transport, support

SOURCES = Path(__file__).parents[4] / "src" / "workroom"
INTERNALS = re.compile(r"\beio\b|manager\.rooms|import engineio|from engineio(?!\.exceptions)|socketio\.packet")


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
    real = support.version

    def version(name: str) -> str:
        return installed if name == package else real(name)

    monkeypatch.setattr(support, "version", version)
    assert (support.load_fast_transport() is not None) is supported
    manager = SocketHub(origins=None).sio.manager
    assert isinstance(manager, fast_websocket_transport.FastClientManager) is supported


@pytest.mark.parametrize(
    "change",
    [
        pytest.param("del engineio.async_drivers.asgi.WebSocket", id="a moved name"),
        pytest.param("sys.modules['socketio.packet'] = None", id="a moved module"),
        pytest.param("importlib.metadata.version = lambda name: '4.99.0'", id="another version"),
    ],
)
def test_a_server_starts_when_an_internal_name_of_the_library_has_moved(change: str) -> None:
    program = f"""
import importlib.metadata, sys
import engineio, engineio.async_drivers.asgi, engineio.packet, socketio
{change}
from workroom.server.realtime.hub import SocketHub
manager = SocketHub(origins=None).sio.manager
assert type(manager) is socketio.AsyncManager, manager
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 0, done.stderr


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
