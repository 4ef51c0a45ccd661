"""Guests: accounts without a password.

A guest's client has a random secret, its key. The same name and key sign in to the same account; a guest of the same
name with another key gets an account of its own, whose name has a number.
"""

from __future__ import annotations

import hashlib
import secrets

from workroom.actions.engine import Engine, new_id
from workroom.domain.names import account_name, numbered_account_names
from workroom.store import accounts
from workroom.store.accounts import Credentials

_TRIES = 5  # each fails only when another sign-in takes the same name at the same time


async def sign_in_guest(engine: Engine, name: str, key: str) -> Credentials | None:
    """The guest that signed in with this name and key before, if any."""
    async with engine.database.connection() as connection:
        return await accounts.sign_in_guest(connection, key_hash=_key_hash(name, key))


async def create_guest(engine: Engine, name: str, key: str | None) -> Credentials | None:
    """A new guest. None if the name belongs to an account with a password or to a disabled one."""
    account_name(name)
    key_hash = None if key is None else _key_hash(name, key)
    for _ in range(_TRIES):
        names = numbered_account_names(name, secrets.token_hex(4))
        async with engine.database.connection() as connection:
            guest = await accounts.create_guest(connection, id=new_id(), names=names, key_hash=key_hash)
            if guest is None and key_hash is not None:
                # The same client signs in twice at the same time.
                guest = await accounts.sign_in_guest(connection, key_hash=key_hash)
            if guest is not None:
                return guest
            found = await accounts.find(connection, name)
        if found is not None and (found.role != "guest" or found.has_credentials or found.disabled):
            return None
    return None


def _key_hash(name: str, key: str) -> str:
    return hashlib.sha256(f"{name.lower()}\n{key}".encode()).hexdigest()
