"""Runs one test in a Python process of its own: `@in_own_process`.

A test that raises a signal, installs a signal handler or stops an event loop must not do so in pytest's process. All
asynchronous tests share one event loop there. A socket client of an earlier test may have added a SIGINT handler to
that loop, and the loop calls it for any SIGINT of the process, however late: it cancels every task and stops the loop,
in the middle of an unrelated test. `tests/unit/test_own_process.py` checks that no test does without this decorator.
"""

from __future__ import annotations

import functools
import importlib.util
import inspect
import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import ParamSpec, cast

P = ParamSpec("P")

ROOT = Path(__file__).parents[1]
SECONDS = 60.0  # until a test that hangs is killed
PASSED = "the test passed"  # a process that a signal or os._exit ended with status 0 does not print this


def in_own_process(test: Callable[P, None]) -> Callable[P, None]:
    """Run this synchronous test function in a fresh interpreter; it fails here with the output it had there.

    Its parameters come from `pytest.mark.parametrize` and must be JSON values: fixtures stay in pytest's process.
    """
    assert not inspect.iscoroutinefunction(test), "an asynchronous test starts its loop itself, with asyncio.run"

    @functools.wraps(test)
    def start(*args: P.args, **arguments: P.kwargs) -> None:
        assert not args
        file = inspect.getsourcefile(test)
        assert file is not None
        command = [sys.executable, "-m", "tests.own_process", file, test.__name__, json.dumps(arguments)]
        process = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=SECONDS, check=False)
        passed = process.returncode == 0 and PASSED in process.stdout
        assert passed, f"exit status {process.returncode}\n{process.stdout}\n{process.stderr}"

    return start


def _main(file: str, name: str, arguments: str) -> None:
    """The other side: import the test's module by its path and call the undecorated function."""
    decorated = getattr(_load(Path(file)), name)
    test = cast(Callable[..., None], inspect.unwrap(decorated))
    test(**json.loads(arguments))
    print(PASSED)


def _load(file: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(file.stem, file)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[file.stem] = module
    spec.loader.exec_module(module)
    return module


if __name__ == "__main__":
    _main(*sys.argv[1:])
