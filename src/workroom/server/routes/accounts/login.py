"""Sign in, stay signed in, sign out."""

from __future__ import annotations

from fastapi import Request, status

from workroom.actions.accounts import accounts
from workroom.domain.errors import NotSignedIn
from workroom.domain.names import account_name
from workroom.server.auth import passwords
from workroom.server.auth.access import Person, person_of
from workroom.server.auth.bearer import Bearer
from workroom.server.auth.tokens import PersonToken
from workroom.server.context import AtHome, House
from workroom.server.http.error_responses import documented
from workroom.server.http.strict_json import routes
from workroom.store.accounts import Credentials
from workroom.wire.accounts import Login, Self, SignedIn

router = routes("/api", tag="accounts")


@router.post("/login", summary="Sign in", responses=documented(429))
async def login(house: AtHome, request: Request, body: Login) -> SignedIn:
    """With a name and its password; or, where the server takes guests, with a name alone."""
    name = account_name(body.user)
    key = throttle_key(request, name)
    house.logins.admit(key)
    password = body.password.get_secret_value() if body.password else ""
    account = await (_by_password(house, name, password) if password else _as_guest(house, name))
    house.logins.give_back(key)  # whoever knows the password may come as often as they like
    return _signed_in(house, Self.model_validate(account), account.token_epoch)


@router.post("/login/renew", summary="Renew a token that is still good", responses=documented())
async def renew(house: AtHome, token: Bearer) -> SignedIn:
    if not isinstance(token, PersonToken):
        raise NotSignedIn("This is for people: workers' tokens are renewed by their heartbeats.")
    visitor = await person_of(house, token)
    user = Self.model_validate({"id": visitor.account_id, "name": visitor.name, "role": visitor.role})
    return _signed_in(house, user, token.epoch)


@router.post("/logout", status_code=status.HTTP_204_NO_CONTENT, summary="Sign out everywhere", responses=documented())
async def logout(house: AtHome, visitor: Person) -> None:
    """Every token of the account ends, and its live connections are closed."""
    await accounts.sign_out(house.engine, visitor.account_id)


async def _by_password(house: House, name: str, password: str) -> Credentials:
    """One message for a wrong name and for a wrong password, after the same time."""
    account = await accounts.credentials(house.engine, name)
    known_hash = account.password_hash if account else None
    good, stronger = await passwords.matches(password, known_hash)
    if account is None or known_hash is None or not good:
        raise NotSignedIn("The user or the password is wrong.")
    if stronger:
        await accounts.rehash(house.engine, account.id, old_hash=known_hash, new_hash=stronger)
    return account


async def _as_guest(house: House, name: str) -> Credentials:
    if not house.settings.guests:
        raise NotSignedIn("This server takes no guests: give a user and a password.")
    guest = await accounts.welcome_guest(house.engine, name)
    if guest is None:
        raise NotSignedIn("This name belongs to somebody: give its password, or choose another name.")
    return guest


def _signed_in(house: House, user: Self, epoch: int) -> SignedIn:
    seconds = house.settings.token_seconds
    return SignedIn(
        token=house.mint.issue(PersonToken(user.id, epoch), seconds), expires_in=max(1, int(seconds)), user=user
    )


def throttle_key(request: Request, name: str) -> str:
    """Tries are counted for each name and address: nobody locks somebody else out from afar."""
    return f"{name.lower()} {request.client.host if request.client else ''}"
