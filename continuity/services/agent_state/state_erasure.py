"""Erasing what agents' states hold of a conversation, whichever adapter keeps them.

States live in no table that erasing finds by itself: each state of the team is read, and there is one for each agent.
"""

import logging
from collections.abc import Callable, Collection, Iterator
from dataclasses import replace
from typing import Any
from uuid import UUID

from django.conf import settings

from continuity.core.redaction import Redaction, walk
from continuity.models import Team
from continuity.services.agent_state.storage_errors import telling
from continuity.storage import packing
from continuity.storage.registry import storage
from continuity.storage.sessions import DamagedRecord, OlderWriter, StoredSession
from continuity.storage.state_json import BadState, written

logger = logging.getLogger("continuity.agent_state")

ATTEMPTS = 3


def forget(*, team: Team, conversation: UUID, heirs: Collection[UUID], repeats: Callable[[str], bool]) -> int:
    """Removes the states that were saved in the conversation; and those of its heirs, or of no conversation, that repeat its words
    (`repeats`, given JSON). Returns how many. What can't be read is removed, too: nobody can tell what it holds. Raises Unavailable.
    """
    removed = 0
    with telling():
        for session in _of(team):
            doubtful = session.conversation is None or session.conversation in heirs
            if session.conversation == conversation or (doubtful and _holds(session, repeats)):
                removed += storage().delete_session(session.id)
    return removed


def redact(*, team: Team, redaction: Redaction) -> int:
    """Blacks the words out of every state of the team. Returns how many held them. Raises Unavailable."""
    changed = 0
    with telling():
        for session in _of(team):
            changed += _redact(session, redaction)
    return changed


def _redact(session: StoredSession, redaction: Redaction) -> bool:
    for _ in range(ATTEMPTS):
        state = _state_of(session)
        if state is None:
            return storage().delete_session(session.id)
        new = walk(state, redaction.in_copies)
        if new == state:
            return False
        try:
            packed = packing.pack(new, history=settings.AGENT_STATE_MESSAGE_HISTORY, limit=settings.AGENT_STATE_MAX_SIZE_BYTES)
            storage().save_session(replace(session, body=packed.body, encoding=packed.encoding))
        except BadState:
            break  # What is redacted may be longer than it was.
        except OlderWriter:
            found = storage().get_session(session.id)  # A new instance began: what it found is read anew.
            if found is None:
                return True
            session = found
        else:
            return True
    return storage().delete_session(session.id)


def _of(team: Team) -> Iterator[StoredSession]:
    for name in storage().list_sessions(prefix=f"{team.id}."):
        try:
            found = storage().get_session(name)
        except DamagedRecord:
            logger.error("A stored state can't be read, and is removed by erasing")
            storage().delete_session(name)
            continue
        if found is not None and found.body:
            yield found


def _state_of(session: StoredSession) -> dict[str, Any] | None:
    try:
        return dict(packing.unpack(session.body, session.encoding))
    except BadState:
        return None


def _holds(session: StoredSession, repeats: Callable[[str], bool]) -> bool:
    state = _state_of(session)
    return state is None or repeats(written(state).decode())
