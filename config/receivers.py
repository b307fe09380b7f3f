"""Reads where webhooks may go."""

from __future__ import annotations

from collections.abc import Sequence

from config.env import BadSetting
from continuity.events.receivers import Allowed, allowed


def allowed_by(name: str, entries: Sequence[str]) -> Allowed:
    """Raises BadSetting, naming the variable."""
    try:
        return allowed(entries)
    except ValueError as error:
        raise BadSetting(f"{name}: {error}") from None
