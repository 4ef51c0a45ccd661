"""Sign-in limits of a running server: proxies, addresses, floods of attempts, and the queue of password hashes."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncGenerator, Generator
from contextlib import asynccontextmanager
from typing import Any

import httpx2
import pytest
from tests.acceptance.live import ADMIN_PASSWORD, LiveServer

from workroom.domain.errors import TooManyRequests
from workroom.server.auth.login_limits import LoginLimits, network_of
from workroom.server.auth.password_hash_queue import HashQueue
from workroom.server.settings import Settings

DEFAULTS = {
    "WORKROOM_LOGINS_PER_MINUTE": "5",
    "WORKROOM_ADDRESS_LOGINS_PER_MINUTE": "200",
    "WORKROOM_GUESTS_PER_MINUTE": "120",
}


@pytest.fixture(scope="module")
def guarded() -> Generator[LiveServer]:
    """A server with the default limits."""
    live = LiveServer(**DEFAULTS).start()
    yield live
    live.remove()


@asynccontextmanager
async def client(server: LiveServer) -> AsyncGenerator[httpx2.AsyncClient]:
    async with httpx2.AsyncClient(base_url=server.url, timeout=300, trust_env=False) as http:
        yield http


async def sign_in(http: httpx2.AsyncClient, user: str, password: str, **headers: str) -> httpx2.Response:
    return await http.post("/api/login", json={"user": user, "password": password}, headers=headers)


async def test_a_flood_of_bogus_sign_ins_does_not_delay_the_admin(guarded: LiveServer) -> None:
    async with client(guarded) as http, client(guarded) as other:
        flood = [asyncio.create_task(sign_in(http, f"bogus-{n}", "wrong password")) for n in range(120)]
        await asyncio.wait(flood, return_when=asyncio.FIRST_COMPLETED)  # the flood is under way
        answer = await sign_in(other, "admin", ADMIN_PASSWORD)
        answered = [task.result().status_code for task in flood if task.done()]
        for task in flood:
            task.cancel()
        await asyncio.gather(*flood, return_exceptions=True)
    assert answer.status_code == 200, answer.text
    # Counted, not timed, because the machine may be busy: in one line the admin would come after all of them.
    assert len(answered) < 60
    assert set(answered) <= {401, 429}


async def test_forwarded_headers_of_a_client_do_not_get_around_the_limit(guarded: LiveServer) -> None:
    async with client(guarded) as http:
        statuses = [
            (await sign_in(http, "eve", "wrong", **{"X-Forwarded-For": f"10.1.1.{n}"})).status_code for n in range(7)
        ]
    assert statuses == [401] * 5 + [429] * 2


async def test_only_a_configured_proxy_names_the_client() -> None:
    live = LiveServer(**DEFAULTS, WORKROOM_PROXIES="127.0.0.0/8").start()
    try:
        async with client(live) as http:
            for n in range(7):
                answer = await sign_in(http, "eve", "wrong", **{"X-Forwarded-For": f"10.1.1.{n}"})
                assert answer.status_code == 401
            admin = await sign_in(http, "admin", ADMIN_PASSWORD)
            headers = {"Authorization": f"Bearer {admin.json()['token']}"}
            log = (await http.get("/api/admin/audit", headers=headers)).json()["items"]
        failed = [one for one in log if one["act"] == "login.failed"]
        assert failed[0]["detail"]["address"] == "10.1.1.6"
    finally:
        live.remove()


def limits(**settings: Any) -> LoginLimits:
    return LoginLimits(Settings(**settings))


def test_an_address_that_guesses_with_many_names_is_stopped_but_not_who_signed_in_from_there() -> None:
    limited = limits(logins_per_minute=5, address_logins_per_minute=10, name_logins_per_minute=20)
    limited.begin("admin", "10.0.0.1").succeeded()
    for n in range(10):
        limited.begin(f"name-{n}", "10.0.0.1")
    with pytest.raises(TooManyRequests, match="from your address"):
        limited.begin("another", "10.0.0.1")
    limited.begin("another", "10.0.0.2")
    limited.begin("Admin", "10.0.0.1")


def test_guesses_of_one_name_from_many_addresses_are_stopped() -> None:
    limited = limits(logins_per_minute=5, address_logins_per_minute=10, name_logins_per_minute=20)
    limited.begin("admin", "10.0.1.1").succeeded()
    for n in range(20):
        limited.begin("admin", f"10.0.0.{n}")
    with pytest.raises(TooManyRequests, match="with this name"):
        limited.begin("admin", "10.0.0.99")
    limited.begin("admin", "10.0.1.1")
    limited.begin("ada", "10.0.0.99")


def test_a_refused_attempt_is_not_counted() -> None:
    limited = limits(logins_per_minute=1, address_logins_per_minute=2, name_logins_per_minute=100)
    limited.begin("ada", "10.0.0.1")
    for _ in range(20):
        with pytest.raises(TooManyRequests):
            limited.begin("ada", "10.0.0.1")
    limited.begin("bob", "10.0.0.1")


def test_an_ipv6_client_is_its_network() -> None:
    assert network_of("2001:db8::1") == network_of("2001:db8::ffff:1") != network_of("2001:db8:0:1::1")
    assert network_of("::ffff:10.0.0.1") == network_of("10.0.0.1") == "10.0.0.1"
    assert network_of(None) == ""


class Gate:
    """Work that waits until the gate opens, and notes its order."""

    def __init__(self) -> None:
        self.opened = threading.Event()
        self.order: list[str] = []

    def work(self, name: str) -> str:
        assert self.opened.wait(30)
        self.order.append(name)
        return name


async def waiting(queue: HashQueue, gate: Gate, *attempts: tuple[str, str]) -> list[asyncio.Task[str]]:
    """Tasks that are in the queue, in this order."""
    tasks: list[asyncio.Task[str]] = []
    for address, name in attempts:
        tasks.append(asyncio.create_task(queue.run(address, lambda name=name: gate.work(name))))
        await asyncio.sleep(0)
    return tasks


async def test_hashes_of_another_address_wait_for_one_of_the_flood_at_most() -> None:
    queue, gate = HashQueue(threads=1), Gate()
    flood = await waiting(queue, gate, *(("flood", f"flood {n}") for n in range(12)))
    admin = await waiting(queue, gate, ("admin", "admin"))
    gate.opened.set()
    await asyncio.gather(*flood, *admin)
    assert gate.order.index("admin") <= 2


async def test_at_a_flooded_address_a_later_hash_is_served_soon_and_none_waits_for_ever() -> None:
    queue, gate = HashQueue(threads=1), Gate()
    flood = await waiting(queue, gate, *(("one", f"flood {n}") for n in range(12)))
    admin = await waiting(queue, gate, ("one", "admin"))
    gate.opened.set()
    await asyncio.gather(*flood, *admin)
    assert gate.order.index("admin") <= 3
    assert set(gate.order) == {"admin", *(f"flood {n}" for n in range(12))}


async def test_the_waiting_hashes_of_an_address_are_bounded() -> None:
    queue, gate = HashQueue(threads=1), Gate()
    flood = await waiting(queue, gate, *(("one", f"flood {n}") for n in range(300)))
    gate.opened.set()
    outcomes = await asyncio.gather(*flood, return_exceptions=True)
    refused = [one for one in outcomes if isinstance(one, TooManyRequests)]
    assert 170 <= len(refused) <= 172
    assert len(gate.order) == 300 - len(refused)


async def test_a_hash_that_raises_tells_its_caller_and_the_queue_goes_on() -> None:
    queue = HashQueue(threads=1)

    def broken() -> None:
        raise ValueError("no")

    with pytest.raises(ValueError, match="no"):
        await queue.run("one", broken)
    assert await queue.run("one", lambda: 42) == 42
