"""Commands ask for a password on a terminal, and only there."""

from __future__ import annotations

import asyncio
import os
import pty
import subprocess
import sys
import termios
import time
from contextlib import suppress
from pathlib import Path

import pytest
from tests.acceptance.live import ADMIN_PASSWORD, LiveServer, Someone
from tests.structures import ase_write, molecule


def on_a_terminal(*words: str, answer: str) -> tuple[int, str]:
    """The exit code and all that is shown, when this is typed at the first prompt."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("WORKROOM_")}
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "workroom.cli", *words]
    process = subprocess.Popen(
        command, stdin=theirs, stdout=theirs, stderr=theirs, env=environment, start_new_session=True
    )
    os.close(theirs)
    shown, answered = b"", False
    with suppress(OSError):  # Linux raises it at the end
        while piece := os.read(ours, 65536):
            shown += piece
            if b"Password of" in shown and not answered:
                while termios.tcgetattr(ours)[3] & termios.ECHO:  # what is typed before is discarded
                    time.sleep(0.01)
                os.write(ours, answer.encode() + b"\n")
                answered = True
    os.close(ours)
    return process.wait(60), shown.decode()


@pytest.mark.parametrize(("user", "password"), [("admin", ADMIN_PASSWORD), ("prompted", "an account of a person")])
async def test_a_missing_password_is_asked_for_on_a_terminal(server: LiveServer, user: str, password: str) -> None:
    admin = await Someone.admin(server)
    if user != "admin":
        answer = await admin.http.post("/api/users", json={"name": user, "password": password, "role": "user"})
        assert answer.status_code == 201, answer.text
    await admin.close()
    whoami = ["whoami", "--url", server.url, "--user", user]
    code, shown = on_a_terminal(*whoami, answer=password)
    assert code == 0 and f"Password of {user}" in shown and password not in shown, shown
    code, shown = on_a_terminal(*whoami, answer="wrong")
    assert code == 1 and "The user or the password is wrong" in shown, shown
    command = [sys.executable, "-m", "workroom.cli", *whoami]
    in_a_pipe = await asyncio.to_thread(
        subprocess.run, command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60, check=False
    )
    assert in_a_pipe.returncode == 1 and "password" in in_a_pipe.stderr and "Password of" not in in_a_pipe.stderr


def test_commands_that_sign_in_by_themselves_ask_too(server: LiveServer, tmp_path: Path) -> None:
    (tmp_path / "prompt_tasks.py").write_text("from workroom import job\n\n@job(name='prompted')\ndef one(n): ...\n")
    (tmp_path / "calls.jsonl").write_text("[1]\n")
    (tmp_path / "extension.py").write_text(
        "from workroom import Category, Extension\n\nclass Prompted(Extension):\n"
        "    category = Category.MODIFIER\n\n    def run(self, vis, **kwargs): ...\n"
    )
    ase_write(tmp_path / "water.xyz", molecule("H2O"))
    login = ("--url", server.url, "--user", "admin")
    for words in (
        ("open", str(tmp_path / "water.xyz"), "--room", "prompted", "--no-browser", *login),
        ("post", f"{tmp_path}/prompt_tasks.py:one", str(tmp_path / "calls.jsonl"), *login),
        ("worker", str(tmp_path / "extension.py"), "--room", "prompted", "--idle-exit", "0", *login),
    ):
        code, shown = on_a_terminal(*words, answer=ADMIN_PASSWORD)
        assert code == 0 and "Password of admin" in shown and ADMIN_PASSWORD not in shown, shown


async def test_a_guest_is_asked_for_nothing(server: LiveServer) -> None:
    code, shown = on_a_terminal("whoami", "--url", server.url, "--user", "guest-at-the-prompt", answer="")
    assert code == 0 and "Password of" not in shown, shown
