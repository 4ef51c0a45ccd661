"""The extensions of the contract tests for workers that SLURM starts, and the program of such a worker."""

from __future__ import annotations

import os
from typing import Any

from tests.acceptance import built_in

from workroom import Extension, Room
from workroom.worker.remote.offers import Offer
from workroom.worker.walltime import find_walltime

CATEGORY = "fleets"
PREFIX = "Fleet"


def _copies() -> tuple[type[Extension], ...]:
    """The same classes under another category, where another process finds them: at the top of this module."""
    made: list[type[Extension]] = []
    for one in built_in.ALL:
        name = f"{PREFIX}{one.__name__}"
        copied: Any = type(name, (one,), {"category": CATEGORY, "__module__": __name__, "__qualname__": name})
        globals()[name] = copied
        made.append(copied)
    return tuple(made)


ALL = _copies()


def offers() -> list[Offer]:
    return [
        Offer(
            one,
            isolate=True,
            concurrency=4,
            timeout=0.5 if one.__name__.endswith("Slow") else None,
            tries=2 if one.__name__.endswith("SecondTry") else 1,
            run_kwargs={"model": "large"} if one.__name__.endswith("Returns") else {},
        )
        for one in ALL
    ]


def main() -> None:
    login = (os.environ["WORKROOM_URL"], os.environ["WORKROOM_USER"], os.environ["WORKROOM_PASSWORD"])
    with Room(os.environ["WORKROOM_FLEET_ROOM"], *login, walltime=find_walltime()) as room:
        room.portal.call(room.inner.worker.offer(*offers()))
        room.wait()


if __name__ == "__main__":
    from tests.acceptance.fleet import fleet_contract  # by its name: other processes load the classes by it

    fleet_contract.main()
