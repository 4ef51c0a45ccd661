"""The built-in extensions of a server, run on another machine: `workroom pool --built-in`."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence

from pydantic import SecretStr

from workroom.client import discovery
from workroom.client.net.credentials import Login, UserTokens
from workroom.client.net.http import ApiClient, http_client
from workroom.domain.errors import BadInput
from workroom.worker.builtin.__main__ import Plan, serve
from workroom.worker.remote.offers import Offer
from workroom.worker.remote.worker import RemoteWorker
from workroom.worker.signals import graceful_shutdown


def run(
    plan: Plan, url: str | None, user: str | None, password: str | None, token: str | None, say: Callable[[str], None]
) -> None:
    """Until Ctrl-C or SIGTERM, then until the jobs that run have ended."""
    offers = plan.offers()
    if not offers:
        raise BadInput(f"There are no built-in extensions in {', '.join(plan.modules)}.")
    asyncio.run(_serve(plan, offers, discovery.server_url(url), _login(user, password, token), say))


async def _serve(plan: Plan, offers: Sequence[Offer], url: str, login: Login, say: Callable[[str], None]) -> None:
    asked = asyncio.Event()
    loop = asyncio.get_running_loop()

    def registered(worker: RemoteWorker) -> None:
        names = ", ".join(f"{category}/{name}" for category, name in (offer.identity for offer in offers))
        say(f"Worker {worker.id} runs {names} in {plan.size} processes for {url}")

    async def ending() -> None:
        await asked.wait()

    async with http_client(url) as http:
        # Who is not let in hears it at once; from then on a server that is away is waited for.
        await ApiClient(url, http, tokens := UserTokens(http, login), retry_seconds=0).get("/api/users/me")
        with graceful_shutdown(lambda: loop.call_soon_threadsafe(asked.set)):
            await serve(ApiClient(url, http, tokens), plan, offers, registered=registered, asked_to_end=ending)


def _login(user: str | None, password: str | None, token: str | None) -> Login:
    """Only an admin may; on the server's own machine the password is at hand."""
    if token is None and user is None:
        user = "admin"
    if user == "admin" and password is None and token is None:
        password = discovery.admin_password()
    return Login(user=user, password=None if password is None else SecretStr(password), token=token)
