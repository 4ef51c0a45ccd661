"""Tables of commands on a terminal."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
from contextlib import suppress

import pytest

from workroom.cli import output

ID = "01a1e172-dcbd-7329-b2d7-25f0c1a2b3c4"


PROGRAM = f"""
from workroom.cli import output
row = {{"id": "{ID}", "host": "a-machine-with-a-long-name.example.org", "offers": "Relax, Measure, Stretch"}}
columns = {{name: lambda one, name=name: one[name] for name in row}}
output.print_rows([row], columns, json=False)
"""


def test_a_narrow_terminal_cuts_no_id_off() -> None:
    ours, theirs = pty.openpty()
    with os.fdopen(ours, "rb", buffering=0) as terminal:
        environment = os.environ | {"COLUMNS": "60", "TERM": "dumb"}
        subprocess.run([sys.executable, "-c", PROGRAM], stdout=theirs, env=environment, timeout=60, check=True)
        os.close(theirs)
        written = b""
        with suppress(OSError):  # the end of a terminal
            while chunk := terminal.read(10_000):
                written += chunk
    for part in (ID, "a-machine-with-a-long-name.example.org", "Stretch"):
        assert part in written.decode()


def test_fields_in_a_pipe_are_names_and_values_with_a_tab_between(capsys: pytest.CaptureFixture[str]) -> None:
    output.print_fields({"id": ID, "frames": 12_345, "note": "two\nlines", "owner": None}, {}, json=False)
    assert capsys.readouterr().out == f"id\t{ID}\nframes\t12345\nnote\ttwo lines\n"


def test_numbers_have_separators_for_people_only(capsys: pytest.CaptureFixture[str]) -> None:
    output.print_rows([{"n": 12_345}], {"n": lambda one: one["n"]}, json=False)
    assert capsys.readouterr().out == "n\n12345\n"
    assert output.formatted(12_345) == "12,345"
