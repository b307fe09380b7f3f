"""The title of a Claude Code session, of which its file may hold several."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from continuity.transcripts.base.fields import identifier, label

MAX_SUMMARIES = 1000
# a name that a person gave outranks one that was generated, which outranks a summary of some earlier state
_RANKED = {"custom-title": ("customTitle", 4), "ai-title": ("aiTitle", 3)}


class Titles:
    """Keeps the best title seen; a summary counts more once the record that it summarises turns up in the file."""

    def __init__(self) -> None:
        self.best = ""
        self._rank = 0
        self._leaves: dict[str, str] = {}

    def record(self, record: Mapping[str, Any]) -> None:
        """Takes a record that may carry a title."""
        kind = str(record.get("type"))
        if kind in _RANKED:
            key, rank = _RANKED[kind]
            self._offer(label(record.get(key)), rank)
        elif kind == "summary" and (title := label(record.get("summary"))):
            self._offer(title, 1)
            if len(self._leaves) < MAX_SUMMARIES:
                self._leaves[identifier(record.get("leafUuid"))] = title

    def seen(self, uuid: str) -> None:
        """Takes the id of a record of the session."""
        if uuid in self._leaves:
            self._offer(self._leaves[uuid], 2)

    def _offer(self, title: str, rank: int) -> None:
        if title and rank >= self._rank:
            self.best, self._rank = title, rank
