"""Presets: values of a form that people of a room save under a name and share."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from workroom.actions.encoding import check_size, encode
from workroom.actions.engine import Engine, Transaction
from workroom.actions.events import PresetsChanged
from workroom.domain.errors import BadInput, Conflict, NotFound
from workroom.store.room_tables import presets
from workroom.store.room_tables.presets import FormKey, PresetRow

MOST_PRESETS = 100  # of one form in a room
_LARGEST = 100_000
_LONGEST_NAME = 100


async def list_presets(engine: Engine, form: FormKey) -> list[PresetRow]:
    async with engine.database.connection() as connection:
        return await presets.list_presets(connection, form)


async def save(
    engine: Engine, form: FormKey, name: str, account_id: UUID, data: dict[str, Any], *, any_author: bool
) -> None:
    """Save values under a name, in the place of an own preset of that name; owners of the room replace any."""
    if not name.strip() or len(name) > _LONGEST_NAME or "\x00" in name:
        raise BadInput(f"The name of a preset has 1 to {_LONGEST_NAME} characters.")
    encoded = encode(data, "The values")
    check_size(encoded, "The values", _LARGEST)

    async def work(transaction: Transaction) -> None:
        saved = await presets.put(
            transaction.connection,
            form,
            name=name,
            account_id=account_id,
            data=encoded.decode(),
            any_author=any_author,
            most=MOST_PRESETS,
        )
        if not saved:
            raise Conflict(
                f"{name!r} is a preset of another person, or the form has {MOST_PRESETS} presets. "
                f"Choose another name, or delete one first."
            )
        transaction.record(PresetsChanged(form.room, form.category, form.extension))

    await engine.transaction(work)


async def delete(engine: Engine, form: FormKey, name: str, account_id: UUID, *, any_author: bool) -> None:
    """Delete an own preset; owners of the room delete any."""

    async def work(transaction: Transaction) -> None:
        if not await presets.delete(
            transaction.connection, form, name=name, account_id=account_id, any_author=any_author
        ):
            raise NotFound(f"There is no preset {name!r} of yours.")
        transaction.record(PresetsChanged(form.room, form.category, form.extension))

    await engine.transaction(work)
