"""How fast postings move, from what was seen of them lately."""

from __future__ import annotations

import time
from collections import OrderedDict, deque
from datetime import UTC, datetime
from uuid import UUID

from workroom.domain.jobs.states import FINAL
from workroom.store.queue_tables.postings import PostingRow

_WINDOW = 10.0  # seconds
_CLOSEST = 0.2  # between two looks worth remembering
_MOST = 1_000

_Looks = deque[tuple[float, int]]  # when, and how many jobs had ended


class PostingRates:
    """Remembers a few looks at each posting that moves."""

    def __init__(self) -> None:
        self._looks: OrderedDict[UUID, _Looks] = OrderedDict()

    def rate(self, row: PostingRow) -> float | None:
        """Jobs ended in a second: of late while it moves, over its whole life once it has ended."""
        if row.status in FINAL:
            self._looks.pop(row.id, None)
            return _mean(row, row.finished_at)
        first, last = self._seen(row)
        if last[0] - first[0] < 1.0:
            return _mean(row, datetime.now(UTC))
        return max(0.0, (last[1] - first[1]) / (last[0] - first[0]))

    def _seen(self, row: PostingRow) -> tuple[tuple[float, int], tuple[float, int]]:
        looks = self._looks.setdefault(row.id, deque())
        self._looks.move_to_end(row.id)
        while len(self._looks) > _MOST:
            self._looks.popitem(last=False)
        now = time.monotonic()
        if not looks or now - looks[-1][0] >= _CLOSEST:
            looks.append((now, row.ended))
        while len(looks) > 2 and now - looks[1][0] > _WINDOW:
            looks.popleft()
        return looks[0], looks[-1]


def _mean(row: PostingRow, until: datetime | None) -> float | None:
    seconds = 0.0 if until is None else (until - row.created_at).total_seconds()
    return row.ended / seconds if row.ended and seconds > 0 else None
