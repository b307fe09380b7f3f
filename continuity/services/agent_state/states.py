"""Saving, fencing and loading the state of one agent."""

import logging
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.conf import settings
from django.db import connection

from continuity.agents import names
from continuity.core import transactions
from continuity.core.errors import Invalid, NotFound, TooLarge
from continuity.core.transactions import atomic
from continuity.models import Team
from continuity.secrets import message_masking
from continuity.services.agent_state.storage_errors import telling
from continuity.storage import packing
from continuity.storage.packing import Packed, StateTooLarge
from continuity.storage.registry import storage
from continuity.storage.sessions import BadKey, DamagedRecord, StoredSession
from continuity.storage.state_digest import digest_of
from continuity.storage.state_json import BadState, checked
from continuity.transcripts.base.sanitise import clean_json

logger = logging.getLogger("continuity.agent_state")

_HOLD = "SELECT 1 FROM continuity_conversation WHERE team_id = %s AND id = %s FOR KEY SHARE"


@dataclass(frozen=True, slots=True)
class SavedState:
    """The result of storing: `size` in bytes as JSON, and what was left out or masked of what was given."""

    digest: str
    size: int
    messages: int
    saved_at: datetime
    dropped_turns: int
    dropped_fields: tuple[str, ...]
    masked: int

    @property
    def trimmed(self) -> bool:
        return bool(self.dropped_turns or self.dropped_fields)


@dataclass(frozen=True, slots=True)
class LoadedState:
    """`digest` is that of the state: equal to the one that saving it gave."""

    state: Mapping[str, Any]
    digest: str
    epoch: int
    saved_at: datetime | None


def key_of(team: Team, agent: str) -> str:
    """The id under which an agent's state is stored; that of one team is never that of another. Raises BadKey."""
    if not names.is_name(agent):
        raise BadKey("this is no name of an agent")
    return f"{team.id}.{agent}"


def save(*, team: Team, agent: str, epoch: int, state: Mapping[str, Any], now: datetime, conversation_id: UUID | None = None) -> SavedState:
    """Stores the state of an agent, of which `epoch` is the instance that writes. With the conversation it is erased.

    Raises Invalid, TooLarge, NotFound (conversation), Fenced where a later instance began, Unavailable. Nothing is stored then.
    """
    with telling():
        key = key_of(team, agent)
    clean, masked = _cleaned(state)
    packed = _packed(clean, agent)
    session = StoredSession(
        id=key,
        body=packed.body,
        encoding=packed.encoding,
        epoch=epoch,
        saved_at=now,
        team=team.id,
        conversation=conversation_id,
    )
    with telling():
        _store(session)
    return SavedState(packed.digest, packed.size, packed.messages, now, packed.dropped_turns, packed.dropped_fields, masked)


def begin(*, team: Team, agent: str, epoch: int, now: datetime) -> LoadedState | None:
    """Load the state that an instance of the agent begins with; from then on no instance of an earlier epoch may save. None where nothing
    was saved.

    Raises Fenced, Invalid (name), Conflict where what is stored can't be read, Unavailable.
    """
    with telling():
        return _loaded(storage().fence_session(StoredSession(id=key_of(team, agent), epoch=epoch, saved_at=now, team=team.id)))


def load(*, team: Team, agent: str) -> LoadedState | None:
    """The stored state; None where there is none. Raises as `begin`, but for Fenced."""
    with telling():
        found = storage().get_session(key_of(team, agent))
        return _loaded(found) if found is not None else None


def remove(*, team: Team, agent: str) -> bool:
    """Whether there was a state. Its epoch is forgotten, too."""
    with telling():
        return storage().delete_session(key_of(team, agent))


@atomic
def _store(session: StoredSession) -> None:
    """Until it is stored nobody erases its conversation, wherever states are kept; others may work on in it. Raises NotFound."""
    if session.conversation is not None:
        with connection.cursor() as cursor:
            cursor.execute(_HOLD, [session.team, session.conversation])
            if cursor.fetchone() is None:
                raise NotFound(noun="conversation")
    transactions.ask_now()  # Not every storage takes back what it stored.
    storage().save_session(session)


def _cleaned(state: Any) -> tuple[dict[str, Any], int]:
    """The state as it may be stored, and how many secrets were masked in it."""
    try:
        clean = clean_json(checked(state))
    except BadState as error:
        raise Invalid(f"{error}.", field=error.field) from error
    spans = message_masking.spans_of([clean])
    masked: list[dict[str, Any]] = message_masking.masked([clean], spans)
    return masked[0], len(spans)


def _packed(state: dict[str, Any], agent: str) -> Packed:
    try:
        packed = packing.pack(state, history=settings.AGENT_STATE_MESSAGE_HISTORY, limit=settings.AGENT_STATE_MAX_SIZE_BYTES)
    except StateTooLarge as error:
        logger.error("The state of an agent is too large", extra={"metadata": {"agent": agent, "bytes": error.size, "limit": error.limit}})
        raise TooLarge(noun="The state", size=f"{error.size:,} bytes", limit=f"{error.limit:,} bytes") from error
    except BadState as error:
        raise Invalid(f"{error}.", field=error.field) from error
    about = {"agent": agent, "bytes": packed.size, "turns": packed.dropped_turns, "fields": list(packed.dropped_fields)}
    if packed.dropped_turns or packed.dropped_fields:
        logger.warning("The state of an agent was trimmed to %s bytes", f"{packed.size:,}", extra={"metadata": about})
    if packed.uncompressed_for:
        logger.error("gzip failed; a state is stored as it is", extra={"metadata": {**about, "error": packed.uncompressed_for}})
    return packed


def _loaded(session: StoredSession) -> LoadedState | None:
    if not session.body:
        return None
    try:
        state = packing.unpack(session.body, session.encoding)
    except BadState as error:
        raise DamagedRecord(str(error)) from error
    return LoadedState(state, digest_of(state), session.epoch, session.saved_at)
