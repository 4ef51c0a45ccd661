"""The contract of all runtimes, for Celery on RabbitMQ."""

from __future__ import annotations

from collections.abc import Generator

import pytest
from tests.acceptance.jobs.celery.celery_contract import *  # noqa: F403 - the tests, collected here once more
from tests.acceptance.jobs.celery.celery_fleet import CeleryFleet, fleet
from tests.faults.celery.rabbitmq import RabbitMQ

pytestmark = pytest.mark.full


@pytest.fixture(scope="module")
def celery(tmp_path_factory: pytest.TempPathFactory) -> Generator[CeleryFleet]:
    broker = RabbitMQ().start()
    try:
        with fleet(broker.url, tmp_path_factory.getbasetemp()) as started:
            yield started
    finally:
        broker.remove()
