"""Resources: what an extension asks for, and what a worker offers.

A resource has a name and an amount: `{"gpus": 1, "memory_gb": 16}`. A worker gets a job only if what it offers, less
what its running jobs use, covers what the job's extension asks for.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping
from typing import Any

from workroom.domain.errors import BadInput

Resources = Mapping[str, float]

MOST_NAMES = 16
LARGEST = 1e9
_NAME = re.compile(r"[a-z][a-z0-9_]{0,31}")


def checked_resources(given: Mapping[str, Any] | None) -> dict[str, float]:
    """The resources with valid names and amounts, ordered by name. An amount of 0 is left out."""
    if given is not None and not isinstance(given, Mapping):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise BadInput(f'Resources are names with amounts, like {{"gpus": 1}}, not {str(given)[:60]!r}.')
    resources = dict(given or {})
    if len(resources) > MOST_NAMES:
        raise BadInput(f"At most {MOST_NAMES} resources can be named, not {len(resources)}.")
    for name, amount in resources.items():
        if not _NAME.fullmatch(str(name)):
            raise BadInput(
                f"{str(name)[:40]!r} is no name of a resource: use lower-case letters, digits and underscores, "
                "like gpus or memory_gb."
            )
        if isinstance(amount, bool) or not isinstance(amount, int | float) or not 0 <= amount <= LARGEST:
            raise BadInput(f"The amount of {name} is a number from 0 to {LARGEST:,.0f}, not {str(amount)[:40]!r}.")
    return {name: resources[name] for name in sorted(resources) if resources[name]}


def parsed_resources(texts: Iterable[str]) -> dict[str, float]:
    """Resources from words like `gpus=1`, as the command line has them."""
    resources: dict[str, float] = {}
    for text in texts:
        name, equals, amount = text.partition("=")
        try:
            value = float(amount)
        except ValueError:
            equals = ""
            value = math.nan
        if not equals or not math.isfinite(value):
            raise BadInput(f"{text[:60]!r} is no resource: write NAME=AMOUNT, like gpus=1.")
        resources[name] = int(value) if value.is_integer() else value
    return checked_resources(resources)


def resource_words(resources: Resources) -> list[str]:
    """`gpus=1`, `memory_gb=16`: the same words that the command line takes."""
    return [f"{name}={amount:.10g}" for name, amount in sorted(resources.items())]


def resources_text(resources: Resources) -> str:
    return ", ".join(resource_words(resources))


def covers(offered: Resources, asked: Resources) -> bool:
    """Whether an offer is enough for one job."""
    return all(offered.get(name, 0) >= amount for name, amount in asked.items())
