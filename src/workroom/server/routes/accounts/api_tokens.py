"""API tokens of the caller: long-lived tokens for programs. A program with such a token cannot use these routes."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Annotated

from fastapi import Path, status

from workroom.actions.accounts import api_tokens
from workroom.actions.accounts.external import has_provider
from workroom.domain.errors import BadInput
from workroom.server.auth.access import Person
from workroom.server.context import Context, ServerContext
from workroom.server.http.openapi_errors import error_responses
from workroom.server.http.strict_json import make_router
from workroom.wire.accounts import ApiToken, ApiTokens, MadeApiToken, NewApiToken

router = make_router("/api/users/me/tokens", tag="accounts")


@router.get("", summary="The API tokens of the caller", responses=error_responses(403))
async def tokens(context: Context, principal: Person) -> ApiTokens:
    rows = await api_tokens.list_api_tokens(context.engine, principal.account_id)
    return ApiTokens(items=[ApiToken.model_validate(row) for row in rows])


@router.post(
    "", status_code=status.HTTP_201_CREATED, summary="Make an API token", responses=error_responses(403, 409, 429)
)
async def create(context: Context, principal: Person, body: NewApiToken) -> MadeApiToken:
    """Only this response contains the token. The scopes `metrics` and `admin` are for admins."""
    context.token_limit.hit(str(principal.account_id))
    made, text = await api_tokens.create_api_token(
        context.engine,
        account_id=principal.account_id,
        name=body.name,
        scopes=body.scopes,
        expires_at=await _expiry(context, principal, body.expires_at),
    )
    return MadeApiToken.model_validate({**made._asdict(), "token": text})


@router.delete(
    "/{id}", status_code=status.HTTP_204_NO_CONTENT, summary="Revoke an API token", responses=error_responses(403, 404)
)
async def revoke(
    context: Context, principal: Person, id: Annotated[str, Path(max_length=64, description="Its id, or its name.")]
) -> None:
    """Its sockets are closed, and the workers that it registered end."""
    await api_tokens.revoke_api_token(context.engine, account_id=principal.account_id, which=id)


async def _expiry(context: ServerContext, principal: Person, asked: datetime | None) -> datetime | None:
    """When a new token expires: as asked, or as late as the settings allow."""
    now = datetime.now(UTC)
    if asked is not None and asked <= now:
        raise BadInput("`expiresAt` is in the past.")
    days = context.settings.api_token_days
    if await has_provider(context.engine, principal.account_id):
        days = min(filter(None, (days, context.settings.provider_token_days)))
    if not days:
        return asked
    latest = now + timedelta(days=days)
    if asked is not None and asked > latest:
        raise BadInput(f"An API token of yours may last at most {days:g} days here.")
    return asked or latest
