"""Events from Python: publish, and be told. Standard library only.

    billing = Subscriber("billing", agent="billing")

    @billing.on("task:completed")
    def charge(event):
        print(event.payload)

    billing.publish("invoice:sent", {"number": 17})
    billing.run()

An event comes at least once: within one process a second time is noticed, after a restart it may not be, so handlers are written to be
safe to run twice. A handler that raises gets its event again after 1, 2, 4 and 8 seconds; then it is a dead letter. While a handler works,
the server is told so, and does not give its event away.
"""

from __future__ import annotations

import http.client
import json
import logging
import os
import queue
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from continuity.client import credentials
from continuity.client.connection import Away, Connection, Refused, answer_of, caused_by
from continuity.client.event_frames import ALIVE, EventStream
from continuity.client.publishing import Publisher, may_heal, pauses
from continuity.events.processed_registry import ProcessedRegistry
from continuity.events.topics import checked_pattern, matches

logger = logging.getLogger("continuity.client.events")

LEASE_SECONDS = 30.0
# Nobody waits for an acknowledgement: several in one call leave the server, and this machine, more time for events.
FLUSH_SECONDS = 0.05
TOLD_SECONDS = 5.0
ACKS_AT_ONCE = 500
HELD = 1000
REPLAYED_AT_ONCE = 20


class AnotherInstance(Exception):
    """Another instance of this subscriber began: this one is over."""


@dataclass(frozen=True, slots=True)
class ReceivedEvent:
    """One event. `attempt` is above 1 where it comes again; `replay` where it was missed."""

    id: str
    topic: str
    payload: Any
    position: int
    critical: bool
    publisher: str
    published_at: str
    attempt: int
    replay: bool
    subject_id: str | None
    correlation_id: str
    traceparent: str = ""


Handler = Callable[[ReceivedEvent], object]


@dataclass(slots=True)
class _Held:
    """An event from when it arrives until it is acknowledged; both times are of the monotonic clock."""

    event: ReceivedEvent
    after_ms: float | None
    arrived: float
    told: float


