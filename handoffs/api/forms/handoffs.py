"""Handoffs as callers ask for them and get them."""

from typing import Annotated, Any, Literal
from uuid import UUID

from ninja import Field, Schema
from pydantic import AwareDatetime, ConfigDict

from continuity.api.conversation_forms import ConversationOut, Label, ModelName, Window
from continuity.api.masks import MaskedJson, MaskedText, hide
from handoffs.contract.model import Style
from handoffs.directive.outputs import HOOK_CHARS, DirectiveOutput
from handoffs.models import Handoff, HandoffStatus
from handoffs.services.chains.resumption import ResumedHandoff
from handoffs.services.packages import directives


class PrepareIn(Schema):
    """How to prepare. `budget` is the most tokens that the directive may take; critical anchors may exceed it."""

    model_config = ConfigDict(extra="forbid")

    budget: int = Field(default=4000, examples=[4000], description="150 to 200,000 tokens.")
    style: Style = Style.STRUCTURED
    max_reminder_count: int = 5
    trigger_reason: Annotated[str, Field(max_length=200)] = "Manual"
    note: Annotated[str, Field(max_length=2000)] = Field(default="", description="A note for whoever resumes.")
    draft: bool = Field(default=False, description="Leave it for a person to make ready.")


class PrepareQuery(Schema):
    wait: bool = Field(True, description="false answers at once with a job to ask for.")


class HandoffOut(Schema):
    """A handoff without its package. It covers its conversation up to message `through_seq`; `messages_after` came later."""

    id: UUID
    conversation_id: UUID
    chain_id: UUID
    position: int = Field(description="How many handoffs lead up to it, itself counted; several of one conversation share it.")
    number: int = Field(description="Its own number in the chain, in the order of preparing.")
    previous_handoff_id: UUID | None
    status: HandoffStatus
    automatic: bool
    through_seq: int
    messages_after: int
    summary: str
    style: Style
    token_budget: int
    token_count: int
    fidelity_score: float
    fidelity: MaskedJson = Field(description="The check of the directive against the conversation (CONT-06).")
    failure: MaskedText
    created_at: AwareDatetime
    expires_at: AwareDatetime
    resumed_at: AwareDatetime | None
    resumed_conversation_id: UUID | None
    owner_id: UUID | None
    offered_to_id: UUID | None = Field(description="The teammate to whom it is offered.")
    origin: dict[str, str] = Field(description="Of a package of another installation: `keyId`, and the ids that it had there.")
    version: int = Field(description="Also the `ETag`.")

    @staticmethod
    def resolve_summary(handoff: Handoff) -> str:
        return str(hide(handoff.compacted_summary))


class HandoffDetail(HandoffOut):
    """A handoff with its package in the names of CONT-01 (`handoffId`, `compactedSummary`, `preservedAnchors`, `unfinishedWork` …)."""

    package: MaskedJson


class DirectiveOut(Schema):
    handoff_id: UUID
    style: Style
    text: str


class DirectiveItem(Schema):
    section: str
    reference: str
    label: str
    text: str
    critical: bool


class DirectiveDocument(Schema):
    """CONT-01's ContinuationDirective, and the lines behind it with their references."""

    handoffId: UUID
    summary: str
    immediateActions: list[str]
    contextReminders: list[str]
    userIntent: str | None
    items: list[DirectiveItem]


# Fewer than a hook takes where something else stands in it, such as an Anchor pack.
HookCharacters = Annotated[int, Field(ge=2_000, le=HOOK_CHARS, description="Of a directive in the format `hook`, at most.")]


class ResumeIn(Schema):
    """How to resume: in which tool, with which model and window; with `fork`, beside whoever resumed it first."""

    model_config = ConfigDict(extra="forbid")

    fork: bool = False
    source_tool: Label = ""
    external_id: Annotated[str, Field(max_length=200, description="The id, in its tool, of the resumed session.")] = ""
    model: ModelName = ""
    max_context_tokens: Window | None = None
    style: Style | Literal[""] = Field(default="", description="Of the answer's directive; empty: as it was prepared.")
    format: Literal[DirectiveOutput.MARKDOWN, DirectiveOutput.SYSTEM, DirectiveOutput.HOOK] = Field(
        default=DirectiveOutput.MARKDOWN, description="Of the answer's directive."
    )
    characters: HookCharacters = HOOK_CHARS


class ResumedOut(Schema):
    """The new conversation, the directive that it starts from, and CONT-06's report.

    No session has started from it yet, so `measured` is false: `restored_anchors`, `restored_tasks` and `report` say what was copied
    into the new conversation's record, not what an agent got. That is told by its first messages and its receipt.
    """

    conversation: ConversationOut
    handoff_id: UUID
    fork: bool
    directive: str
    restored_anchors: int
    restored_tasks: int
    prepared_by: str = Field(
        description="Who prepared the handoff: a person, also with a key of theirs, or `key NAME`; empty where Continuity did by itself."
    )
    prepared_at: AwareDatetime
    measured: bool = Field(description="Whether the resumed session was seen, by its first messages or its receipt.")
    report: dict[str, Any] = Field(description="CONT-06's ResumptionReport, as of the copy into the new conversation's record.")

    @classmethod
    def of(cls, resumed: ResumedHandoff, output: DirectiveOutput, style: str, characters: int) -> "ResumedOut":
        told = {
            "conversation": resumed.conversation,
            "handoff_id": resumed.handoff.id,
            "fork": resumed.resumption.fork,
            "directive": directives.as_text(resumed.handoff, output=output, style=style, characters=characters),
            "restored_anchors": resumed.restored_anchors,
            "restored_tasks": resumed.restored_tasks,
            "prepared_by": str(resumed.handoff.maker),
            "prepared_at": resumed.handoff.created_at,
            "measured": resumed.resumption.session_seen,
            "report": hide(resumed.resumption.report),
        }
        return cls.model_validate(told)
