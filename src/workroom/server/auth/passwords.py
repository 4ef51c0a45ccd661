"""Password hashing with argon2id, in threads so that it does not block the event loop."""

from __future__ import annotations

import secrets
from functools import cache, partial

from pwdlib import PasswordHash

from workroom.server.auth.password_hash_queue import HashQueue

# One hash takes tens of milliseconds of a core and 64 MB. Two threads leave the other cores to requests.
_queue = HashQueue(threads=2)
_argon2id = PasswordHash.recommended()
_SIGNED_IN = ""  # the place in the queue of requests that are already authorised


async def hash_password(password: str) -> str:
    return await _queue.run(_SIGNED_IN, partial(_argon2id.hash, password))


async def verify_password(password: str, known_hash: str | None, *, address: str) -> tuple[bool, str | None]:
    """Check a password. The second value is a new hash, when the stored one uses outdated parameters.

    Without a stored hash the answer is False after the same time, so that the time does not reveal which names exist.
    `address` is the client's, because the queue is fair between addresses.
    """
    correct, new_hash = await _queue.run(address, partial(_check, password, known_hash))
    return correct and known_hash is not None, new_hash


def random_password() -> str:
    return secrets.token_urlsafe(18)


def _check(password: str, known_hash: str | None) -> tuple[bool, str | None]:
    return _argon2id.verify_and_update(password, known_hash or _dummy_hash())


@cache
def _dummy_hash() -> str:
    return _argon2id.hash(secrets.token_urlsafe(32))
