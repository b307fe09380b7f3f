"""Private key blocks, whole or cut off."""

from __future__ import annotations

import re
from collections.abc import Iterator

from continuity.secrets.model import SecretSpan

_BEGIN = re.compile(r"-----BEGIN (?:[A-Z0-9]{1,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----|PuTTY-User-Key-File-\d")
_END = re.compile(r"-----END (?:[A-Z0-9]{1,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----|Private-MAC: [0-9a-f]{1,128}")
# A block without its end stops at the first character that no key body has.
_BODY = re.compile(r"[A-Za-z0-9+/=\s\\:,.-]{0,16384}", re.ASCII)
LONGEST = 16_384


TRIGGERS = frozenset(("private key", "putty-user-key-file"))


def key_matches(text: str, present: set[str]) -> Iterator[SecretSpan]:
    """The spans of private key blocks, from the first dash to the last."""
    if TRIGGERS.isdisjoint(present):
        return
    position = 0
    while begin := _BEGIN.search(text, position):
        end = _END.search(text, begin.end(), begin.end() + LONGEST)
        body = _BODY.match(text, begin.end())
        position = end.end() if end else body.end() if body else begin.end()
        # The header alone, as documentation names it, is no secret.
        if position - begin.end() > 40:
            yield SecretSpan(begin.start(), position, "private-key")
