"""Messages as callers send and get them."""

from typing import Annotated, Any

from ninja import Field, Schema
from pydantic import AwareDatetime, BaseModel, ConfigDict, model_validator

from continuity import masking
from continuity.api.pages import PageQuery
from continuity.models import Message
from continuity.transcripts.model import PartKind, Voice

MAX_COUNT = 2**31 - 1
Identifier = Annotated[str, Field(max_length=200)]
Place = Annotated[str, Field(max_length=4096)]


class PartIn(BaseModel):
    """One ordered piece of a message. Without a `voice` it is the one that goes with the message's role."""

    model_config = ConfigDict(extra="forbid")

    kind: PartKind = PartKind.TEXT
    voice: Voice | None = None
    text: str = ""
    name: Identifier = ""
    call_id: Identifier = ""
    input: dict[str, Any] = Field(default_factory=dict)
    failed: bool | None = None
    exit_code: Annotated[int, Field(ge=-MAX_COUNT, le=MAX_COUNT)] | None = None
    data: dict[str, Any] = Field(default_factory=dict)
    clipped: Annotated[int, Field(ge=0, le=MAX_COUNT, description="Characters that the text had before it was shortened.")] = 0


class MessageIn(BaseModel):
    """A message: role with `parts`, or with `content` as the OpenAI and Anthropic APIs have it (also `tool_calls`, content blocks).

    A message whose `external_id` is stored already is not added again. `agent` names a side chain; `usage_id` groups the
    messages that repeat one `usage`.
    """

    model_config = ConfigDict(extra="allow")

    role: str = Field(max_length=20, examples=["user"])
    parts: list[PartIn] | None = Field(None, min_length=1)
    content: str | list[Any] | None = Field(None, examples=["Use Postgres, never SQLite."])
    external_id: Identifier = ""
    at: AwareDatetime | None = None
    model: Annotated[str, Field(max_length=120)] = ""
    usage: dict[str, Any] | None = Field(
        None,
        description="Tokens as the provider reports them, in its own names or as input, output, cache_read, cache_write.",
        examples=[{"input": 812, "output": 240, "cache_read": 51200, "cache_write": 0}],
    )
    usage_id: Identifier = ""
    agent: Identifier = ""
    cwd: Place = ""
    branch: Place = ""


class BatchIn(Schema):
    """Messages in their order; `device` names where they come from. `abandoned` are external ids of messages that were rewound, and
    may come alone."""

    model_config = ConfigDict(extra="forbid")

    messages: list[MessageIn] = Field(default_factory=list)
    abandoned: list[Identifier] = Field(default_factory=list, max_length=10_000)
    device: Annotated[str, Field(max_length=120)] = ""

    @model_validator(mode="after")
    def _says_something(self) -> "BatchIn":
        if not self.messages and not self.abandoned:
            raise ValueError("send messages, or the abandoned ones")
        return self


class MessageQuery(PageQuery):
    from_seq: int = Field(0, ge=0, le=MAX_COUNT, description="Begin with this message.")
    abandoned: bool = Field(False, description="Also messages that were rewound.")
    unmasked: bool = Field(False, description="Secrets as they are; takes the scope admin.")


class MessageOut(Schema):
    """A message with its parts; `secrets` counts what is masked in them, `spans` says where, and who unmasked one and when."""

    seq: int
    external_id: str
    role: str
    parts: list[dict[str, Any]]
    tokens: int
    at: AwareDatetime | None
    model: str
    usage: dict[str, int] | None
    usage_id: str
    agent: str
    device: str = Field(description="Where it was recorded, as whoever sent it named the place.")
    abandoned: bool
    secrets: int
    spans: list[dict[str, Any]]
    created_at: AwareDatetime

    @staticmethod
    def resolve_parts(message: Message, context: Any) -> list[Any]:
        unmasked = getattr(context["request"], "unmasked", False)
        return list(message.parts) if unmasked else masking.masked(message.parts, message.secrets)

    @staticmethod
    def resolve_secrets(message: Message) -> int:
        return sum("unmasked" not in span for span in message.secrets)

    @staticmethod
    def resolve_spans(message: Message) -> list[dict[str, Any]]:
        return list(message.secrets)
