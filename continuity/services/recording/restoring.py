"""Reading a whole conversation back: every message and all that is known of it, with a digest that shows that nothing was lost (FR-003)."""

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
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
# What was said, and nothing that is made of it: that is made in its own time, and anew by newer rules.
_DIGESTED = ("seq", "external_id", "role", "parts", "tokens", "abandoned")
_COLUMNS = (*_DIGESTED, "secrets", "at", "model", "usage", "usage_id", "agent", "cwd", "branch")


@dataclass(frozen=True, slots=True)
class Restored:
    """A conversation as it was left: its messages in their order, by column, and its fold as stored, which read `folded_through`.

    `digest` is SHA-256 (hex) of the messages, `knowledge_digest` of the fold: the same again only for the same `folded_through` and rules.
    """

    conversation: Conversation
    messages: Sequence[Mapping[str, Any]]
    fold: Mapping[str, Any]
    folded_through: int
    digest: str

    @property
    def knowledge_digest(self) -> str:
        return _digest([self.fold])

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
    stored = FoldState.objects.filter(conversation=conversation).values_list("state", "through_seq").first()
    fold, through = stored or (knowledge.FoldState().to_json(), 0)
    return Restored(conversation, rows, fold, through, _digest([row[name] for name in _DIGESTED] for row in rows))


_encode = json.JSONEncoder(sort_keys=True, ensure_ascii=True, separators=(",", ":")).encode


def _digest(parts: Iterable[object]) -> str:
    digest = hashlib.sha256()
    for part in parts:
        digest.update(_encode(part).encode())
    return digest.hexdigest()
