"""Sign-in at an OpenID Connect provider: a browser is sent there, and comes back with a code.

What must fit to the answer of the provider (state, nonce, PKCE verifier, the page to open) is in a signed cookie of the
browser, so any server process can continue, and another browser cannot. The browser then gets a one-time code of
Workroom in the fragment of the address, and signs in with it as with any other.
"""

from __future__ import annotations

import hmac
import re
import secrets
from html import escape
from typing import Annotated

from fastapi import Query, Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from workroom.actions.accounts.login_codes import create_login_code
from workroom.domain.errors import NotFound, NotSignedIn, WorkroomError
from workroom.server.auth.oidc import OidcProvider
from workroom.server.auth.sign_in_record import record_failure, record_sign_in
from workroom.server.context import Context, ServerContext
from workroom.server.http.strict_json import make_router
from workroom.server.routes.accounts.external_login import admit
from workroom.server.routes.accounts.login import client_address

router = make_router("/api/login/oidc", tag="accounts")

_SECONDS = 600  # for the sign-in at the provider
_PURPOSE = "oidc"
# A page of this app: one slash, and nothing that a browser turns into another host.
_OWN_PAGE = re.compile(r"/(?![/\\])[^\\\x00-\x20\x7f#]*\Z")
_PRIVATE = {"Cache-Control": "no-store", "Referrer-Policy": "no-referrer"}
_PAGE = (
    "<!doctype html><html lang='en'><meta charset='utf-8'><meta name='viewport' content='width=device-width'>"
    "<title>Sign in · Workroom</title><style>body{{font:16px/1.5 system-ui,sans-serif;max-width:34rem;margin:20vh auto;"
    "padding:0 1rem}}</style><h1>Not signed in</h1><p>{message}</p>"
    "<p><a href='{root}/login'>Back to the sign-in page</a></html>"
)
_POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"


@router.get("", include_in_schema=False)
async def begin(context: Context, request: Request, next: Annotated[str, Query(max_length=2_000)] = "/") -> Response:
    """Send the browser to the provider."""
    try:
        provider = _provider(context)
        kept = {
            "state": secrets.token_urlsafe(32),
            "nonce": secrets.token_urlsafe(32),
            "verifier": secrets.token_urlsafe(48),
        }
        url = await provider.authorization_url(redirect_uri=_redirect_uri(context, request), **kept)
    except WorkroomError as error:
        return _refusal(context, error)
    answer = RedirectResponse(url, 303, headers=_PRIVATE)
    page = next if _OWN_PAGE.match(next) else "/"
    name, secure = _cookie(request)
    answer.set_cookie(
        name,
        context.tokens.seal(_PURPOSE, {**kept, "next": page}, _SECONDS),
        max_age=_SECONDS,
        secure=secure,
        httponly=True,
        samesite="lax",
    )
    return answer


@router.get("/callback", include_in_schema=False)
async def finish(
    context: Context, request: Request, state: str = "", code: str = "", error: str = "", iss: str = ""
) -> Response:
    """The browser comes back from the provider. The cookie is used up, whatever the outcome."""
    address = client_address(request)
    name, secure = _cookie(request)
    try:
        provider = _provider(context)
        refund = context.login_limits.begin_at_provider(address)
        kept = context.tokens.unseal(_PURPOSE, request.cookies.get(name, "")) or {}
        try:
            if not kept or not hmac.compare_digest(str(kept["state"]).encode(), state.encode()):
                raise NotSignedIn("This sign-in was not begun in this browser, or took too long. Sign in again.")
            if iss and iss != context.settings.oidc_issuer:
                raise NotSignedIn("Another provider answered. Sign in again.")
            if error or not code:
                raise NotSignedIn(f"The provider did not sign you in ({error[:100] or 'no code'}).")
            identity = await provider.identity(
                code=code,
                redirect_uri=_redirect_uri(context, request),
                verifier=kept["verifier"],
                nonce=kept["nonce"],
            )
        except NotSignedIn:
            await record_failure(context.engine, name="(provider)", address=address, method="oidc")
            raise
        account = await admit(context, identity, address=address, method="oidc")
        refund()
        record_sign_in(account.name, address=address, method="oidc")
        one_time = await create_login_code(context.engine, account.id, account.token_epoch)
    except WorkroomError as refused:
        answer = _refusal(context, refused)
    else:
        page = f"{context.settings.root_path}{kept['next']}#code={one_time}"
        answer = RedirectResponse(page, 303, headers=_PRIVATE)
    answer.delete_cookie(name, secure=secure, httponly=True, samesite="lax")
    return answer


def _provider(context: ServerContext) -> OidcProvider:
    if context.provider is None:
        raise NotFound("This server has no provider for the sign-in (setting `oidc_issuer`).")
    return context.provider


def _redirect_uri(context: ServerContext, request: Request) -> str:
    """The public address of `finish`. The `Host` was checked; the scheme may come from a proxy of the settings."""
    return f"{request.url.scheme}://{request.url.netloc}{context.settings.root_path}/api/login/oidc/callback"


def _cookie(request: Request) -> tuple[str, bool]:
    """The name of the cookie, and whether it is for TLS only. With `__Host-` no other host can set it."""
    secure = request.url.scheme == "https"
    return ("__Host-workroom-oidc" if secure else "workroom-oidc"), secure


def _refusal(context: ServerContext, error: WorkroomError) -> Response:
    page = _PAGE.format(message=escape(error.message), root=context.settings.root_path)
    return HTMLResponse(page, error.status, headers={**_PRIVATE, "Content-Security-Policy": _POLICY})
