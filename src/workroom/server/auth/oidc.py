"""The OpenID Connect provider of the settings: its discovery document, its keys, and the identity of a code.

The provider is asked when the first person signs in, not at the start of the server: the server also runs while the
provider does not answer, and says so to people who want to sign in there.
"""

from __future__ import annotations

import asyncio
import time
from typing import Any, cast
from urllib.parse import quote, urlsplit

import httpx2

from workroom.domain.errors import NotSignedIn, Unavailable
from workroom.domain.role_of_groups import ExternalIdentity
from workroom.extras import require
from workroom.logs import get_logger
from workroom.server.sign_in_settings import SignInSettings, is_loopback

log = get_logger(__name__)

_TIMEOUT_SECONDS = 10.0
_FRESH_SECONDS = 3_600.0  # after this time the discovery document and the keys are read again
_LEEWAY_SECONDS = 60  # between the clocks of the provider and the server
# Signatures with a private key of the provider. `none` and those with the client secret are not among them.
_ALGORITHMS = frozenset({"RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA"})
_ENDPOINTS = ("authorization_endpoint", "token_endpoint", "jwks_uri")


class OidcProvider:
    """The provider of the setting `oidc_issuer`."""

    def __init__(self, settings: SignInSettings) -> None:
        require(["authlib"], "Sign-in with OpenID Connect")
        assert settings.oidc_issuer and settings.oidc_client_id
        self._settings = settings
        self._issuer = settings.oidc_issuer
        self._client_id = settings.oidc_client_id
        self._loading = asyncio.Lock()
        self._metadata: dict[str, Any] | None = None
        self._keys: dict[str, Any] | None = None
        self._loaded_at = 0.0

    async def authorization_url(self, *, redirect_uri: str, state: str, nonce: str, verifier: str) -> str:
        """Where the browser goes to sign in."""
        from authlib.oauth2 import rfc7636

        pkce: Any = rfc7636  # without types
        metadata = await self._load()
        query = {
            "response_type": "code",
            "client_id": self._client_id,
            "redirect_uri": redirect_uri,
            "scope": " ".join(self._settings.oidc_scopes),
            "state": state,
            "nonce": nonce,
            "code_challenge": str(pkce.create_s256_code_challenge(verifier)),
            "code_challenge_method": "S256",
        }
        return str(httpx2.URL(metadata["authorization_endpoint"]).copy_merge_params(query))

    async def identity(self, *, code: str, redirect_uri: str, verifier: str, nonce: str) -> ExternalIdentity:
        """Exchange a code for the identity of the person. NotSignedIn if the provider or its answer is not accepted."""
        metadata = await self._load()
        async with self._http() as http:
            tokens = await self._exchange(http, metadata, code=code, redirect_uri=redirect_uri, verifier=verifier)
            claims = await self._verify(http, metadata, tokens, nonce)
            wanted = (self._settings.oidc_name_claim, self._settings.oidc_groups_claim)
            if "userinfo_endpoint" in metadata and any(_claim(claims, name) is None for name in wanted):
                claims = await self._with_userinfo(http, metadata, tokens, claims)
        name = _claim(claims, self._settings.oidc_name_claim) or claims.get("email") or claims["sub"]
        return ExternalIdentity(
            issuer=self._issuer,
            subject=str(claims["sub"]),
            name=str(name),
            groups=_groups(_claim(claims, self._settings.oidc_groups_claim)),
        )

    async def _exchange(
        self, http: httpx2.AsyncClient, metadata: dict[str, Any], *, code: str, redirect_uri: str, verifier: str
    ) -> dict[str, Any]:
        body = {
            "grant_type": "authorization_code",
            "code": code,
            "redirect_uri": redirect_uri,
            "code_verifier": verifier,
            "client_id": self._client_id,
        }
        auth: Any = None
        if secret := self._settings.oidc_client_secret:
            if "client_secret_basic" in metadata.get("token_endpoint_auth_methods_supported", ["client_secret_basic"]):
                auth = httpx2.BasicAuth(quote(self._client_id, safe=""), quote(secret, safe=""))
            else:
                body["client_secret"] = secret
        try:
            answer = await http.post(metadata["token_endpoint"], data=body, auth=auth)
        except httpx2.HTTPError as error:
            raise self._unreachable(error) from None
        found = _json(answer)
        if answer.status_code >= 500:
            raise self._unreachable(f"status {answer.status_code}")
        if answer.status_code != 200 or not isinstance(found.get("id_token"), str):
            reason = str(found.get("error") or f"status {answer.status_code}")[:100]
            log.warning("provider refused a code", issuer=self._issuer, reason=reason)
            raise NotSignedIn(f"The provider did not accept the sign-in ({reason}). Sign in again.")
        return found

    async def _verify(
        self, http: httpx2.AsyncClient, metadata: dict[str, Any], tokens: dict[str, Any], nonce: str
    ) -> dict[str, Any]:
        """The claims of the id token, after its signature, issuer, audience, times and nonce were checked."""
        from authlib.oidc.core import CodeIDToken
        from joserfc import jwt
        from joserfc.errors import BadSignatureError, InvalidKeyIdError, JoseError
        from joserfc.jwk import KeySet
        from joserfc.jws import JWSRegistry

        named = metadata.get("id_token_signing_alg_values_supported") or ["RS256"]
        registry = JWSRegistry(algorithms=sorted(_ALGORITHMS.intersection(named)), strict_check_header=False)

        def decode(keys: Any) -> Any:
            return jwt.decode(tokens["id_token"], key=KeySet.import_key_set(keys), registry=registry)

        try:
            try:
                token = decode(self._keys)
            except (InvalidKeyIdError, BadSignatureError):  # the provider may have new keys
                self._keys = await self._get(http, metadata["jwks_uri"])
                token = decode(self._keys)
            checked: Any = CodeIDToken(
                token.claims,
                token.header,
                {
                    "iss": {"essential": True, "value": self._issuer},
                    "aud": {"essential": True, "value": self._client_id},
                    "sub": {"essential": True},
                },
                {"nonce": nonce, "client_id": self._client_id, "access_token": tokens.get("access_token")},
            )
            checked.validate(leeway=_LEEWAY_SECONDS)
        except (JoseError, ValueError, TypeError, KeyError) as error:
            log.warning("id token refused", issuer=self._issuer, reason=str(error))
            raise NotSignedIn(
                "The answer of the provider is not valid. The log of the server has the reason."
            ) from None
        return dict(checked)

    async def _with_userinfo(
        self, http: httpx2.AsyncClient, metadata: dict[str, Any], tokens: dict[str, Any], claims: dict[str, Any]
    ) -> dict[str, Any]:
        """The claims, with those that only the provider's userinfo endpoint has."""
        headers = {"Authorization": f"Bearer {tokens.get('access_token', '')}"}
        found = await self._get(http, metadata["userinfo_endpoint"], headers=headers)
        if found.get("sub") != claims["sub"]:
            raise NotSignedIn("The provider answered with another person. Sign in again.")
        return {**found, **claims}

    async def _load(self) -> dict[str, Any]:
        """The discovery document. A document that was read before is used while the provider does not answer."""
        async with self._loading:
            if self._metadata is not None and time.monotonic() - self._loaded_at < _FRESH_SECONDS:
                return self._metadata
            try:
                async with self._http() as http:
                    metadata = await self._get(http, f"{self._issuer.rstrip('/')}/.well-known/openid-configuration")
                    self._check(metadata)
                    self._keys = await self._get(http, metadata["jwks_uri"])
            except Unavailable:
                if self._metadata is None:
                    raise
                log.warning("provider does not answer, its former discovery document is used", issuer=self._issuer)
                return self._metadata
            self._metadata, self._loaded_at = metadata, time.monotonic()
            return metadata

    def _check(self, metadata: dict[str, Any]) -> None:
        if metadata.get("issuer") != self._issuer:
            raise self._unreachable(f"its discovery document names the issuer {metadata.get('issuer')!r}")
        for name in _ENDPOINTS:
            parts = urlsplit(str(metadata.get(name) or ""))
            if parts.scheme != "https" and not (parts.scheme == "http" and is_loopback(parts.hostname or "")):
                raise self._unreachable(f"its discovery document has no {name} that begins with https://")

    async def _get(self, http: httpx2.AsyncClient, url: str, **options: Any) -> dict[str, Any]:
        try:
            answer = await http.get(url, **options)
        except httpx2.HTTPError as error:
            raise self._unreachable(error) from None
        if answer.status_code != 200 or not (found := _json(answer)):
            raise self._unreachable(f"status {answer.status_code} of {urlsplit(url).path}")
        return found

    def _http(self) -> httpx2.AsyncClient:
        local = is_loopback(urlsplit(self._issuer).hostname or "")
        return httpx2.AsyncClient(timeout=_TIMEOUT_SECONDS, trust_env=not local)

    def _unreachable(self, reason: object) -> Unavailable:
        log.warning("provider not usable", issuer=self._issuer, reason=str(reason) or type(reason).__name__)
        return Unavailable(
            "The provider of the sign-in does not answer as it should. Try again in a moment. The log of the server "
            "has the reason."
        )


def _claim(claims: dict[str, Any], path: str) -> Any:
    """A claim, also one inside of another: `realm_access.roles`."""
    if path in claims:
        return claims[path]
    found: Any = claims
    for name in path.split("."):
        found = cast("dict[str, Any]", found).get(name) if isinstance(found, dict) else None
    return found


def _groups(claim: Any) -> frozenset[str]:
    """A list of groups, or one group as a text."""
    if isinstance(claim, list):
        return frozenset(str(group) for group in cast("list[Any]", claim))
    return frozenset([claim]) if isinstance(claim, str) else frozenset()


def _json(answer: httpx2.Response) -> dict[str, Any]:
    try:
        found: Any = answer.json()
    except ValueError:
        return {}
    return cast("dict[str, Any]", found) if isinstance(found, dict) else {}
