"""The hash of an agent's state, as the server that stores it and whoever restores it count it. Pure; standard library only."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any


def digest_of(state: Mapping[str, Any]) -> str:
    """Equal for equal states, in whatever order their keys come (SHA-256, hexadecimal). Raises TypeError and ValueError where JSON can't
    hold it."""
    text = json.dumps(state, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
