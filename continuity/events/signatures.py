"""Signing webhooks, so that their receiver knows who sent them, and that nobody sends them once more. Pure.

`Continuity-Signature: t=<unix seconds>,v1=<hex>` is HMAC-SHA-256 of `<t>.<body>` with the subscription's secret.
"""

from __future__ import annotations

import hashlib
import hmac

HEADER = "Continuity-Signature"
TOLERANCE_SECONDS = 300


def secret_of(key: str, subscription: str, version: int) -> str:
    """The secret of a subscription: it follows from the installation's key, so that it is stored nowhere."""
    return "whsec_" + hmac.new(key.encode(), f"webhook {subscription} {version}".encode(), hashlib.sha256).hexdigest()


def sign(secret: str, body: bytes, at: int) -> str:
    return f"t={at},v1={_digest(secret, body, at)}"


def is_signed(secret: str, body: bytes, header: str, *, now: int) -> bool:
    """Whether the header is ours for this body, and from the last five minutes: an older one is sent once more by somebody."""
    fields = dict(part.split("=", 1) for part in header[:300].split(",") if "=" in part)
    given = fields.get("t", "")
    if not (given.isascii() and given.isdigit() and len(given) <= 12) or abs(now - int(given)) > TOLERANCE_SECONDS:
        return False
    return hmac.compare_digest(fields.get("v1", "").encode(), _digest(secret, body, int(given)).encode())


def _digest(secret: str, body: bytes, at: int) -> str:
    return hmac.new(secret.encode(), f"{at}.".encode() + body, hashlib.sha256).hexdigest()
