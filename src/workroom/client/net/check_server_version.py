"""Compares the server's version, a header of each response, with this one."""

from __future__ import annotations

from typing import Any

from workroom import __version__
from workroom.client.net.compare_versions import Fit, compare
from workroom.domain.errors import VersionMismatch
from workroom.logs import get_logger
from workroom.wire.base import VERSION_HEADER

log = get_logger(__name__)

_warnings_given: set[str] = set()  # already logged: a server with several replicas answers many requests


async def check_version(answer: Any) -> None:
    """Warn once about a server of another version; raises VersionMismatch for one that this client does not fit."""
    server = answer.headers.get(VERSION_HEADER)
    if server is None or server == __version__:
        return
    comparison = compare(__version__, server)
    if comparison.fit is Fit.UNFIT:
        raise VersionMismatch(comparison.text, client=__version__, server=server)
    if comparison.text and comparison.text not in _warnings_given:
        _warnings_given.add(comparison.text)
        log.warning("%s", comparison.text)
