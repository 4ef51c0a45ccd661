"""Sign in, stay signed in, sign out."""

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
from workroom.server.http.error_responses import error_responses
from workroom.server.http.strict_json import make_router
from workroom.store.accounts import Credentials
from workroom.wire.accounts import CurrentUser, Login, SignedIn

router = make_router("/api", tag="accounts")


@router.post("/login", summary="Sign in", responses=error_responses(429))
async def login(context: Context, request: Request, body: Login) -> SignedIn:
    """With a name and its password; or, where the server takes guests, with a name alone."""
    name = account_name(body.user)
    key = throttle_key(request, name)
    context.login_limit.hit(key)
    password = body.password.get_secret_value() if body.password else ""
    account = await (_by_password(context, name, password) if password else _as_guest(context, name))
    context.login_limit.refund(key)  # whoever knows the password may come as often as they like
    return _signed_in(context, CurrentUser.model_validate(account), account.token_epoch)


@router.post("/login/renew", summary="Renew a token that is still good", responses=error_responses())
async def renew(context: Context, token: Bearer) -> SignedIn:
    if not isinstance(token, PersonToken):
        raise NotSignedIn("This is for people: workers' tokens are renewed by their heartbeats.")
    principal = await load_principal(context, token)
    user = CurrentUser.model_validate({"id": principal.account_id, "name": principal.name, "role": principal.role})
    return _signed_in(context, user, token.epoch)


@router.post(
    "/logout", status_code=status.HTTP_204_NO_CONTENT, summary="Sign out everywhere", responses=error_responses()
)
async def logout(context: Context, principal: Person) -> None:
    """Every token of the account ends, and its live connections are closed."""
    await accounts.sign_out(context.engine, principal.account_id)


async def _by_password(context: ServerContext, name: str, password: str) -> Credentials:
    """One message for a wrong name and for a wrong password, after the same time."""
    account = await accounts.credentials(context.engine, name)
    known_hash = account.password_hash if account else None
    good, stronger = await passwords.matches(password, known_hash)
    if account is None or known_hash is None or not good:
        raise NotSignedIn("The user or the password is wrong.")
    if stronger:
        await accounts.rehash(context.engine, account.id, old_hash=known_hash, new_hash=stronger)
    return account


async def _as_guest(context: ServerContext, name: str) -> Credentials:
    if not context.settings.guests:
        raise NotSignedIn("This server takes no guests: give a user and a password.")
    guest = await accounts.get_or_create_guest(context.engine, name)
    if guest is None:
        raise NotSignedIn("This name belongs to somebody: give its password, or choose another name.")
    return guest


def _signed_in(context: ServerContext, user: CurrentUser, epoch: int) -> SignedIn:
    seconds = context.settings.token_seconds
    return SignedIn(
        token=context.tokens.issue(PersonToken(user.id, epoch), seconds), expires_in=max(1, int(seconds)), user=user
    )


def throttle_key(request: Request, name: str) -> str:
    """Tries are counted for each name and address: nobody locks somebody else out from afar."""
    return f"{name.lower()} {request.client.host if request.client else ''}"
