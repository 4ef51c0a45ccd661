"""Extensions of category settings: a submission stores the values and queues no job."""

from __future__ import annotations

from typing import Any
from uuid import UUID

import orjson

from workroom.actions.engine import Engine, Transaction
from workroom.actions.events import SettingsStored
from workroom.actions.extensions.arguments import check_arguments
from workroom.store.queue_tables.extensions import ExtensionRow
from workroom.store.room_tables import setting_values

SETTINGS = "settings"  # the category of these extensions


async def setting(engine: Engine, room: str, account_id: UUID, name: str) -> Any:
    """The values an account last submitted to a settings extension in a room; none if it never did."""
    async with engine.database.connection() as connection:
        return await setting_values.get(connection, room=room, account_id=account_id, name=name)


async def store_settings(engine: Engine, room: str, account_id: UUID, extension: ExtensionRow, data: Any) -> None:
    """Store the values of a settings extension for an account in a room, if they match its schema."""
    await check_arguments(extension.schema, extension.schema_hash, data)

    async def work(transaction: Transaction) -> None:
        await setting_values.put(
            transaction.connection,
            room=room,
            account_id=account_id,
            name=extension.name,
            data=orjson.dumps(data).decode(),
        )
        transaction.record(SettingsStored(room, account_id, extension.name))

    await engine.transaction(work)
