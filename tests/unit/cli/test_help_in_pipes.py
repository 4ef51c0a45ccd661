"""Boxes and colours of help and errors are for terminals: a pipe gets plain text."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
from contextlib import suppress

import pytest

BOX = "╭"


def _run(*words: str, terminal: bool) -> tuple[int, str]:
    """The exit code and all output of a command, with one pipe or one terminal for it."""
    ours, theirs = pty.openpty() if terminal else os.pipe()
    with subprocess.Popen(
        [sys.executable, "-m", "workroom.cli", *words],
        stdin=subprocess.DEVNULL,
        stdout=theirs,
        stderr=theirs,
        env=os.environ | {"TERM": "xterm", "COLUMNS": "100"},
    ) as process:
        os.close(theirs)
        output = b""
        with suppress(OSError):  # the terminal of an ended process
            while piece := os.read(ours, 65536):
                output += piece
        os.close(ours)
    return process.returncode, output.decode()


@pytest.mark.parametrize(
    ("words", "code", "text"),
    [
        (["--help"], 0, "Commands:"),
        (["db", "--help"], 0, "every table and column, and what sets it"),
        (["jobs", "list", "-h"], 0, "\n    workroom jobs list --posting last -n 10\n"),
        (["jobs", "list", "--colour"], 2, "Error: No such option: --colour"),
        (["jobs", "lists"], 2, "Error: No such command 'lists'"),
        (["wrong"], 2, "Error: There is no command 'wrong', nor a file of this name. `workroom --help` lists the comm"),
    ],
)
def test_a_pipe_gets_plain_text_and_a_terminal_gets_boxes(words: list[str], code: int, text: str) -> None:
    returned, output = _run(*words, terminal=False)
    assert (returned, text in output) == (code, True), output
    assert BOX not in output and "\x1b" not in output

    returned, output = _run(*words, terminal=True)
    assert (returned, BOX in output) == (code, True), output
