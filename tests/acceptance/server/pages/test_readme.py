"""What the README promises, done."""

from __future__ import annotations

import asyncio
import os
import re
import subprocess
import sys
from pathlib import Path

import orjson
import pytest
from tests.acceptance.live import LiveServer

README = Path(__file__).parents[4] / "README.md"


async def test_the_extension_of_the_readme_is_offered_and_run_from_another_process(
    server: LiveServer, name: str, tmp_path: Path
) -> None:
    text = README.read_text().replace("my-room", name)
    extension, caller = re.findall(r"```python\n(.*?)```", text, re.DOTALL)[:2]
    (tmp_path / "stretch.py").write_text(extension)
    environment = os.environ | {"WORKROOM_URL": server.url, "PYTHONUNBUFFERED": "1"}
    worker = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "workroom.cli",
        "worker",
        "stretch.py",
        "--room",
        name,
        cwd=tmp_path,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )
    try:
        assert worker.stdout is not None
        async with asyncio.timeout(30):
            printed = b""
            while b"offers modifiers/Stretch" not in printed and (line := await worker.stdout.readline()):
                printed += line
        assert b"offers modifiers/Stretch" in printed, printed.decode()
        asked = await asyncio.create_subprocess_exec(
            sys.executable, "-c", caller, env=environment, stdout=subprocess.PIPE
        )
        said, _ = await asyncio.wait_for(asked.communicate(), 30)
    finally:
        worker.terminate()
        await worker.wait()
    lengths, frames = said.decode().strip().rsplit(" ", 1)
    assert orjson.loads(lengths) == pytest.approx([1.5 * 3.61] * 3) and frames == "2"