class Subscriber:
    """One subscriber under its name; `policy` (none, full, critical-only) only where the server's agents' file shall not say it.

    `url` and `key` default as those of `Client`. `publish` may be called from any thread.
    """

    def __init__(self, name: str, *, agent: str = "", policy: str = "", url: str = "", key: str = "", lease: float = LEASE_SECONDS) -> None:
        found = None if key and url else credentials.find()
        acting = found.acting if found else ""
        self._credentials = credentials.Credentials(url or (found.url if found else ""), key or (found.key if found else ""), acting=acting)
        self._publisher = Publisher(self._credentials, agent)
        self.name, self.agent, self.policy, self.lease = name, agent, policy, lease
        self.epoch, self.id = 0, ""
        self._handlers: list[tuple[str, Handler]] = []
        self._registry = ProcessedRegistry(int(os.environ.get("EVENT_REGISTRY_MAX_SIZE") or 10_000))
        self._arrived: queue.Queue[_Held] = queue.Queue(HELD)
        self._held: dict[str, _Held] = {}
        self._acks: list[dict[str, Any]] = []
        self._all_told = threading.Event()
        self._lock = threading.Lock()
        self._stop = threading.Event()
        self._free_since = 0.0
        self._ended: BaseException | None = None
        self._begun = threading.Event()
        self._threads: dict[str, threading.Thread] = {}
        self._stream = EventStream(self._credentials)

    def on(self, pattern: str) -> Callable[[Handler], Handler]:
        """Registers a handler for topics that the pattern means; the first that fits gets the event. Raises ValueError."""
        checked_pattern(pattern)

        def register(handler: Handler) -> Handler:
            self._handlers.append((pattern, handler))
            return handler

        return register

    def publish(
        self, topic: str, payload: Any = None, *, critical: bool = False, conversation: str | None = None, patience: float = 60
    ) -> str:
        """Publishes an event and gives its id. It is sent again until the server has it, and stored once. Raises Refused, and Away where
        the server was away for `patience` seconds."""
        event = {"topic": topic, "payload": payload, "critical": critical, "conversation_id": conversation}
        return self._publisher.publish([event], patience=patience)[0]

    def publish_all(self, events: Sequence[Mapping[str, Any]], *, patience: float = 60) -> list[str]:
        """Publishes many in their order, each a mapping with `topic` and perhaps `payload`, `critical`, `conversation_id`; gives their ids.
        As `publish` otherwise."""
        return self._publisher.publish(events, patience=patience)

    def stop(self) -> None:
        """Lets `run` end after the handler at hand; may be called from any thread, also from a handler."""
        self._stop.set()

    def wait_until_begun(self, seconds: float) -> bool:
        """Whether `run`, in another thread, is told of events from now on; waits for that."""
        return self._begun.wait(seconds)

    def act_for(self, instance: str) -> None:
        """Makes its calls as this instance of an agent (NAME/EPOCH): they are refused once a later one began."""
        self._credentials.acting = instance

    def replay(self) -> tuple[int, int]:
        """Begins, and handles what was missed, to its end: how many events, and how many of these failed. `run` goes on from there.

        Raises as `run`.
        """
        self._begin()
        self._start(self._tell)
        connection = Connection(self._credentials)
        replayed = failed = 0
        try:
            while not self._stop.is_set() and (missed := self._missed(connection)):
                for data in missed:
                    self._hold(data)
                while not self._arrived.empty():
                    replayed += 1
                    failed += not self._handle(self._arrived.get_nowait())
        finally:
            connection.close()
        if self._ended is not None:
            raise self._ended
        return replayed, failed

    def _missed(self, connection: Connection) -> list[dict[str, Any]]:
        """The next events that wait; none where it came to the present."""
        query = {"epoch": self.epoch, "lease": self.lease, "limit": REPLAYED_AT_ONCE}
        for pause in pauses():
            try:
                told = connection.call("GET", f"/subscriptions/{self.id}/events", query=query)
                if told["problem"]:
                    answer_of(int(told["problem"]["status"]), "", json.dumps(told["problem"]).encode())
                return list(told["items"])
            except (Away, Refused) as error:
                if not may_heal(error):
                    raise _final(error) from error
            if self._stop.wait(pause):
                break
        return []

    def _start(self, work: Callable[[], None]) -> None:
        if work.__name__ not in self._threads:
            name = f"{self.name} {work.__name__}"
            thread = self._threads[work.__name__] = threading.Thread(target=self._guarded, args=(work,), daemon=True, name=name)
            thread.start()

    def _guarded(self, work: Callable[[], None]) -> None:
        """A thread that ends by a fault ends `run` with it: alone it would go on, deaf or without telling what it handled."""
        try:
            work()
        except Exception as error:
            logger.exception("The subscriber %s can't go on", self.name)
            self._end(error)

    def run(self) -> None:
        """Gets events and calls their handlers, one after the other, until `stop`. It outlasts a server that is away.

        Raises AnotherInstance where another instance began, and Refused where the server does not let it be told (key, role, removed).
        """
        if not self.id or not self.epoch:
            self._begin()
        self._start(self._listen)
        self._start(self._tell)
        try:
            while not self._stop.is_set():
                try:
                    held = self._arrived.get(timeout=0.1)
                except queue.Empty:
                    continue
                self._handle(held)
        finally:
            self._stop.set()
            self._stream.cut()
            for thread in self._threads.values():
                thread.join(10)
        if self._ended is not None:
            raise self._ended

    def _begin(self) -> None:
        connection = Connection(self._credentials)
        wanted = {
            "name": self.name,
            "agent": self.agent,
            "pattern": ",".join(dict.fromkeys(pattern for pattern, _ in self._handlers)) or "*",
        }
        try:
            for pause in pauses():
                try:
                    made = connection.call("POST", "/subscriptions", wanted | ({"policy": self.policy} if self.policy else {}))
                    self.id = made["id"]
                    begun = connection.call("POST", f"/subscriptions/{self.id}/begin", {})
                    self.epoch = begun["epoch"]
                    self._begun.set()
                    if begun["gap"]:
                        logger.error("Events up to %s are gone that were missed", begun["gap"])
                    return
                except (Away, Refused) as error:
                    if not may_heal(error):
                        raise _final(error) from error
                if self._stop.wait(pause):
                    return
        finally:
            connection.close()

    def _handle(self, held: _Held) -> bool:
        """Whether its handler did not fail."""
        event = held.event
        if self._registry.knows(self.name, event.id):
            self._answer(held, {"outcome": "handled"})
            return True
        told: dict[str, Any] = {"outcome": "handled"}
        if held.after_ms is not None:
            # What waited for the handler of another event waited for us.
            waited = time.monotonic() - held.arrived if held.arrived >= self._free_since else 0.0
            told["latency_ms"] = round(held.after_ms + waited * 1000, 2)
        handler = next((handler for pattern, handler in self._handlers if matches(pattern, event.topic)), None)
        try:
            if handler is not None:
                with caused_by(event.correlation_id, event.traceparent):
                    handler(event)
        except Exception as error:
            logger.exception("The handler of %s failed (correlation id %s)", event.topic, event.correlation_id)
            told = {"outcome": "failed", "error": "".join(filter(_plain, type(error).__name__))[:80]}
        else:
            self._registry.record(self.name, event.id, datetime.now(UTC))
        self._free_since = time.monotonic()
        self._answer(held, told)
        if event.attempt > 1:
            # Perhaps a process ended before it could tell of this one. If the next event ends this process, the server must not take
            # this one for the cause.
            self._all_told.wait(TOLD_SECONDS)
        return bool(told["outcome"] == "handled")

    def _answer(self, held: _Held, told: Mapping[str, Any]) -> None:
        with self._lock:
            self._held.pop(held.event.id, None)
            self._acks.append({"event_id": held.event.id, **told})
            self._all_told.clear()

    def _listen(self) -> None:
        """The stream's thread: holds what arrives, and comes again when the stream ends, whatever ended it."""
        waits, after_faults = pauses(), pauses()
        query = {"epoch": self.epoch, "lease": self.lease, "limit": 100}
        while not self._stop.is_set():
            pause = 0.0
            try:
                for kind, data in self._stream.frames(f"/subscriptions/{self.id}/events", query):
                    # An event has a topic, whatever that is; a frame of the stream's own has none.
                    is_event = kind != ALIVE and "topic" in data
                    if kind == "problem" and not is_event:
                        answer_of(int(data["status"]), "", json.dumps(data).encode())
                    waits = pauses()  # An event, or a sign of life: the server is well.
                    if is_event:
                        self._hold(data)
                    elif kind == "gap":
                        logger.error("Events up to %s are gone that were missed", data["through"])
                after_faults = pauses()
            except Refused as error:
                if not may_heal(error):
                    self._end(error)
                    return
            except (Away, OSError, http.client.HTTPException, ValueError) as error:
                logger.info("The stream of events ended (%s); it begins again", type(error).__name__)
            except Exception:
                # Whatever came: a subscriber that hears nothing more, and does not say so, is worse. The log tells of the fault.
                pause = next(after_faults)
                logger.exception("The stream of events could not be read; it begins again")
            self._stop.wait(pause or next(waits))

    def _hold(self, data: Mapping[str, Any]) -> None:
        now = time.monotonic()
        event = ReceivedEvent(**{name: data[name] for name in ReceivedEvent.__slots__ if name in data})
        held = _Held(event, data["after_ms"], now, now)
        with self._lock:
            if event.id in self._held:
                return  # It waits for its handler already.
            self._held[event.id] = held
        while not self._stop.is_set():
            try:
                self._arrived.put(held, timeout=0.5)
                return
            except queue.Full:
                continue

    def _tell(self) -> None:
        """The acknowledgements' thread: sends many at once, and that handlers still work; what could not be sent is sent again."""
        connection, waits = Connection(self._credentials), pauses()
        try:
            while True:
                ending = self._stop.is_set()
                acks = self._take()
                if acks:
                    try:
                        body = {"acks": acks, "epoch": self.epoch, "lease": self.lease}
                        connection.call("POST", f"/subscriptions/{self.id}/acks", body)
                        waits = pauses()
                    except (Away, Refused) as error:
                        if not may_heal(error):
                            self._end(error)
                            return
                        with self._lock:
                            self._acks[:0] = [ack for ack in acks if ack["outcome"] != "working"]
                        if ending:
                            return
                        self._stop.wait(next(waits))
                elif ending:
                    return
                else:
                    self._stop.wait(FLUSH_SECONDS)
        finally:
            connection.close()

    def _take(self) -> list[dict[str, Any]]:
        now = time.monotonic()
        with self._lock:
            acks, self._acks = self._acks[:ACKS_AT_ONCE], self._acks[ACKS_AT_ONCE:]
            if not acks:
                self._all_told.set()
            for held in self._held.values():
                if now - held.told > self.lease / 3 and len(acks) < 2 * ACKS_AT_ONCE:
                    held.told = now
                    acks.append({"event_id": held.event.id, "outcome": "working"})
        return acks

    def _end(self, error: Exception) -> None:
        self._ended = _final(error)
        self._stop.set()


def _final(error: Exception) -> Exception:
    return AnotherInstance(str(error)) if isinstance(error, Refused) and error.code == "fenced" else error


def _plain(letter: str) -> bool:
    return letter.isascii() and (letter.isalnum() or letter in "_.")
