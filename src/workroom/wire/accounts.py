"""Messages about accounts."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Literal
from uuid import UUID

from pydantic import Field, SecretStr

from workroom.wire.base import Answer, Request

Role = Literal["guest", "user", "admin"]
# What a sign-in may send is only bounded; what becomes somebody's password must be worth guessing at.
GivenPassword = Annotated[SecretStr, Field(max_length=1024)]
NewPassword = Annotated[SecretStr, Field(min_length=8, max_length=1024)]


class Login(Request):
    """Somebody signs in; without a password as a guest."""

    user: str = Field(min_length=1, max_length=64, examples=["ada"])
    password: GivenPassword | None = None


class CurrentUser(Answer):
    """Who is signed in."""

    id: UUID
    name: str
    role: Role


class SignedIn(Answer):
    """A token, to be sent as `Authorization: Bearer …`."""

    token: str
    expires_in: int = Field(description="How many seconds it lasts; renew it before.")
    user: CurrentUser


class User(CurrentUser):
    """An account."""

    disabled: bool
    created_at: datetime


class NewUser(Request):
    """An admin makes an account; without a password a random one is made and shown once."""

    name: str = Field(min_length=1, max_length=64, examples=["ada"])
    password: NewPassword | None = None
    role: Literal["user", "admin"] = "user"


class MadeUser(User):
    """A new account, and its password where the server chose it: it is not shown again."""

    password: str | None


class UserChange(Request):
    """What is to change: role and `disabled` by admins, the password by oneself together with the old one."""

    role: Literal["user", "admin"] | None = None
    disabled: bool | None = None
    password: NewPassword | None = None
    old_password: GivenPassword | None = None


class OneTimeSecret(Answer):
    """A new password. It is not shown again."""

    password: str


class AuditEntry(Answer):
    """What was done by whom."""

    id: int
    at: datetime
    actor: UUID | None = Field(description="Null: the server itself.")
    actor_name: str | None
    act: str = Field(examples=["account.promote"])
    subject: str
    detail: dict[str, Any]
