"""Entries of the cache expire, and their number is bounded."""

from __future__ import annotations

from workroom.ttl_cache import TtlCache


class _Clock:
    now = 100.0

    def __call__(self) -> float:
        return self.now


def test_an_entry_expires_after_its_seconds() -> None:
    clock = _Clock()
    cache = TtlCache[str, int](seconds=2.0, limit=10, clock=clock)
    cache.put("usual", 1)
    cache.put("shorter", 2, seconds=1.0)
    cache.put("never longer", 3, seconds=50.0)
    cache.put("already expired", 4, seconds=-1.0)
    clock.now += 1.0
    assert [cache.get(key) for key in ("usual", "shorter", "never longer", "already expired")] == [1, None, 3, None]
    clock.now += 1.0
    assert [cache.get(key) for key in ("usual", "never longer")] == [None, None]


def test_the_number_of_entries_is_bounded() -> None:
    cache = TtlCache[int, int](seconds=1_000.0, limit=10)
    for number in range(11):
        cache.put(number, number)
    assert [cache.get(number) for number in (9, 10)] == [None, 10]


def test_entries_can_be_removed() -> None:
    cache = TtlCache[str, int](seconds=1_000.0, limit=10)
    cache.put("a", 1)
    cache.put("b", 2)
    cache.pop("a")
    cache.pop("absent")
    assert (cache.get("a"), cache.get("b")) == (None, 2)
    cache.clear()
    assert cache.get("b") is None
