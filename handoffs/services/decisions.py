"""Whether a conversation should hand off now (CONT-02, DESIGN "Decide")."""

from uuid import UUID

from django.utils import timezone

from continuity import queries
from continuity.models import Conversation, Team
from continuity.services import conversations
from handoffs.policy.decision import Decision, decide
from handoffs.policy.policy import Policy
from handoffs.policy.usage import Usage


def usage_of(conversation: Conversation) -> Usage:
    """The conversation's token ledger in CONT-02's terms. No query."""
    return Usage(
        total=conversation.context_tokens,
        system=conversation.system_tokens,
        history=max(0, conversation.context_tokens - conversation.system_tokens - conversation.last_message_tokens),
        last_message=conversation.last_message_tokens,
        message_count=conversation.message_count,
        average_per_message=conversation.total_tokens / max(1, conversation.message_count),
        average_per_turn=conversation.total_tokens / max(1, conversation.turn_count),
        updated=conversation.updated_at,
    )


def decide_for(*, team: Team, conversation_id: UUID) -> Decision:
    """The decision for the conversation as it stands. Two queries. Raises NotFound."""
    conversation = conversations.get(team=team, conversation_id=conversation_id)
    return decision_on(conversation)


def decision_on(conversation: Conversation) -> Decision:
    """One query: the open tasks."""
    tasks = queries.open_tasks(conversation)
    return decide(usage_of(conversation), conversation.max_context_tokens, tasks, Policy(), timezone.now())
