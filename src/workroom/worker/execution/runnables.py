"""The tasks that executors run."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from workroom.client.extension import Extension
from workroom.worker.execution.job_room import JobRoom
from workroom.worker.execution.outcome_conversion import as_packed
from workroom.worker.remote.offers import FunctionOffer, Offer


@dataclass(frozen=True, slots=True)
class ExtensionTask:
    """An extension with its parameters, and its offer."""

    offer: Offer
    extension: Extension

    def perform(self, vis: JobRoom) -> Any:
        return self.extension.run(vis, **self.offer.run_kwargs)

    def encode_result(self, value: Any) -> Any:
        return as_packed(value)


@dataclass(frozen=True, slots=True)
class FunctionTask:
    """A function and its arguments. It gets no room."""

    offer: FunctionOffer
    args: tuple[Any, ...]
    kwargs: dict[str, Any]

    def perform(self, vis: JobRoom) -> Any:
        return self.offer.function.call(*self.args, **self.kwargs)

    def encode_result(self, value: Any) -> Any:
        return as_packed(value) if self.offer.function.keep_result else None


AnyTask = ExtensionTask | FunctionTask
