"""Checks that the configured model can be asked without giving its key away."""

from __future__ import annotations

from ipaddress import ip_address
from urllib.parse import urlsplit

from config.env import BadSetting


def check(url: str, name: str, key: str) -> None:
    """Raises BadSetting, which never holds the key, where the settings do not fit together. No URL: no model."""
    if not url:
        return
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise BadSetting("CONTINUITY_MODEL_URL: expected http://host or https://host, with a path where the endpoint has one")
    if parts.username or parts.password or parts.query or parts.fragment:
        raise BadSetting("CONTINUITY_MODEL_URL: no password, query or fragment may be in it; the key goes into CONTINUITY_MODEL_KEY")
    try:
        _ = parts.port
    except ValueError:
        raise BadSetting("CONTINUITY_MODEL_URL: the port is not a number") from None
    if not name:
        raise BadSetting("CONTINUITY_MODEL_NAME: required when CONTINUITY_MODEL_URL is set")
    if key and not (key.isascii() and key.isprintable()):
        raise BadSetting("CONTINUITY_MODEL_KEY: holds a character that no header can carry")
    if key and parts.scheme == "http" and not _is_this_machine(parts.hostname):
        raise BadSetting("CONTINUITY_MODEL_URL: a key is not sent to another machine without TLS; use https://")


def _is_this_machine(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
