"""Secrets in values with a name of their own, as JSON has them: `{"password": "…"}`. The name tells them, as before `=` in a text."""

from __future__ import annotations

import re

from continuity.secrets.assignments import is_secret_value, kind_of
from continuity.secrets.finding import find
from continuity.secrets.model import SecretSpan

# What a name ends with, in any spelling: `db_password`, `accessToken`, `X-Api-Key`, `secrets`; not `token_count`, `secret_santa`, `tokens`.
_NAME = re.compile(
    r"(password|passwd|passphrase|pwd|secret|token|credential|api[_-]?key|access[_-]?key|private[_-]?key|auth[_-]?key|secret[_-]?key)"
    r"(?:(?<!token)s)?\d{0,2}\Z",
    re.IGNORECASE | re.ASCII,
)
_AUTHORIZATION = re.compile(r"authorization\Z", re.IGNORECASE | re.ASCII)
_HEADER = "Authorization: "
LONGEST = 4096


def find_in_property(name: str, value: str) -> tuple[SecretSpan, ...]:
    """The secrets in a value, and all of it where its name tells one and it looks like one: no placeholder, code, number or short word."""
    found = find(value)
    if found or not 8 <= len(value) <= LONGEST:
        return found
    end = name[-64:]
    if _AUTHORIZATION.search(end):
        after = len(_HEADER)
        told = tuple(SecretSpan(span.start - after, span.end - after, span.kind) for span in find(_HEADER + value) if span.start >= after)
        return told or _whole(value, "token")
    named = _NAME.search(end)
    return _whole(value, kind_of(named.group(1).lower())) if named else ()


def _whole(value: str, kind: str) -> tuple[SecretSpan, ...]:
    if any(c.isspace() for c in value) or not is_secret_value(value, kind):
        return ()
    return (SecretSpan(0, len(value), kind),)
