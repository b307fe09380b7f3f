"""The keys with which packages are signed and trusted, as the environment gives them."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Sequence

from config.env import BadSetting

SIZE = 32  # of an Ed25519 key, private or public, in bytes


def decoded(name: str, text: str) -> bytes:
    """The 32 bytes of a key in base64. Raises BadSetting, which never holds the key."""
    try:
        key = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        key = b""
    if len(key) != SIZE:
        raise BadSetting(f"{name}: expected {SIZE} bytes in base64")
    return key


def all_decoded(name: str, texts: Sequence[str]) -> list[bytes]:
    """Several of them. Raises BadSetting."""
    return [decoded(name, text) for text in texts]
