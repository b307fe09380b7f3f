"""One batch to the server: whole where it can be, else divided until what the server can't take stands alone, and is held a place."""

from __future__ import annotations

import socket
from collections.abc import Callable
from typing import Any, NotRequired, TypedDict

from continuity.client import shapes
from continuity.client.client import Client
from continuity.client.connection import Refused, ServerFault
from continuity.client.recording import refused_messages

# What a change of the key or of its scopes mends.
ABOUT_THE_KEY = (401, 403)
# What is wrong with a batch, and so with one of its messages; and that nothing more can be recorded in its conversation.
ABOUT_A_MESSAGE, OVER = (400, 413, 422), 410
REASON = 300
# Enough to open a conversation where the rest of what is known of the session is refused.
ESSENTIAL = ("source_tool", "external_id")


class SpooledBatch(TypedDict):
    """`session` is what opens the conversation, `messages` are as the API takes them, `abandoned` are external ids; `window` is what is
    known of the context window, and of the commit that is checked out, by then, in the API's fields."""

    session: dict[str, Any]
    messages: list[dict[str, Any]]
    abandoned: list[str]
    window: NotRequired[dict[str, Any]]


class NotOpened(Exception):
    """The conversation can't be opened, so nothing can be said of the messages."""


class Delivery:
    """Sends the batches of one session at a time. Not for use by several threads; `conversations` and `latest` may be shared.

    `latest` holds the answer to the last append of each session.
    """

    def __init__(
        self, client: Client, conversations: dict[str, str], latest: dict[str, shapes.AppendAnswer], say: Callable[[str], None]
    ) -> None:
        self.client = client
        self._conversations = conversations
        self._latest = latest
        self._say = say

    def send(self, session: str, batch: SpooledBatch, *, divide: bool) -> None:
        """Returns when the whole batch is with the server, or set aside. `divide` where the server failed at it often enough.

        Raises Away; ServerFault where it is not to be divided, or would not help; Refused where it is about the key; NotOpened.
        A conversation that was deleted meanwhile is opened anew.
        """
        try:
            self._append(session, batch)
        except Refused as refused:
            if refused.status == 404:
                self._conversations.pop(session, None)
                self._append(session, batch)
            elif refused.status == OVER:
                self._keep(session, batch, refused, held=False)
            elif divide or not isinstance(refused, ServerFault):
                self._divide(session, batch, refused)
            else:
                raise

    def conversation(self, session: str, about: dict[str, Any]) -> str:
        """The session's conversation, opened where there is none, if need be by no more than its name. Raises Away, Refused, NotOpened."""
        if session not in self._conversations:
            try:
                self._conversations[session] = self.client.open(**about)
            except Refused as refused:
                if refused.status in ABOUT_THE_KEY:
                    raise
                self._conversations[session] = self._open_barely(about, refused)
        return self._conversations[session]

    def send_again(self, kept: refused_messages.RefusedBatch) -> bool:
        """Whether the server takes now what was set aside; else the reason is brought up to date. Raises Away; Refused about the key."""
        batch = SpooledBatch(session=kept.batch["session"], messages=kept.batch["messages"], abandoned=kept.batch["abandoned"])
        try:
            self._append(kept.session, batch)
        except NotOpened as error:
            self._write_down(kept.session, batch, str(error), "", held=kept.held)
            return False
        except Refused as refused:
            if refused.status in ABOUT_THE_KEY:
                raise
            self._write_down(kept.session, batch, str(refused), _correlation_id(refused), held=kept.held)
            return False
        refused_messages.drop(kept)
        return True

    def _append(self, session: str, batch: SpooledBatch) -> None:
        conversation = self.conversation(session, batch["session"])
        self._latest[session] = self.client.append(
            conversation, batch["messages"], abandoned=batch["abandoned"], device=socket.gethostname()[:120], **batch.get("window", {})
        )

    def _open_barely(self, about: dict[str, Any], why: Refused) -> str:
        try:
            return self.client.open(**{name: about[name] for name in ESSENTIAL})
        except Refused as refused:
            raise NotOpened(f"no conversation can be opened: {why}") from refused

    def _divide(self, session: str, batch: SpooledBatch, refused: Refused) -> None:
        """Divides a batch in order, so that what follows a message never comes before it."""
        if isinstance(refused, ServerFault) or refused.status in ABOUT_A_MESSAGE:
            parts = _parts(batch)
            if len(parts) < 2:
                self._put_aside(session, batch, refused)
            for part in parts if len(parts) > 1 else ():
                try:
                    self._append(session, part)
                except Refused as again:
                    self._divide(session, part, again)
        else:
            raise refused

    def _put_aside(self, session: str, batch: SpooledBatch, refused: Refused) -> None:
        held = False
        if batch["messages"]:
            [message] = batch["messages"]
            place: dict[str, Any] = {name: message[name] for name in ("role", "external_id", "agent") if name in message}
            try:
                self._append(
                    session, SpooledBatch(session=batch["session"], messages=[{**place, "placeholder": _sentence(refused)}], abandoned=[])
                )
                held = True
            except Refused as again:
                # The server fails at anything of this session: it is not the message.
                if isinstance(again, ServerFault) or again.status in ABOUT_THE_KEY:
                    raise
        self._keep(session, batch, refused, held=held)

    def _keep(self, session: str, batch: SpooledBatch, refused: Refused, *, held: bool) -> None:
        what = f"{len(batch['messages'])} messages" if len(batch["messages"]) != 1 else "a message"
        self._say(f"{_sentence(refused)} That is {what} of “{batch['session'].get('title', '')}”, set aside; see `continuity doctor`.")
        self._write_down(session, batch, str(refused), _correlation_id(refused), held=held)

    def _write_down(self, session: str, batch: SpooledBatch, reason: str, correlation_id: str, *, held: bool) -> None:
        kept = {"reason": reason[:REASON], "correlation_id": correlation_id, "version": self.client.version}
        refused_messages.keep(session, dict(batch), **kept, held=held)


def _parts(batch: SpooledBatch) -> list[SpooledBatch]:
    """Two halves, and by itself what was rewound."""
    messages, session = batch["messages"], batch["session"]
    middle = len(messages) // 2
    window = batch.get("window", {})
    parts = [
        SpooledBatch(session=session, messages=half, abandoned=[], window=window) for half in (messages[:middle], messages[middle:]) if half
    ]
    return [*parts, SpooledBatch(session=session, messages=[], abandoned=batch["abandoned"])] if batch["abandoned"] else parts


def _sentence(refused: Refused) -> str:
    """Why a message is not stored, without its words."""
    if isinstance(refused, ServerFault):
        told = str(refused)
    else:
        told = f"the server refuses it: {refused}"
    return (told[0].upper() + told[1:].rstrip(".") + ".")[:REASON]


def _correlation_id(refused: Refused) -> str:
    return refused.correlation_id if isinstance(refused, ServerFault) else ""
