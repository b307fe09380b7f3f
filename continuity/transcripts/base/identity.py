"""Names for records: the same on every reading of the same record, and never the same twice within a session."""

from __future__ import annotations

import json
from collections import Counter, OrderedDict
from collections.abc import Mapping
from typing import Any

from continuity.transcripts.base.fields import digest

MAX_CALLS = 10_000


class ExternalIds:
    """Hands out external ids; it remembers about a hundred bytes for each id that it numbered."""

    def __init__(self) -> None:
        self._seen: Counter[str] = Counter()

    def of_content(self, role: str, content: Mapping[str, Any]) -> str:
        """`h:<hash>:<n>` for a record without an id: the hash of its role and content as the source has them, and how
        often that hash came before, so that a later file which repeats an earlier one gives the same ids."""
        canonical = json.dumps([role, content], sort_keys=True, separators=(",", ":"), default=str)
        key = f"h:{digest(canonical)}"
        self._seen[key] += 1
        return f"{key}:{self._seen[key] - 1}"

    def is_first(self, name: str) -> bool:
        """Whether no record had this id before."""
        self._seen[name] += 1
        return self._seen[name] == 1

    def numbered(self, name: str) -> str:
        """The name itself the first time, then with `:1`, `:2` and so on behind it."""
        self._seen[name] += 1
        again = self._seen[name] - 1
        return f"{name}:{again}" if again else name


class ToolNames:
    """The tools that call ids belong to, for the most recent 10,000 calls."""

    def __init__(self) -> None:
        self._names: OrderedDict[str, str] = OrderedDict()

    def remember(self, call_id: str, name: str) -> None:
        if call_id and name:
            self._names[call_id] = name
            if len(self._names) > MAX_CALLS:
                self._names.popitem(last=False)

    def name(self, call_id: str) -> str:
        return self._names.get(call_id, "")
