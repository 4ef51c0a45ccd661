"""Sends messages about jobs to the broker."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from workroom.celery.app import RUN_EXTENSION, RUN_FUNCTION, celery_app
from workroom.store.queue_tables.celery import WaitingJob


class Broker:
    """One connection, opened with the first message and again after an error. To be used by one thread at a time."""

    def __init__(self, url: str) -> None:
        self._app = celery_app(url)
        self._connection: Any = None
        self._producer: Any = None

    def send(self, queue: str, jobs: Sequence[WaitingJob]) -> None:
        """Send a message for each job: its id and the attempt to make. Raises the error of the transport.

        Each message is a task of its own: Celery keeps revoked ids for hours, and drops messages that have one.
        `shadow` is the name that Celery's log and Flower show.
        """
        try:
            producer = self._open()
            for job in jobs:
                self._app.send_task(
                    RUN_FUNCTION if job.is_function else RUN_EXTENSION,
                    args=[str(job.id), job.attempt],
                    task_id=f"{job.id}-{job.attempt}-{secrets.token_hex(4)}",
                    queue=queue,
                    shadow=job.name if job.is_function else f"{job.category}/{job.name}",
                    producer=producer,
                    retry=False,
                    ignore_result=True,
                )
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        connection, self._connection, self._producer = self._connection, None, None
        if connection is not None:
            with suppress(Exception):  # it may be broken
                connection.close()

    def _open(self) -> Any:
        if self._producer is None:
            self._connection = self._app.connection_for_write()
            self._connection.ensure_connection(max_retries=1, timeout=5)
            self._producer = self._app.amqp.Producer(self._connection)
        return self._producer
