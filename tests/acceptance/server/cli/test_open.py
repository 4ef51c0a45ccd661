"""`workroom FILE` where no server runs: one command shows the file in a signed-in browser."""

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
from tests.store.postgres_server import throw_away_folder

XYZ = "2\nshape\nH 0 0 0\nH 0 0 0.74\n"
NO_SERVER = "No server runs on this machine"


def _environment(data: Path, **more: str) -> dict[str, str]:
    known = {name: value for name, value in os.environ.items() if not name.startswith("WORKROOM_")}
    return known | {"WORKROOM_DATA": str(data), "WORKROOM_PORT": "0", "WORKROOM_POOL": "0"} | more


def test_a_file_is_opened_by_a_server_that_the_command_starts_and_ends(tmp_path: Path) -> None:
    (tmp_path / "h2.xyz").write_text(XYZ)
    opened = tmp_path / "opened"
    browser = tmp_path / "browser"
    browser.write_text(f'#!/bin/sh\necho "$@" > {opened}.draft && mv {opened}.draft {opened}\n')
    browser.chmod(0o755)
    with throw_away_folder() as data:
        command = [sys.executable, "-m", "workroom.cli", str(tmp_path / "h2.xyz")]
        environment = _environment(data, BROWSER=str(browser), XDG_CONFIG_HOME=str(tmp_path / "config"))
        refused = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
        assert (refused.returncode, refused.stdout) == (1, "")
        assert NO_SERVER in refused.stderr, "a script does not start servers by itself"
        process = subprocess.Popen(
            [*command, "--serve", "--browser"],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env=environment,
        )
        started: list[psutil.Process] = []
        try:
            deadline = time.monotonic() + 90
            while not opened.exists():
                assert time.monotonic() < deadline and process.poll() is None, "no browser was opened"
                time.sleep(0.05)
            started = psutil.Process(process.pid).children(recursive=True)
            address = urlsplit(opened.read_text().strip())
            (code,) = parse_qs(address.fragment)["code"]
            api = f"http://{address.netloc}/api"
            token = httpx2.post(f"{api}/login/code", json={"code": code}, trust_env=False).json()["token"]
            headers = {"Authorization": f"Bearer {token}"}
            state = httpx2.get(f"{api}{address.path}/state", headers=headers, trust_env=False).json()
            assert (address.path, state["length"]) == ("/rooms/h2", 1)
            process.send_signal(signal.SIGINT)
            output, errors = process.communicate(timeout=60)
        finally:
            process.kill()
            process.wait(10)
        assert process.returncode == 130
        assert "h2.xyz: 1 frame" in output and "Opened in http" in output
        assert NO_SERVER in errors and f"Its rooms stay in {data}" in errors
        _, alive = psutil.wait_procs(started, timeout=10)
        assert alive == []
