"""Password hashing with argon2id, in threads so that it does not block the event loop."""

from __future__ import annotations

import asyncio
import secrets
from concurrent.futures import ThreadPoolExecutor
from functools import cache

from pwdlib import PasswordHash

# One hash takes tens of milliseconds of a core and 64 MB. Two threads leave the other cores to requests.
_threads = ThreadPoolExecutor(max_workers=2, thread_name_prefix="argon2id")
_argon2id = PasswordHash.recommended()


async def hash_password(password: str) -> str:
    return await asyncio.get_running_loop().run_in_executor(_threads, _argon2id.hash, password)


async def verify_password(password: str, known_hash: str | None) -> tuple[bool, str | None]:
    """Check a password. The second value is a new hash, when the stored one uses outdated parameters.

    Without a stored hash the answer is False after the same time, so that the time does not reveal which names exist.
    """
    correct, new_hash = await asyncio.get_running_loop().run_in_executor(_threads, _check, password, known_hash)
    return correct and known_hash is not None, new_hash


def random_password() -> str:
    return secrets.token_urlsafe(18)


def _check(password: str, known_hash: str | None) -> tuple[bool, str | None]:
    return _argon2id.verify_and_update(password, known_hash or _dummy_hash())


@cache
def _dummy_hash() -> str:
    return _argon2id.hash(secrets.token_urlsafe(32))
