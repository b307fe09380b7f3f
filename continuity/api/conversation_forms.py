"""What is said about a conversation, and what a caller may set of it."""

import json
from typing import Annotated, Any
from uuid import UUID

from ninja import Field, Schema
from pydantic import AfterValidator, AwareDatetime, ConfigDict

from continuity.api.masks import hide
from continuity.api.pages import PageQuery
from continuity.models import Conversation, ConversationStatus

MAX_METADATA = 65_536


def _small(metadata: dict[str, Any]) -> dict[str, Any]:
    if len(json.dumps(metadata)) > MAX_METADATA:
        raise ValueError(f"metadata may take at most {MAX_METADATA:,} characters as JSON")
    return metadata


Title = Annotated[str, Field(max_length=300)]
Label = Annotated[str, Field(max_length=40)]
ModelName = Annotated[str, Field(max_length=120, description="As the provider names it; decides how tokens are counted.")]
Place = Annotated[str, Field(max_length=4096)]
Window = Annotated[int, Field(ge=1, le=100_000_000, description="Size of the context window in tokens.")]
Metadata = Annotated[dict[str, Any], AfterValidator(_small)]
Expiry = Annotated[AwareDatetime, Field(description="1 hour to 30 days from now.")]


class ConversationIn(Schema):
    """A conversation to open. `source_tool` and `external_id` name the session in its tool; together they may come once."""

    model_config = ConfigDict(extra="forbid")

    title: Title = ""
    source_tool: Label = Field("", examples=["claude-code"])
    external_id: Annotated[str, Field(max_length=200)] = ""
    provider: Label = ""
    model: ModelName = ""
    max_context_tokens: Window = 200_000
    cwd: Place = ""
    branch: Place = ""
    metadata: Metadata = Field(default_factory=dict)
    expires_at: Expiry | None = None
    directive_digest: Annotated[
        str,
        Field(
            pattern="^([0-9a-f]{64})?$",
            description="SHA-256 of the directive that the session began with, from bracket to bracket, all white space folded to single "
            "spaces: the session is then recorded in the conversation that this directive's handoff was resumed as.",
        ),
    ] = ""


class ConversationChange(Schema):
    """The fields to change; those left out stay."""

    model_config = ConfigDict(extra="forbid")

    title: Title = ""
    provider: Label = ""
    model: ModelName = ""
    max_context_tokens: Window = 200_000
    cwd: Place = ""
    branch: Place = ""
    metadata: Metadata = Field(default_factory=dict)
    expires_at: Expiry | None = None


class ConversationQuery(PageQuery):
    status: ConversationStatus | None = None
    source_tool: str = ""
    external_id: str = Field("", max_length=200, description="The session's own id in its tool.")
    cwd: str = Field("", max_length=4096, description="The folder that the session works in.")
    within: str = Field("", max_length=4096, description="A folder: sessions that work in it or below it.")
    q: str = Field("", max_length=300, description="Part of the title, in any case.")


class ConversationOut(Schema):
    """A conversation. `context_tokens` fill the window now, `total_tokens` were ever recorded; `utilization` is 0..1."""

    id: UUID
    title: str
    status: ConversationStatus
    source_tool: str
    external_id: str
    provider: str
    model: str
    cwd: str
    branch: str
    metadata: dict[str, Any]
    version: int = Field(description="Counts changes; send it as `If-Match` with a change.")
    max_context_tokens: int
    context_tokens: int
    total_tokens: int
    utilization: float
    message_count: int
    turn_count: int
    last_seq: int
    folded_seq: int = Field(description="The last message that knowledge was distilled from.")
    resumed_from_id: UUID | None
    created_at: AwareDatetime
    updated_at: AwareDatetime
    expires_at: AwareDatetime

    @staticmethod
    def resolve_title(conversation: Conversation) -> str:
        return str(hide(conversation.title))

    @staticmethod
    def resolve_metadata(conversation: Conversation) -> Any:
        return hide(conversation.metadata)
