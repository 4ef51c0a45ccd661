"""Workroom: a pool of two processes, which keeps every result and profiles a tenth of the calls, its defaults."""

from __future__ import annotations

import sys
from pathlib import Path

from race import PROCESSES, URL, Peer, main

from workroom import Posting, Registry, job
from workroom.store.migrate import upgrade


@job(name="race_noop")
def noop(number: int) -> int:
    return number


class WorkroomPeer(Peer):
    distributions = ("workroom",)

    def __init__(self) -> None:
        self._postings = list[Posting]()

    def prepare(self) -> None:
        upgrade(URL)

    def workers(self) -> list[list[str]]:
        flags = ["--import", str(Path(__file__).stem), "--workers", str(PROCESSES), "--database", URL]
        return [[sys.executable, "-m", "workroom.cli", "pool", *flags]]

    def queue(self, tasks: int) -> None:
        self._postings.append(self._noop.post_work(((n,) for n in range(tasks)), database=URL))

    def done(self) -> int:
        import psycopg

        with psycopg.connect(URL) as connection:
            row = connection.execute("SELECT count(*) FROM job WHERE state = 'completed'").fetchone()
        return row[0] if row else 0

    def finished(self, tasks: int) -> bool:
        return all(posting.counts().completed == posting.counts().total for posting in self._postings)

    def call(self, number: int) -> None:
        posting = self._noop.post_work([(number,)], database=URL)
        assert list(posting.wait().results()) == [number]

    @property
    def _noop(self):
        return Registry["race_noop"]


if __name__ == "__main__":
    import workroom_peer  # the pool imports the same module

    main(workroom_peer.WorkroomPeer())
