"""Profiles in the database: kept, named once, pruned with age."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from uuid import UUID

from tests.workshop import Workshop

from workroom.actions.engine import new_id
from workroom.actions.extensions.register import function, register_extensions
from workroom.actions.jobs.options import JobOptions
from workroom.actions.jobs.post import post
from workroom.actions.jobs.prune import prune
from workroom.actions.profiles import ProfileWriter, summarise
from workroom.domain.profiles import Cost, FunctionKey, Profile
from workroom.store.queue_tables import extensions
from workroom.store.queue_tables.profiles import ProfileFilter

HOT, COLD = FunctionKey("a.py", 1, "hot"), FunctionKey("~", 0, "<built-in method time.sleep>")


def profile(extension_id: int, posting_id: UUID | None, executions: int = 1) -> Profile:
    costs = {HOT: Cost(2, 1, 5.0, 9.0), COLD: Cost(3, 3, 4.0, 4.0)}
    return Profile(
        extension_id, posting_id, None, None, "v1", executions, 9.0, costs, {(HOT, COLD): Cost(3, 3, 4.0, 4.0)}
    )


async def test_profiles_add_up_belong_to_their_poster_and_go_with_age(workshop: Workshop) -> None:
    engine = workshop.engine
    registered = (await register_extensions(engine, [function("measured")]))[0]
    async with engine.database.connection() as connection:
        extension = await extensions.get(connection, registered.id)
    assert extension is not None
    posting = await post(engine, extension, [{"args": []}], JobOptions(workshop.person))
    archives = [ProfileWriter(engine, new_id(), machine) for machine in ("one", "two")]
    for archive in archives:
        await archive.store([profile(extension.id, posting, 3), profile(extension.id, None)])
    assert await workshop.sql("SELECT count(*) FROM profiled_function") == [(2,)]
    found = await summarise(engine, "measured", ProfileFilter(), pairs=True)
    assert (found.totals.profiles, found.totals.executions, found.totals.total_ms) == (4, 8, 36.0)
    assert found.costs[HOT] == Cost(8, 4, 20.0, 36.0)
    assert found.pairs == {(HOT, COLD): Cost(12, 12, 16.0, 16.0)}
    assert (await summarise(engine, "measured", ProfileFilter(submitter=workshop.person))).totals.executions == 6
    assert (
        await summarise(engine, "measured", ProfileFilter(machine="two", posting_id=posting))
    ).totals.executions == 3

    await workshop.sql("UPDATE job_profile SET recorded_at = now() - interval '40 days' WHERE machine = 'one'")
    await prune(engine)
    assert await workshop.sql("SELECT DISTINCT machine FROM job_profile") == [("two",)]
    await prune(engine, now=datetime.now(UTC) + timedelta(days=40))
    for table in ("job_profile", "function_stat", "function_call"):
        assert await workshop.sql(f"SELECT count(*) FROM {table}") == [(0,)]
