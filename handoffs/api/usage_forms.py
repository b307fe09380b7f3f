"""A conversation's token ledger and the decision on it, as they are answered (CONT-02)."""

from ninja import Field, Schema
from pydantic import AwareDatetime

from continuity.models import Conversation
from handoffs.policy.decision import Hold
from handoffs.services import decisions


class UsageOut(Schema):
    """Tokens in the context window; `total` is what the decision acts on, `utilization` its share of the window (0..1)."""

    total: int
    system: int
    history: int
    last_message: int
    message_count: int
    average_per_message: float
    average_per_turn: float
    max_context_tokens: int
    utilization: float
    updated: AwareDatetime

    @classmethod
    def of(cls, conversation: Conversation) -> "UsageOut":
        usage = decisions.usage_of(conversation)
        return cls(
            total=usage.total,
            system=usage.system,
            history=usage.history,
            last_message=usage.last_message,
            message_count=usage.message_count,
            average_per_message=round(usage.average_per_message, 1),
            average_per_turn=round(usage.average_per_turn, 1),
            max_context_tokens=conversation.max_context_tokens,
            utilization=round(conversation.utilization, 4),
            updated=conversation.updated_at,
        )


class DecisionOut(Schema):
    """Whether to hand off. `due` says that an automatic handoff is to be made now, `held` why it is not although it would be."""

    should_handoff: bool
    reason: str
    utilization: float
    remaining_tokens: int
    remaining_turns: int | None
    due: bool
    held: Hold | None
    event: str = Field(description="`ContextLimitApproaching` where that is to be told.")
    above_window: bool
