"""Registration of extensions: identity, schema hash and settings, with or without a worker."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

import orjson

from workroom.actions.encoding import check_size, encode
from workroom.actions.engine import Engine, Transaction
from workroom.domain import limits
from workroom.domain.errors import BadInput, NameReserved, SchemaConflict
from workroom.domain.jobs import backoff, breaker
from workroom.domain.jobs.fair_queue import DEFAULT_PRIORITY
from workroom.domain.jobs.worker_loss import OnWorkerLost
from workroom.domain.names import category_name, extension_name
from workroom.domain.schema_hash import schema_hash
from workroom.store.queue_tables import extensions
from workroom.store.queue_tables.extensions import Registered

FUNCTIONS = "functions"  # the category of functions that postings call


@dataclass(frozen=True, slots=True)
class ExtensionSpec:
    """An extension as it is registered."""

    category: str
    name: str
    schema: dict[str, Any]
    scope: str = "room"
    room: str | None = None
    concurrency: int | None = None
    timeout_seconds: float | None = None
    tries: int = 1
    backoff_base: float = backoff.DEFAULT_BASE_SECONDS
    backoff_cap: float = backoff.DEFAULT_CAP_SECONDS
    on_worker_lost: str = OnWorkerLost.FAIL
    priority: int = DEFAULT_PRIORITY
    breaker_failures: int = breaker.DEFAULT_FAILURES
    breaker_seconds: float = breaker.DEFAULT_SECONDS
    modest: bool = False  # keep the settings of an extension that is already registered

    @property
    def identity(self) -> tuple[str, str, str, str]:
        return (self.scope, self.room or "", self.category, self.name)


def function(name: str, **settings: Any) -> ExtensionSpec:
    """A function that postings call: tried three times, and requeued when its worker is lost."""
    defaults: dict[str, Any] = {"tries": 3, "on_worker_lost": OnWorkerLost.REQUEUE, "breaker_failures": 0}
    return ExtensionSpec(FUNCTIONS, name, {}, scope="function", **(defaults | settings))


async def register_extensions(engine: Engine, specs: Sequence[ExtensionSpec]) -> list[Registered]:
    """Register extensions without a worker: built-in ones, and functions that are about to be posted."""
    hashes = [schema_fingerprint(spec) for spec in specs]

    async def work(transaction: Transaction) -> list[Registered]:
        return await register_all(transaction, specs, hashes, None)

    return await engine.transaction(work)


async def register_all(
    transaction: Transaction, specs: Sequence[ExtensionSpec], hashes: Sequence[str], worker_id: UUID | None
) -> list[Registered]:
    """Register extensions in a fixed order, so that two registrations cannot deadlock."""
    registered: dict[int, Registered] = {}
    for index in sorted(range(len(specs)), key=lambda i: specs[i].identity):
        registered[index] = await _register(transaction, specs[index], hashes[index], worker_id)
    return [registered[index] for index in range(len(specs))]


async def _register(
    transaction: Transaction, spec: ExtensionSpec, fingerprint: str, worker_id: UUID | None
) -> Registered:
    connection = transaction.connection
    await extensions.lock_identity(connection, "/".join(spec.identity))
    if spec.scope in ("room", "global"):
        builtin = await extensions.find(connection, room=None, category=spec.category, name=spec.name, scope="builtin")
        if builtin is not None:
            raise NameReserved(
                f"{spec.category}/{spec.name} is a built-in extension. Give yours another name.", name=spec.name
            )
    before = await extensions.lock(connection, scope=spec.scope, room=spec.room, category=spec.category, name=spec.name)
    if before is not None and spec.modest and before.schema_hash == fingerprint:
        return Registered(before.id, before.schema_hash, False)
    registered = await extensions.register(
        connection,
        scope=spec.scope,
        room=spec.room,
        category=spec.category,
        name=spec.name,
        schema=orjson.dumps(spec.schema).decode(),
        schema_hash=fingerprint,
        concurrency=spec.concurrency,
        timeout_seconds=spec.timeout_seconds,
        tries=spec.tries,
        backoff_base=spec.backoff_base,
        backoff_cap=spec.backoff_cap,
        on_worker_lost=spec.on_worker_lost,
        priority=spec.priority,
        breaker_failures=spec.breaker_failures,
        breaker_seconds=spec.breaker_seconds,
        worker_id=worker_id,
    )
    if registered is None:
        current = before.schema_hash if before else ""
        raise SchemaConflict(
            f"{spec.category}/{spec.name} is offered with another schema. Stop its workers first, or rename yours.",
            name=spec.name,
            category=spec.category,
            currentHash=current,
            offeredHash=fingerprint,
        )
    return registered


def schema_fingerprint(spec: ExtensionSpec) -> str:
    """The hash of the schema, after the names and the size of the schema are checked."""
    category_name(spec.category)
    extension_name(spec.name)
    what = f"The schema of {spec.name}"
    check_size(encode(spec.schema, what), what, limits.SCHEMA_BYTES)
    try:
        fingerprint = schema_hash(spec.schema)
    except ValueError as error:
        raise BadInput(f"{what} cannot be written as JSON: {error}.") from None
    return fingerprint
