"""Signals and stopped event loops stay in processes of their own, so that no test can hit another one."""

from __future__ import annotations

import ast
import os
import signal
from collections.abc import Iterator

import pytest
from tests.own_process import ROOT, in_own_process

# Names whose mere use affects the whole process.
PROCESS_WIDE = {
    "signal.raise_signal",
    "signal.pthread_kill",
    "signal.signal",
    "signal.set_wakeup_fd",
    "signal.alarm",
    "signal.setitimer",
    "_thread.interrupt_main",
}
OWN_PID = {"os.getpid()", "0"}
# Modules that another process runs, a worker or a server: their code never runs in the process of pytest.
RUN_BY_ANOTHER_PROCESS = {"built_in.py", "fork_server.py", "traced_serve.py"}


def process_wide_uses(tree: ast.AST) -> Iterator[str]:
    """Line and source of everything that signals this process or stops a loop, outside `@in_own_process`."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.FunctionDef) and "in_own_process" in map(_source, node.decorator_list):
            continue
        if isinstance(node, ast.expr) and _is_process_wide(node):
            yield f"{node.lineno}: {_source(node)}"
        yield from process_wide_uses(node)


def _is_process_wide(node: ast.expr) -> bool:
    if isinstance(node, ast.Attribute):
        return _source(node) in PROCESS_WIDE or (node.attr == "stop" and _source(node.value).endswith("loop"))
    return isinstance(node, ast.Call) and _signals_itself(node)


def _signals_itself(call: ast.Call) -> bool:
    return _source(call.func) in {"os.kill", "os.killpg"} and _source(call.args[0]) in OWN_PID


def _source(node: ast.expr) -> str:
    return ast.unparse(node)


def test_no_test_signals_or_stops_a_loop_in_the_process_of_pytest() -> None:
    found = {
        str(file.relative_to(ROOT)): uses
        for file in (ROOT / "tests").rglob("*.py")
        if file.name not in RUN_BY_ANOTHER_PROCESS and (uses := list(process_wide_uses(ast.parse(file.read_text()))))
    }
    assert found == {}, "decorate these tests with @in_own_process of tests/own_process.py"


@pytest.mark.parametrize(
    "source",
    [
        "def test(): signal.raise_signal(2)",
        "def test(): Timer(1, _thread.interrupt_main)",
        "def test(): os.kill(os.getpid(), 2)",
        "async def test(): loop.call_soon_threadsafe(loop.stop)",
        "class Test:\n    def test(self): self._loop.stop()",
    ],
)
def test_the_check_finds_what_it_looks_for(source: str) -> None:
    assert len(list(process_wide_uses(ast.parse(source)))) == 1


def test_the_list_of_worker_modules_is_current() -> None:
    assert {file.name for file in (ROOT / "tests").rglob("*.py")} >= RUN_BY_ANOTHER_PROCESS


def test_the_check_passes_over_tests_in_processes_of_their_own() -> None:
    assert list(process_wide_uses(ast.parse("@in_own_process\ndef test(): signal.raise_signal(2)"))) == []


@in_own_process
def test_a_signal_reaches_the_other_process_only() -> None:
    received: list[int] = []
    signal.signal(signal.SIGINT, lambda number, _frame: received.append(number))
    signal.raise_signal(signal.SIGINT)
    assert received == [signal.SIGINT]


@pytest.mark.parametrize("ending", ["assert", "exit", "signal"])
def test_a_test_that_fails_there_fails_here(ending: str) -> None:
    with pytest.raises(AssertionError, match="exit status"):
        _fails(ending=ending)


@in_own_process
def _fails(ending: str) -> None:
    if ending == "assert":
        raise AssertionError("as expected")
    if ending == "exit":
        os._exit(0)
    os.kill(os.getpid(), signal.SIGKILL)
