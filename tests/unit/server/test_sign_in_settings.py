"""Settings of the sign-in that do not fit together are refused at the start, with what mends them."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from workroom.cli import app
from workroom.domain.errors import BadInput
from workroom.server.settings import SECRETS, Settings, load

OIDC: dict[str, Any] = {"oidc_issuer": "https://id.example.org", "oidc_client_id": "workroom"}


@pytest.mark.parametrize(
    ("settings", "fix"),
    [
        ({"header_user": "X-Forwarded-User"}, "WORKROOM_HEADER_PROXIES="),
        ({"header_groups": "X-Groups", "header_proxies": ["10.0.0.7"]}, "WORKROOM_HEADER_USER"),
        ({"header_user": "X-User", "header_proxies": ["everyone"]}, "use e.g. 10.0.0.7"),
        ({"header_user": "X User", "header_proxies": ["10.0.0.7"]}, "header_user"),
        ({"passwords": False}, "Set oidc_issuer or header_user first"),
        ({"oidc_issuer": "https://id.example.org"}, "WORKROOM_OIDC_CLIENT_ID"),
        ({**OIDC, "oidc_issuer": "http://id.example.org"}, "https://"),
        ({**OIDC, "oidc_issuer": "id.example.org"}, "Use e.g. https://"),
        ({**OIDC, "oidc_scopes": ["profile"]}, "must contain openid"),
        ({"tls_certificate": "a.pem"}, "Set tls_key too"),
        ({"tls_key": "a.pem"}, "Set tls_certificate too"),
    ],
)
def test_settings_that_do_not_fit_are_refused(settings: dict[str, Any], fix: str, tmp_path: Path) -> None:
    with pytest.raises(BadInput) as refused:
        load(settings, tmp_path)
    assert fix in refused.value.message


def test_lists_come_from_the_environment_and_the_secret_is_not_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WORKROOM_ADMIN_GROUPS", "admins,chairs")
    assert load(OIDC, tmp_path).settings.admin_groups == ["admins", "chairs"]
    assert "oidc_client_secret" in SECRETS <= set(Settings.model_fields)
    assert next(iter(Settings.model_fields)) == "host"  # the order of the reference page


def test_the_extra_of_the_provider_is_named_when_it_is_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "authlib", None)
    variables = {f"WORKROOM_{name.upper()}": value for name, value in OIDC.items()}
    ended = CliRunner().invoke(app, ["serve", "--data", str(tmp_path / "data")], env=variables)
    assert ended.exit_code == 1 and "pip install 'workroom[oidc]'" in ended.output.replace("\n", " ")
    assert not (tmp_path / "data").exists()
