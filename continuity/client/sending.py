"""Batches to the server: at once where it answers, by way of the spool where it does not, in order either way."""

from __future__ import annotations

import json
import socket
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, TypedDict, cast

from continuity.client import offers, shapes
from continuity.client.client import Client
from continuity.client.connection import Away, Refused
from continuity.client.light import files
from continuity.client.retrying import Retrying
from continuity.client.spool import Full, Spool

# What a change of the key or of its scopes mends; everything else in a refusal is about the batch.
ABOUT_THE_KEY = (401, 403)
SUMMARY = 200


class Batch(TypedDict):
    """`session` is what opens the conversation, `messages` are as the API takes them, `abandoned` are external ids."""

    session: dict[str, Any]
    messages: list[dict[str, Any]]
    abandoned: list[str]


class Sender:
    """Sends for all sessions of a process. `say` takes a line for a person."""

    def __init__(self, client: Client, spool: Spool, say: Callable[[str], None]) -> None:
        self._client = client
        self._spool = spool
        self._say = say
        self._conversations: dict[str, str] = {}
        self._full = False
        self.retrying = Retrying()
        self.latest: dict[str, shapes.Appended] = {}

    def deliver(self, session: str, batch: Batch) -> bool:
        """Whether the batch is safe: with the server or in the spool. False where there is no room; then it is to be given again."""
        if not self.retrying.away and not self._spool.pending(session) and self._try(session, batch):
            return True
        try:
            self._spool.add(session, dict(batch))
        except Full as full:
            if not self._full:
                self._say(f"No room to keep what the server does not take ({full}): waiting, the session file keeps the rest.")
            self._full = True
            return False
        self._full = False
        return True

    def drain(self) -> int:
        """Sends what is in the spool, if the time for another attempt has come. Returns how many batches went."""
        if self.retrying.wait:
            return 0
        sent = 0
        for session in self._spool.sessions():
            with self._spool.sending(session) as ours:
                while ours and (waiting := self._spool.pending(session)):
                    if not self._send_kept(session, waiting[0]):
                        return sent
                    sent += 1
                if ours:
                    self._spool.tidy(session)
        return sent

    def conversation(self, session: str, about: dict[str, Any]) -> str:
        """The session's conversation, opened where there is none. Raises Away and Refused."""
        if session not in self._conversations:
            self._conversations[session] = self._client.open(**about)
        return self._conversations[session]

    def fetch_offers(self, folders: Iterable[str]) -> None:
        """Brings down what is ready in these folders, for the hooks to tell of."""
        try:
            for cwd in folders:
                ready = self._client.handoffs(status="ready", cwd=cwd, limit=offers.LIMIT)
                told = [{"id": each["id"], "conversation_id": each["conversation_id"], "summary": _line(each["summary"])} for each in ready]
                files.write(offers.file_of(cwd), json.dumps({"cwd": cwd, "ready": told}))
        except (Away, Refused, OSError) as error:
            self._say(f"What is ready can't be asked for: {error}")

    def _send_kept(self, session: str, path: Path) -> bool:
        try:
            batch = cast(Batch, json.loads(path.read_bytes()))
        except FileNotFoundError:
            return True
        except ValueError:
            self._say(f"{path} is damaged and set aside.")
            self._spool.set_aside(path)
            return True
        if not self._try(session, batch, path):
            return False
        path.unlink(missing_ok=True)
        return True

    def _try(self, session: str, batch: Batch, path: Path | None = None) -> bool:
        try:
            self._send(session, batch)
        except Away as away:
            self._failed(str(away))
            return False
        except Refused as refused:
            if refused.status in ABOUT_THE_KEY:
                self._failed(f"{refused} Run `continuity doctor`")
                return False
            self._refuse(session, batch, refused, path)
            return True
        if self.retrying.away:
            self._say("The server is back.")
        self.retrying.succeeded()
        return True

    def _send(self, session: str, batch: Batch) -> None:
        """Raises Away; Refused only for what can't be divided. A conversation that was deleted meanwhile is opened anew."""
        try:
            self._append(session, batch)
        except Refused as refused:
            if refused.status == 404:
                self._conversations.pop(session, None)
                self._append(session, batch)
            elif refused.status in (413, 422) and len(batch["messages"]) > 1:
                self._halves(session, batch)
            else:
                raise

    def _append(self, session: str, batch: Batch) -> None:
        conversation = self.conversation(session, batch["session"])
        self.latest[session] = self._client.append(
            conversation, batch["messages"], abandoned=batch["abandoned"], device=socket.gethostname()[:120]
        )

    def _halves(self, session: str, batch: Batch) -> None:
        """Finds the message that the server refuses; the others go."""
        middle = len(batch["messages"]) // 2
        first: tuple[list[dict[str, Any]], list[str]] = (batch["messages"][:middle], [])
        for messages, abandoned in (first, (batch["messages"][middle:], batch["abandoned"])):
            part = Batch(session=batch["session"], messages=messages, abandoned=abandoned)
            try:
                self._send(session, part)
            except Refused as refused:
                if refused.status in ABOUT_THE_KEY:
                    raise
                self._refuse(session, part, refused, None)

    def _refuse(self, session: str, batch: Batch, refused: Refused, path: Path | None) -> None:
        """What the server will never take is kept aside, and said."""
        self._say(f"The server refuses {len(batch['messages'])} messages: {refused} They are kept aside; `continuity doctor` says where.")
        if path is not None:
            self._spool.set_aside(path)
            return
        try:
            self._spool.add(session, dict(batch))
            self._spool.set_aside(self._spool.pending(session)[-1])
        except Full as full:
            self._say(f"There is no room to keep them: {full}.")

    def _failed(self, reason: str) -> None:
        self.retrying.failed(reason)
        self._say(f"The server is away ({reason.rstrip('.')}): keeping everything on disk, next try in {self.retrying.wait:.0f} s.")


def _line(summary: str) -> str:
    return " ".join(summary.split())[:SUMMARY]
