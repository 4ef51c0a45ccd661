"""Messages about accounts, login, the audit log and quotas."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Literal
from uuid import UUID

from pydantic import AwareDatetime, Field, SecretStr

from workroom.domain.api_token_scopes import DEFAULT_SCOPES
from workroom.wire.base import Answer, Request

Role = Literal["guest", "user", "admin"]
ApiScope = Literal["read", "write", "worker", "metrics", "admin"]
# A login only limits the length. A new password also has a minimum length.
GivenPassword = Annotated[SecretStr, Field(max_length=1024)]
NewPassword = Annotated[SecretStr, Field(min_length=8, max_length=1024)]
GuestKey = Annotated[SecretStr, Field(min_length=32, max_length=200)]


class Login(Request):
    """Credentials; without a password the caller signs in as a guest.

    A guest that sends the same name and `guestKey` again gets the same account. Without a key each sign-in makes a new
    guest account.
    """

    user: str = Field(min_length=1, max_length=64, examples=["ada"])
    password: GivenPassword | None = None
    guest_key: GuestKey | None = Field(None, description="A random secret of the guest's client.")
    keep: bool | None = Field(
        None, description="With a password: the token lasts `login_days` of the settings, for a program that keeps it."
    )


class SignInMethods(Answer):
    """How people sign in at this server."""

    passwords: bool = Field(description="With a name and a password.")
    guests: bool = Field(description="With a name alone.")
    provider: str | None = Field(
        description="The text of the button that leads to `/api/login/oidc`, the sign-in at a provider. Null: none."
    )
    proxy_user: str | None = Field(
        description="Whom the proxy of this request names: `POST /api/login/header` signs them in. Null: no one."
    )


class Logout(Request):
    everywhere: bool = Field(
        True, description="False: the client forgets its token, which is only recorded in the audit log."
    )


class LoginCode(Answer):
    """A code that signs the same account in once, e.g. in a browser."""

    code: str
    expires_in: int = Field(description="Seconds until it expires.")


class CodeLogin(Request):
    """A code from `POST /api/login/codes`."""

    code: Annotated[SecretStr, Field(min_length=1, max_length=200)]
    keep: bool | None = Field(
        None,
        description="The token lasts `login_days` of the settings, for a program that keeps it. That of an account "
        "without a password lasts at most `provider_days`.",
    )


class CurrentUser(Answer):
    """The signed-in account."""

    id: UUID
    name: str
    role: Role


class SignedIn(Answer):
    """A token, to be sent as `Authorization: Bearer …`."""

    token: str
    expires_in: int = Field(description="Seconds until it expires; renew it before.")
    user: CurrentUser


class User(CurrentUser):
    """An account."""

    disabled: bool
    created_at: datetime


class NewUser(Request):
    """A new account. Without a password the server generates one."""

    name: str = Field(min_length=1, max_length=64, examples=["ada"])
    password: NewPassword | None = None
    role: Literal["user", "admin"] = "user"


class MadeUser(User):
    """A new account, with its password if the server generated it. It is not shown again."""

    password: str | None


class NewApiToken(Request):
    """An API token to make."""

    name: str = Field(min_length=1, max_length=64, examples=["gpu-box"])
    scopes: Annotated[list[ApiScope], Field(min_length=1, max_length=5)] = Field(
        list(DEFAULT_SCOPES), description="What it may do, within the rights of the account."
    )
    expires_at: AwareDatetime | None = Field(None, description="When it expires. Null: as late as the server allows.")


class ApiToken(Answer):
    """An API token of the caller. Its text is not stored."""

    id: UUID
    name: str
    hint: str = Field(description="Its first characters.")
    scopes: list[str]
    created_at: datetime
    expires_at: datetime | None = Field(description="Null: it does not expire.")
    expired: bool
    last_used_at: datetime | None = Field(description="To the minute. Null: never.")


class MadeApiToken(ApiToken):
    """A new API token with its text, which is not shown again."""

    token: str = Field(description="To be sent as `Authorization: Bearer …`.")


class ApiTokens(Answer):
    """The API tokens of the caller."""

    items: list[ApiToken]


class UserChange(Request):
    """Fields to change: admins change `role` and `disabled`; the owner changes the password and gives the old one."""

    role: Literal["user", "admin"] | None = None
    disabled: bool | None = None
    password: NewPassword | None = None
    old_password: GivenPassword | None = None


class OneTimeSecret(Answer):
    """A new password. It is not shown again."""

    password: str


class AuditEntry(Answer):
    """One entry of the audit log."""

    id: int
    at: datetime
    actor: UUID | None = Field(description="Null: the server itself.")
    actor_name: str | None
    act: str = Field(examples=["account.promote"])
    subject: str
    detail: dict[str, Any]


class Quota(Answer):
    """One quota: what is used, and the limit."""

    name: str = Field(examples=["bytes"])
    meaning: str
    used: int
    limit: int | None = Field(description="Null: no limit.")


class Quotas(Answer):
    """The quotas of an account or a room."""

    items: list[Quota]


class QuotaChange(Request):
    """Limits to set, by the name of the quota. Null restores the default."""

    limits: Annotated[dict[str, int | None], Field(min_length=1, max_length=20)]


class RoomSpace(Answer):
    """The space that a room takes in the database."""

    room: str
    owner: str | None
    bytes: int = Field(description="Frames and items, and their history as long as it can be undone.")
    frames: int
