"""The extensions and functions that a worker offers, with their options."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from types import ModuleType
from typing import Any

import orjson

from workroom.client.extension import Extension, identity, is_runnable, schema_of
from workroom.domain.errors import BadInput, NotFound
from workroom.domain.jobs import breaker as breaker_rule
from workroom.domain.jobs.fair_queue import DEFAULT_PRIORITY
from workroom.domain.jobs.resources import Resources, checked_resources
from workroom.domain.jobs.worker_loss import OnWorkerLost
from workroom.worker.function_registry import Function, Registry
from workroom.worker.loading import extensions_in, source_of

FUNCTIONS = "functions"  # the category of functions


@dataclass(frozen=True, slots=True)
class Offer:
    """One extension, and the options under which this worker runs it."""

    extension: type[Extension]
    public: bool = False  # visible in all rooms; admins only
    builtin: bool = False  # shipped with the server; for the server's pool and admins
    run_kwargs: Mapping[str, Any] = field(default_factory=dict[str, Any])  # passed to every run: models, paths
    concurrency: int | None = None  # how many at a time; None: one
    timeout: float | None = None  # seconds
    tries: int = 1
    on_worker_lost: OnWorkerLost = OnWorkerLost.FAIL
    priority: int = DEFAULT_PRIORITY
    isolate: bool = False  # each job in a process of its own, which can be killed
    resources: Resources | None = None  # that a job needs of its worker; None: those that the class names
    breaker_failures: int = breaker_rule.DEFAULT_FAILURES  # inputs that fail in a row; 0: jobs always come
    breaker_seconds: float = breaker_rule.DEFAULT_SECONDS

    def __post_init__(self) -> None:
        if not is_runnable(self.extension):
            raise BadInput(
                f"{self.extension!r} cannot be offered: write a subclass of Extension with a `category` and a `run`."
            )
        checked_resources(self.needs)
        if self.isolate:
            source_of(self.extension)
            _check_json(self)

    @property
    def identity(self) -> tuple[str, str]:
        return identity(self.extension)

    @property
    def needs(self) -> Resources:
        return self.extension.resources if self.resources is None else self.resources

    @property
    def key(self) -> tuple[str, str, str]:
        scope = "builtin" if self.builtin else "global" if self.public else "room"
        return (scope, *self.identity)

    def as_message(self, *, breaker: bool) -> dict[str, Any]:
        category, name = self.identity
        message: dict[str, Any] = {
            "name": name,
            "category": category,
            "schema": schema_of(self.extension),
            "public": self.public,
            "builtin": self.builtin,
            # A built-in extension may use all slots of its pool.
            "concurrency": self.concurrency if self.builtin else self.concurrency or 1,
            "timeoutSeconds": self.timeout,
            "tries": self.tries,
            "onWorkerLost": self.on_worker_lost,
            "priority": self.priority,
            "resources": dict(self.needs),
            "breakerFailures": self.breaker_failures,
            "breakerSeconds": self.breaker_seconds,
        }
        return message if breaker else message | {"breakerFailures": 0}


@dataclass(frozen=True, slots=True)
class FunctionOffer:
    """A registered function, and how many of its calls run at a time here."""

    function: Function[..., Any]
    concurrency: int = 1

    @property
    def identity(self) -> tuple[str, str]:
        return FUNCTIONS, self.function.name

    @property
    def key(self) -> tuple[str, str, str]:
        return ("function", *self.identity)

    def as_message(self, *, breaker: bool) -> dict[str, Any]:
        return {
            "name": self.function.name,
            "category": FUNCTIONS,
            "schema": {},
            "function": True,
            "tries": self.function.tries,
            "timeoutSeconds": self.function.timeout,
            "resources": self.function.resources,
        }


AnyOffer = Offer | FunctionOffer


def offers_in(
    module: ModuleType,
    *,
    public: bool = False,
    slots: int = 1,
    concurrency: int | None = None,
    timeout: float | None = None,
) -> list[AnyOffer]:
    """The extensions that a module defines, and all functions that are registered after importing it."""
    extensions = extensions_in(module)
    found: list[AnyOffer] = [
        Offer(extension, public=public, concurrency=concurrency, timeout=timeout) for extension in extensions
    ]
    found += [FunctionOffer(function, slots) for function in Registry.functions()]
    if not found:
        raise BadInput(
            f"{module.__file__ or module.__name__} defines no extension (a subclass of workroom.Extension with "
            f"a `category` and a `run`) and no function (with @job)."
        )
    return found


class Offers:
    """All offers of a worker, by scope, category and name."""

    def __init__(self) -> None:
        self._offers: dict[tuple[str, str, str], AnyOffer] = {}

    def add(self, offer: AnyOffer) -> None:
        self._offers[offer.key] = offer

    def withdraw(self, extension: type[Extension]) -> None:
        category, name = identity(extension)
        found = [key for key in self._offers if key[1:] == (category, name)]
        if not found:
            raise NotFound(f"{category}/{name} is not offered here.")
        for key in found:
            del self._offers[key]

    def find(self, scope: str, category: str, name: str) -> AnyOffer | None:
        return self._offers.get((scope, category, name))

    def snapshot(self) -> dict[tuple[str, str, str], AnyOffer]:
        return dict(self._offers)

    def restore(self, snapshot: dict[tuple[str, str, str], AnyOffer]) -> None:
        self._offers = snapshot

    @property
    def capacity(self) -> int:
        """How many jobs at a time: the highest concurrency of all offers."""
        return max((offer.concurrency or 1 for offer in self), default=1)

    def __iter__(self) -> Iterator[AnyOffer]:
        return iter(self._offers.values())

    def __len__(self) -> int:
        return len(self._offers)


def _check_json(offer: Offer) -> None:
    try:
        orjson.dumps(dict(offer.run_kwargs))
    except TypeError as error:
        raise BadInput(
            f"run_kwargs of {offer.extension.__name__} cannot be passed to another process: {error}. "
            f"Use plain values, or leave out isolate=True."
        ) from None
