"""Opens an address in a browser that has a window of its own."""

from __future__ import annotations

import os
import sys
import webbrowser


def open_browser(address: str) -> None:
    """Open the address, unless that would start a browser of text, which takes the terminal and blocks the program."""
    if may_open_browser():
        webbrowser.open(address)


def may_open_browser() -> bool:
    """WORKROOM_NO_BROWSER forbids it, and BROWSER names one. By SSH the address is for the browser of the user."""
    if os.environ.get("WORKROOM_NO_BROWSER"):
        return False
    if os.environ.get("BROWSER"):
        return True
    if os.environ.get("SSH_CONNECTION"):
        return False
    return not sys.platform.startswith("linux") or any(map(os.environ.get, ("DISPLAY", "WAYLAND_DISPLAY")))
