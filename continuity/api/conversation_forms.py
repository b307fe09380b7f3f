"""Schemas of a conversation: what is answered, and what a caller may set."""

import json
from typing import Annotated, Any, Literal
from uuid import UUID

from ninja import Field, Schema
from pydantic import AfterValidator, AwareDatetime, ConfigDict

from continuity.api.masks import MaskedJson, MaskedText
from continuity.api.pages import PageQuery
from continuity.models import ConversationStatus
from continuity.windows import WindowSource
from continuity.windows.evidence import LARGEST

MAX_METADATA = 65_536


def _small(metadata: dict[str, Any]) -> dict[str, Any]:
    if len(json.dumps(metadata)) > MAX_METADATA:
        raise ValueError(f"metadata may take at most {MAX_METADATA:,} characters as JSON")
    return metadata


Title = Annotated[str, Field(max_length=300)]
Label = Annotated[str, Field(max_length=40)]
ModelName = Annotated[str, Field(max_length=120, description="As the provider names it; decides how tokens are counted.")]
Place = Annotated[str, Field(max_length=4096)]
Window = Annotated[int, Field(ge=1, le=LARGEST, description="Size of the context window in tokens.")]
Telling = Annotated[
    Literal["setting", "client", "statusline", "transcript"],
    Field(
        description="Who tells the window: somebody who set it, the client's own setting, or the tool, by its status line or session file."
    ),
]
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
    max_context_tokens: Window | None = Field(None, description="Left out: learned from the model, its usage, or what the tool tells.")
    window_source: Telling = "setting"
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
    max_context_tokens: Window | None = Field(None, description="Sets the window, before whatever else is known; null takes that back.")
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
    """A conversation. `context_tokens` fill the window now, `total_tokens` were ever recorded; `utilization` is 0..1, null where the
    window is not known."""

    id: UUID
    title: MaskedText
    status: ConversationStatus
    source_tool: MaskedText
    external_id: MaskedText
    provider: MaskedText
    model: MaskedText
    cwd: MaskedText
    branch: MaskedText
    metadata: MaskedJson
    version: int = Field(description="Counts changes; send it as `If-Match` with a change.")
    max_context_tokens: int | None = Field(description="The context window in tokens; null where it is not known.")
    window_source: WindowSource = Field(description="From where the window is known; empty where it is not.")
    context_tokens: int
    total_tokens: int
    utilization: float | None
    message_count: int
    turn_count: int
    last_seq: int
    folded_seq: int = Field(description="The last message that was read for knowledge.")
    resumed_from_id: UUID | None
    created_at: AwareDatetime
    updated_at: AwareDatetime
    active_at: AwareDatetime = Field(description="When something was last said in it, by the tool's own clock where it gave times.")
    expires_at: AwareDatetime
