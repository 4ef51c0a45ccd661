"""A unit with `Type=notify`: the server tells systemd that it is ready, that it is alive, and that it stops."""

from __future__ import annotations

import re
import socket
import tempfile
from collections.abc import Generator
from pathlib import Path

import httpx2
import pytest
from tests.acceptance.live import ROOT, LiveServer

from workroom.cli.serving.systemd_notify import SystemdNotifier


class Systemd:
    """The socket on which systemd listens."""

    def __init__(self, address: str) -> None:
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.socket.bind(address)
        self.socket.settimeout(30)

    def receive(self) -> list[str]:
        return self.socket.recv(1_000).decode().splitlines()


@pytest.fixture
def systemd() -> Generator[tuple[Systemd, str]]:
    with tempfile.TemporaryDirectory(prefix="workroom-test-") as folder:  # the path of a socket is at most 108 bytes
        address = str(Path(folder) / "notify")
        manager = Systemd(address)
        yield manager, address
        manager.socket.close()


@pytest.mark.parametrize("replicas", [1, 2])
def test_the_server_is_ready_alive_and_stopping(systemd: tuple[Systemd, str], replicas: int) -> None:
    manager, address = systemd
    live = LiveServer(NOTIFY_SOCKET=address, WATCHDOG_USEC="600000", WORKROOM_POOL="1", WORKROOM_REPLICAS=str(replicas))
    try:
        live.start()
        ready, status = manager.receive()
        assert ready == "READY=1" and status == f"STATUS=listens at {live.url}"
        assert httpx2.get(f"{live.url}/readyz", trust_env=False).status_code == 200
        assert [manager.receive() for _ in range(5)] == [["WATCHDOG=1"]] * 5
        assert live.stop() == 0
        said = [manager.receive()]
        while said[-1] == ["WATCHDOG=1"]:
            said.append(manager.receive())
        assert said[-1] == ["STOPPING=1", "STATUS=stops"]
    finally:
        live.remove()


def test_the_watchdog_is_that_of_this_process_and_no_other_process_gets_its_variables() -> None:
    environment = {"NOTIFY_SOCKET": "@workroom-test", "WATCHDOG_USEC": "3000000", "WATCHDOG_PID": "1", "KEPT": "1"}
    manager = Systemd("\0workroom-test")
    with manager.socket:
        SystemdNotifier.take(environment).ready("of an abstract socket")
        assert manager.receive() == ["READY=1", "STATUS=of an abstract socket"]
    assert environment == {"KEPT": "1"}
    SystemdNotifier.take(environment).ready("without systemd, nothing is sent")


def test_the_unit_of_the_server_uses_it() -> None:
    unit = (ROOT / "deploy/systemd/workroom.service").read_text()
    assert re.findall(r"^(?:Type|WatchdogSec)=(.*)$", unit, re.MULTILINE) == ["notify", "60"]
