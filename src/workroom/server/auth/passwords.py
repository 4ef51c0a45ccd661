"""Passwords: argon2id, in threads, so that the event loop never waits for a hash."""

from __future__ import annotations

import asyncio
import secrets
from concurrent.futures import ThreadPoolExecutor
from functools import cache

from pwdlib import PasswordHash

# A hash takes tens of milliseconds of one core and 64 MB; more at once would only crowd out everything else.
_threads = ThreadPoolExecutor(max_workers=2, thread_name_prefix="argon2id")
_argon2id = PasswordHash.recommended()


async def hashed(password: str) -> str:
    return await asyncio.get_running_loop().run_in_executor(_threads, _argon2id.hash, password)


async def matches(password: str, known_hash: str | None) -> tuple[bool, str | None]:
    """Whether it is the password; and its new hash, where the old one is weaker than is recommended today.

    Without a hash to compare with it is not, which takes just as long to say.
    """
    good, stronger = await asyncio.get_running_loop().run_in_executor(_threads, _check, password, known_hash)
    return good and known_hash is not None, stronger


def random_password() -> str:
    return secrets.token_urlsafe(18)


def _check(password: str, known_hash: str | None) -> tuple[bool, str | None]:
    return _argon2id.verify_and_update(password, known_hash or _nobodys())


@cache
def _nobodys() -> str:
    return _argon2id.hash(secrets.token_urlsafe(32))
