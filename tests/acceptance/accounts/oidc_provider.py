"""A small OpenID Connect provider, as a process of its own: discovery, keys, authorisation, tokens, userinfo.

It signs in, without asking, the person that the test has put. A fault makes its next id tokens wrong in one way.
"""

from __future__ import annotations

import base64
import hashlib
import json
import os
import secrets
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlencode

import httpx2
import jwt
import uvicorn
from cryptography.hazmat.primitives.asymmetric import rsa
from fastapi import FastAPI, Request
from jwt.algorithms import RSAAlgorithm
from starlette.responses import JSONResponse, RedirectResponse, Response

ROOT = Path(__file__).parents[3]
_rsa: Any = RSAAlgorithm
CLIENT, SECRET = "workroom-tests", "a secret / of: the client"


class Provider:
    """The process, as the tests see it."""

    def __init__(self) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port: int = free.getsockname()[1]
        self.issuer = f"http://127.0.0.1:{self.port}/realms/lab"
        self._process: subprocess.Popen[str] | None = None

    def start(self) -> Provider:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.acceptance.accounts.oidc_provider", str(self.port)],
            stdout=subprocess.PIPE,
            text=True,
            cwd=ROOT,
        )
        assert self._process.stdout is not None and self._process.stdout.readline() == "ready\n"
        return self

    def stop(self) -> None:
        if self._process is not None:
            self._process.send_signal(signal.SIGKILL)
            self._process.wait()
            assert self._process.stdout is not None
            self._process.stdout.close()
            self._process = None

    def put(self, *, fault: str = "", userinfo: dict[str, Any] | None = None, **claims: Any) -> None:
        """Who signs in next, and what is wrong with the id token."""
        body = {"claims": claims, "fault": fault, "userinfo": userinfo or {}}
        httpx2.put(f"{self.issuer}/test", json=body, trust_env=False).raise_for_status()

    def rotate_keys(self) -> None:
        httpx2.post(f"{self.issuer}/test/rotate", trust_env=False).raise_for_status()


def _serve(port: int) -> None:
    issuer = f"http://127.0.0.1:{port}/realms/lab"
    state: dict[str, Any] = {"claims": {"sub": "1"}, "fault": "", "userinfo": {}}
    codes: dict[str, dict[str, str]] = {}
    access: dict[str, str] = {}
    encode: Any = jwt.encode

    def new_key() -> tuple[str, Any]:
        return secrets.token_hex(4), rsa.generate_private_key(public_exponent=65537, key_size=2048)

    keys = [new_key()]
    foreign = new_key()[1]
    app = FastAPI()

    @app.get("/realms/lab/.well-known/openid-configuration")
    async def _discovery() -> dict[str, Any]:
        return {
            "issuer": issuer,
            "authorization_endpoint": f"{issuer}/authorize?prompted=no",
            "token_endpoint": f"{issuer}/token",
            "userinfo_endpoint": f"{issuer}/userinfo",
            "jwks_uri": f"{issuer}/keys",
            "id_token_signing_alg_values_supported": ["RS256", "HS256", "none"],
        }

    @app.get("/realms/lab/keys")
    async def _keys() -> dict[str, Any]:
        kid, key = keys[0]
        public = json.loads(_rsa.to_jwk(key.public_key()))
        return {"keys": [public | {"kid": kid, "use": "sig", "alg": "RS256"}]}

    @app.get("/realms/lab/authorize")
    async def _authorize(request: Request) -> Response:
        query = dict(request.query_params)
        fits = query["client_id"] == CLIENT and query["response_type"] == "code" and query["prompted"] == "no"
        if not fits or "openid" not in query["scope"].split() or query["code_challenge_method"] != "S256":
            return JSONResponse({"error": "invalid_request"}, 400)
        answer = {"state": query["state"], "iss": issuer}
        if state["fault"] == "denied":
            answer["error"] = "access_denied"
        else:
            answer["code"] = secrets.token_urlsafe()
            codes[answer["code"]] = query
        return RedirectResponse(f"{query['redirect_uri']}?{urlencode(answer)}", 302)

    @app.post("/realms/lab/token")
    async def _token(request: Request) -> Response:
        form = {name: values[0] for name, values in parse_qs((await request.body()).decode()).items()}
        expected = base64.b64encode(urlencode({CLIENT: SECRET}).replace("=", ":", 1).replace("+", "%20").encode())
        if request.headers.get("Authorization") != f"Basic {expected.decode()}":
            return JSONResponse({"error": "invalid_client"}, 401)
        asked = codes.pop(form.get("code", ""), None)  # a code works once
        digest = hashlib.sha256(form.get("code_verifier", "").encode()).digest()
        challenge = base64.urlsafe_b64encode(digest).rstrip(b"=").decode()
        if asked is None or asked["redirect_uri"] != form["redirect_uri"] or asked["code_challenge"] != challenge:
            return JSONResponse({"error": "invalid_grant"}, 400)
        token = secrets.token_urlsafe()
        access[token] = state["claims"]["sub"]
        return JSONResponse({"access_token": token, "token_type": "Bearer", "id_token": _id_token(asked["nonce"])})

    def _id_token(nonce: str) -> str:
        now = int(time.time())
        claims: dict[str, Any] = {
            "iss": issuer,
            "aud": CLIENT,
            "iat": now,
            "exp": now + 300,
            "nonce": nonce,
            **state["claims"],
        }
        kid, key = keys[0]
        algorithm = "RS256"
        match state["fault"]:
            case "wrong nonce":
                claims["nonce"] = "another"
            case "no nonce":
                del claims["nonce"]
            case "wrong audience":
                claims["aud"] = "another client"
            case "shared audience":
                claims["aud"] = [CLIENT, "another client"]
            case "wrong issuer":
                claims["iss"] = "https://elsewhere.example.org"
            case "expired":
                claims |= {"iat": now - 4_000, "exp": now - 3_600}
            case "no subject":
                del claims["sub"]
            case "foreign key":
                key = foreign
            case "alg none":
                algorithm, key = "none", None
            case "signed with the client secret":
                algorithm, key = "HS256", SECRET
            case "not a token":
                return "not.a.token"
            case _:
                pass
        return encode(claims, key, algorithm, headers={"kid": kid})

    @app.get("/realms/lab/userinfo")
    async def _userinfo(request: Request) -> Response:
        subject = access.get(request.headers.get("Authorization", "").removeprefix("Bearer "))
        if subject is None:
            return JSONResponse({"error": "invalid_token"}, 401)
        return JSONResponse({"sub": subject} | state["userinfo"])

    @app.put("/realms/lab/test")
    async def _put(request: Request) -> dict[str, str]:
        state.update(await request.json())
        return {}

    @app.post("/realms/lab/test/rotate")
    async def _rotate() -> dict[str, str]:
        keys[0] = new_key()
        return {}

    class Ready(uvicorn.Server):
        async def startup(self, sockets: list[socket.socket] | None = None) -> None:
            await super().startup(sockets)
            print("ready", flush=True)

    Ready(uvicorn.Config(app, host="127.0.0.1", port=port, log_level="warning", lifespan="off")).run()
    os._exit(0)


if __name__ == "__main__":
    _serve(int(sys.argv[1]))
