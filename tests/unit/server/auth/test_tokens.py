"""Tokens and sealed claims are signed in one way, and each is accepted only for what it was made for."""

from __future__ import annotations

from uuid import uuid4

import pytest

from workroom.domain.errors import NotSignedIn
from workroom.server.auth.tokens import PersonToken, TokenIssuer

ISSUER = TokenIssuer("k" * 32)


def test_sealed_claims_come_back_for_their_purpose_only() -> None:
    sealed = ISSUER.seal("sign-in", {"next": "/"}, 60.0)
    claims = ISSUER.unseal("sign-in", sealed)
    assert claims is not None and claims["next"] == "/"
    assert ISSUER.unseal("other", sealed) is None
    assert TokenIssuer("l" * 32).unseal("sign-in", sealed) is None
    with pytest.raises(NotSignedIn):
        ISSUER.read(sealed)


def test_a_token_is_no_sealed_claim() -> None:
    token = PersonToken(uuid4(), 1)
    signed = ISSUER.issue(token, 60.0)
    assert ISSUER.read(signed) == token
    assert ISSUER.unseal("sign-in", signed) is None
