"""Batches to the server, by way of the spool and in order: a session that the server can't take never keeps the others waiting."""

from __future__ import annotations

import copy
import json
import time
from collections import deque
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any, cast

from continuity.client import offers, shapes
from continuity.client.client import Client
from continuity.client.connection import Away, Refused, ServerFault
from continuity.client.light import files
from continuity.client.light.wording import shown_path
from continuity.client.recording import refused_messages
from continuity.client.recording.delivery import ABOUT_THE_KEY, Delivery, NotOpened, SpooledBatch
from continuity.client.recording.positions import FilePosition
from continuity.client.recording.server_state import ServerState
from continuity.client.recording.spool import Full, Spool

__all__ = ["Sender", "SpooledBatch"]

# So often must the server fail at a batch, while it says that it is ready, before the batch is divided.
ENOUGH_FAULTS = 3
OTHERS_SECONDS = 1.0


class Sender:
    """Sends for all sessions. `say` takes a line for a person. For one thread; `beside` makes one for another.

    Where `behind` is set, `deliver` only keeps: others send (`Courier`).
    """

    def __init__(self, client: Client, spool: Spool, say: Callable[[str], None]) -> None:
        self.client = client
        self.spool = spool
        self.latest: dict[str, shapes.AppendAnswer] = {}
        self.outlook = ServerState(client.is_ready)
        self.behind: Callable[[str], None] | None = None
        self._say = say
        self._conversations: dict[str, str] = {}
        self._delivery = Delivery(client, self._conversations, self.latest, say)
        self._full = False

    def for_thread(self) -> Sender:
        """One for another thread: its connection is its own, all else in common."""
        made = copy.copy(self)
        made.client = self.client.for_thread()
        made._delivery = Delivery(made.client, self._conversations, self.latest, self._say)
        return made

    def deliver(self, session: str, batch: SpooledBatch) -> bool:
        """Whether the batch is safe: in the spool or with the server. False where there is no room; then it is to be given again."""
        try:
            self.spool.add(session, dict(batch))
        except Full as full:
            return self._deliver_at_once(session, batch, full)
        self._full = False
        if self.behind is not None:
            self.behind(session)
        else:
            self.drain(session)
        return True

    def drain(self, only: str = "") -> int:
        """Sends what waits, or what waits of one session, as far as it is due: one batch of each session in its turn.

        Also what a newer server may take. Returns how many batches went.
        """
        sent = 0
        turns = deque([only] if only else self.spool.sessions())
        if not only:
            self.outlook.look()
        while turns:
            session = turns.popleft()
            if self.send_next(session):
                sent += 1
                turns.append(session)
        for session in self.to_try_again() if not only else ():
            self.send_again(session)
        return sent

    def flush(self, session: str, seconds: float) -> bool:
        """Sends what waits of a session, for at most so many seconds; whether all of it went. Gives up at once where the server is away."""
        until = time.monotonic() + seconds
        while self.spool.pending(session):
            self.drain(session)
            if self.outlook.away or time.monotonic() + (wait := self.outlook.wait(session)) > until:
                break
            time.sleep(wait)
        return not self.spool.pending(session)

    def send_next(self, session: str) -> bool:
        """Sends the session's first batch; False where there is none, or it did not go."""
        if self.outlook.wait(session):
            return False
        with self.spool.sending(session) as ours:
            if not ours:
                self.outlook.put_off(session, OTHERS_SECONDS)
                return False
            waiting = self.spool.pending(session)
            return bool(waiting) and self._send_kept(session, waiting[0])

    def to_try_again(self) -> list[str]:
        """Sessions of which something was set aside under another version of the server than it has now."""
        version = self.outlook.version
        return (
            [each for each in refused_messages.sessions() if any(kept.version != version for kept in refused_messages.everything(each))]
            if version
            else []
        )

    def send_again(self, session: str) -> None:
        """Offers what was set aside of a session to the server as it is now."""
        if self.outlook.wait(session):
            return
        with self.spool.sending(session) as ours:
            for kept in refused_messages.everything(session) if ours else ():
                if kept.version != self.outlook.version and not self._attempt(session, lambda kept=kept: self._again(kept)):  # type: ignore[misc]
                    return

    def stumbled(self, session: str, error: Exception) -> None:
        """A fault of ours at this session: it is tried again as after any other failure."""
        wait = self.outlook.failed(session, f"{type(error).__name__}: {error}")
        self._say(f"A session can't be sent, by a fault of the client ({type(error).__name__}: {error}): next try in {wait:.0f} s.")

    def conversation(self, session: str, about: dict[str, Any]) -> str:
        """The session's conversation, opened where there is none. Raises Away, Refused, NotOpened."""
        return self._delivery.conversation(session, about)

    def awaits_handoff(self) -> bool:
        """Whether the server said of some session that its handoff is being prepared."""
        return any(_is_preparing(answer) for answer in list(self.latest.values()))

    def ask(self, folders: Iterable[str], offering: Mapping[str, FilePosition] = MappingProxyType({})) -> None:
        """Asks for what comes with no answer of its own: handoffs that were being prepared, or are told of by sessions' windows
        (`offering`), and what is ready in the folders."""
        self.fetch_handoffs(offering)
        self.fetch_offers(folders)
        self.client.close()

    def fetch_handoffs(self, offering: Mapping[str, FilePosition] = MappingProxyType({})) -> None:
        before = dict(self.latest)
        preparing = {session: answer["conversation_id"] for session, answer in before.items() if _is_preparing(answer)}
        for session, conversation in (preparing | {session: known.conversation for session, known in offering.items()}).items():
            try:
                decision = self.client.decision(conversation)
            except (Away, Refused) as error:
                self._say(f"What became of a handoff can't be asked for: {error}")
                continue
            made, ready = decision.get("handoff_id"), decision.get("ready_handoff_id")
            if session not in preparing and offering[session].handoff == (ready or made):
                continue
            if self.latest.get(session) is (answer := before.get(session)):  # No later answer came meanwhile.
                told = answer or shapes.AppendAnswer(
                    conversation_id=conversation, seqs=[], added=0, warnings=[], decision=decision, handoff_id=None, handoff_status=None
                )
                self.latest[session] = {**told, "decision": decision, "handoff_id": made, "ready_handoff_id": ready}

    def fetch_offers(self, folders: Iterable[str]) -> None:
        """Brings down what is ready in these folders, for the hooks to tell of."""
        try:
            for cwd in folders:
                ready = self.client.handoffs(status="ready", cwd=cwd, limit=offers.LIMIT)
                told = [offers.offer(each) for each in ready]
                files.write(offers.file_of(cwd), json.dumps({"cwd": cwd, "ready": told}))
        except (Away, Refused, OSError) as error:
            self._say(f"What is ready can't be asked for: {error}")

    def _deliver_at_once(self, session: str, batch: SpooledBatch, full: Full) -> bool:
        """Where the disk is full the server may still have room, unless others of the session are to go first."""
        may_go = not self.spool.pending(session) and not self.outlook.wait(session)
        if may_go and self._attempt(session, lambda: self._delivery.send(session, batch, divide=False)):
            return True
        if not self._full:
            self._say(f"No room to keep what the server does not take ({full}): waiting, the session file keeps the rest.")
        self._full = True
        return False

    def _send_kept(self, session: str, path: Path) -> bool:
        try:
            batch = cast(SpooledBatch, json.loads(path.read_bytes()))
        except FileNotFoundError:
            return True
        except ValueError:
            self._say(f"{shown_path(path)} is damaged and set aside.")
            path.rename(files.folder("damaged") + f"/{session}.{path.name}")
            return True
        trouble = self.spool.trouble(session)
        faults = int(trouble.get("faults", 0)) if trouble.get("batch") == path.name else 0

        def note(**told: Any) -> None:
            self.spool.note_trouble(session, {"batch": path.name, "at": time.time(), "faults": faults, **told})

        if not self._attempt(session, lambda: self._delivery.send(session, batch, divide=faults >= ENOUGH_FAULTS - 1), faults, note):
            return False
        self.spool.done(path)
        return True

    def _attempt(self, session: str, work: Callable[[], None], faults: int = 0, note: Callable[..., None] = lambda **_: None) -> bool:
        """Whether the work was done; what went wrong is counted for the session, or for the server as a whole."""
        try:
            work()
        except Away as away:
            there = away.reached and self.outlook.is_there()
            self._failed(session, str(away), note, there)
            return False
        except ServerFault as fault:
            self._failed(session, str(fault), note, self.outlook.is_there(), faults=faults + 1, correlation_id=fault.correlation_id)
        except NotOpened as error:
            self._failed(session, str(error), note, self.outlook.is_there())
        except Refused as refused:
            if refused.status in ABOUT_THE_KEY:
                self._refused(session, refused, note)
            else:
                self._failed(session, str(refused), note, True)
        except OSError as error:
            self._failed(session, f"the disk: {error.strerror}", note, True)
            return False
        else:
            self.outlook.version = self.client.version or self.outlook.version
            if self.outlook.succeeded(session):
                self._say("The server is back.")
            return True
        self.outlook.version = self.client.version or self.outlook.version
        return False

    def _again(self, kept: refused_messages.RefusedBatch) -> None:
        if self._delivery.send_again(kept):
            self._say(f"The server takes now what was set aside of “{kept.batch['session'].get('title', '')}”.")

    def _failed(self, session: str, reason: str, note: Callable[..., None], there: bool, **told: Any) -> None:
        """`there` says whether the server is: then only this session waits, and what it is `told` counts."""
        known = self.outlook.away
        wait = self.outlook.failed(session, reason, server=not there)
        note(reason=reason, **(told if there else {}))
        if there:
            self._say(f"A session can't be sent ({reason.rstrip('.')}): kept on disk, next try in {wait:.0f} s; others continue.")
        elif not known or wait > 1:
            self._say(f"The server is away ({reason.rstrip('.')}): keeping everything on disk, next try in {wait:.0f} s.")

    def _refused(self, session: str, refused: Refused, note: Callable[..., None]) -> None:
        wait = self.outlook.failed(session, str(refused), server=True, look=False)
        note(reason=str(refused))
        why = str(refused).rstrip(".")
        self._say(f"The server refuses us ({why}): keeping everything on disk, next try in {wait:.0f} s. Run `continuity doctor`.")


def _is_preparing(answer: shapes.AppendAnswer) -> bool:
    return answer["decision"].get("held") == "preparing"
