"""Items of one key are written in batches, in their order; one bad item does not fail the others."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import pytest

from workroom.server.dispatch.batcher import Batcher


class _Writer:
    """Records the batches, and holds each until `go` is set."""

    def __init__(self) -> None:
        self.batches: list[list[str]] = []
        self.go = asyncio.Event()
        self.go.set()

    async def write(self, _: str, items: Sequence[str]) -> list[str]:
        self.batches.append(list(items))
        await self.go.wait()
        if "bad" in items:
            raise ValueError("bad")
        return [item.upper() for item in items]


@pytest.fixture
async def writer() -> _Writer:
    return _Writer()


def _batcher(writer: _Writer, *, limit: int = 3, delay: float = 0.0) -> Batcher[str, str, str]:
    return Batcher(
        writer.write,
        limit=limit,
        retry_alone=lambda error: isinstance(error, ValueError),
        urgent=(lambda item: not item.startswith("slow")) if delay else None,
        delay=delay,
    )


async def test_items_that_arrive_during_a_write_go_together_into_the_next_batch(writer: _Writer) -> None:
    batcher = _batcher(writer)
    writer.go.clear()
    first = batcher.put("key", "a")
    await asyncio.sleep(0)
    others = [batcher.put("key", item) for item in "bcde"]
    writer.go.set()
    assert await asyncio.gather(first, *others) == ["A", "B", "C", "D", "E"]
    assert writer.batches == [["a"], ["b", "c", "d"], ["e"]]


async def test_keys_do_not_wait_for_each_other(writer: _Writer) -> None:
    batcher = _batcher(writer)
    writer.go.clear()
    results = [batcher.put(key, key) for key in ("x", "y")]
    await asyncio.sleep(0)
    assert writer.batches == [["x"], ["y"]]
    writer.go.set()
    assert await asyncio.gather(*results) == ["X", "Y"]


async def test_a_bad_item_fails_alone(writer: _Writer) -> None:
    batcher = _batcher(writer)
    results = await asyncio.gather(*(batcher.put("key", item) for item in ("a", "bad", "c")), return_exceptions=True)
    assert (results[0], results[2]) == ("A", "C")
    assert isinstance(results[1], ValueError)
    assert await batcher.put("key", "d") == "D"


async def test_an_item_that_is_not_urgent_waits_for_one_that_is(writer: _Writer) -> None:
    batcher = _batcher(writer, delay=60.0)
    slow = batcher.put("key", "slow")
    await asyncio.sleep(0.01)
    assert writer.batches == []
    assert await asyncio.gather(slow, batcher.put("key", "now")) == ["SLOW", "NOW"]
    assert writer.batches == [["slow", "now"]]


async def test_an_item_that_is_not_urgent_is_written_after_the_delay(writer: _Writer) -> None:
    assert await asyncio.wait_for(_batcher(writer, delay=0.002).put("key", "slow"), 5) == "SLOW"


async def test_split_bounds_a_batch(writer: _Writer) -> None:
    batcher = Batcher[str, str, str](
        writer.write, limit=10, retry_alone=lambda _: False, split=lambda items: min(len(items), 2)
    )
    assert await asyncio.gather(*(batcher.put("key", item) for item in "abc")) == ["A", "B", "C"]
    assert writer.batches == [["a", "b"], ["c"]]


async def test_a_cancelled_caller_does_not_disturb_the_batch(writer: _Writer) -> None:
    batcher = _batcher(writer)
    gone, stays = batcher.put("key", "a"), batcher.put("key", "b")
    gone.cancel()
    assert await stays == "B"
