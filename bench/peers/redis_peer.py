"""A queue on Redis: its tasks count themselves in Redis, which is in its favour: results are off."""

from __future__ import annotations

from functools import cache

import redis
from race import URL, Peer


@cache
def client() -> redis.Redis:
    return redis.Redis.from_url(URL)


def count() -> None:
    client().incr("done")


class RedisPeer(Peer):
    def done(self) -> int:
        return int(client().get("done") or 0)
