"""Keeps one agent's process alive: starts it with its state, beats for it, carries out orders, and starts it anew when it dies."""

from __future__ import annotations

import hashlib
import json
import os
import queue
import signal
import socket
import sys
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

from continuity.client import places, terminal
from continuity.client.agents import channel
from continuity.client.agents.beating import BeatThread
from continuity.client.agents.instances import AgentCalls, patiently
from continuity.client.agents.state import StateDiffers
from continuity.client.connection import Away, Refused
from continuity.client.credentials import AGENT, Credentials
from continuity.client.runner import machine, refusals, sessions, startup, state_file
from continuity.client.runner.hub_member import Joined
from continuity.client.runner.orders import Orders
from continuity.client.runner.processes import OwnedProcess
from continuity.client.runner.state_saving import StateSaving
from continuity.client.runner.usage_meter import UsageMeter
from continuity.client.runner.wakefulness import Wakefulness

PLACE = "{directive}"
BRIEFING = "CONTINUITY_AGENT_BRIEFING"
TICK_SECONDS = 0.25
STATE_SECONDS = 1.0
LEAVING_SECONDS = 5.0


class Keeper:
    """`about` is what is registered of the agent, `probe` a command, `again` the command of later starts.

    What happens is put into one queue and done by one thread.
    """

    def __init__(
        self,
        name: str,
        command: Sequence[str],
        about: Mapping[str, Any],
        chosen: Credentials,
        *,
        probe: str,
        again: Sequence[str] = (),
        say: Callable[[str], None],
    ) -> None:
        self._again, self._left_over = list(again), False
        self._name, self._command, self._about, self._say = name, list(command), about, say
        self._server = hashlib.sha256(f"{chosen.url}\n{chosen.key}".encode()).hexdigest()
        self.calls = AgentCalls(chosen, name)
        self._runner = machine.runner_id()
        self._events: queue.SimpleQueue[Callable[[], None]] = queue.SimpleQueue()  # Signals put into it, too.
        self.leaving = threading.Event()
        self._asked: int = signal.SIGTERM
        self._code: int | None = None
        self._process: OwnedProcess | None = None
        self._channel: channel.Channel | None = None
        self._startup: startup.Startup | None = None
        self._attempt: tuple[str, float] | None = None
        self._attempts: set[str] = set()
        self._saved_at = 0.0
        self._digest = ""
        self._briefing = ""
        self.starts = 0
        self.has_library: bool | None = None
        self.beat: dict[str, Any] = {}
        self.orders = Orders(self, probe=probe)
        self._awake = Wakefulness(time.time(), time.monotonic())
        self._meter = UsageMeter()

    def go(self) -> int:
        """The exit code of the last process, as a shell tells it. Raises AlreadyRun, Refused, NotLoggedIn."""
        self._claimed = machine.Claimed(self._name)
        joined = Joined(
            machine.meeting_place(),
            self._server,
            lambda beats: self.calls.beat(self._runner, beats),
            ask=lambda: self.calls.ordered(self._runner),
            urge=lambda: self.urge(),
        )
        before = {number: signal.signal(number, self._asked_to_end) for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)}
        beats: BeatThread | None = None
        try:
            self._left_over = self._claimed.end_left_over()
            if self._left_over:
                self._say(f"ended what an earlier runner left running of {self._name}")
            self._states = StateSaving(self._claimed.folder, self.calls, self.leaving, self._say)
            self.instance = patiently(lambda: self.calls.register({**self._about, "runner": self._runner, "probe": True}), self.leaving)
            self.orders.learn(self.instance.probe_command)
            beats = BeatThread(beat=self._beat, send=joined.send, heard=self._answered, interval=self.instance.interval)
            self.urge = beats.urge
            beats.start()
            return self._live()
        except Away:  # Asked to end before anything began.
            return 128 + self._asked
        finally:
            self._drop_process()
            if beats is not None:
                beats.stop()
            joined.close()
            self._claimed.release()
            for number, handler in before.items():
                signal.signal(number, handler)

    def _live(self) -> int:
        try:
            self._start()
            while self._code is None:
                self._step()
            return self._code
        except Away:  # Asked to end while the server was away.
            self._end_for_good()
            return 128 + self._asked

    # One step at a time -----------------------------------------------------------------------------------------------
    def _step(self) -> None:
        try:
            event = self._events.get(timeout=TICK_SECONDS)
        except queue.Empty:
            event = _nothing
        now = time.monotonic()
        if self._awake.look(time.time(), now):
            # Nobody could answer meanwhile, on either side: a round of grace, before anything is concluded.
            self.orders.forgive()
            self.urge()
        event()
        if self.leaving.is_set() and self._code is None:
            self._end_for_good()
            return
        self.orders.look(now)
        if self._startup is not None and self._startup.is_over(now):
            self._say_ready()
        if self._attempt is not None and now >= self._attempt[1]:
            self._claim(self._attempt[0])
        if now - self._saved_at >= STATE_SECONDS and self.process is not None:
            self._saved_at = now
            self.save_file()
            if conversation := sessions.conversation_of(self._claimed.folder):
                self.beat["conversation_id"] = conversation

    def later(self, work: Callable[[], None]) -> None:
        """Lets the one thread that does everything do it."""
        self._events.put(work)

    def _later(self, work: Callable[[Any], None]) -> Callable[[Any], None]:
        return lambda given: self.later(lambda: work(given))

    def _asked_to_end(self, number: int, frame: object) -> None:
        self._asked = number
        self.leaving.set()
        self._events.put(_nothing)

    def finish(self, code: int, why: str = "") -> None:
        """The last thing that is done for the agent."""
        if why:
            self._say(why)
        self._drop_process()
        self._code = code

    # The process ------------------------------------------------------------------------------------------------------
    @property
    def process(self) -> OwnedProcess | None:
        return self._process

    def goes_on(self, seconds: float) -> bool:
        """Whether the tool's session shows that it worked within these last seconds, or waits for a tool of its own; never of a process
        that is stopped."""
        alive = self._process is not None and not machine.is_stopped(self._process.pid)
        return alive and sessions.is_working(self._claimed.folder, time.time() - seconds)

    @property
    def library(self) -> channel.Channel | None:
        return self._channel if self.has_library else None

    def _start(self) -> None:
        """Restores the state, and starts the process with it."""
        try:
            self._digest = self._states.restore(self.instance)
        except Refused as error:
            self._refused(error)
            return
        except StateDiffers as error:
            self._say(str(error))
            self._report("start_failed", None)
            return
        sessions.forget(self._claimed.folder)
        ours, theirs = socket.socketpair()
        with theirs:
            try:
                process = OwnedProcess(
                    self._filled(), self.environment(theirs.fileno()), self._later(self._ended), descriptors=[theirs.fileno()]
                )
            except OSError as error:
                ours.close()
                self._say(f"{self._command[0]} can't be started: {error.strerror}")
                self._report("start_failed", None)
                return
        self._process, self.starts = process, self.starts + 1
        self._claimed.note(process.pid)
        self._channel = channel.Channel(ours, self._later(lambda line: self._said(process, line)))
        self._channel.start()
        wait = startup.HELLO_SECONDS if self.has_library is None else 0.0
        self._startup = None if self.has_library else startup.Startup(process.pid, time.monotonic(), wait)

    def environment(self, descriptor: int | None = None) -> dict[str, str]:
        """The environment variables that tell the process which agent it is."""
        told = {AGENT: self.instance.acting, channel.INSTANCE: self.instance.id, state_file.VARIABLE: str(self._states.path)}
        told[channel.CONVERSATION] = str(self.beat.get("conversation_id") or self.instance.conversation_id or "")
        told[channel.INTERVAL] = str(round(self.instance.interval * 1000))
        told[channel.ABOUT] = json.dumps({name: value for name, value in self._about.items() if name != "file"})
        if descriptor is not None:
            told[channel.DESCRIPTOR] = str(descriptor)
        if self._briefing:
            told[BRIEFING] = str(self._claimed.folder / "briefing.md")
        return {**os.environ, **told}

    def _filled(self) -> list[str]:
        """The command, or where it ran before the one for that, with the briefing where there is one."""
        words = self._again if self._again and self._ran else self._command
        if self._briefing:
            words = words if any(PLACE in word for word in words) else self._command
            return [word.replace(PLACE, terminal.as_argument(self._briefing)) for word in words]
        return [word for word in words if word != PLACE]

    @property
    def _ran(self) -> bool:
        """Whether the agent's process was started before, by this runner or by one that was killed."""
        return self.starts > 0 or self._left_over

    def _said(self, process: OwnedProcess, line: channel.Line | None) -> None:
        """Handles a message of the process's library."""
        if process is not self._process or line is None:
            return
        if "hello" in line:
            self.has_library, self._startup = True, None
        elif "strategy" in line:
            self.instance = replace(self.instance, strategy=str(line["strategy"]))
        elif "working" in line:
            self.beat["working"] = bool(line["working"])
        elif "conversation_id" in line:
            self.beat["conversation_id"] = str(line["conversation_id"])
        elif "done" in line:
            self.orders.done(str(line["done"]), str(line.get("error", "")))

    def _say_ready(self) -> None:
        """For programs that don't say so themselves."""
        self._startup, self.has_library = None, False
        try:
            patiently(lambda: self.calls.ready(self.instance, digest=self._digest), self.leaving)
        except Refused as error:
            self._refused(error)

    def save_file(self) -> bool:
        """Saves what the process wrote into its file; whether what is there is saved."""
        return self._states.save(self.instance)

    def _drop_process(self) -> None:
        process, self._process = self._process, None
        if self._channel is not None:
            self._channel.close()
            self._channel = None
        if process is not None:
            process.kill()
        self._startup = None
        self.orders.forget()

    # Dying ------------------------------------------------------------------------------------------------------------
    def _ended(self, process: OwnedProcess) -> None:
        if process is not self._process:
            return
        code = process.exit_code or 0
        self._drop_process()  # What it started is gone with it.
        self.save_file()
        self._report("killed" if code < 0 else "exited", code)

    def is_zombie(self) -> None:
        """It does not answer: it is ended, and whatever it started."""
        self._say(f"{self._name} does not answer: it is ended")
        self._drop_process()
        self._report("zombie", None)

    def _report(self, cause: str, code: int | None) -> None:
        exit_code, number = (code, None) if code is None or code >= 0 else (None, -code)
        shown = 1 if code is None else code if code >= 0 else 128 - code
        try:
            told: dict[str, Any] = {"cause": cause, "exit_code": exit_code, "signal": number}
            answer = refusals.insist(
                lambda: self.calls.ended(self.instance, **told), self.leaving, lambda why: self._say(f"{self._name}: {why}")
            )
        except Refused as error:
            self._refused(error)
            return
        if answer["action"] == "restart":
            self.restart(str(answer["attempt"]), answer["after_ms"] / 1000)
        elif answer["status"] == "failed" and answer["action"] != "wait" and self.starts and not sys.stdin.isatty():
            self._say(f"{self._name} failed and waits for a person: restart it on its page")
        else:
            self.finish(shown)

    def _refused(self, error: Refused) -> None:
        """This instance is over: heartbeats will tell whether there is to be another one here. Where there can be none it is let go."""
        self._drop_process()
        self._say(f"{self._name}: {error}")
        if advice := refusals.advice(error):
            self.finish(1, f"{self._name} is let go: {advice}")
        elif refusals.may_pass(error):
            self._report("start_failed", None)

    def restart(self, attempt: str, after: float) -> None:
        """Ends what runs, and begins another instance for the attempt."""
        if attempt in self._attempts:
            return
        self._attempts.add(attempt)
        self._drop_process()
        self._attempt = (attempt, time.monotonic() + after)

    def _claim(self, attempt: str) -> None:
        self._attempt = None
        try:
            self.instance = patiently(lambda: self.calls.claim(attempt, self._runner), self.leaving)
        except Refused as error:
            self._say(f"{self._name} is not started again: {error}")
            if advice := refusals.advice(error):
                self.finish(1, f"{self._name} is let go: {advice}")
            return
        self.beat.clear()
        self._say(f"starting {self._name} again")
        self._start()

    def take_over(self, briefing: str) -> None:
        """Starts the process again with a briefing."""
        self._briefing = briefing
        places.write(self._claimed.folder / "briefing.md", briefing)
        self.save_file()
        self._drop_process()
        self._start()

    def stop(self) -> None:
        """Stops as it was told to."""
        if self._process is not None:
            self._process.end()
        self.save_file()
        self._tell_stopped("told to stop")
        self.finish(0, f"{self._name} was told to stop")

    def _end_for_good(self) -> None:
        if self._process is not None:
            self._process.end()
        self.save_file()
        self._tell_stopped("runner ended")
        self.finish(128 + self._asked)

    def _tell_stopped(self, reason: str) -> None:
        over = threading.Event()
        timer = threading.Timer(LEAVING_SECONDS, over.set)
        timer.daemon = True
        timer.start()
        with suppress(Away, Refused):
            patiently(lambda: self.calls.stop(self.instance, reason), over)

    # Heartbeats -------------------------------------------------------------------------------------------------------
    def _beat(self) -> dict[str, Any]:
        process = self._process
        used = self._meter.look(process.pid) if process is not None else None
        return {"agent": self._name, **self.instance.shown, **self.beat, **({"used": used} if used else {})}

    def _answered(self, beat: Mapping[str, Any], answer: Mapping[str, Any]) -> None:
        self.later(lambda: self._heard(beat, answer))

    def _heard(self, beat: Mapping[str, Any], answer: Mapping[str, Any]) -> None:
        if answer["result"] in ("fenced", "unknown"):
            if beat["instance"] == self.instance.id:  # Not the one before, of which the beat was under way.
                why = "another instance of it began elsewhere" if answer["result"] == "fenced" else "it was removed"
                self.finish(1, f"{self._name} is ended here: {why}")
            return
        for order in answer["orders"]:
            self.orders.take(order)


def _nothing() -> None:
    """Only wakes the loop."""
