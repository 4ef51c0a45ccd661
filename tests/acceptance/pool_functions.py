"""Functions that the pools of tests run, and subclasses as people write them."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import Any

from workroom.pdoflow import ClusterPool, ClusterProcess, JobRecord, Registry, job


@job(name="square")
def square(number: int) -> int:
    return number * number


@job(name="echo")
def echo(*args: Any, **kwargs: Any) -> Any:
    return args, kwargs


@job(name="after_file", tries=1)
def after_file(path: str, number: int) -> int:
    """Waits until the file is there; without a path it returns at once."""
    while path and not Path(path).exists():
        time.sleep(0.01)
    if number < 0:
        raise ValueError("below zero")
    return number


@job(name="return_object", tries=3)
def return_object() -> object:
    return object()


@job(name="return_object_unkept", keep_result=False)
def return_object_unkept() -> object:
    return object()


@job(name="picky", tries=1)
def picky(number: int) -> int:
    if number % 10 == 3:
        raise ValueError(f"not {number}")
    return number


@job(name="when_told", tries=1)
def when_told(path: str) -> str:
    """Fails until the file is there."""
    return Path(path).read_text()


@job(name="nap")
def nap(seconds: float, number: int = 0) -> int:
    time.sleep(seconds)
    return number


@job(name="note")
def note(folder: str, number: int) -> int:
    """Leaves a trace for each time it is run."""
    with (Path(folder) / f"{number}").open("a") as file:
        file.write(".")
    time.sleep(0.002)
    return number


@job(name="counted")
def counted(path: str, number: int, size: int) -> str:
    """Appends its number to the file when it is about to return."""
    file = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
    os.write(file, f"{number}\n".encode())
    os.close(file)
    return "x" * size


@job(name="poison")
def poison(number: int) -> int:
    if number == 7:
        os._exit(1)
    return number


@job(name="endless", tries=1, timeout=0.5)
def endless(number: int) -> int:
    while number == 1:
        time.sleep(0.01)
    return number


@job(name="stubborn", tries=1)
def stubborn() -> None:
    time.sleep(60)


@job(name="process_chunk")
def process_chunk(chunk: int) -> int:
    return chunk + 1


@job(name="my_task")
def my_task(x: int):
    # Automatically added to Registry
    pass


def get_stream_chunks(stream_id: str) -> range:
    return range(int(stream_id))


@job(name="streaming_job")
def streaming_job(stream_id: str):
    # Can post follow-up jobs
    for chunk in get_stream_chunks(stream_id):
        Registry["process_chunk"].post_work([(chunk,)])


READY: list[str] = []


@job(name="is_ready")
def is_ready() -> list[str]:
    return READY


class CustomWorker(ClusterProcess):
    def _pre_run_init(self) -> None:
        super()._pre_run_init()
        READY.append("ready")

    def process_job(self, job: JobRecord):
        READY.append(job.name)
        super().process_job(job)


METRICS: dict[str, list[int]] = {}


def send_metric(name: str, value: int) -> None:
    METRICS.setdefault(name, []).append(value)


class MonitoredPool(ClusterPool):
    def upkeep(self) -> None:
        super().upkeep()
        # Send metrics
        send_metric("workers.active", len(self.workers))
        send_metric("workers.failed", self.failure_count)
