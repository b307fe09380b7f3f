"""The downloads of the client: the file that runs, the wheel, and the checksums of both."""

from __future__ import annotations

import hashlib
from functools import cache
from typing import NamedTuple

from continuity.distribution import pyz, wheel

CHECKSUMS = "SHA256SUMS"
NAMES = (pyz.FILE, wheel.FILE, CHECKSUMS)


class OfferedFile(NamedTuple):
    """`digest` is SHA-256 (hex) of what the file holds."""

    name: str
    held: bytes
    digest: str
    media_type: str


@cache
def files() -> tuple[OfferedFile, ...]:
    """Made of the source once in a process, which takes a fifth of a second."""
    made = [_offered(pyz.FILE, pyz.made(), pyz.MEDIA_TYPE), _offered(wheel.FILE, wheel.made(), wheel.MEDIA_TYPE)]
    sums = "".join(f"{each.digest}  {each.name}\n" for each in made).encode()
    return (*made, _offered(CHECKSUMS, sums, "text/plain; charset=utf-8"))


def file(name: str) -> OfferedFile | None:
    return next((each for each in files() if each.name == name), None)


def _offered(name: str, held: bytes, media_type: str) -> OfferedFile:
    return OfferedFile(name, held, hashlib.sha256(held).hexdigest(), media_type)
