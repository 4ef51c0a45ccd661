"""Tells systemd the state of the server, for a unit with `Type=notify`: `sd_notify` over the socket NOTIFY_SOCKET."""

from __future__ import annotations

import asyncio
import os
import socket
import threading
from collections.abc import MutableMapping

from workroom.logs import get_logger


class SystemdNotifier:
    """Sends `READY=1`, `WATCHDOG=1` and `STOPPING=1`. Without the variables of systemd it does nothing."""

    def __init__(self, address: str | None, watchdog_seconds: float | None) -> None:
        self._address = address
        self._pause = None if watchdog_seconds is None or address is None else watchdog_seconds / 3
        self._heartbeats: asyncio.Task[None] | None = None

    @classmethod
    def take(cls, environment: MutableMapping[str, str] = os.environ) -> SystemdNotifier:
        """Use the variables of systemd and remove them: they are for this process and none that it starts."""
        address = environment.pop("NOTIFY_SOCKET", None)
        microseconds = environment.pop("WATCHDOG_USEC", "")
        of_process = environment.pop("WATCHDOG_PID", str(os.getpid()))
        has_watchdog = microseconds.isdigit() and int(microseconds) > 0 and of_process == str(os.getpid())
        return cls(address, int(microseconds) / 1_000_000 if has_watchdog else None)

    def ready(self, status: str) -> None:
        self._send(f"READY=1\nSTATUS={status}")

    def stopping(self) -> None:
        self._send("STOPPING=1\nSTATUS=stops")

    def start_heartbeat(self) -> None:
        """Send heartbeats from the running event loop: systemd restarts a server whose loop is blocked."""
        if self._pause is not None:
            self._heartbeats = asyncio.get_running_loop().create_task(self._send_heartbeats(self._pause))

    def send_heartbeats_until(self, stop: threading.Event) -> None:
        """Send heartbeats from this thread until the event is set."""
        while not stop.wait(self._pause):
            self._send("WATCHDOG=1")

    async def _send_heartbeats(self, pause: float) -> None:
        while True:
            self._send("WATCHDOG=1")
            await asyncio.sleep(pause)

    def _send(self, message: str) -> None:
        if self._address is None:
            return
        # The name of an abstract socket begins with @ here, and with a zero byte for the kernel.
        address = f"\0{self._address[1:]}" if self._address.startswith("@") else self._address
        try:
            with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as connection:
                connection.setblocking(False)
                connection.sendto(message.encode(), address)
        except OSError as error:
            get_logger(__name__).warning("systemd not notified", message=message, reason=str(error))
