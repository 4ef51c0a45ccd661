"""What every runtime has to do right: the extensions of the contract tests, once for each way to run them.

The same classes under one category for each runtime: names of built-in extensions are reserved in theirs.
"""

from __future__ import annotations

import logging
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

from tqdm import tqdm

from workroom import AttemptLost, Extension, File, JobCancelled, choices


class Returns(Extension):
    category = "threads"
    what: str = "a result"

    def run(self, vis: Any, **kwargs: Any) -> dict[str, Any]:
        vis.log(f"{self.what} in {vis.name}")
        return {"what": self.what, "room": vis.name, "pid": os.getpid(), **kwargs}


class Raises(Extension):
    category = "threads"

    def run(self, vis: Any, **kwargs: Any) -> None:
        raise ValueError("no such luck")


class Loud(Extension):
    category = "threads"

    def run(self, vis: Any, **kwargs: Any) -> int:
        print("one line")
        print("two", end=" ")
        print("parts")
        logging.getLogger("mine").warning("look out")
        print("to the other stream", file=sys.stderr)
        print("without an end", end="")
        steps = 0
        for _ in tqdm(range(20), desc="stepping"):
            time.sleep(0.01)
            steps += 1
        return steps


class Polite(Extension):
    """Goes on until it is called off, and looks; then it leaves word."""

    category = "threads"
    path: str = ""

    def run(self, vis: Any, **kwargs: Any) -> None:
        try:
            while True:
                vis.progress(None, "working")
                time.sleep(0.01)
        except JobCancelled:
            Path(self.path).touch()
            raise


class Deaf(Extension):
    """Goes on, and does not look; so does what it starts."""

    category = "threads"

    def run(self, vis: Any, **kwargs: Any) -> None:
        started = subprocess.Popen(["sleep", "60"])
        print(f"{os.getpid()} {started.pid}")
        time.sleep(60)


class Slow(Extension):
    category = "threads"
    polite: bool = True

    def run(self, vis: Any, **kwargs: Any) -> None:
        for _ in range(1000):
            time.sleep(0.01)
            if self.polite:
                vis.progress(None)


class Dies(Extension):
    category = "threads"
    how: str = "exit"

    def run(self, vis: Any, **kwargs: Any) -> None:
        print("goodbye")
        if self.how == "exit":
            os._exit(7)
        os.kill(os.getpid(), getattr(signal, self.how))
        time.sleep(60)


class SecondTry(Extension):
    """Fails once in each process that has no file of this name yet."""

    category = "threads"
    path: str = ""

    def run(self, vis: Any, **kwargs: Any) -> str:
        with Path(self.path).open("a") as file:
            file.write("x")
        tried = Path(self.path).read_text()
        if tried != "xx":
            raise RuntimeError(f"tried {len(tried)} times")
        return tried


class Large(Extension):
    category = "threads"
    size: int = 1_200_000

    def run(self, vis: Any, **kwargs: Any) -> str:
        return "x" * self.size


class Flood(Extension):
    """More lines than anybody wants, one that never ends, and a last word."""

    category = "threads"

    def run(self, vis: Any, **kwargs: Any) -> None:
        for number in range(30_000):
            print(f"line {number}")
        for _ in range(300):
            print("x" * 10_000, end="")
        print("\nthe last word")


class Late(Extension):
    """Waits for a file, then tries to write to the room."""

    category = "threads"
    path: str = ""

    def run(self, vis: Any, **kwargs: Any) -> None:
        vis.progress(None, str(os.getpid()))
        while not Path(self.path).exists():
            time.sleep(0.01)
        raised = "nothing"
        try:
            vis.log("too late")
        except AttemptLost as error:
            raised = type(error).__name__
            raise
        finally:
            Path(f"{self.path}.draft").write_text(raised)
            Path(f"{self.path}.draft").rename(f"{self.path}.raised")


class Untidy(Extension):
    """Leaves things behind, and tells what it found."""

    category = "threads"
    leave: str = ""

    def run(self, vis: Any, **kwargs: Any) -> dict[str, Any]:
        found = {
            "pid": os.getpid(),
            "cwd": str(Path.cwd()),
            "files": [path.name for path in Path().iterdir()],
            "variables": dict(os.environ),
            "nice": os.nice(0),
        }
        match self.leave:
            case "files":
                Path("mess").write_text("mess")
                os.environ["MESS"] = "mess"
                os.chdir("/")
            case "thread":
                threading.Thread(target=time.sleep, args=(60,), daemon=True).start()
            case "process":
                subprocess.Popen(["sleep", "60"])
            case "memory":
                bytearray(3_000_000_000)
            case _:
                pass
        return found


class ReadsFile(Extension):
    """Tells what is in its file, and where it was."""

    category = "threads"
    file: File | None = None

    async def run(self, vis: Any, **kwargs: Any) -> dict[str, Any]:
        assert self.file is not None
        return {"name": self.file.name, "text": self.file.read_text(), "path": str(self.file.path)}


class Chooses(Extension):
    """Offers choices that depend on another field and on the room."""

    category = "threads"
    kind: str = "frames"
    one: str | int | None = None

    @staticmethod
    @choices("one", depends_on=["kind"])
    def _ones(values: dict[str, Any], vis: Any) -> Any:
        match values.get("kind"):
            case "frames":
                return [(index, f"frame {index} of {vis.name}") for index in range(len(vis))]
            case "wrong":
                raise ValueError("no such kind")
            case "write":
                return [vis.log("a message of a form")]
            case "slow":
                time.sleep(30)
            case _:
                pass
        return ["a", "b"]

    def run(self, vis: Any, **kwargs: Any) -> Any:
        return self.one


ALL = (Returns, Raises, Loud, Polite, Deaf, Slow, Dies, SecondTry, Large, Flood, Late, Untidy, ReadsFile, Chooses)


def _under(category: str, marked: str) -> tuple[type[Extension], ...]:
    """The same classes under another category, where another process finds them: at the top of this module."""
    made: list[type[Extension]] = []
    for one in ALL:
        name = f"{marked}{one.__name__}"
        body = {"category": category, "__module__": __name__, "__qualname__": name}
        copied: Any = type(name, (one,), body)
        globals()[name] = copied
        made.append(copied)
    return tuple(made)


ISOLATED = _under("processes", "Isolated")
BUILT_IN = _under("built-in", "BuiltIn")
BUILT_IN_OPTIONS = {"BuiltInSlow": {"timeout": 0.5}, "BuiltInSecondTry": {"tries": 2}}
