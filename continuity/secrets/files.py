"""Secrets that are told by the line or file they stand in: cookies, `.netrc`, `.pgpass`, the `auth` of a Docker configuration."""

from __future__ import annotations

import binascii
import re
from base64 import b64decode

from continuity.secrets.patterns import pattern
from continuity.secrets.values import is_placeholder

_COOKIE = r"[\w.!#$%&*+^`|~-]{1,64}="
_OF_COOKIE = re.compile(_COOKIE + r"([^;\s]{1,4096})", re.ASCII)


def _holds_cookie(header: str) -> bool:
    """Whether one of these cookies is long enough to be somebody's session, and no example."""
    return any(len(found.group(1)) >= 8 and not is_placeholder(found.group(1)) for found in _OF_COOKIE.finditer(header))


def _is_cookie(value: str) -> bool:
    return len(value) >= 8 and not is_placeholder(value)


def _is_login_in_base64(value: str) -> bool:
    """Whether this is `name:password` in base64, as Docker keeps it."""
    try:
        name, colon, password = b64decode(value + "=" * (-len(value) % 4), validate=True).decode().partition(":")
    except (binascii.Error, UnicodeDecodeError):
        return False
    return bool(colon and name and password) and (name + password).isprintable()


def _is_password(value: str) -> bool:
    return not is_placeholder(value)


# The words of a `.netrc`, on one line or several, in either order.
_NETRC = (
    r"\bmachine\s{1,8}\S{1,255}\s{1,8}(?:(?:(?:login|user|account)\s{1,8}\S{1,255}\s{1,8}){1,2}password\s{1,8}(\S{2,255})"
    r"|password\s{1,8}(\S{2,255})\s{1,8}login\b)"
)

FILES = (
    pattern(
        "cookie",
        "set-cookie",
        r"(?i)\bset-cookie2?\\?[\"']?\s{0,4}[:=]\s{0,4}\\?[\"']?" + _COOKIE + r"([^;\s\"'\\]{4,4096})",
        is_secret=_is_cookie,
    ),
    pattern(
        "cookie",
        "cookie",
        r"(?i)(?<![\w-])cookie\\?[\"']?\s{0,4}[:=]\s{0,4}\\?[\"']?(" + _COOKIE + r"[^\r\n\"'\\<>]{4,4096})",
        is_secret=_holds_cookie,
    ),
    pattern(
        "docker-auth", "auth", r"\"auth\\?\"\s{0,4}:\s{0,4}\\?\"([A-Za-z0-9+/]{6,1024}={0,2})", anywhere=True, is_secret=_is_login_in_base64
    ),
    pattern("password", "machine", _NETRC, is_secret=_is_password),
    # host:port:database:user:password; the port is what tells it from the place of a line in a file.
    pattern(
        "password",
        ":543 :643 :654 pgpass",
        r"(?:^|[\s\"'→])(?:[\w.-]{1,255}|\*):(?:543\d|643\d|654\d|\*):[\w*-]{1,63}:[\w*.@-]{1,63}:((?:\\[:\\]|[^\s:\"'\\]){3,255})",
        anywhere=True,
        is_secret=_is_password,
    ),
)
