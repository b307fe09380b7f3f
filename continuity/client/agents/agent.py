"""An agent of one's own: it is watched, its state outlives it, and what it missed it gets when it is back.

agent = Agent("billing", expertise=["invoices"])

@agent.on("task:*")
def handle(event):
    seen = agent.state("seen")
    seen["count"] = seen.get("count", 0) + 1
    agent.say(f"Task {event.payload['id']} is done.")

agent.run()
"""

from __future__ import annotations

import logging
import signal
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from types import TracebackType
from typing import Any
from uuid import uuid4

from continuity.client import credentials
from continuity.client.agents.groups import TOPIC, GroupTurns, TurnHandler
from continuity.client.agents.instances import AgentCalls
from continuity.client.agents.link import AgentLink, Order
from continuity.client.agents.state import AgentState, StateDiffers
from continuity.client.connection import Away, Refused
from continuity.client.events import AnotherInstance, Handler, Subscriber
from continuity.client.shared_state import SharedState

logger = logging.getLogger("continuity.client.agents")

SAVE_SECONDS = 30.0
SAVE_PATIENCE = 10.0
SAY_PATIENCE = 60.0

Probe = Callable[[], object]
TakeOver = Callable[[str, Order], object]


class NotWorking(Exception):
    """The agent's own probe says that it does not work."""


