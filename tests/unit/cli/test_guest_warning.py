"""A server that others reach warns when they may come in without a password."""

from __future__ import annotations

from pathlib import Path

import pytest

from workroom.cli.serving.server_process import announce_address
from workroom.server.settings import load
from workroom.server.sign_in_settings import is_loopback


@pytest.mark.parametrize(
    ("host", "own"),
    [("127.0.0.1", True), ("127.0.0.9", True), ("::1", True), ("localhost", True), ("0.0.0.0", False), ("::", False)],
)
def test_only_loopback_addresses_are_this_machine(host: str, own: bool) -> None:
    assert is_loopback(host) is own


@pytest.mark.parametrize(
    ("host", "guests", "warned"),
    [("0.0.0.0", True, True), ("192.0.2.7", True, True), ("0.0.0.0", False, False), ("127.0.0.1", True, False)],
)
def test_guests_from_other_machines_are_warned_of(
    host: str, guests: bool, warned: bool, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    settings = load({"host": host, "guests": guests, "port": 0}, tmp_path).settings
    announce_address(settings, tmp_path, f"http://{host}:8686", "http://127.0.0.1:8686")
    printed = capsys.readouterr().out
    assert ("warning: the server listens on" in printed) is warned
    assert ("WORKROOM_GUESTS=false" in printed) is warned
