"""Dask: a scheduler and two worker processes with one thread each; nothing is written to a disk."""

from __future__ import annotations

import os
from functools import cached_property

from distributed import Client, fire_and_forget
from race import FOLDER, PROCESSES, URL, Peer, main, program

_CHUNK = 1_000
_DONE = FOLDER / "done"


def noop(number: int) -> int:
    """Counts itself by one more byte in a file: a queue without a database has no other place."""
    descriptor = os.open(_DONE, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
    try:
        os.write(descriptor, b".")
    finally:
        os.close(descriptor)
    return number


class DaskPeer(Peer):
    distributions = ("distributed",)

    def workers(self) -> list[list[str]]:
        flags = ["--nworkers", str(PROCESSES), "--nthreads", "1", "--no-dashboard", "--local-directory", str(FOLDER)]
        return [[program("dask"), "worker", URL, *flags]]

    def queue(self, tasks: int) -> None:
        fire_and_forget(self._client.map(self._noop, range(tasks), batch_size=_CHUNK, pure=False))

    def done(self) -> int:
        return _DONE.stat().st_size if _DONE.exists() else 0

    def call(self, number: int) -> None:
        assert self._client.submit(self._noop, number, pure=False).result(40) == number

    @cached_property
    def _client(self) -> Client:
        return Client(URL)

    @property
    def _noop(self):
        import dask_peer  # functions are sent by the name of their module, which the workers know

        return dask_peer.noop


if __name__ == "__main__":
    main(DaskPeer())
