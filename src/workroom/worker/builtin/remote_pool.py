"""Runs the built-in extensions of a server on another machine: `workroom pool --built-in`."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence

from workroom.client import discovery
from workroom.client.net.http import ApiClient, http_client
from workroom.client.net.login_tokens import ADMIN, Login, UserTokens
from workroom.domain.errors import BadInput
from workroom.worker.builtin.__main__ import BuiltinPlan, serve
from workroom.worker.remote.offers import Offer
from workroom.worker.remote.worker import RemoteWorker
from workroom.worker.signals import graceful_shutdown


def run(
    plan: BuiltinPlan,
    url: str | None,
    user: str | None,
    password: str | None,
    token: str | None,
    say: Callable[[str], None],
) -> None:
    """Serve until Ctrl-C or SIGTERM, then until the running jobs have ended."""
    offers = plan.offers()
    if not offers:
        raise BadInput(f"There are no built-in extensions in {', '.join(plan.modules)}.")
    server = discovery.server_url(url)
    # Only an admin may offer built-ins.
    is_chosen = Login.is_chosen(user, password, token, url=server)
    login = Login.of(user if is_chosen else ADMIN, password, token, url=server)
    asyncio.run(_serve(plan, offers, server, login, say))


async def _serve(
    plan: BuiltinPlan, offers: Sequence[Offer], url: str, login: Login, say: Callable[[str], None]
) -> None:
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()

    def registered(worker: RemoteWorker) -> None:
        names = ", ".join(f"{category}/{name}" for category, name in (offer.identity for offer in offers))
        processes = "1 process" if plan.size == 1 else f"{plan.size} processes"
        say(f"Worker {worker.id} runs {names} in {processes} for {url}")

    async def stop_requested() -> None:
        await stop.wait()

    async with http_client(url) as http:
        # Wrong credentials fail at once; later the worker waits for a server that is unavailable.
        await ApiClient(url, http, tokens := UserTokens(http, login), retry_seconds=0).get("/api/users/me")
        with graceful_shutdown(lambda: loop.call_soon_threadsafe(stop.set)):
            await serve(
                ApiClient(url, http, tokens), plan, offers, registered=registered, stop_requested=stop_requested
            )
