"""A copy-on-write view of this machine's files, with a network of its own: commands of `deploy/` run there as written.

What they write goes to memory and is gone at the end. All ports are free, and names of other hosts can be 127.0.0.1.
"""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import tempfile
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest
from tests.acceptance.live import ROOT

_ENTER = """
set -e
{network}
mount -t tmpfs -o mode=0755 tmpfs {folder}
mkdir {folder}/upper {folder}/work {folder}/root {folder}/project
mount -t overlay overlay -o lowerdir=/,upperdir={folder}/upper,workdir={folder}/work {folder}/root
for part in proc dev sys; do mount --rbind /$part {folder}/root/$part; done
# The project itself may lie below /tmp.
mount --bind {folder}/root{project} {folder}/project
mount -t tmpfs -o mode=1777 tmpfs {folder}/root/tmp
mkdir -p {folder}/root{project}
mount --bind {folder}/project {folder}/root{project}
exec chroot {folder}/root "$@"
"""


@contextmanager
def scratch_root(*, own_network: bool = True) -> Generator[Sequence[str]]:
    """The words to put before a command. Skips where the system does not allow it."""
    if os.getuid() != 0:
        pytest.skip("mounting needs root")
    folder = Path(tempfile.mkdtemp(prefix="workroom-root-"))
    network = "ip link set lo up" if own_network else ""
    script = _ENTER.format(folder=folder, network=network, project=shlex.quote(str(ROOT)))
    spaces = ["--mount", "--propagation", "private", *(["--net"] if own_network else [])]
    words = ["unshare", *spaces, "bash", "-c", script, "scratch-root"]
    try:
        tried = subprocess.run([*words, "true"], capture_output=True, text=True, check=False)
        if tried.returncode != 0:
            pytest.skip(f"this system allows no mounts: {tried.stderr}")
        yield words
    finally:
        shutil.rmtree(folder, ignore_errors=True)
