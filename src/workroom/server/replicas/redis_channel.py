"""Carries payloads between servers through a channel of Redis."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from typing import Any, cast

from workroom.domain.errors import BadInput
from workroom.logs import get_logger
from workroom.server.background_service import BackgroundService

log = get_logger(__name__)

_CONNECT_SECONDS = 2.0
_PUBLISH_SECONDS = 1.0  # PostgreSQL carries a payload after this time


class RedisChannel(BackgroundService):
    """Publishes payloads, and passes each that it receives to `on_payload`. Subscribes again after a loss."""

    name = "redis channel"
    pause = 0.5

    def __init__(self, url: str, channel: str, on_payload: Callable[[str], object], *, silence: float) -> None:
        """`silence`: after so many seconds without any payload the subscription counts as lost."""
        super().__init__()
        self._channel = channel
        self._on_payload = on_payload
        self._silence = silence
        self._client = _client(url)
        self._is_away = False
        self.subscribed = asyncio.Event()

    async def publish(self, payload: str) -> int:
        """Publish a payload, and return how many subscribers there are; 0 when Redis is away.

        After a failed publish, wait until the subscription receives a message.
        """
        if not self.subscribed.is_set():
            return 0
        try:
            async with asyncio.timeout(_PUBLISH_SECONDS):
                return cast(int, await self._client.publish(self._channel, payload))
        except (_redis_error(), OSError, TimeoutError):
            self.subscribed.clear()
            return 0

    async def run_once(self) -> None:
        """Listen until the subscription is lost."""
        subscription: Any = self._client.pubsub()
        try:
            async with asyncio.timeout(_CONNECT_SECONDS):
                await subscription.subscribe(self._channel)
                await subscription.get_message(timeout=None)  # the confirmation: a stopped Redis takes connections too
            if self._is_away:
                log.info("redis is back")
            self._is_away = False
            self.subscribed.set()
            await self._receive(subscription)
        except (_redis_error(), OSError, TimeoutError) as error:
            if not self._is_away:
                log.warning("redis is away; servers reach each other through PostgreSQL", reason=str(error)[:200])
            self._is_away = True
        finally:
            self.subscribed.clear()
            with suppress(_redis_error(), OSError, TimeoutError):
                async with asyncio.timeout(_CONNECT_SECONDS):
                    await subscription.aclose()

    async def _receive(self, subscription: Any) -> None:
        while True:
            async with asyncio.timeout(self._silence):
                message = await subscription.get_message(timeout=None)
            self.subscribed.set()
            if message is not None and message["type"] == "message":
                self._on_payload(message["data"].decode())

    async def __aexit__(self, *exit_info: object) -> None:
        await super().__aexit__(*exit_info)
        await self._client.aclose()


def _redis_error() -> type[Exception]:
    from redis.exceptions import RedisError

    return RedisError


def _client(url: str) -> Any:
    """A client that reports a loss at once instead of trying again."""
    from redis import asyncio as redis
    from redis.asyncio.retry import Retry
    from redis.backoff import NoBackoff

    client: Any = redis.Redis  # without type annotations
    try:
        return client.from_url(
            url, socket_connect_timeout=_CONNECT_SECONDS, socket_keepalive=True, retry=Retry(NoBackoff(), 0)
        )
    except ValueError as error:
        raise BadInput(f"redis: {error} Use e.g. redis://127.0.0.1:6379.") from None
