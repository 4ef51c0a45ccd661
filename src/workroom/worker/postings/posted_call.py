"""One posted call: what `function.submit(…)` returns."""

from __future__ import annotations

from typing import TYPE_CHECKING, Generic, TypeVar
from uuid import UUID

if TYPE_CHECKING:
    from workroom.worker.postings.posting import Posting

R = TypeVar("R")


class PostedCall(Generic[R]):
    """The handle of one call. `posting` is the posting that it is the only call of."""

    def __init__(self, posting: Posting[R]) -> None:
        self.posting = posting

    @property
    def id(self) -> UUID:
        """The id of the posting."""
        return self.posting.id

    @property
    def status(self) -> str:
        """executing, paused, completed, failed or cancelled."""
        return self.posting.status

    def done(self) -> bool:
        """Whether it has ended, in whatever way."""
        return self.status in ("completed", "failed", "cancelled")

    def result(self, timeout: float | None = None) -> R:
        """Wait for the result. Raises the error of the call, or TimeoutError when it has not ended in time."""
        (result,) = self.posting.wait(timeout, progress=False).results()
        return result

    def cancel(self) -> bool:
        """Cancel it; whether it ended at once. A call that runs is asked to stop."""
        return self.posting.cancel() > 0

    def __repr__(self) -> str:
        return f"<PostedCall {self.id}>"
