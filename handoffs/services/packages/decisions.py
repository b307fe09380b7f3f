"""The decision whether a conversation should hand off now (CONT-02, DESIGN "Decide")."""

from dataclasses import replace
from uuid import UUID

from django.utils import timezone

from continuity import queries
from continuity.knowledge.model import TaskStatus
from continuity.models import Conversation, Message, Task, Team
from continuity.services.recording import conversations
from handoffs.models import Handoff, HandoffChain, HandoffStatus, NoteAuthor, Resumption, StoredNote
from handoffs.policy.decision import Decision, decide
from handoffs.policy.note_request import ASK_AT, note_request
from handoffs.policy.policy import Recent
from handoffs.policy.usage import WindowUsage
from handoffs.services.chains import chains
from handoffs.services.packages import policies

# A task counts as just finished for so many messages.
JUST_NOW = 6
# Messages at whose start the first figures of the provider are looked for.
FIRST = 20
_CHAIN = "handoff__chain_id"
_FREEING = ("handoff__context_tokens", "handoff__token_count")


def usage_of(conversation: Conversation) -> WindowUsage:
    """The conversation's token ledger in CONT-02's terms. No query.

    The window may grow by more than what is recorded, such as reasoning that a tool does not write down: the larger one tells how long
    it lasts.
    """
    grown = max(conversation.total_tokens, conversation.context_tokens - conversation.system_tokens)
    return WindowUsage(
        total=conversation.context_tokens,
        system=conversation.system_tokens,
        history=max(0, conversation.context_tokens - conversation.system_tokens - conversation.last_message_tokens),
        last_message=conversation.last_message_tokens,
        message_count=conversation.message_count,
        average_per_message=conversation.total_tokens / max(1, conversation.message_count),
        average_per_turn=grown / max(1, conversation.turn_count),
        updated=conversation.updated_at,
    )


def decide_for(*, team: Team, conversation_id: UUID) -> Decision:
    """The decision for the conversation as it stands. Three queries, five more near the limit. Raises NotFound."""
    conversation = conversations.get(team=team, conversation_id=conversation_id)
    return decision_on(conversation, policies.effective(team=team, conversation=conversation))


def decision_on(conversation: Conversation, effective: policies.Effective) -> Decision:
    """One query for the open tasks, one more where a note may be wanted; five more where an automatic handoff may be due."""
    policy = effective.policy
    tasks = queries.open_tasks(conversation)
    near = (conversation.utilization or 0.0) >= min(policy.handoff_at, policy.long_task_at, policy.boundary_at)
    recent = recent_of(conversation, effective.max_chain_length) if near else None
    decision = decide(usage_of(conversation), conversation.max_context_tokens, tasks, policy, timezone.now(), recent=recent)
    if not effective.ask_for_notes or decision.above_window or (decision.utilization or 0.0) < ASK_AT:
        return decision
    return replace(decision, note_wanted=note_request(decision.should_handoff, conversation.context_tokens, _since_note(conversation)))


def _since_note(conversation: Conversation) -> int | None:
    """Tokens that were said since the last note that the agent or a person wrote; None where there is none. One query."""
    notes = StoredNote.objects.filter(conversation=conversation, kind__in=(NoteAuthor.AGENT, NoteAuthor.PERSON))
    by_then = notes.newest_first().values_list("total_tokens", flat=True).first()
    return None if by_then is None else conversation.total_tokens - by_then


def recent_of(conversation: Conversation, limit: int | None) -> Recent:
    """What happened lately; `limit` is what the policy sets of the chain's handoffs. At most five queries."""
    since = max(0, conversation.last_seq - JUST_NOW)
    finished = Task.objects.filter(conversation=conversation, status=TaskStatus.COMPLETED, last_seq__gt=since).exists()
    origin = Resumption.objects.filter(conversation=conversation).values("created_at", _CHAIN, *_FREEING).first()
    if origin is None:
        chain = HandoffChain.objects.filter(root_conversation=conversation).values_list("id", flat=True).first()
        return Recent(task_finished=finished, chain_full=chain is not None and _is_full(conversation, chain, limit))
    before, directive = (origin[name] for name in _FREEING)
    window = conversation.max_context_tokens
    freed = (before - (_first_context(conversation) or directive)) / window if before and window else None
    full = _is_full(conversation, origin[_CHAIN], limit)
    return Recent(resumed_at=origin["created_at"], last_freed=freed, task_finished=finished, chain_full=full)


def _is_full(conversation: Conversation, chain: UUID, limit: int | None) -> bool:
    """Whether no handoff can be added, and none that was made already waits to be resumed. A query, one more where the chain is full."""
    waiting = {"automatic": True, "status__in": (HandoffStatus.DRAFT, HandoffStatus.READY)}
    return chains.is_full(chain, limit) and not Handoff.objects.filter(conversation=conversation, **waiting).exists()


def _first_context(conversation: Conversation) -> int | None:
    """The tokens that the provider found in the window at the start, None where it told none."""
    first = Message.objects.filter(conversation=conversation, seq__lte=FIRST, usage__isnull=False).order_by("seq").first()
    usage = (first.usage if first else None) or {}
    return sum(usage.get(name, 0) for name in ("input", "cache_read", "cache_write")) or None
