"""Accounts: the caller's own, and all of them for admins."""

from __future__ import annotations

from typing import Annotated
from uuid import UUID

from fastapi import Path, Request, status

from workroom.actions.accounts import accounts
from workroom.domain.errors import AdminNeeded, BadInput, Forbidden
from workroom.server.auth import passwords
from workroom.server.auth.access import Admin, Person, Principal
from workroom.server.auth.api_tokens.scopes import check_grant
from workroom.server.auth.bearer import PersonAuth
from workroom.server.auth.login_limits import network_of
from workroom.server.auth.sign_in_record import record_failure
from workroom.server.context import Context, ServerContext
from workroom.server.http.openapi_errors import error_responses
from workroom.server.http.paging import Limit, Offset, Search, page_of
from workroom.server.http.strict_json import make_router
from workroom.server.routes.accounts.login import client_address
from workroom.store.accounts import AccountRow
from workroom.wire.accounts import MadeUser, NewUser, OneTimeSecret, User, UserChange
from workroom.wire.base import Page

router = make_router("/api/users", tag="accounts")
AccountId = Annotated[UUID, Path(alias="id", description="The account's id.")]


@router.get("/me", summary="The account of the caller", responses=error_responses())
async def me(context: Context, principal: Person) -> User:
    return _to_response(await accounts.get_account(context.engine, principal.account_id))


@router.get("", summary="Accounts, by name (admins)", responses=error_responses(403))
async def users(
    context: Context, principal: Admin, q: Search = "", limit: Limit = 50, offset: Offset = 0
) -> Page[User]:
    found = await accounts.list_accounts(context.engine, search=q, limit=limit, offset=offset)
    return page_of(found, _to_response, limit=limit, offset=offset)


@router.post(
    "", status_code=status.HTTP_201_CREATED, summary="Create an account (admins)", responses=error_responses(403, 409)
)
async def create(context: Context, principal: Admin, body: NewUser) -> MadeUser:
    """Without a password the server generates one. Only this response contains it."""
    given = body.password.get_secret_value() if body.password else None
    password = given or passwords.random_password()
    created = await accounts.create_account(
        context.engine,
        actor=principal.account_id,
        name=body.name,
        role=body.role,
        password_hash=await passwords.hash_password(password),
    )
    return MadeUser.model_validate({**created._asdict(), "password": None if given else password})


@router.get("/{id}", summary="One account (its owner, or admins)", responses=error_responses(403, 404))
async def user(context: Context, principal: Person, id: AccountId) -> User:
    if id != principal.account_id and not principal.is_admin:
        raise AdminNeeded
    return _to_response(await accounts.get_account(context.engine, id))


@router.patch("/{id}", summary="Change an account", responses=error_responses(403, 404, 409, 429))
async def change(
    context: Context, request: Request, token: PersonAuth, principal: Person, id: AccountId, body: UserChange
) -> User:
    """Admins change `role` and `disabled`. The owner changes the password, which revokes all tokens of the account."""
    if body.password is not None:
        if body.role is not None or body.disabled is not None:
            raise BadInput("Change either the password, or role and disabled, not both at once.")
        check_grant(token.grant, frozenset())  # a token must not become a password
        return await _change_own_password(context, request, principal, id, body)
    if body.old_password is not None:
        raise BadInput("`oldPassword` needs a new `password`.")
    if not principal.is_admin:
        raise AdminNeeded
    return _to_response(
        await accounts.update_account(
            context.engine, actor=principal.account_id, account_id=id, role=body.role, disabled=body.disabled
        )
    )


@router.post(
    "/{id}/reset", summary="Give an account a new random password (admins)", responses=error_responses(403, 404)
)
async def reset(context: Context, token: PersonAuth, principal: Admin, id: AccountId) -> OneTimeSecret:
    """Revokes all tokens of the account. Only this response contains the new password."""
    if id == principal.account_id:
        check_grant(token.grant, frozenset())
    password = passwords.random_password()
    await accounts.reset_password(
        context.engine, actor=principal.account_id, account_id=id, new_hash=await passwords.hash_password(password)
    )
    return OneTimeSecret(password=password)


@router.delete(
    "/{id}",
    status_code=status.HTTP_204_NO_CONTENT,
    summary="Delete an account (admins)",
    responses=error_responses(403, 404, 409),
)
async def delete(context: Context, principal: Admin, id: AccountId) -> None:
    """Its rooms stay, without an owner; its jobs stay, without its name. The name is free again."""
    await accounts.delete_account(context.engine, actor=principal.account_id, account_id=id)


async def _change_own_password(
    context: ServerContext, request: Request, principal: Principal, id: UUID, body: UserChange
) -> User:
    assert body.password is not None
    if id != principal.account_id:
        raise Forbidden("Only the owner may change a password. Admins can reset it: POST /api/users/{id}/reset.")
    if body.old_password is None:
        raise BadInput("Give the old password as `oldPassword`.")
    address = client_address(request)
    attempt = context.login_limits.begin(principal.name, address)
    credentials = await accounts.credentials(context.engine, principal.name)
    known_hash = credentials.password_hash if credentials else None
    given = body.old_password.get_secret_value()
    correct, _ = await passwords.verify_password(given, known_hash, address=network_of(address))
    if known_hash is None or not correct:
        await record_failure(context.engine, name=principal.name, address=address, method="old password")
        raise Forbidden("The old password is wrong. A guest has no password: ask an admin for an account.")
    attempt.succeeded()
    new_hash = await passwords.hash_password(body.password.get_secret_value())
    changed = await accounts.change_password(context.engine, account_id=id, old_hash=known_hash, new_hash=new_hash)
    return _to_response(changed)


def _to_response(row: AccountRow) -> User:
    return User.model_validate(row)
