"""Reading a whole conversation back: every message and all that is known of it, with a digest that shows that nothing was lost (FR-003)."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from continuity import knowledge
from continuity.core.errors import TooLarge
from continuity.knowledge.model import Situation
from continuity.models import Conversation, FoldState, Message, Team
from continuity.services.recording import conversations

# Beyond either, a conversation is read page by page.
MOST, MOST_TOKENS = 5000, 5_000_000
_DIGESTED = ("seq", "external_id", "role", "parts", "tokens", "secrets", "abandoned")
_COLUMNS = (*_DIGESTED, "at", "model", "usage", "usage_id", "agent", "cwd", "branch")


@dataclass(frozen=True, slots=True)
class Restored:
    """A conversation as it was left: its messages in their order, by column, and its fold as stored. `digest` is SHA-256 (hex) of both."""

    conversation: Conversation
    messages: Sequence[Mapping[str, Any]]
    fold: Mapping[str, Any]
    digest: str

    @property
    def state(self) -> knowledge.FoldState:
        """The fold, ready to fold on from. Raises OutdatedState or NewerState."""
        return knowledge.FoldState.from_json(self.fold)

    @property
    def situation(self) -> Situation:
        """Where the work stood. Raises OutdatedState or NewerState."""
        return knowledge.situation(knowledge.FoldState.outline(self.fold))


def restore(*, team: Team, conversation_id: UUID) -> Restored:
    """Three queries. Raises NotFound, ConversationGone, SessionInvalidated, and TooLarge beyond `MOST` messages or `MOST_TOKENS`."""
    conversation = conversations.get(team=team, conversation_id=conversation_id)
    conversations.check_usable(conversation)
    if conversation.last_seq > MOST or conversation.total_tokens > MOST_TOKENS:
        size = f"{conversation.last_seq:,} messages with {conversation.total_tokens:,} tokens"
        limit = f"{MOST:,} messages and {MOST_TOKENS:,} tokens: read it page by page (messages)"
        raise TooLarge(noun="The conversation", size=size, limit=limit)
    rows = list(Message.objects.filter(conversation=conversation).order_by("seq").values(*_COLUMNS))
    stored = FoldState.objects.filter(conversation=conversation).values_list("state", flat=True).first()
    fold = knowledge.FoldState().to_json() if stored is None else stored
    digest = hashlib.sha256()
    for row in rows:
        digest.update(_plain([row[name] for name in _DIGESTED]))
    digest.update(_plain(fold))
    return Restored(conversation, rows, fold, digest.hexdigest())


_encode = json.JSONEncoder(sort_keys=True, ensure_ascii=True, separators=(",", ":")).encode


def _plain(value: object) -> bytes:
    return _encode(value).encode()
