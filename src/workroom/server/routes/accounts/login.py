"""Sign in, renew a token, sign out."""

from __future__ import annotations

from uuid import UUID

from fastapi import Request, status
from pydantic import SecretStr

from workroom.actions.accounts import accounts, external, guests, login_codes
from workroom.domain.errors import Forbidden, NotSignedIn
from workroom.domain.names import account_name
from workroom.server.auth import passwords
from workroom.server.auth.access import Person, load_principal
from workroom.server.auth.bearer import Bearer, PersonAuth
from workroom.server.auth.bootstrap import ADMIN
from workroom.server.auth.login_limits import network_of
from workroom.server.auth.sign_in_record import record_failure, record_sign_in, record_sign_out
from workroom.server.auth.tokens import PersonToken
from workroom.server.context import Context, ServerContext
from workroom.server.http.openapi_errors import error_responses
from workroom.server.http.strict_json import make_router
from workroom.store.accounts import Credentials
from workroom.wire.accounts import CodeLogin, CurrentUser, Login, LoginCode, Logout, SignedIn

router = make_router("/api", tag="accounts")

_CODE = "(one-time code)"  # stands for the name in the limits and in the audit log


@router.post("/login", summary="Sign in", responses=error_responses(403, 429))
async def login(context: Context, request: Request, body: Login) -> SignedIn:
    """With a name and a password; or, where the setting `guests` allows it, with a name alone.

    Two guests of one name are two accounts; the name of the second gets a number. A guest that sends the same
    `guestKey` again is the same guest.
    """
    name = account_name(body.user)
    password = body.password.get_secret_value() if body.password else ""
    seconds = context.settings.token_seconds
    if password:
        if not context.settings.passwords and name.lower() != ADMIN:
            raise Forbidden("Passwords are switched off here. Sign in on the web page of this server.")
        account = await _by_password(context, name, password, client_address(request))
        if body.keep:
            seconds = max(seconds, context.settings.login_days * 86_400)
    else:
        account = await _as_guest(context, name, body.guest_key, client_address(request))
    record_sign_in(account.name, address=client_address(request), method="password" if password else "guest")
    return signed_in(context, account, seconds)


@router.post(
    "/login/codes",
    status_code=status.HTTP_201_CREATED,
    summary="Make a code that signs the caller in once",
    responses=error_responses(),
)
async def make_code(context: Context, token: PersonAuth, principal: Person) -> LoginCode:
    """For a link that opens the web app signed in. It replaces the code before and expires after a few minutes."""
    assert token.epoch is not None, "no API token reaches this route"
    await _check_provider(context, principal.account_id)
    code = await login_codes.create_login_code(context.engine, principal.account_id, token.epoch)
    return LoginCode(code=code, expires_in=login_codes.LIFETIME_SECONDS)


@router.post("/login/code", summary="Sign in with a one-time code", responses=error_responses(429))
async def login_by_code(context: Context, request: Request, body: CodeLogin) -> SignedIn:
    """A code works once."""
    attempt = context.login_limits.begin(_CODE, client_address(request))
    account = await login_codes.use_login_code(context.engine, body.code.get_secret_value())
    if account is None:
        await record_failure(context.engine, name=_CODE, address=client_address(request), method="code")
        raise NotSignedIn("This code was used, has expired, or was revoked. Sign in with a name and a password.")
    attempt.not_failed()
    record_sign_in(account.name, address=client_address(request), method="code")
    settings = context.settings
    seconds = settings.token_seconds
    if body.keep:
        days = settings.login_days if account.password_hash else min(settings.login_days, settings.provider_days)
        seconds = max(seconds, days * 86_400)
    return signed_in(context, account, seconds)


@router.post("/login/renew", summary="Renew a valid token", responses=error_responses())
async def renew(context: Context, token: Bearer) -> SignedIn:
    if not isinstance(token, PersonToken):
        raise NotSignedIn("This is for people. Heartbeats renew the tokens of workers.")
    assert token.epoch is not None, "no API token reaches this route"
    principal = await load_principal(context, token)
    await _check_provider(context, principal.account_id)
    user = CurrentUser.model_validate({"id": principal.account_id, "name": principal.name, "role": principal.role})
    return _to_response(context, user, token.epoch, context.settings.token_seconds)


@router.post(
    "/logout",
    status_code=status.HTTP_204_NO_CONTENT,
    summary="Sign out, everywhere or here",
    responses=error_responses(),
)
async def logout(context: Context, request: Request, principal: Person, body: Logout | None = None) -> None:
    """Revokes the tokens of all logins of the account and closes their sockets, unless the client forgets only its own.

    API tokens stay.
    """
    await accounts.sign_out(context.engine, principal.account_id, everywhere=body is None or body.everywhere)
    record_sign_out(principal.name, address=client_address(request))


async def _by_password(context: ServerContext, name: str, password: str, address: str) -> Credentials:
    """A wrong name and a wrong password give the same error after the same time."""
    attempt = context.login_limits.begin(name, address)
    try:
        account = await accounts.credentials(context.engine, name)
        known_hash = account.password_hash if account else None
        correct, new_hash = await passwords.verify_password(password, known_hash, address=network_of(address))
    except Exception:  # the password was not checked
        attempt.not_failed()
        raise
    if account is None or known_hash is None or not correct:
        await record_failure(context.engine, name=name, address=address, method="password")
        raise NotSignedIn("The user or the password is wrong.")
    attempt.succeeded()
    if new_hash:
        await accounts.rehash(context.engine, account.id, old_hash=known_hash, new_hash=new_hash)
    return account


async def _as_guest(context: ServerContext, name: str, key: SecretStr | None, address: str) -> Credentials:
    if not context.settings.guests:
        raise await _refused_guest(
            context, name, address, "This server does not allow guests. Sign in with a user and a password."
        )
    secret = None if key is None else key.get_secret_value()
    guest = None if secret is None else await guests.sign_in_guest(context.engine, name, secret)
    if guest is None:
        context.login_limits.new_guest(address)
        guest = await guests.create_guest(context.engine, name, secret)
    if guest is None:
        raise await _refused_guest(
            context,
            name,
            address,
            f"The name {name!r} belongs to an account. Give its password, or choose another name.",
        )
    return guest


async def _refused_guest(context: ServerContext, name: str, address: str, message: str) -> NotSignedIn:
    """Count and audit a refused guest."""
    context.login_limits.begin(name, address)
    await record_failure(context.engine, name=name, address=address, method="guest")
    return NotSignedIn(message)


async def _check_provider(context: ServerContext, account_id: UUID) -> None:
    """A person whom a provider vouches for signs in there again after some days."""
    if not await external.may_renew(context.engine, account_id, seconds=context.settings.provider_days * 86_400):
        raise NotSignedIn("Your last sign-in at the provider was too long ago. Sign in there again.")


def signed_in(context: ServerContext, account: Credentials, seconds: float) -> SignedIn:
    """The answer to a sign-in, by whatever means."""
    return _to_response(context, CurrentUser.model_validate(account), account.token_epoch, seconds)


def _to_response(context: ServerContext, user: CurrentUser, epoch: int, seconds: float) -> SignedIn:
    return SignedIn(
        token=context.tokens.issue(PersonToken(user.id, epoch), seconds), expires_in=max(1, int(seconds)), user=user
    )


def client_address(request: Request) -> str:
    """The address of the client. Behind a proxy of the setting `proxies` it is the one that the proxy reports."""
    return request.client.host if request.client else ""
