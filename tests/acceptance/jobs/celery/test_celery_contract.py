"""The contract of all runtimes, for Celery with Redis as the broker."""

from __future__ import annotations

from collections.abc import Generator

import pytest
from tests.acceptance.jobs.celery.celery_contract import *  # noqa: F403 - the tests, collected here once more
from tests.acceptance.jobs.celery.celery_fleet import CeleryFleet, redis_fleet

pytestmark = pytest.mark.full


@pytest.fixture(scope="module")
def celery(tmp_path_factory: pytest.TempPathFactory) -> Generator[CeleryFleet]:
    with redis_fleet(tmp_path_factory.getbasetemp()) as started:
        yield started
