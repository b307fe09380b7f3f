"""The state of an agent that must outlive it: dictionaries by name, and what was said last."""

from __future__ import annotations

import copy
import json
import threading
from collections.abc import Mapping
from typing import Any

from continuity.storage.state_digest import digest_of

# More than any server keeps: so much is held here, so that it does not grow for ever.
MOST_MESSAGES = 400


class StateDiffers(Exception):
    """The state of {agent} was not restored: what came has the digest {restored}, what is stored {stored}. Nothing is begun with it. Look
    what stands between here and the server, and at its storage of states; to begin without a state, remove the agent on its page."""

    def __init__(self, agent: str, *, restored: str, stored: str) -> None:
        told = {"agent": agent, "restored": restored or "of no state", "stored": stored or "of no state"}
        super().__init__(" ".join((type(self).__doc__ or "").split()).format(**told))


class AgentState:
    """`of(key)` is a dictionary that the agent's own code changes; a thread that saves it meanwhile takes it as it is then."""

    def __init__(self, config: Mapping[str, Any]) -> None:
        self.config: dict[str, Any] = dict(config)
        self._context: dict[str, Any] = {}
        self._messages: list[dict[str, Any]] = []
        self._lock = threading.RLock()
        self._saved = ""

    def of(self, key: str) -> dict[str, Any]:
        with self._lock:
            found = self._context.setdefault(key, {})
        if not isinstance(found, dict):
            raise TypeError(f"the state {key!r} is no dictionary")
        return found

    def add(self, message: Mapping[str, Any]) -> None:
        with self._lock:
            self._messages.append(dict(message))
            del self._messages[:-MOST_MESSAGES]

    @property
    def messages(self) -> list[dict[str, Any]]:
        """The messages, the latest last."""
        with self._lock:
            return copy.deepcopy(self._messages)

    def restore(self, stored: Mapping[str, Any]) -> str:
        """Takes what was stored; dictionaries that the agent holds already become what they were. The digest of what it now holds of it."""
        with self._lock:
            self.config |= stored.get("config", {})
            for key, value in stored.get("context", {}).items():
                known = self._context.get(key)
                if isinstance(known, dict) and isinstance(value, dict):
                    known.clear()
                    known.update(value)
                else:
                    self._context[key] = value
            self._messages[:] = stored.get("messages", [])
            self._saved = digest_of(self.document())
            own = {name: {key: known[key] for key in stored[name]} for name, known in self._objects() if name in stored}
            return digest_of({**stored, **own, **({"messages": self._messages} if "messages" in stored else {})})

    def _objects(self) -> tuple[tuple[str, dict[str, Any]], ...]:
        return ("config", self.config), ("context", self._context)

    def document(self) -> dict[str, Any]:
        """A copy of all of it. Raises TypeError and ValueError where it holds what JSON does not."""
        for _ in range(100):
            try:
                with self._lock:
                    return dict(json.loads(json.dumps({"config": self.config, "context": self._context, "messages": self._messages})))
            except RuntimeError:  # It changed while it was read.
                continue
        raise ValueError("the state changes too fast to be saved")

    def unsaved(self) -> tuple[dict[str, Any], str] | None:
        """The state and its digest, where it is not as it was saved last."""
        found = self.document()
        digest = digest_of(found)
        return None if digest == self._saved else (found, digest)

    def saved(self, digest: str) -> None:
        self._saved = digest
