"""Whether the fast WebSocket transport can be used. Only then is its module imported: it uses a library's internals."""

from __future__ import annotations

from importlib import import_module
from importlib.metadata import version
from typing import Any

from engineio.exceptions import EngineIOError

from workroom.logs import get_logger

log = get_logger(__name__)

# Tested versions (major, minor): from the first, below the second.
TESTED_VERSIONS = {"python-engineio": ((4, 15), (4, 16)), "python-socketio": ((5, 18), (5, 19))}

# The errors that a packet of a wrong form causes while the library decodes and dispatches it.
PACKET_ERRORS = (ValueError, LookupError, TypeError, AttributeError, EngineIOError)


def load_fast_transport() -> Any:
    """The module of the fast transport; None with versions that it was not tested with, or without what it uses."""
    for package, (first, end) in TESTED_VERSIONS.items():
        installed = version(package)
        major, minor, *_ = installed.split(".")
        if not first <= (int(major), int(minor)) < end:
            log.warning("fast transport is off: version not tested", package=package, installed=installed)
            return None
    try:
        return import_module("workroom.server.realtime.transport.fast_websocket_transport")
    except (ImportError, AttributeError) as error:
        log.warning("fast transport is off: the library has changed", reason=repr(error))
        return None
