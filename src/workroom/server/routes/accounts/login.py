"""Sign in, renew a token, sign out."""

from __future__ import annotations

from fastapi import Request, status

from workroom.actions.accounts import accounts
from workroom.domain.errors import NotSignedIn
from workroom.domain.names import account_name
from workroom.server.auth import passwords
from workroom.server.auth.access import Person, load_principal
from workroom.server.auth.bearer import Bearer
from workroom.server.auth.tokens import PersonToken
from workroom.server.context import Context, ServerContext
from workroom.server.http.openapi_errors import error_responses
from workroom.server.http.strict_json import make_router
from workroom.store.accounts import Credentials
from workroom.wire.accounts import CurrentUser, Login, SignedIn

router = make_router("/api", tag="accounts")


@router.post("/login", summary="Sign in", responses=error_responses(429))
async def login(context: Context, request: Request, body: Login) -> SignedIn:
    """With a name and a password; or, where the setting `guests` allows it, with a name alone."""
    name = account_name(body.user)
    key = rate_limit_key(request, name)
    context.login_limit.hit(key)
    password = body.password.get_secret_value() if body.password else ""
    account = await (_by_password(context, name, password) if password else _as_guest(context, name))
    context.login_limit.refund(key)  # only failed attempts count
    return _to_response(context, CurrentUser.model_validate(account), account.token_epoch)


@router.post("/login/renew", summary="Renew a valid token", responses=error_responses())
async def renew(context: Context, token: Bearer) -> SignedIn:
    if not isinstance(token, PersonToken):
        raise NotSignedIn("This is for people. Heartbeats renew the tokens of workers.")
    principal = await load_principal(context, token)
    user = CurrentUser.model_validate({"id": principal.account_id, "name": principal.name, "role": principal.role})
    return _to_response(context, user, token.epoch)


@router.post(
    "/logout", status_code=status.HTTP_204_NO_CONTENT, summary="Sign out everywhere", responses=error_responses()
)
async def logout(context: Context, principal: Person) -> None:
    """Revokes all tokens of the account and closes its sockets."""
    await accounts.sign_out(context.engine, principal.account_id)


async def _by_password(context: ServerContext, name: str, password: str) -> Credentials:
    """A wrong name and a wrong password give the same error after the same time."""
    account = await accounts.credentials(context.engine, name)
    known_hash = account.password_hash if account else None
    correct, new_hash = await passwords.verify_password(password, known_hash)
    if account is None or known_hash is None or not correct:
        raise NotSignedIn("The user or the password is wrong.")
    if new_hash:
        await accounts.rehash(context.engine, account.id, old_hash=known_hash, new_hash=new_hash)
    return account


async def _as_guest(context: ServerContext, name: str) -> Credentials:
    if not context.settings.guests:
        raise NotSignedIn("This server does not allow guests. Sign in with a user and a password.")
    guest = await accounts.get_or_create_guest(context.engine, name)
    if guest is None:
        raise NotSignedIn("This name belongs to an account. Give its password, or choose another name.")
    return guest


def _to_response(context: ServerContext, user: CurrentUser, epoch: int) -> SignedIn:
    seconds = context.settings.token_seconds
    return SignedIn(
        token=context.tokens.issue(PersonToken(user.id, epoch), seconds), expires_in=max(1, int(seconds)), user=user
    )


def rate_limit_key(request: Request, name: str) -> str:
    """Attempts are counted by name and address, so that a client at another address cannot lock an account out."""
    return f"{name.lower()} {request.client.host if request.client else ''}"
