"""One-time codes: a signed-in client makes one, and another client of the same user signs in with it, once.

A link with a code can appear in a command line or a history without giving the account away, which a token would.
"""

from __future__ import annotations

import hashlib
import secrets
from uuid import UUID

from workroom.actions.engine import Engine
from workroom.store import accounts
from workroom.store.accounts import Credentials

LIFETIME_SECONDS = 300


async def create_login_code(engine: Engine, account_id: UUID, epoch: int) -> str:
    """A new code for the account of a token. It replaces the code before."""
    code = secrets.token_urlsafe(32)
    async with engine.database.connection() as connection:
        await accounts.create_login_code(
            connection, account_id=account_id, code_hash=_hash(code), epoch=epoch, seconds=LIFETIME_SECONDS
        )
    return code


async def use_login_code(engine: Engine, code: str) -> Credentials | None:
    """The account of a code, which cannot be used again. None if it is unknown, used, expired or revoked."""
    async with engine.database.connection() as connection:
        return await accounts.use_login_code(connection, code_hash=_hash(code))


def _hash(code: str) -> str:
    return hashlib.sha256(code.encode()).hexdigest()
