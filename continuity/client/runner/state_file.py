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
    """`config`, `context` and `messages`, as the server keeps them. Beside the file stands which state of the server's it goes on from,
    for a runner that comes after one that was killed, or ended while the server was away."""

    def __init__(self, folder: Path) -> None:
        self.path, self._note = folder / "state.json", folder / "saved.json"
        known = places.read_object(self._note)
        self._read: object = known.get("stamp")
        self._saved = self._read
        self.digest: object = known.get("digest")

    def restore(self, state: Mapping[str, Any] | None, digest: str) -> None:
        """Puts what was stored there, or nothing where nothing was."""
        if state is None:
            self.path.unlink(missing_ok=True)
        else:
            places.write(self.path, json.dumps(state, ensure_ascii=False))
        self._read = self._stamp()
        self.saved(digest)

    def changed(self) -> dict[str, Any] | None:
        """The state that the program wrote since; None where it wrote nothing. Raises ValueError, once, where that is no state."""
        stamp = self._stamp()
        if stamp is None or stamp == self._read:
            return None
        self._read = stamp
        if self.path.stat().st_size > LARGEST:
            raise ValueError("it is too large")
        try:
            found = json.loads(self.path.read_bytes())
        except RecursionError as error:
            raise ValueError("it is nested too deeply") from error
        if not isinstance(found, dict):
            raise ValueError("it is no JSON object")
        return found

    def saved(self, digest: str) -> None:
        """Marks what was read last as stored, as the state with that digest."""
        self._saved, self.digest = self._read, digest
        places.write(self._note, json.dumps({"digest": digest, "stamp": self._saved}))

    def read_again(self) -> None:
        """Makes what was read and is not stored count as written since."""
        self._read = self._saved

    def _stamp(self) -> list[int] | None:
        try:
            found = self.path.stat()
        except OSError:
            return None
        return [found.st_mtime_ns, found.st_size, found.st_ino]
