"""`workroom demo`: drives one job of each kind to its result, shows no token, and leaves nothing behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import httpx2
import psutil
import pytest
from typer.testing import CliRunner

from workroom.cli import app


def _environment(**more: str) -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if not name.startswith("WORKROOM_")} | more


def test_the_demo_checks_itself() -> None:
    ended = subprocess.run(
        [sys.executable, "-m", "workroom.cli", "demo", "--check"],
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
        env=_environment(),
    )
    assert ended.returncode == 0, ended.stdout + ended.stderr
    assert "Every kind of job ended as expected." in ended.stdout
    assert not set("┃│┏└━─") & set(ended.stdout), "boxes are for terminals"
    assert "/profiles" not in ended.stdout, "the server has ended"
    lines = [line.strip() for line in ended.stdout.splitlines()]
    assert "A posting of 20,000 function calls" in lines, "it stands in a line of its own"


def test_a_port_that_does_not_exist_is_told() -> None:
    for port in ("99999", "-1", "many"):
        told = CliRunner().invoke(app, ["demo", "--port", port])
        assert told.exit_code == 2 and "--port" in told.stderr, told.output


def _wait_for_last_job(url: str, token: str) -> None:
    """Wait for the last job of the scenario, which opens a file."""
    deadline = time.monotonic() + 90
    while True:
        answer = httpx2.get(
            f"{url}/api/jobs?limit=200", headers={"Authorization": f"Bearer {token}"}, trust_env=False
        ).json()
        if any((job["name"], job["status"]) == ("Open", "completed") for job in answer["items"]):
            return
        assert time.monotonic() < deadline, "the demo opened no file"
        time.sleep(0.2)


@pytest.mark.parametrize(
    "signals",
    [
        pytest.param((signal.SIGINT, signal.SIGTERM), id="Ctrl-C then SIGTERM", marks=pytest.mark.full),
        pytest.param((signal.SIGTERM,), id="SIGTERM", marks=pytest.mark.full),
        pytest.param((signal.SIGQUIT,), id="Ctrl-backslash", marks=pytest.mark.full),
        pytest.param((signal.SIGHUP,), id="a closed terminal", marks=pytest.mark.full),
    ],
)
def test_the_demo_shows_no_token_and_leaves_nothing_when_a_signal_ends_it(
    tmp_path: Path, signals: tuple[signal.Signals, ...]
) -> None:
    opened = tmp_path / "opened"
    browser = tmp_path / "browser"
    browser.write_text(f'#!/bin/sh\necho "$@" > {opened}.draft && mv {opened}.draft {opened}\n')
    browser.chmod(0o755)
    demo = subprocess.Popen(
        [sys.executable, "-m", "workroom.cli", "demo", "--port", "0"],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env=_environment(BROWSER=str(browser), TMPDIR=str(tmp_path)),
        start_new_session=True,
    )
    started: list[psutil.Process] = []
    try:
        deadline = time.monotonic() + 90
        while not opened.exists():
            assert time.monotonic() < deadline and demo.poll() is None, "the demo opened no browser"
            time.sleep(0.05)
        started = psutil.Process(demo.pid).children(recursive=True)
        assert any("postgres" in process.name() for process in started)
        for process in (demo, *started):
            assert "eyJ" not in " ".join(psutil.Process(process.pid).cmdline())
        address = opened.read_text().strip()
        assert "token" not in address and "eyJ" not in address
        parts = urlsplit(address)
        (code,) = parse_qs(parts.fragment)["code"]
        answers = [
            httpx2.post(f"http://{parts.netloc}/api/login/code", json={"code": code}, trust_env=False) for _ in range(2)
        ]
        assert [answer.status_code for answer in answers] == [200, 401]
        if signals == (signal.SIGTERM,):
            # Whoever looks at the trajectory is not disturbed: no job of the demo moves it.
            headers = {"Authorization": f"Bearer {answers[0].json()['token']}"}
            state = f"http://{parts.netloc}/api/rooms/welcome/state"
            before = httpx2.get(state, headers=headers, trust_env=False).json()
            _wait_for_last_job(f"http://{parts.netloc}", answers[0].json()["token"])
            after = httpx2.get(state, headers=headers, trust_env=False).json()
            assert after == before and after["length"] == 80
        for number in signals:
            if number == signal.SIGTERM:
                demo.send_signal(number)
            else:
                os.killpg(demo.pid, number)  # the terminal sends it to all processes of its group
            time.sleep(0.1)  # the second signal must arrive while the demo is ending
        demo.wait(60)
        _, alive = psutil.wait_procs(started, timeout=10)
        assert alive == []
        assert list(tmp_path.glob("workroom-demo-*")) == []
    finally:
        for process in (*started, psutil.Process(demo.pid) if demo.poll() is None else None):
            if process is not None and process.is_running():
                process.kill()
        demo.wait(10)