class Agent:
    """One agent under its name. Started by `continuity agent run`, the runner beats for it and starts it anew; alone, it beats for itself.

    `about` may hold role, priority, strategy, backup, threshold, timeout, window, replay (docs/agents.md). `url` and `key` default as those
    of `Client`. Handlers run one after the other; `say`, `publish` and `state` may be used from any thread.
    """

    def __init__(
        self,
        name: str,
        *,
        expertise: Sequence[str] = (),
        config: Mapping[str, Any] | None = None,
        url: str = "",
        key: str = "",
        **about: Any,
    ) -> None:
        found = None if url and key else credentials.find()
        chosen = credentials.Credentials(url or (found.url if found else ""), key or (found.key if found else ""))
        self.name = name
        self._about: dict[str, Any] = {"expertise": list(expertise), "config": dict(config or {}), **about}
        self._link = AgentLink(name, chosen, obey=self._obey, ended=self._is_over)
        self._events = Subscriber(name, agent=name, policy=str(about.get("replay", "")), url=chosen.url, key=chosen.key)
        self._state = AgentState(config or {})
        self._patterns: list[str] = []
        self._probe: Probe = lambda: True
        self._resumed: TakeOver = lambda briefing, order: None
        self._saving, self._opening = threading.Lock(), threading.Lock()
        self._ended: AnotherInstance | None = None
        self._shared: dict[tuple[str, str], SharedState] = {}

    def on(self, pattern: str) -> Callable[[Handler], Handler]:
        """Registers a handler for events whose topics the pattern means. When it returns, the state is saved, then the event
        acknowledged. Raises ValueError."""

        def register(handler: Handler) -> Handler:
            def handled(event: Any) -> None:
                with self.working():
                    handler(event)
                self.save(patience=None)  # The server, when it is back, must not hear of the event before it has the state.

            self._events.on(pattern)(handled)
            self._patterns.append(pattern)
            return handler

        return register

    def on_turn(self, handler: TurnHandler) -> TurnHandler:
        """Registers what speaks when a group gives this agent the turn. What it returns as text it says; then the turn is over, unless the
        handler ended it (`turn.finish`, `turn.advance`). The lease is kept while it works."""
        turns = GroupTurns(self._link, handler)
        self.on(TOPIC)(turns.heard)
        return handler

    def probe(self, check: Probe) -> Probe:
        """Registers what answers when the server asks whether the agent still works; a false answer, an exception and silence for 5 seconds
        mean that it does not, and its runner starts it anew. It is called in a thread of its own."""
        self._probe = check
        return check

    def resumed(self, take_over: TakeOver) -> TakeOver:
        """Registers what is called with a briefing, and the order, where this agent takes over from another."""
        self._resumed = take_over
        return take_over

    def state(self, key: str) -> dict[str, Any]:
        """A dictionary that outlives the agent: it is saved after each event, every 30 seconds, and when the agent ends. JSON only."""
        return self._state.of(key)

    @property
    def messages(self) -> list[dict[str, Any]]:
        """The latest messages: role and content."""
        return self._state.messages

    @property
    def conversation(self) -> str | None:
        return self._link.conversation

    @property
    def stopped(self) -> bool:
        """Whether it is to end: told so, or another instance began."""
        return self._link.over.is_set()

    def shared(self, scope: str = "team", owner: str = "") -> SharedState:
        """State shared with others, as this agent writes it: the team's; a conversation's (where none is named, the one it works in);
        an agent's (its own). The same object every time, kept up to date until the agent ends."""
        named = owner or {"team": "own", "agent": self.name, "conversation": self.conversation or ""}.get(scope, "")
        with self._opening:
            known = self._shared.get((scope, named))
            if known is None:
                known = self._shared[scope, named] = SharedState(scope, named, chosen=self._link.credentials)
                known.__enter__()
            return known

    def say(self, text: str, *, role: str = "assistant", patience: float = SAY_PATIENCE) -> None:
        """Appends a message to the agent's conversation, which is opened where it has none, and remembers it in its state.

        Raises AnotherInstance, Refused, and Away where the server was away for so long.
        """
        message = {"role": role, "content": text, "external_id": str(uuid4())}
        self._link.insist(lambda calls: calls.append(self._its_conversation(calls), message), patience)
        self._state.add({"role": role, "content": text})

    def hear(self, text: str) -> None:
        """Appends what a user said. As `say` otherwise."""
        self.say(text, role="user")

    def publish(self, topic: str, payload: Any = None, *, critical: bool = False) -> str:
        """Publishes an event and gives its id. Raises AnotherInstance, Refused and Away."""
        with self._link.told():
            return self._events.publish(topic, payload, critical=critical)

    def save(self, *, patience: float | None = SAVE_PATIENCE) -> bool:
        """Saves the state where it changed; whether it is saved. Without patience it waits for a server that is away until the agent is to
        end. Raises AnotherInstance."""
        with self._saving:
            try:
                unsaved = self._state.unsaved()
                if unsaved is not None:
                    state, digest = unsaved
                    self._link.insist(lambda calls: calls.save(self._link.instance, state), patience)
                    self._state.saved(digest)
            except (Away, Refused, TypeError, ValueError) as error:
                logger.error("The state of %s is not saved: %s", self.name, error)
                return False
            return True

    @contextmanager
    def working(self) -> Iterator[None]:
        """Tells that the agent has work meanwhile."""
        self._link.works(True)
        try:
            yield
        finally:
            self._link.works(False)

    def run(self) -> None:
        """Begins, handles events until it is told to stop, and ends. Raises AnotherInstance where another one began, StateDiffers where its
        state could not be restored as it was, and Refused."""
        if threading.current_thread() is threading.main_thread():
            signal.signal(signal.SIGTERM, lambda number, frame: self.stop())
        with self:
            if self._patterns:
                self._events.run()
            else:
                self._link.over.wait()
        if self._ended is not None:
            raise self._ended

    def stop(self) -> None:
        """Lets `run` end after the handler at hand."""
        self._link.over.set()
        self._events.stop()

    def __enter__(self) -> Agent:
        """Registers, restores the state, handles what it missed, and is ready: for agents that have a loop of their own."""
        about = {name: value for name, value in {**self._about, "topics": self._patterns}.items() if value not in (None, [], {})}
        try:
            self._link.begin(about)
            self._events.act_for(self._link.instance.acting)
            digest = self._restore()
            replayed, failed = self._events.replay() if self._patterns else (0, 0)
            self._link.insist(lambda calls: calls.ready(self._link.instance, digest=digest, replayed=replayed, failed=failed))
        except BaseException:
            self.stop()
            self._link.end()
            raise
        self._link.tell({"ready": True})
        threading.Thread(target=self._save_often, daemon=True, name="state").start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None) -> None:
        with suppress(AnotherInstance):
            if not self._link.is_fenced:
                self.save()
            if not self._link.is_fenced and not self._link.has_runner and kind is None:
                with suppress(Away, Refused):
                    self._link.insist(lambda calls: calls.stop(self._link.instance, "by itself"), SAVE_PATIENCE)
        for each in self._shared.values():
            each.close()
        self.stop()
        self._link.end()

    def _restore(self) -> str:
        """The digest of what was restored. Raises StateDiffers where that is not what is stored."""
        found = self._link.insist(lambda calls: calls.state(self._link.instance))
        restored = self._state.restore(found["state"]) if found["state"] is not None else ""
        if restored != found["digest"]:
            raise StateDiffers(self.name, restored=restored, stored=str(found["digest"]))
        return restored

    def _obey(self, order: Order) -> None:
        if order["kind"] == "probe":
            if not self._probe():
                raise NotWorking
        elif order["kind"] == "save_state":
            if not self.save():
                raise ValueError("the state is not saved")
        elif order["kind"] == "resume":
            handoff = order.get("handoff_id")
            briefing = self._link.insist(lambda calls: calls.briefing(str(handoff))) if handoff else ""
            if order.get("conversation_id"):
                self._link.works_on(str(order["conversation_id"]))
            self._resumed(briefing, order)
        elif order["kind"] == "stop":
            self.stop()

    def _is_over(self, why: AnotherInstance) -> None:
        self._ended = why
        self.stop()

    def _its_conversation(self, calls: AgentCalls) -> str:
        with self._opening:
            if self._link.conversation is None:
                about = {"title": self.name, "cwd": str(Path.cwd()), "source_tool": "agent"}
                self._link.works_on(calls.open_conversation(self._link.instance, about))
        return str(self._link.conversation)

    def _save_often(self) -> None:
        while not self._link.over.wait(SAVE_SECONDS):
            with suppress(AnotherInstance):
                self.save()
