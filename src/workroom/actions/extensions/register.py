"""Registration of extensions: identity, schema hash and settings, with or without a worker."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

import orjson

from workroom.actions.encoding import check_size, encode
from workroom.actions.engine import Engine, Transaction
from workroom.actions.jobs.cancel import cancel_of_extension
from workroom.domain import limits
from workroom.domain.errors import BadInput, NameReserved, SchemaConflict, SettingsConflict
from workroom.domain.jobs import backoff, breaker
from workroom.domain.jobs.fair_queue import DEFAULT_PRIORITY
from workroom.domain.jobs.resources import Resources, checked_resources
from workroom.domain.jobs.worker_loss import OnWorkerLost
from workroom.domain.names import category_name, extension_name
from workroom.domain.schema_hash import schema_hash
from workroom.store.queue_tables import extensions
from workroom.store.queue_tables.extensions import Locked, Registered

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
    resources: Resources = field(default_factory=dict[str, float])  # that a job needs of its worker
    keep_settings: bool = False  # those of an extension that is already registered

    @property
    def identity(self) -> tuple[str, str, str, str]:
        return (self.scope, self.room or "", self.category, self.name)

    @property
    def settings(self) -> dict[str, Any]:
        """How its jobs run."""
        return {
            "concurrency": self.concurrency,
            "timeout_seconds": self.timeout_seconds,
            "tries": self.tries,
            "backoff_base": self.backoff_base,
            "backoff_cap": self.backoff_cap,
            "on_worker_lost": self.on_worker_lost,
            "priority": self.priority,
            "breaker_failures": self.breaker_failures,
            "breaker_seconds": self.breaker_seconds,
            "resources": encoded_resources(self.resources),
        }


@dataclass(frozen=True, slots=True)
class Registrant:
    """The worker that registers extensions, and the rights of its account."""

    worker_id: UUID | None = None  # none: the extensions are registered without a worker
    account_id: UUID | None = None
    manages: bool = True  # whether it may change settings of extensions that belong to other accounts
    reserved: frozenset[tuple[str, str]] = frozenset()  # category and name of built-in extensions


def function(name: str, **settings: Any) -> ExtensionSpec:
    """A function that postings call: tried three times, and requeued when its worker is lost."""
    defaults: dict[str, Any] = {"tries": 3, "on_worker_lost": OnWorkerLost.REQUEUE, "breaker_failures": 0}
    return ExtensionSpec(FUNCTIONS, name, {}, scope="function", **(defaults | settings))


async def register_extensions(engine: Engine, specs: Sequence[ExtensionSpec]) -> list[Registered]:
    """Register extensions without a worker: built-in ones, and functions that are about to be posted."""
    hashes = [schema_fingerprint(spec) for spec in specs]

    async def work(transaction: Transaction) -> list[Registered]:
        return await register_all(transaction, specs, hashes, Registrant())

    return await engine.transaction(work)


async def register_all(
    transaction: Transaction, specs: Sequence[ExtensionSpec], hashes: Sequence[str], registrant: Registrant
) -> list[Registered]:
    """Register extensions in a fixed order, so that two registrations cannot deadlock."""
    registered: dict[int, Registered] = {}
    for index in sorted(range(len(specs)), key=lambda i: specs[i].identity):
        registered[index] = await _register(transaction, specs[index], hashes[index], registrant)
    return [registered[index] for index in range(len(specs))]


async def _register(
    transaction: Transaction, spec: ExtensionSpec, fingerprint: str, registrant: Registrant
) -> Registered:
    connection = transaction.connection
    await extensions.lock_identity(connection, "/".join(spec.identity))
    await _check_name(transaction, spec, registrant)
    named = {"scope": spec.scope, "room": spec.room, "category": spec.category, "name": spec.name}
    before = await extensions.lock(connection, **named, **spec.settings)
    if before is not None and spec.keep_settings and before.schema_hash == fingerprint:
        return Registered(before.id, before.schema_hash, False)
    if before is not None and not before.removed and before.schema_hash == fingerprint:
        _check_settings(spec, before, registrant)
    registered = await extensions.register(
        connection,
        **named,
        **spec.settings,
        schema=orjson.dumps(spec.schema).decode(),
        schema_hash=fingerprint,
        worker_id=registrant.worker_id,
        owner_id=registrant.account_id,
        cancels=before is None or registrant.manages or before.owner_id in (None, registrant.account_id),
    )
    if registered is None:
        current = before.schema_hash if before else ""
        raise SchemaConflict(
            f"{spec.category}/{spec.name} is known with another schema, and has workers or unfinished jobs. "
            "Stop its workers and end its jobs first, or rename yours.",
            name=spec.name,
            category=spec.category,
            currentHash=current,
            offeredHash=fingerprint,
        )
    if before is not None and not before.removed and before.schema_hash != fingerprint:
        # Their arguments were checked against the former schema. A retry checks them against this one.
        await cancel_of_extension(transaction, registered.id)
    return registered


async def _check_name(transaction: Transaction, spec: ExtensionSpec, registrant: Registrant) -> None:
    """A name of a built-in extension is reserved, also before the pool of the server has registered it."""
    if spec.scope not in ("room", "global"):
        return
    connection, category, name = transaction.connection, spec.category, spec.name
    if (category, name) in registrant.reserved or await extensions.find(
        connection, room=None, category=category, name=name, scope="builtin"
    ):
        raise NameReserved(f"{category}/{name} is a built-in extension. Give yours another name.", name=name)


def _check_settings(spec: ExtensionSpec, before: Locked, registrant: Registrant) -> None:
    """A worker may join an extension of another account, but not change how its jobs run."""
    if registrant.manages or before.owner_id in (None, registrant.account_id) or not before.changed:
        return
    raise SettingsConflict(
        f"{spec.category}/{spec.name} belongs to {before.owner}, and your {', '.join(before.changed)} would change it. "
        "Register it with the same settings, or give yours another name.",
        name=spec.name,
        category=spec.category,
        settings=before.changed,
    )


def encoded_resources(resources: Resources) -> str | None:
    """Resources as JSON, after their names and amounts are checked; none when nothing is named."""
    checked = checked_resources(resources)
    return orjson.dumps(checked).decode() if checked else None


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
