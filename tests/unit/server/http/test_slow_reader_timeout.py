"""The time-out for slow readers extends uvicorn's protocol where it can."""

from __future__ import annotations

import sys

import pytest
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from workroom.server.http.slow_reader_timeout import http_protocol


def test_it_extends_the_protocol_of_uvicorn() -> None:
    assert issubclass(http_protocol(1.0), HttpToolsProtocol)


def test_uvicorn_chooses_its_protocol_when_the_class_has_moved(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "uvicorn.protocols.http.auto", None)
    assert http_protocol(1.0) == "auto"
