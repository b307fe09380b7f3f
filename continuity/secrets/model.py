"""The place of a secret in a text."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, order=True)
class SecretSpan:
    """The half-open character range of one secret; `kind` names it to a reader (`aws-access-key`)."""

    start: int
    end: int
    kind: str
