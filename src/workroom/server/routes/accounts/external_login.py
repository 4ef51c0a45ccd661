"""How people sign in here, and sign-in by a header of a proxy."""

from __future__ import annotations

from fastapi import Request

from workroom.actions.accounts.external import revoke_external, sign_in_external
from workroom.domain.errors import Forbidden, NotFound, NotSignedIn
from workroom.domain.role_of_groups import ExternalIdentity, role_of_groups
from workroom.server.auth.sign_in_record import record_failure, record_sign_in
from workroom.server.auth.trusted_header import identity_in_header
from workroom.server.context import Context, ServerContext
from workroom.server.http.openapi_errors import error_responses
from workroom.server.http.strict_json import make_router
from workroom.server.routes.accounts.login import client_address, signed_in
from workroom.store.accounts import Credentials
from workroom.wire.accounts import SignedIn, SignInMethods

router = make_router("/api/login", tag="accounts")


@router.get("/methods", summary="How people sign in at this server")
async def methods(context: Context, request: Request) -> SignInMethods:
    settings = context.settings
    identity = identity_in_header(settings, request)
    return SignInMethods(
        passwords=settings.passwords,
        guests=settings.guests,
        provider=settings.oidc_label if settings.oidc_issuer else None,
        proxy_user=None if identity is None else identity.name,
    )


@router.post("/header", summary="Sign in as the user whom a proxy names", responses=error_responses(403, 404, 429))
async def login_by_header(context: Context, request: Request) -> SignedIn:
    """The settings `header_user` and `header_proxies` name the header and the proxies that may send it."""
    if context.settings.header_user is None:
        raise NotFound("This server believes no header of a proxy. Sign in in another way.")
    address = client_address(request)
    refund = context.login_limits.begin_at_provider(address)
    identity = identity_in_header(context.settings, request)
    if identity is None:
        await record_failure(context.engine, name="(proxy)", address=address, method="header")
        raise NotSignedIn("The request has no user of a proxy that this server believes.")
    account = await admit(context, identity, address=address, method="header")
    refund()
    record_sign_in(account.name, address=address, method="header")
    return signed_in(context, account, context.settings.token_seconds)


async def admit(context: ServerContext, identity: ExternalIdentity, *, address: str, method: str) -> Credentials:
    """Sign in a person whom a provider or a proxy vouches for, if the groups allow it."""
    settings = context.settings
    try:
        role = role_of_groups(
            identity.groups, admin_groups=settings.admin_groups, allowed_groups=settings.allowed_groups
        )
    except Forbidden:
        await revoke_external(context.engine, identity)
        await record_failure(context.engine, name=identity.name[:64], address=address, method=method)
        raise
    try:
        return await sign_in_external(context.engine, identity, role)
    except Forbidden:
        await record_failure(context.engine, name=identity.name[:64], address=address, method=method)
        raise
