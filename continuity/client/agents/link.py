"""How an agent in this process is held by the world: by a runner that started it, or by heartbeats of its own."""

from __future__ import annotations

import json
import logging
import os
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import Any, TypeVar

from continuity.client.agents import channel
from continuity.client.agents.beating import BeatThread
from continuity.client.agents.instances import AgentCalls, Instance, is_fenced, patiently
from continuity.client.agents.listening import OrderListener
from continuity.client.connection import Away, Refused
from continuity.client.credentials import AGENT, Credentials
from continuity.client.events import AnotherInstance

logger = logging.getLogger("continuity.client.agents")

T = TypeVar("T")
Order = Mapping[str, Any]

# Told again with each beat until they are done, so that each is remembered for a while.
REMEMBERED = 100
# Where a runner before ours started the agent, which did not say it; the answer to the first beat does.
USUAL_INTERVAL = 2.0


class AgentLink:
    """`obey` carries out an order, and raises where it can't; `ended` is called once, when another instance began.

    Started by a runner, the instance is given by it and it beats; else the agent registers itself. When the runner goes, the agent beats
    for itself and stays the same instance.
    """

    def __init__(self, name: str, chosen: Credentials, *, obey: Callable[[Order], None], ended: Callable[[AnotherInstance], None]) -> None:
        self.name, self.credentials = name, chosen
        self._obey, self._ended = obey, ended
        self._calls = AgentCalls(chosen, name)
        self._channel: channel.Channel | None = None
        self._beats: BeatThread | None = None
        self._listener: OrderListener | None = None
        self._orders: list[str] = []
        self._probed: dict[str, Any] | None = None
        self._fenced: AnotherInstance | None = None
        self._given: Instance | None = None
        self.over = threading.Event()
        self.working = False
        self.conversation: str | None = None

    @property
    def instance(self) -> Instance:
        if self._given is None:
            raise RuntimeError("the agent has not begun: call run(), or use it in a with statement")
        return self._given

    @property
    def is_fenced(self) -> bool:
        return self._fenced is not None

    @property
    def has_runner(self) -> bool:
        return self._channel is not None

    def begin(self, about: Mapping[str, Any]) -> None:
        """Raises Refused, and Away where it is stopped while the server is away."""
        found, _, epoch = os.environ.get(AGENT, "").rpartition("/")
        self._channel = channel.inherited(self._told) if found == self.name and epoch.isdigit() else None
        if self._channel is not None:
            of_runner = os.environ.get(channel.CONVERSATION) or None
            self._given = Instance(self.name, int(epoch), os.environ.get(channel.INSTANCE, ""), _told_interval(), of_runner)
            self._channel.start()
            self.tell({"hello": os.getpid()})
            said = {**about, **json.loads(os.environ.get(channel.ABOUT) or "{}")}
            self.insist(lambda calls: calls.describe(self.instance, said))
            if said.get("strategy"):
                self.tell({"strategy": said["strategy"]})
        else:
            self._given = self.insist(lambda calls: calls.register({**about, "probe": True}))
            self._beat_alone()
        self.conversation = self.conversation or self._given.conversation_id
        self.credentials.acting = self._given.acting

    def insist(self, work: Callable[[AgentCalls], T], patience: float | None = None) -> T:
        """Does it until the server answers. Raises AnotherInstance, Refused, and Away where the server was away for `patience` seconds, or
        the agent was stopped meanwhile where no patience is given."""
        over = self.over if patience is None else threading.Event()
        timer = threading.Timer(patience or 0, over.set) if patience is not None else None
        if timer is not None:
            timer.daemon = True
            timer.start()
        try:
            with self.told():
                return patiently(lambda: work(self._calls), over)
        finally:
            if timer is not None:
                timer.cancel()

    @contextmanager
    def told(self) -> Iterator[None]:
        """Raises AnotherInstance where the server says that one began."""
        try:
            yield
        except Refused as error:
            if is_fenced(error):
                raise self.fence(str(error)) from error
            raise

    def tell(self, line: channel.Line) -> None:
        """Tells the runner, if there is one."""
        if self._channel is not None:
            self._channel.tell(line)

    def works(self, working: bool) -> None:
        self.working = working
        self.tell({"working": working})

    def works_on(self, conversation: str) -> None:
        self.conversation = conversation
        self.tell({"conversation_id": conversation})

    def fence(self, why: str) -> AnotherInstance:
        """Another instance began: this one is over."""
        first = self._fenced is None
        self._fenced = self._fenced or AnotherInstance(why)
        if first:
            self._ended(self._fenced)
        return self._fenced

    def end(self) -> None:
        self.over.set()
        if self._beats is not None:
            self._beats.stop()
        if self._listener is not None:
            self._listener.stop()
        if self._channel is not None:
            self._channel.close()

    def _beat_alone(self) -> None:
        def send(beat: dict[str, Any], urged: bool) -> Mapping[str, Any]:
            told = self._calls.beat("", [beat])
            return {**told["agents"][0], "wait": told["interval_ms"] / 1000}

        beats = self._beats = BeatThread(beat=self._beat, send=send, heard=self._heard, interval=self.instance.interval)
        self._beats.start()
        self._listener = OrderListener(lambda: self._calls.ordered(""), lambda agents: beats.urge())
        self._listener.start()

    def _beat(self) -> dict[str, Any]:
        beat = {"agent": self.name, **self.instance.shown, "working": self.working}
        beat |= {"conversation_id": self.conversation} if self.conversation else {}
        return beat | ({"probe": self._probed} if self._probed else {})

    def _heard(self, beat: Mapping[str, Any], answer: Mapping[str, Any]) -> None:
        """Handle the server's answer to a beat of its own."""
        if answer["result"] != "ok":
            self.fence(f"{self.name} is over: another instance began, or this one was declared over")
        for order in answer["orders"]:
            self._carry_out(order)

    def _told(self, line: channel.Line | None) -> None:
        """Handle a line from the runner; None says that the runner is gone."""
        if line is not None:
            self._carry_out(line)
            return
        self._channel = None
        if not self.over.is_set():
            logger.warning("The runner of %s is gone: it beats for itself", self.name)
            self._beat_alone()

    def _carry_out(self, order: Order) -> None:
        if order["id"] not in self._orders:
            self._orders = [*self._orders[1 - REMEMBERED :], str(order["id"])]
            # In a thread of its own: neither beats nor other orders wait for it.
            threading.Thread(target=self._try, args=[order], daemon=True, name=str(order["kind"])).start()

    def _try(self, order: Order) -> None:
        error = ""
        try:
            self._obey(order)
        except Exception as failure:
            logger.exception("The order %s failed", order["kind"])
            error = type(failure).__name__
        self.tell({"done": order["id"], "error": error})
        if self._beats is None:
            return
        if order["kind"] == "probe":
            self._probed = {"id": order["id"], "ok": not error}  # It goes with the next heartbeat.
        elif order["kind"] != "stop":  # That is answered by ending.
            with suppress(Away, Refused, AnotherInstance):
                self.insist(lambda calls: calls.acknowledge(self.instance, str(order["id"]), error=error))


def _told_interval() -> float:
    """How often to beat once the runner is gone, as the server told it; in seconds."""
    told = os.environ.get(channel.INTERVAL, "")
    return int(told) / 1000 if told.isdigit() and int(told) else USUAL_INTERVAL
