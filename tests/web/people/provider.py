"""A small provider of OpenID Connect on loopback: one person, who always agrees."""

from __future__ import annotations

import base64
import hashlib
import json
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

import jwt
from cryptography.hazmat.primitives.asymmetric import rsa

CLIENT, SECRET = "continuity", "between us"


@dataclass
class Provider:
    """`claims` are the person's; `token` replaces claims of the token, as a provider that is wrong or false would."""

    address: str = ""
    claims: dict[str, Any] = field(default_factory=dict)
    token: dict[str, Any] = field(default_factory=dict)
    key: rsa.RSAPrivateKey = field(default_factory=lambda: rsa.generate_private_key(public_exponent=65537, key_size=2048))
    asked: dict[str, str] = field(default_factory=dict)

    def settings(self) -> dict[str, Any]:
        at = self.address
        return {
            "OIDC_RP_CLIENT_ID": CLIENT,
            "OIDC_RP_CLIENT_SECRET": SECRET,
            "OIDC_OP_AUTHORIZATION_ENDPOINT": f"{at}/authorize",
            "OIDC_OP_TOKEN_ENDPOINT": f"{at}/token",
            "OIDC_OP_USER_ENDPOINT": f"{at}/userinfo",
            "OIDC_OP_JWKS_ENDPOINT": f"{at}/keys",
            "CONTINUITY_OIDC_ISSUER": at,
        }

    def agree(self, address: str) -> str:
        """What the person's browser is led to after they agreed at this address of ours."""
        self.asked = {name: values[0] for name, values in parse_qs(urlsplit(address).query).items()}
        back = urlsplit(self.asked["redirect_uri"])
        return f"{back.path}?{urlencode({'code': 'once', 'state': self.asked['state']})}"

    def answer(self, path: str, sent: dict[str, str]) -> tuple[int, Any]:
        if path == "/keys":
            return 200, {"keys": [{**json.loads(jwt.algorithms.RSAAlgorithm.to_jwk(self.key.public_key())), "kid": "k1", "alg": "RS256"}]}
        if path == "/userinfo":
            return 200, {"sub": "s1", **self.claims}
        digest = hashlib.sha256(sent.get("code_verifier", "").encode()).digest()
        proven = base64.urlsafe_b64encode(digest).decode().rstrip("=") == self.asked["code_challenge"]
        if not proven or (sent["code"], sent["client_id"], sent["client_secret"]) != ("once", CLIENT, SECRET):
            return 400, {"error": "invalid_grant"}
        now = int(time.time())
        claims = {"iss": self.address, "aud": CLIENT, "sub": "s1", "iat": now, "exp": now + 60, "nonce": self.asked["nonce"], **self.token}
        return 200, {"access_token": "a", "token_type": "Bearer", "id_token": jwt.encode(claims, self.key, "RS256", {"kid": "k1"})}


@contextmanager
def running(**claims: Any) -> Iterator[Provider]:
    provider = Provider(claims={"email_verified": True, **claims})

    class Answers(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self._answer({})

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"])).decode()
            self._answer({name: values[0] for name, values in parse_qs(body).items()})

        def _answer(self, sent: dict[str, str]) -> None:
            status, body = provider.answer(urlsplit(self.path).path, sent)
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.end_headers()
            self.wfile.write(json.dumps(body).encode())

        def log_message(self, *args: Any) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Answers) as server:
        provider.address = f"http://127.0.0.1:{server.server_port}"
        thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
        thread.start()
        try:
            yield provider
        finally:
            server.shutdown()
            thread.join()
