"""Signing webhooks, so that their receiver knows who sent them, and that nobody sends them once more. Pure.

`Continuity-Signature: t=<unix seconds>,v1=<hex>` is HMAC-SHA-256 of `<t>.<body>` with the subscription's secret.
"""

from __future__ import annotations

import hashlib
import hmac

HEADER = "Continuity-Signature"


def secret_of(key: str, subscription: str, version: int) -> str:
    """The secret of a subscription: it follows from the installation's key, so that it is stored nowhere."""
    return "whsec_" + hmac.new(key.encode(), f"webhook {subscription} {version}".encode(), hashlib.sha256).hexdigest()


def sign(secret: str, body: bytes, at: int) -> str:
    digest = hmac.new(secret.encode(), f"{at}.".encode() + body, hashlib.sha256).hexdigest()
    return f"t={at},v1={digest}"
