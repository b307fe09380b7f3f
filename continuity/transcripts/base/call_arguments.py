"""The arguments of a tool call, which OpenAI's formats carry as JSON in a text."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from continuity.transcripts.base.sanitise import clean_json


def read_arguments(raw: Any) -> Mapping[str, Any]:
    """The arguments as an object; what is none, or no JSON, stands under `arguments` as it came."""
    value = raw
    if isinstance(raw, str):
        try:
            value = clean_json(json.loads(raw, strict=False)) if raw.strip() else {}
        except (ValueError, RecursionError):
            value = raw
    if isinstance(value, dict):
        return value
    return {} if value is None else {"arguments": value}
