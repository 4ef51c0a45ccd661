"""Dask: a local cluster of two processes with one thread each; nothing is written to a disk."""

from __future__ import annotations

import sys
import time

from distributed import Client, LocalCluster


def noop(number: int) -> int:
    return number


def main(tasks: int) -> None:
    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster, Client(cluster) as client:
        client.gather(client.map(noop, [-1]))
        started = time.perf_counter()
        assert client.gather(client.map(noop, range(tasks), batch_size=1_000)) == list(range(tasks))
        print(tasks / (time.perf_counter() - started), flush=True)


if __name__ == "__main__":
    main(int(sys.argv[2]))
