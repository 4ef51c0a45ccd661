"""Remove an extension that no worker offers any more."""

from __future__ import annotations

from workroom.actions.engine import Engine, Transaction
from workroom.actions.events import ExtensionsRemoved
from workroom.actions.jobs.cancel import cancel_of_extension
from workroom.domain.errors import WrongState
from workroom.store.queue_tables import extensions
from workroom.store.queue_tables.extensions import ExtensionRow


async def remove_extension(engine: Engine, extension: ExtensionRow) -> int:
    """Remove an offline extension and cancel the jobs that wait for it; returns how many. One with a worker stays."""

    async def work(transaction: Transaction) -> int:
        removed = await extensions.remove_offline(transaction.connection, extension.id)
        if removed is None:
            raise WrongState(
                f"{extension.category}/{extension.name} has a worker, or a job of one that was just lost. "
                "Stop its workers first.",
                category=extension.category,
                name=extension.name,
            )
        transaction.record(ExtensionsRemoved((removed,)))
        return await cancel_of_extension(transaction, extension.id)

    return await engine.transaction(work)
