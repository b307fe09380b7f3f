"""Turns of an agent in groups: it reads what all read, says what it has to say, and passes the turn on. Standard library only."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from continuity.client.agents.link import AgentLink
from continuity.client.connection import Away, Refused

if TYPE_CHECKING:
    from continuity.client.events import ReceivedEvent

logger = logging.getLogger("continuity.client.agents")

TOPIC = "group:turn_given"
BUDGET = 4000
PATIENCE = 60.0
# A lease is half over when it is made whole again.
SHARE = 0.4
LEAST_SECONDS = 0.5
# The turn is somebody else's by now, or over: there is nothing more to do for it.
OVER = frozenset({"turn_taken", "not_your_turn", "group_over", "not_found"})


class TurnOver(Exception):
    """The turn is somebody else's by now: what one says is not taken any more."""


class GroupTurn:
    """One turn. While the handler works its lease is kept; when it returns, the turn is over."""

    def __init__(self, link: AgentLink, group: str, told: Mapping[str, Any], context: Mapping[str, Any], lease: float) -> None:
        self.lease = lease
        self._link, self._path = link, f"/groups/{group}/turns/{told['id']}/messages"
        self.group, self.id, self.number = group, str(told["id"]), int(told["number"])
        self.reason: str = told["reason"]
        self.context = dict(context)
        self.is_over = False
        self._lock = threading.Lock()

    @property
    def step(self) -> dict[str, Any] | None:
        """The present step of the workflow: `key`, `title`, `owner`, `expertise`, `next`."""
        return self.context.get("step")

    @property
    def messages(self) -> list[dict[str, Any]]:
        """The latest messages, the oldest first: `speaker` (empty for a person) and `text`."""
        return list(self.context["messages"])

    @property
    def asked(self) -> str:
        """The text of the latest message."""
        return str(self.messages[-1]["text"]) if self.messages else ""

    def say(self, text: str) -> None:
        """Says something, and keeps the turn. Raises TurnOver, AnotherInstance, and Away."""
        self._send({"over": False}, text)

    def finish(self, text: str = "", *, done: bool = False) -> None:
        """Ends the turn; `done`: what was asked is answered, and a person says how it goes on."""
        self._send({"over": True, "done": done}, text)

    def advance(self, text: str = "", *, to: str = "") -> None:
        """Ends the turn and the step of the workflow, which goes on `to` another one, or to its usual next one."""
        self._send({"over": True, "to_step": to}, text)

    def extend(self) -> None:
        """Still working: the lease is whole again."""
        self._send({"over": False})

    def _send(self, how: Mapping[str, Any], text: str = "") -> None:
        with self._lock:
            if self.is_over:
                raise TurnOver
            messages = [{"role": "assistant", "content": text, "external_id": str(uuid4())}] if text else []
            body = {"agent": self._link.name, **self._link.instance.shown, "messages": messages, **how}
            try:
                self._link.insist(lambda calls: calls.post(self._path, body), PATIENCE)
            except Refused as error:
                if error.code in OVER:
                    self.is_over = True
                    raise TurnOver from error
                raise
            self.is_over = bool(how["over"])


TurnHandler = Callable[[GroupTurn], object]


class GroupTurns:
    """Hands an agent its turns: as events tell of them, one at a time."""

    def __init__(self, link: AgentLink, handler: TurnHandler, budget: int = BUDGET) -> None:
        self._link, self._handler, self._budget = link, handler, budget

    def heard(self, event: ReceivedEvent) -> None:
        """An event of a turn that was given: this agent's is taken and handled; what is over by now is left alone."""
        if event.payload.get("agent") != self._link.name or not event.subject_id:
            return
        turn = self._take(event.subject_id, str(event.payload["turn"]))
        if turn is None:
            return
        stop = threading.Event()
        keeper = threading.Thread(target=self._keep, args=(turn, stop), daemon=True, name="turn")
        keeper.start()
        try:
            said = self._handler(turn)
            if not turn.is_over:
                turn.finish(said if isinstance(said, str) else "")
        except TurnOver:
            logger.warning("The turn %s of %s was over before it ended", turn.number, self._link.name)
        finally:
            stop.set()
            keeper.join(PATIENCE)

    def _take(self, group: str, wanted: str) -> GroupTurn | None:
        acting = {"agent": self._link.name, **self._link.instance.shown}
        try:
            told = self._link.insist(lambda calls: calls.post(f"/groups/{group}/next", {"acting": acting}), PATIENCE)
            if not told["turn"] or told["turn"]["id"] != wanted:
                return None
            context = self._link.insist(lambda calls: calls.get(f"/groups/{group}/context", {"budget": self._budget}), PATIENCE)
        except Refused as error:
            if error.code in OVER:
                return None
            raise
        return GroupTurn(self._link, group, told["turn"], context, float(told["lease_seconds"]))

    def _keep(self, turn: GroupTurn, stop: threading.Event) -> None:
        """Makes the lease whole again while the handler works."""
        while not stop.wait(max(LEAST_SECONDS, turn.lease * SHARE)) and not turn.is_over:
            try:
                turn.extend()
            except TurnOver:
                return
            except (Away, Refused) as error:
                logger.info("The turn could not be kept: %s", error)
