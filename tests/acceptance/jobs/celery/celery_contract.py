"""The tests of the contract of all runtimes, for a module with a fixture `celery`: it imports all names from here."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

import pytest
from tests.acceptance import pool_functions
from tests.acceptance.jobs import test_runtime_contract as contract
from tests.acceptance.jobs.celery.celery_fleet import CeleryFleet
from tests.acceptance.jobs.test_runtime_contract import (
    ended,
    test_a_failed_job_is_tried_as_often_as_it_may_be,
    test_a_failure_comes_back_with_its_traceback,
    test_a_file_is_on_the_disk_of_the_worker_while_the_job_runs,
    test_a_flood_of_lines_is_bounded_and_its_end_is_kept,
    test_a_form_gets_choices_of_the_room_that_it_can_only_read,
    test_a_job_that_does_not_look_is_killed_with_all_it_started,
    test_a_job_that_kills_its_process_fails_and_the_next_one_runs,
    test_a_job_that_looks_stops_by_itself,
    test_a_job_that_takes_too_long_fails_with_job_timeout,
    test_a_job_that_was_taken_away_can_change_nothing,
    test_a_result_comes_back_and_vis_is_the_jobs_room,
    test_a_result_that_is_too_large_fails_with_a_clear_word,
    test_a_result_too_large_for_a_socket_goes_another_way,
    test_lines_and_bars_are_the_jobs,
    test_the_pool_of_functions_keeps_the_contract,
)
from tests.posting_backend import close_backend

from workroom import Posting, Room

__all__ = [
    "ended",
    "postings",
    "rooms",
    "runtime",
    "test_a_failed_job_is_tried_as_often_as_it_may_be",
    "test_a_failure_comes_back_with_its_traceback",
    "test_a_file_is_on_the_disk_of_the_worker_while_the_job_runs",
    "test_a_flood_of_lines_is_bounded_and_its_end_is_kept",
    "test_a_form_gets_choices_of_the_room_that_it_can_only_read",
    "test_a_job_that_does_not_look_is_killed_with_all_it_started",
    "test_a_job_that_kills_its_process_fails_and_the_next_one_runs",
    "test_a_job_that_looks_stops_by_itself",
    "test_a_job_that_takes_too_long_fails_with_job_timeout",
    "test_a_job_that_was_taken_away_can_change_nothing",
    "test_a_result_comes_back_and_vis_is_the_jobs_room",
    "test_a_result_that_is_too_large_fails_with_a_clear_word",
    "test_a_result_too_large_for_a_socket_goes_another_way",
    "test_lines_and_bars_are_the_jobs",
    "test_the_pool_of_functions_keeps_the_contract",
]


@pytest.fixture(scope="module")
def rooms(celery: CeleryFleet) -> Generator[dict[str, contract.Runtime]]:
    with Room("celery-room", celery.server.url, "ada") as room:
        runtime = contract.Runtime("celery", room, "built-in", "BuiltIn", celery.server)
        contract.until(runtime.is_online)
        yield {"celery": runtime}


@pytest.fixture(scope="module")
def runtime(rooms: dict[str, contract.Runtime]) -> contract.Runtime:
    return rooms["celery"]


@pytest.fixture(scope="module")
def postings(celery: CeleryFleet) -> Generator[dict[str, Posting[Any]]]:
    assert pool_functions.square.name == "square"  # the functions are registered here too
    yield contract.posted(celery.database)
    close_backend(celery.database)
