"""The settings of sign-in by others and of TLS, and the rules between them."""

from __future__ import annotations

from ipaddress import ip_address, ip_network
from pathlib import Path
from urllib.parse import urlsplit

from pydantic import BaseModel, Field, field_validator, model_validator

from workroom.domain.errors import BadInput


class SignInSettings(BaseModel):
    """How people sign in, besides guests and the limits of sign-ins."""

    passwords: bool = Field(
        True,
        description="Whether people may sign in with a password. If not, only the first admin `admin` may, e.g. for "
        "the command line.",
    )
    allowed_groups: list[str] = Field(
        default_factory=list[str],
        description="Groups of the provider or proxy whose members may sign in, besides `admin_groups`; none: everyone "
        "whom the provider or proxy lets in.",
    )
    admin_groups: list[str] = Field(
        default_factory=list[str],
        description="Groups of the provider or proxy whose members are admins. Roles follow at each sign-in; none: "
        "admins set the roles.",
    )
    provider_days: float = Field(
        7.0,
        gt=0,
        description="How long tokens are renewed after a sign-in at a provider or proxy. Then a person signs in there "
        "again, so that an account that ended there ends here.",
    )
    api_token_days: float | None = Field(
        None, gt=0, description="How long API tokens may last at most; none: also without an expiry."
    )
    provider_token_days: float = Field(
        90.0,
        gt=0,
        description="How long API tokens of accounts of a provider or proxy may last at most, so that an account that "
        "ended there ends here.",
    )
    oidc_issuer: str | None = Field(
        None,
        description="The OpenID Connect provider by its issuer URL, e.g. https://id.example.org/realms/lab. Needs the "
        "extra `oidc`.",
    )
    oidc_client_id: str | None = Field(None, description="The client id that the provider has given to this server.")
    oidc_client_secret: str | None = Field(
        None, description="The client secret that the provider has given; none for a public client."
    )
    oidc_scopes: list[str] = Field(["openid", "profile"], description="What is asked of the provider.")
    oidc_name_claim: str = Field("preferred_username", description="The claim that has the user's name.")
    oidc_groups_claim: str = Field(
        "groups", description="The claim that has the groups, e.g. `groups` or `realm_access.roles`."
    )
    oidc_label: str = Field("Sign in with your organisation", max_length=80, description="The text of the button.")
    header_user: str | None = Field(
        None,
        pattern=r"^[A-Za-z0-9-]+$",
        description="The header in which a proxy that authenticates people sends the user's name, e.g. "
        "X-Forwarded-User. Needs `header_proxies`.",
    )
    header_groups: str | None = Field(
        None,
        pattern=r"^[A-Za-z0-9-]+$",
        description="The header in which the same proxy sends the groups, separated by commas.",
    )
    header_proxies: list[str] = Field(
        default_factory=list[str],
        description="Addresses or networks of the proxies whose `header_user` counts. They must remove this header "
        "from requests of clients.",
    )
    tls_certificate: Path | None = Field(
        None, description="The certificate of the server with its chain, a PEM file: the server itself speaks TLS."
    )
    tls_key: Path | None = Field(None, description="The private key of the certificate, a PEM file.")

    @field_validator("header_proxies")
    @classmethod
    def _are_proxies(cls, proxies: list[str]) -> list[str]:
        for proxy in proxies:
            try:
                ip_network(proxy, strict=False)
            except ValueError:
                raise ValueError(f"{proxy!r} is no address or network: use e.g. 10.0.0.7 or 10.0.0.0/24.") from None
        return proxies

    @model_validator(mode="after")
    def _fit_together(self) -> SignInSettings:
        if self.oidc_issuer is not None:
            self._check_provider(self.oidc_issuer)
        if (self.header_user or self.header_groups) and not self.header_proxies:
            raise BadInput(
                "header_user needs header_proxies: the addresses of the proxies that send the header, e.g. "
                "WORKROOM_HEADER_PROXIES=10.0.0.7. Otherwise every client could send it."
            )
        if self.header_groups and not self.header_user:
            raise BadInput("header_groups needs header_user: set WORKROOM_HEADER_USER, e.g. to X-Forwarded-User.")
        if not self.passwords and self.oidc_issuer is None and self.header_user is None:
            raise BadInput("passwords is off, but there is no other sign-in. Set oidc_issuer or header_user first.")
        if (self.tls_certificate is None) != (self.tls_key is None):
            missing = "tls_key" if self.tls_key is None else "tls_certificate"
            raise BadInput(f"TLS needs the certificate and its key. Set {missing} too.")
        return self

    def _check_provider(self, issuer: str) -> None:
        parts = urlsplit(issuer)
        if not parts.hostname or parts.query or parts.fragment:
            raise BadInput(
                f"oidc_issuer is {issuer!r}, which is no issuer. Use e.g. https://id.example.org/realms/lab."
            )
        if parts.scheme != "https" and not (parts.scheme == "http" and is_loopback(parts.hostname)):
            raise BadInput(f"oidc_issuer is {issuer!r}. It must begin with https://: its answers decide who signs in.")
        if not self.oidc_client_id:
            raise BadInput("oidc_issuer needs oidc_client_id: set WORKROOM_OIDC_CLIENT_ID.")
        if "openid" not in self.oidc_scopes:
            raise BadInput("oidc_scopes must contain openid.")


def is_loopback(host: str) -> bool:
    """Whether only this machine reaches the address. A name other than localhost may be any address."""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
