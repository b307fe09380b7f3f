"""JSON Merge Patch (RFC 7396): what is given replaces, null removes, objects are entered."""

from __future__ import annotations

from typing import Any

from continuity.shared_state.values import ABSENT


def merged(value: Any, patch: Any) -> Any:
    """The value after the patch; ABSENT counts as an empty object where the patch is one."""
    if not isinstance(patch, dict):
        return patch
    new = dict(value) if isinstance(value, dict) else {}
    for name, inner in patch.items():
        if inner is None:
            new.pop(name, None)
        else:
            new[name] = merged(new.get(name, ABSENT), inner)
    return new
