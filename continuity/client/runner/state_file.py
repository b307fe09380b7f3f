"""The state of a program that is no Python of ours: a JSON file that it reads when it begins, and writes when it likes."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from continuity.client import places

VARIABLE = "CONTINUITY_AGENT_STATE"
LARGEST = 64 * 1024 * 1024


class StateFile:
    """`config`, `context` and `messages`, as the server keeps them."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "state.json"
        self._known: object = None

    def restore(self, state: Mapping[str, Any] | None) -> None:
        """Puts what was stored there, or nothing where nothing was."""
        if state is None:
            self.path.unlink(missing_ok=True)
        else:
            places.write(self.path, json.dumps(state, ensure_ascii=False))
        self._known = self._stamp()

    def changed(self) -> dict[str, Any] | None:
        """What the program wrote since; None where it wrote nothing. Raises ValueError, once, where that is no state."""
        stamp = self._stamp()
        if stamp is None or stamp == self._known:
            return None
        self._known = stamp
        if self.path.stat().st_size > LARGEST:
            raise ValueError("it is too large")
        found = json.loads(self.path.read_bytes())
        if not isinstance(found, dict):
            raise ValueError("it is no JSON object")
        return found

    def not_saved(self) -> None:
        """What was read last is not stored: it is read again."""
        self._known = None

    def _stamp(self) -> object:
        try:
            found = self.path.stat()
        except OSError:
            return None
        return found.st_mtime_ns, found.st_size, found.st_ino
