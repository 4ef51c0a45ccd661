"""One of several server processes on a port. `cli/replicas.py` starts it, and sends its settings through a pipe."""

from __future__ import annotations

import json
import os
import signal
import socket
import sys
import threading
from contextlib import nullcontext
from pathlib import Path
from typing import Any

from workroom.confinement.memory_privacy import protect_memory
from workroom.worker.processes.parent_death import die_with_parent


def main() -> None:
    die_with_parent()
    protect_memory()
    from workroom import logs
    from workroom.cli.database import print_errors
    from workroom.cli.serving.server_process import hold_server_lock, run_server
    from workroom.server.builtin_names import BuiltinNames
    from workroom.server.listen_sockets import Listening
    from workroom.server.settings import Settings

    start: dict[str, Any] = json.loads(sys.stdin.buffer.readline())
    settings = Settings(**start["settings"])
    logs.configure(settings.log_level, settings.log_format)
    names = BuiltinNames() if settings.has_pool else None
    if names is not None and start["builtin_names"] is not None:
        names.set((category, name) for category, name in start["builtin_names"])
    threading.Thread(target=_read_messages, args=(names,), name="messages", daemon=True).start()
    folder = Path(start["folder"])
    with (
        print_errors(),
        socket.socket(fileno=start["socket"]) as listening,
        nullcontext() if start["local"] is None else socket.socket(fileno=start["local"]) as local,
        hold_server_lock(settings, start["database"], folder) as lock,
    ):
        run_server(
            settings,
            start["database"],
            folder,
            Listening(listening, local),
            lock.number,
            names,
            welcome=lambda: print("new admin", flush=True),
            started=lambda: print("started", flush=True),
        )


def _read_messages(names: Any) -> None:
    for line in sys.stdin.buffer:
        message = json.loads(line)
        if names is not None:
            names.set((category, name) for category, name in message["builtin_names"])
    os.kill(os.getpid(), signal.SIGTERM)  # the supervisor has gone


if __name__ == "__main__":
    main()
