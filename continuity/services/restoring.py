"""Reading a whole conversation back: every message and all that is known of it, with a digest that shows that nothing was lost (FR-003)."""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from continuity import distill
from continuity.models import Conversation, Message, Team
from continuity.services import conversations, distilling
from continuity.transcripts import model as transcript


@dataclass(frozen=True, slots=True)
class Restored:
    """A conversation as it was left. `digest` is SHA-256 (hex) of its messages in their order and of its fold."""

    conversation: Conversation
    messages: Sequence[transcript.Message]
    state: distill.FoldState
    digest: str


def restore(*, team: Team, conversation_id: UUID) -> Restored:
    """Three queries. Raises NotFound, ConversationGone, OutdatedState."""
    conversation = conversations.get(team=team, conversation_id=conversation_id)
    rows = list(Message.objects.filter(conversation=conversation).order_by("seq"))
    state = distilling.state_of(conversation)
    digest = hashlib.sha256()
    for row in rows:
        digest.update(_plain([row.seq, row.external_id, row.role, row.parts, row.tokens, row.secrets, row.abandoned]))
    digest.update(_plain(state.to_json()))
    return Restored(conversation, [row.as_transcript() for row in rows], state, digest.hexdigest())


def _plain(value: object) -> bytes:
    return json.dumps(value, sort_keys=True, ensure_ascii=True, separators=(",", ":")).encode()
