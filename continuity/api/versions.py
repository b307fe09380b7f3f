"""Versions in HTTP headers: `ETag` out, `If-Match` in."""

import re

from continuity.core.errors import Invalid

IF_MATCH = {
    "parameters": [
        {
            "in": "header",
            "name": "If-Match",
            "required": False,
            "schema": {"type": "string"},
            "description": "The `ETag` that the change is based on; 412 where it is not the current one.",
        }
    ]
}
_TAG = re.compile(r'(?:W/)?"?(\d{1,10})"?')


def etag(version: int) -> str:
    return f'"{version}"'


def expected_version(if_match: str) -> int | None:
    """The version that a caller expects, None where any will do. Raises Invalid on what is no version."""
    if if_match.strip() in ("", "*"):
        return None
    found = _TAG.fullmatch(if_match.strip())
    if found is None:
        raise Invalid('If-Match must be an ETag of this resource, such as "3".', field="If-Match")
    return int(found[1])
