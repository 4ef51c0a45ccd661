"""A browser is opened where it has a window, and no browser of text in the terminal of a command."""

from __future__ import annotations

import webbrowser

import pytest

from workroom.cli.browser import open_browser


@pytest.mark.parametrize(
    ("platform", "variables", "opens"),
    [
        ("linux", {}, False),
        ("linux", {"DISPLAY": ":0"}, True),
        ("linux", {"WAYLAND_DISPLAY": "wayland-0"}, True),
        ("linux", {"DISPLAY": ":10", "SSH_CONNECTION": "a 1 b 22"}, False),
        ("linux", {"SSH_CONNECTION": "a 1 b 22", "BROWSER": "firefox"}, True),
        ("linux", {"DISPLAY": ":0", "WORKROOM_NO_BROWSER": "1"}, False),
        ("darwin", {}, True),
        ("darwin", {"SSH_CONNECTION": "a 1 b 22"}, False),
    ],
)
def test_a_browser_is_opened_only_with_a_window(
    platform: str, variables: dict[str, str], opens: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "SSH_CONNECTION", "BROWSER", "WORKROOM_NO_BROWSER"):
        monkeypatch.delenv(name, raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr("sys.platform", platform)
    opened: list[str] = []
    monkeypatch.setattr(webbrowser, "open", opened.append)
    open_browser("http://127.0.0.1:8686")
    assert opened == (["http://127.0.0.1:8686"] if opens else [])
