"""The leader of the upkeep holds its lock for as long as its session lives, and no longer."""

from __future__ import annotations

from tests.store.postgres_server import tcp_server

from workroom.store.leadership import candidate, lead


async def test_postgresql_notices_within_seconds_that_the_machine_of_the_leader_is_gone() -> None:
    """Otherwise its lock would be held for the two hours after which Linux looks for a silent peer."""
    with tcp_server() as server:
        async with candidate(server.url()) as session, candidate(server.url()) as other:
            assert await lead(session) and not await lead(other)
            cursor = await session.execute(
                "SELECT current_setting('tcp_keepalives_idle')::int"
                " + current_setting('tcp_keepalives_interval')::int * current_setting('tcp_keepalives_count')::int"
            )
            assert await cursor.fetchone() == (10,)
