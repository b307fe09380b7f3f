"""Keeping the state of a program without our library: what it writes is saved, and what is stored it finds when it begins."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

from continuity.client.agents.instances import AgentCalls, Instance, is_fenced, patiently
from continuity.client.agents.state import StateDiffers
from continuity.client.connection import Away, Refused
from continuity.client.light.wording import shown_path
from continuity.client.publishing import may_heal
from continuity.client.runner.state_file import StateFile
from continuity.storage.state_digest import digest_of

ANSWER_SECONDS = 5.0


class StateSaving:
    """`say` tells a person, once for each state, what is not saved and never will be."""

    def __init__(self, folder: Path, calls: AgentCalls, leaving: threading.Event, say: Callable[[str], None]) -> None:
        self._file = StateFile(folder)
        self._calls, self._leaving, self._say = calls, leaving, say

    @property
    def path(self) -> Path:
        return self._file.path

    def restore(self, instance: Instance) -> str:
        """Lets the next process find what is stored; its digest. What the one before wrote is saved first, where nobody stored another
        state meanwhile. Waits for a server that is away. Raises Refused, StateDiffers where what came is not what is stored, and Away where
        the runner is to end."""
        found = self._stored(instance)
        if found["digest"] == self._file.digest:
            self._file.read_again()
            self.save(instance, patient=True)
            if found["digest"] != self._file.digest:
                found = self._stored(instance)
        digest = digest_of(found["state"]) if found["state"] is not None else ""
        if digest != found["digest"]:
            raise StateDiffers(instance.agent, restored=digest, stored=str(found["digest"]))
        self._file.restore(found["state"], digest)
        return digest

    def save(self, instance: Instance, *, patient: bool = False) -> bool:
        """Saves what the process wrote; whether what is there is saved. Patient, it waits for a server that is away, and raises Away where
        the runner is to end."""
        try:
            state = self._file.changed()
            if state is not None:
                saved = (
                    patiently(lambda: self._calls.save(instance, state), self._leaving)
                    if patient
                    else self._calls.save(instance, state, answer=ANSWER_SECONDS)
                )
                self._file.saved(str(saved["digest"]))
        except (ValueError, OSError, RecursionError) as error:
            self._say(f"{shown_path(self.path)} is not saved: {error}")
            return False
        except (Away, Refused) as error:
            if may_heal(error):
                self._file.read_again()  # It is tried again.
            elif not is_fenced(error):
                self._say(f"the state of {instance.agent} is not saved: {error}")
            if patient and isinstance(error, Away):
                raise
            return False
        return True

    def _stored(self, instance: Instance) -> dict[str, Any]:
        return patiently(lambda: self._calls.state(instance), self._leaving)
