"""Sign-in at a real provider: accounts and roles come from it, and no false answer is accepted."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass
from itertools import count
from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx2
import pytest
from tests.acceptance.accounts.oidc_provider import CLIENT, SECRET, Provider
from tests.acceptance.live import ADMIN_PASSWORD, LiveServer

_numbers = count(1)


@dataclass
class SignIns:
    """A server below a path, with passwords off, and its provider."""

    server: LiveServer
    provider: Provider
    before: httpx2.Response  # to a sign-in before the provider was started

    def browser(self, **headers: str) -> httpx2.Client:
        return httpx2.Client(base_url=self.server.url, headers=headers, trust_env=False, timeout=20)

    def goes_to_provider(self, browser: httpx2.Client, next: str = "/") -> str:
        """The address with which the browser comes back."""
        begun = browser.get("/api/login/oidc", params={"next": next})
        assert begun.status_code == 303, begun.text
        back = httpx2.get(begun.headers["Location"], trust_env=False)
        assert back.status_code == 302, back.text
        return back.headers["Location"]

    def comes_back(self, browser: httpx2.Client, address: str) -> httpx2.Response:
        parts = urlsplit(address)
        assert parts.path == "/wr/api/login/oidc/callback"
        return browser.get(f"{parts.path}?{parts.query}")

    def signs_in(self, next: str = "/", **person: Any) -> httpx2.Response:
        self.provider.put(**person)
        with self.browser() as browser:
            return self.comes_back(browser, self.goes_to_provider(browser, next))

    def session(self, answer: httpx2.Response) -> dict[str, Any]:
        """The token, in the way of every client with a one-time code."""
        assert answer.status_code == 303, answer.text
        code = parse_qs(urlsplit(answer.headers["Location"]).fragment)["code"][0]
        with self.browser() as browser:
            found = browser.post("/api/login/code", json={"code": code})
            assert found.status_code == 200, found.text
            assert browser.post("/api/login/code", json={"code": code}).status_code == 401
        return found.json()

    def get(self, path: str, token: str) -> httpx2.Response:
        with self.browser(Authorization=f"Bearer {token}") as browser:
            return browser.get(path)

    def admin(self) -> httpx2.Client:
        with self.browser() as browser:
            answer = browser.post("/api/login", json={"user": "admin", "password": ADMIN_PASSWORD})
        assert answer.status_code == 200, answer.text
        return self.browser(Authorization=f"Bearer {answer.json()['token']}")

    def audit(self) -> list[dict[str, Any]]:
        with self.admin() as admin:
            return admin.get("/api/admin/audit", params={"limit": 20}).json()["items"]


@pytest.fixture(scope="module")
def sign_ins() -> Generator[SignIns]:
    provider = Provider()
    server = LiveServer(
        WORKROOM_OIDC_ISSUER=provider.issuer,
        WORKROOM_OIDC_CLIENT_ID=CLIENT,
        WORKROOM_OIDC_CLIENT_SECRET=SECRET,
        WORKROOM_OIDC_LABEL="Sign in with the lab",
        WORKROOM_ADMIN_GROUPS="admins",
        WORKROOM_ALLOWED_GROUPS="lab,guests of the lab",
        WORKROOM_PASSWORDS="false",
        WORKROOM_ROOT_PATH="/wr",
        WORKROOM_PROXIES="127.0.0.1",
    ).start()
    try:
        before = httpx2.get(f"{server.url}/api/login/oidc", trust_env=False)
        yield SignIns(server, provider.start(), before)
    finally:
        provider.stop()
        server.remove()


def _person(**more: Any) -> dict[str, Any]:
    number = next(_numbers)
    return {"sub": f"subject-{number}", "preferred_username": f"maria-{number}", "groups": ["lab"]} | more


def _changed(person: dict[str, Any], **claims: Any) -> dict[str, Any]:
    return person | claims


def test_the_first_sign_in_makes_an_account_and_later_ones_find_it(sign_ins: SignIns) -> None:
    person = _person()
    answer = sign_ins.signs_in(next="/wr-is-no-prefix?tab=1", **person)
    assert answer.headers["Location"].startswith("/wr/wr-is-no-prefix?tab=1#code=")
    assert answer.headers["Cache-Control"] == "no-store"
    first = sign_ins.session(answer)
    assert first["user"]["name"] == person["preferred_username"] and first["user"]["role"] == "user"
    (created,) = [row for row in sign_ins.audit() if row["subject"] == person["preferred_username"]]
    assert created["act"] == "account.create"
    assert created["detail"]["issuer"] == sign_ins.provider.issuer and created["detail"]["identity"] == person["sub"]
    again = sign_ins.session(sign_ins.signs_in(**_changed(person, preferred_username="renamed")))
    assert again["user"] == first["user"]
    assert sign_ins.get("/api/users/me", first["token"]).status_code == 200


def test_the_name_of_another_account_is_not_taken_over(sign_ins: SignIns) -> None:
    person = _person()
    with sign_ins.admin() as admin:
        local = admin.post("/api/users", json={"name": person["preferred_username"]}).json()
    session = sign_ins.session(sign_ins.signs_in(**person))
    assert session["user"]["id"] != local["id"]
    assert session["user"]["name"] == f"{person['preferred_username']}-2"
    claims_to_be_admin = sign_ins.session(sign_ins.signs_in(**_person(preferred_username="ADMIN")))
    assert claims_to_be_admin["user"]["name"] == "ADMIN-2" and claims_to_be_admin["user"]["role"] == "user"


def test_roles_follow_the_groups_at_each_sign_in(sign_ins: SignIns) -> None:
    person = _person()
    assert sign_ins.session(sign_ins.signs_in(**person))["user"]["role"] == "user"
    promoted = sign_ins.session(sign_ins.signs_in(**_changed(person, groups=["admins"])))
    assert promoted["user"]["role"] == "admin"
    assert sign_ins.get("/api/users", promoted["token"]).status_code == 200
    assert sign_ins.session(sign_ins.signs_in(**person))["user"]["role"] == "user"
    assert sign_ins.get("/api/users", promoted["token"]).status_code == 401  # a demotion ends the tokens before
    acts = [row["act"] for row in sign_ins.audit() if row["subject"] == person["preferred_username"]]
    assert acts == ["account.demote", "account.promote", "account.create"]


def test_groups_and_names_may_come_from_userinfo(sign_ins: SignIns) -> None:
    name = f"nils-{next(_numbers)}"
    told = {"preferred_username": name, "groups": ["admins"]}
    session = sign_ins.session(sign_ins.signs_in(sub=name, userinfo=told))
    assert session["user"]["name"] == name and session["user"]["role"] == "admin"
    answer = sign_ins.signs_in(sub=f"other-{name}", userinfo=told | {"sub": name})
    assert answer.status_code == 401 and "another person" in answer.text


@pytest.mark.parametrize(
    "fault",
    [
        "wrong nonce",
        "no nonce",
        "wrong audience",
        "shared audience",
        "wrong issuer",
        "expired",
        "no subject",
        "foreign key",
        "alg none",
        "signed with the client secret",
        "not a token",
    ],
)
def test_a_false_id_token_signs_no_one_in(sign_ins: SignIns, fault: str) -> None:
    person = _person()
    answer = sign_ins.signs_in(fault=fault, **person)
    assert answer.status_code == 401 and "not valid" in answer.text, answer.text
    assert answer.headers["Content-Type"].startswith("text/html") and "/wr/login" in answer.text
    failed = sign_ins.audit()[0]
    assert failed["act"] == "login.failed" and failed["detail"]["method"] == "oidc"
    with sign_ins.admin() as admin:
        assert admin.get("/api/users", params={"q": person["preferred_username"]}).json()["total"] == 0
    sign_ins.session(sign_ins.signs_in(**person))  # the same person with a right one


def test_only_the_browser_that_began_can_finish_and_only_once(sign_ins: SignIns) -> None:
    sign_ins.provider.put(**_person())
    with sign_ins.browser() as mine, sign_ins.browser() as other:
        address = sign_ins.goes_to_provider(mine)
        stranger = sign_ins.comes_back(other, address)
        assert stranger.status_code == 401 and "not begun in this browser" in stranger.text
        sign_ins.goes_to_provider(other)  # a sign-in of their own does not fit to the answer
        assert sign_ins.comes_back(other, address).status_code == 401
        cookie = dict(mine.cookies)
        wrong = address.replace("state=", "state=x")
        assert sign_ins.comes_back(mine, wrong).status_code == 401
        assert not mine.cookies  # used up
        mine.cookies.update(cookie)
        assert sign_ins.comes_back(mine, address).status_code == 303
        mine.cookies.update(cookie)
        replayed = sign_ins.comes_back(mine, address)
        assert replayed.status_code == 401 and "invalid_grant" in replayed.text
        mine.cookies.update({name: value[:-3] + "abc" for name, value in cookie.items()})
        assert sign_ins.comes_back(mine, address).status_code == 401


def test_a_refusal_of_the_provider_is_told(sign_ins: SignIns) -> None:
    answer = sign_ins.signs_in(fault="denied", **_person())
    assert answer.status_code == 401 and "access_denied" in answer.text


@pytest.mark.parametrize(
    "next",
    ["https://evil.example", "//evil.example", "/\\evil.example", "/\t/evil.example", "\\\\evil", "javascript:1", ""],
)
def test_the_sign_in_leads_to_no_other_site(sign_ins: SignIns, next: str) -> None:
    answer = sign_ins.signs_in(next=next, **_person())
    assert answer.headers["Location"].startswith("/wr/#code=")


def test_the_cookie_is_for_this_server_alone(sign_ins: SignIns) -> None:
    with sign_ins.browser() as browser:
        plain = browser.get("/api/login/oidc")
        behind_tls = browser.get("/api/login/oidc", headers={"X-Forwarded-Proto": "https", "Host": "localhost"})
    assert "HttpOnly" in plain.headers["Set-Cookie"] and "SameSite=lax" in plain.headers["Set-Cookie"]
    assert "Secure" not in plain.headers["Set-Cookie"]
    cookie = behind_tls.headers["Set-Cookie"]
    assert cookie.startswith("__Host-") and "Secure" in cookie and "Domain" not in cookie
    query = parse_qs(urlsplit(behind_tls.headers["Location"]).query)
    assert query["redirect_uri"] == ["https://localhost/wr/api/login/oidc/callback"]
    assert query["prompted"] == ["no"]  # the provider's own parameters stay


def test_a_person_without_an_allowed_group_stays_out(sign_ins: SignIns) -> None:
    person = _person()
    session = sign_ins.session(sign_ins.signs_in(**person))
    answer = sign_ins.signs_in(**_changed(person, groups=["another lab"]))
    assert answer.status_code == 403 and "none of the groups" in answer.text
    assert sign_ins.get("/api/users/me", session["token"]).status_code == 401  # also with the token from before
    assert sign_ins.signs_in(**_person(groups="lab")).status_code == 303  # one group, told as a text


def test_a_disabled_account_stays_out(sign_ins: SignIns) -> None:
    person = _person()
    session = sign_ins.session(sign_ins.signs_in(**person))
    with sign_ins.admin() as admin:
        admin.patch(f"/api/users/{session['user']['id']}", json={"disabled": True}).raise_for_status()
    answer = sign_ins.signs_in(**person)
    assert answer.status_code == 403 and "is disabled" in answer.text


def test_a_deleted_account_is_not_found_again(sign_ins: SignIns) -> None:
    person = _person()
    session = sign_ins.session(sign_ins.signs_in(**person))
    with sign_ins.admin() as admin:
        admin.delete(f"/api/users/{session['user']['id']}").raise_for_status()
    assert sign_ins.session(sign_ins.signs_in(**person))["user"]["id"] != session["user"]["id"]


def test_new_keys_of_the_provider_are_used(sign_ins: SignIns) -> None:
    assert sign_ins.signs_in(**_person()).status_code == 303
    sign_ins.provider.rotate_keys()
    assert sign_ins.signs_in(**_person()).status_code == 303


def test_a_provider_that_does_not_answer_is_told(sign_ins: SignIns) -> None:
    assert sign_ins.before.status_code == 503 and "does not answer" in sign_ins.before.text
    sign_ins.provider.put(**_person())
    with sign_ins.browser() as browser:
        address = sign_ins.goes_to_provider(browser)
        sign_ins.provider.stop()
        try:
            assert sign_ins.comes_back(browser, address).status_code == 503
        finally:
            sign_ins.provider.start()
    assert sign_ins.signs_in(**_person()).status_code == 303  # with the keys of its new process


def test_passwords_can_be_switched_off_but_for_the_first_admin(sign_ins: SignIns) -> None:
    name = f"olga-{next(_numbers)}"
    with sign_ins.admin() as admin:
        password = admin.post("/api/users", json={"name": name}).json()["password"]
    with sign_ins.browser() as browser:
        refused = browser.post("/api/login", json={"user": name, "password": password})
        assert refused.status_code == 403 and "switched off" in refused.json()["detail"]
        methods = browser.get("/api/login/methods").json()
        assert browser.post("/api/login/header").status_code == 404
    assert methods == {"passwords": False, "guests": True, "provider": "Sign in with the lab", "proxyUser": None}
