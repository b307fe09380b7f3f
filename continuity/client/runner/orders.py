"""Orders of the server to a runner about its agent, each once."""

from __future__ import annotations

import time
from collections.abc import Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from continuity.client.agents.instances import patiently
from continuity.client.connection import Away, Refused
from continuity.client.runner.liveness_probes import CommandProbe, OpenProbe

if TYPE_CHECKING:
    from continuity.client.runner.keeper import Keeper

REMEMBERED = 200
ALERT = "alert"


class Orders:
    """`probe` is the command that answers for the agent; empty: its library does, or nobody."""

    def __init__(self, keeper: Keeper, *, probe: str) -> None:
        self._keeper = keeper
        self._probe = self._command(probe) if probe else None
        self._taken: list[str] = []
        self._question: OpenProbe | None = None
        self._told: set[str] = set()

    def learn(self, probe: str) -> None:
        """The command of the agents' file, where none was given."""
        if self._probe is None and probe:
            self._probe = self._command(probe)

    def take(self, order: Mapping[str, Any]) -> None:
        """An order, which may be one that was taken already."""
        kind, id = str(order["kind"]), str(order["id"])
        if kind == "probe":
            self._ask(id, order["timeout_ms"] / 1000)
            return
        if id in self._taken:
            return
        self._taken = [*self._taken[1 - REMEMBERED :], id]
        if kind == "restart":
            self._keeper.restart(str(order["attempt"]), order["after_ms"] / 1000)
        elif kind == "stop":
            self._keeper.stop()
        elif self._keeper.library is not None and kind in ("save_state", "resume"):
            self._told.add(id)
            self._keeper.library.tell(dict(order))
        elif kind == "save_state":
            self._acknowledge(id, "" if self._keeper.save_file() else "NotSaved")
        elif kind == "resume":
            self._resume(order)
        else:
            self._acknowledge(id, "UnknownOrder")

    def done(self, id: str, error: str) -> None:
        """Handles the library's answer to a question or an order."""
        if self._question is not None and id == self._question.id:
            self._answered(self._question, not error)
        elif id in self._told:
            self._told.discard(id)
            self._acknowledge(id, error)

    def look(self, now: float) -> None:
        """Whether an answer is late."""
        if self._question is not None and self._question.is_late(now):
            self._answered(self._question, False)

    def forgive(self) -> None:
        """This process slept: whoever was asked is asked again, with all the time there is."""
        if self._question is not None:
            question, self._question = self._question, None
            self._ask(question.id, question.patience)

    def forget(self) -> None:
        """The process is gone, and all that it was asked."""
        self._question = None
        self._told.clear()

    def _command(self, words: str) -> CommandProbe:
        return CommandProbe(words, lambda question, ok: self._keeper.later(lambda: self._answered(question, ok)))

    def _ask(self, id: str, patience: float) -> None:
        answered = self._keeper.beat.get("probe")
        if (self._question is not None and self._question.id == id) or (answered is not None and answered["id"] == id):
            return  # It is asked already, or the answer is under way.
        keeper, now = self._keeper, time.monotonic()
        if keeper.process is None:
            return
        # The command has its own clock; this one is for when it hangs in the system.
        self._question = OpenProbe(id, now, patience if self._probe is None else 2 * patience)
        if self._probe is not None:
            self._probe.ask(self._question, patience, keeper.environment())
        elif keeper.library is not None:
            keeper.library.tell({"kind": "probe", "id": id})
        else:
            self._answered(self._question, True)  # Nobody can be asked: it runs.

    def _answered(self, question: OpenProbe, ok: bool) -> None:
        """But for a question that is over, or was asked again meanwhile."""
        if question is not self._question:
            return
        self._question = None
        # A test run of ten minutes keeps a tool from answering, and a session that grows is work.
        ok = ok or self._keeper.goes_on(time.monotonic() - question.asked)
        if ok or self._keeper.instance.strategy == ALERT:
            self._keeper.beat["probe"] = {"id": question.id, "ok": ok}  # It goes with the next heartbeat: who is late is told here.
        else:
            self._keeper.is_zombie()

    def _resume(self, order: Mapping[str, Any]) -> None:
        handoff = order.get("handoff_id")
        if order.get("conversation_id"):
            self._keeper.beat["conversation_id"] = str(order["conversation_id"])
        try:
            briefing = patiently(lambda: self._keeper.calls.briefing(str(handoff)), self._keeper.leaving) if handoff else ""
        except Refused as error:
            self._acknowledge(str(order["id"]), type(error).__name__)
            return
        self._keeper.take_over(briefing)
        self._acknowledge(str(order["id"]), "")

    def _acknowledge(self, id: str, error: str) -> None:
        with suppress(Away, Refused):
            patiently(lambda: self._keeper.calls.acknowledge(self._keeper.instance, id, error=error), self._keeper.leaving)
