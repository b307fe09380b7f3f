"""Who did something, by what a row says of it."""

from __future__ import annotations

from typing import Protocol

from continuity.models import ApiKey, User


class Made(Protocol):
    """A row that a person or a key made, or Continuity by itself."""

    @property
    def made_by(self) -> User | None: ...
    @property
    def made_with(self) -> ApiKey | None: ...


def maker_of(row: Made) -> User | str:
    """The person, or whose key it was; of a key that the installation made its name, as the audit log has it. Empty where neither did."""
    key = row.made_with
    person = row.made_by or (key.created_by if key else None)
    return person or (f"key {key.name}" if key else "")
