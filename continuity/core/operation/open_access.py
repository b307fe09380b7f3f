"""Open access (004 FR-032 to FR-034): who may come without an account, and the warning that goes with it. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from ipaddress import ip_address
from urllib.parse import urlsplit

WARNING = (
    "WARNING: Running in development mode without authentication or encryption. "
    "DO NOT use with sensitive data or in production environments."
)
HERE = frozenset({"localhost", "127.0.0.1", "::1"})


def is_ours(address: str, headers: Mapping[str, str]) -> bool:
    """Whether a request comes from this machine, and no page of another site made a browser send it."""
    try:
        if not ip_address(address).is_loopback:
            return False
        origin = urlsplit(headers.get("Origin", "")).hostname
    except ValueError:
        return False
    return headers.get("Sec-Fetch-Site", "none") in ("none", "same-origin") and (not headers.get("Origin") or origin in HERE)
