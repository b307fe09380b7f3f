"""A conversation's token ledger and the decision on it, as they are answered (CONT-02)."""

from uuid import UUID

from ninja import Field, Schema
from pydantic import AwareDatetime

from continuity.models import Conversation
from continuity.windows import WindowSource
from handoffs.models import HandoffStatus
from handoffs.policy.decision import Hold
from handoffs.policy.note_request import NoteRequest
from handoffs.services.packages import decisions


class UsageOut(Schema):
    """Tokens in the context window; `total` is what the decision acts on, `utilization` its share of the window (0..1).

    Where the window is not known, `max_context_tokens` and `utilization` are null.
    """

    total: int
    system: int
    history: int
    last_message: int
    message_count: int
    average_per_message: float
    average_per_turn: float
    max_context_tokens: int | None
    window_source: WindowSource = Field(description="From where the window is known; empty where it is not.")
    utilization: float | None
    updated: AwareDatetime

    @classmethod
    def of(cls, conversation: Conversation) -> "UsageOut":
        usage, used = decisions.usage_of(conversation), conversation.utilization
        return cls(
            total=usage.total,
            system=usage.system,
            history=usage.history,
            last_message=usage.last_message,
            message_count=usage.message_count,
            average_per_message=round(usage.average_per_message, 1),
            average_per_turn=round(usage.average_per_turn, 1),
            max_context_tokens=conversation.max_context_tokens,
            window_source=WindowSource(conversation.window_source),
            utilization=None if used is None else round(used, 4),
            updated=conversation.updated_at,
        )


class DecisionOut(Schema):
    """Whether to hand off. `due` says that an automatic handoff is to be made now, `held` why it is not although it would be.

    `held` is `preparing` while it is being made: the answer to a later append, or to a later question for the decision, names it.
    Where the window is not known, `utilization`, `remaining_tokens` and `remaining_turns` are null and nothing is due.
    """

    should_handoff: bool
    reason: str
    utilization: float | None
    remaining_tokens: int | None
    remaining_turns: int | None
    due: bool
    held: Hold | None
    event: str = Field(description="`ContextLimitApproaching` where that is to be told.")
    above_window: bool
    note_wanted: NoteRequest = Field(
        NoteRequest.NONE,
        description="Why the agent is to be asked for a handoff note: `window` (it is 75 % full) or `handoff` (one is due); else empty.",
    )


class DecidedOut(DecisionOut):
    """A decision with the automatic handoff that waits to be resumed, and the newest that is ready, if there is one."""

    handoff_id: UUID | None = Field(None, description="The automatic handoff that waits to be resumed.")
    handoff_status: HandoffStatus | None = Field(None, description="`ready`, or `draft` where a person is to look at it first.")
    ready_handoff_id: UUID | None = Field(None, description="The newest handoff that is ready and offered to nobody, however it was made.")
