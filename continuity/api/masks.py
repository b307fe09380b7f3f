"""Hiding secrets in whatever is answered."""

from typing import Any

from continuity import masking


def hide(value: Any) -> Any:
    """A copy of a JSON value in which every secret is replaced by a mark that names its kind."""
    return masking.masked([value], masking.spans_of([value]))[0]
