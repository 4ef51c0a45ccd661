"""A gigabyte goes through in bounded memory: `make faults`, or `pytest -m full` on this file."""

from __future__ import annotations

import subprocess
import sys

import pytest
from tests.acceptance.live import LiveServer

MEGABYTES = 256

# Counts its own growth from when the first frames have gone, and reads everything back.
CLIENT = """
import resource, sys
import numpy as np
from ase import Atoms
from workroom import Room

def frames(many):
    for number in range(many):
        yield Atoms(numbers=np.full(5_000, 1 + number % 90), positions=np.full((5_000, 3), float(number)))

def peak():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024

room = Room("large", url=sys.argv[1], user="ada")
room.extend(frames(10))
room.clear()
before = peak()
room.extend(frames(6_500))
print("sent", peak() - before, flush=True)
for number, atoms in enumerate(room):
    assert atoms.positions[0, 0] == number
print("read", peak() - before, number + 1, flush=True)
"""


@pytest.mark.full
def test_a_gigabyte_goes_through_in_bounded_memory(own_server: LiveServer) -> None:
    def peak(what: str = "VmHWM") -> int:
        status = (own_server.proc / "status").read_text()
        return int(next(line for line in status.splitlines() if line.startswith(what)).split()[1]) // 1024

    command = [sys.executable, "-c", CLIENT, own_server.url]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as client:
        assert client.stdout is not None
        before = peak("VmRSS")
        (own_server.proc / "clear_refs").write_text("5")  # the peak so far is forgotten
        _, sent = client.stdout.readline().split()
        server_sent = peak() - before
        _, read, many = client.stdout.readline().split()
        server_read = peak() - before
    print(f"growth in MB: client {sent} sending, {read} reading; server {server_sent} taking, {server_read} giving")
    assert int(many) == 6_500
    assert max(int(sent), int(read), server_sent, server_read) < MEGABYTES
