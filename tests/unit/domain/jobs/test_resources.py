"""Names and amounts of resources."""

from __future__ import annotations

from typing import Any

import pytest

from workroom.domain.errors import BadInput
from workroom.domain.jobs.resources import checked_resources, covers, parsed_resources, resource_words


def test_words_of_the_command_line_are_read_and_written_the_same() -> None:
    resources = parsed_resources(["memory_gb=1.5", "gpus=2", "cpus=0"])
    assert resources == {"gpus": 2, "memory_gb": 1.5}
    assert resource_words(resources) == ["gpus=2", "memory_gb=1.5"]


@pytest.mark.parametrize(
    "word", ["gpus", "gpus=", "=1", "gpus=many", "gpus=-1", "gpus=nan", "gpus=inf", "a b=1", "$(id)=1"]
)
def test_a_malformed_word_is_refused(word: str) -> None:
    with pytest.raises(BadInput):
        parsed_resources([word])


@pytest.mark.parametrize(
    "given",
    [
        ["gpus"],
        "gpus=1",
        {"GPUs": 1},
        {"gpus": "1"},
        {"gpus": True},
        {"gpus": -1},
        {"x;rm": 1},
        {f"r{n}": 1 for n in range(17)},
    ],
)
def test_malformed_resources_are_refused(given: Any) -> None:
    with pytest.raises(BadInput):
        checked_resources(given)


def test_an_offer_covers_what_is_asked_for() -> None:
    assert covers({"gpus": 2}, {"gpus": 1}) and covers({}, {})
    assert not covers({"gpus": 2}, {"gpus": 1, "memory_gb": 1})
