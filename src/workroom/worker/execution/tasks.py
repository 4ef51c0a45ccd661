"""The tasks that executors run."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, cast

from workroom.client.choices_decorator import answer
from workroom.client.extension import Extension
from workroom.worker.execution.job_room import JobRoom
from workroom.worker.execution.outcome_conversion import as_packed
from workroom.worker.remote.offers import FunctionOffer, Offer


@dataclass(frozen=True, slots=True)
class ExtensionTask:
    """An extension with its parameters, and its offer."""

    offer: Offer
    extension: Extension

    @property
    def files(self) -> Any:
        """What may contain files to download before the run."""
        return self.extension

    def perform(self, vis: JobRoom) -> Any:
        # A job's room has what extensions use, but not the methods by which a program offers extensions.
        return self.extension.run(cast("Any", vis), **self.offer.run_kwargs)

    def encode_result(self, value: Any) -> Any:
        return as_packed(value)


@dataclass(frozen=True, slots=True)
class FunctionTask:
    """A function and its arguments. It gets no room."""

    offer: FunctionOffer
    args: tuple[Any, ...]
    kwargs: dict[str, Any]

    @property
    def files(self) -> Any:
        return None

    def perform(self, vis: JobRoom) -> Any:
        return self.offer.function.call(*self.args, **self.kwargs)

    def encode_result(self, value: Any) -> Any:
        return as_packed(value) if self.offer.function.keep_result else None


@dataclass(frozen=True, slots=True)
class ChoicesTask:
    """The question for the choices of one field."""

    offer: Offer
    field: str
    values: dict[str, Any]

    @property
    def files(self) -> Any:
        return None

    def perform(self, vis: JobRoom) -> Any:
        return answer(self.offer.extension, self.field, self.values, vis)

    def encode_result(self, value: Any) -> Any:
        return value


OfferedTask = ExtensionTask | ChoicesTask
AnyTask = OfferedTask | FunctionTask
