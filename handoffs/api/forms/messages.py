"""Messages as callers send and get them."""

from typing import Annotated, Any, Literal

from ninja import Field, Schema
from pydantic import AwareDatetime, BaseModel, ConfigDict, model_validator

from continuity.api.conversation_forms import Window
from continuity.api.masks import MaskedText
from continuity.api.pages import PageQuery
from continuity.models import Message
from continuity.secrets import message_masking
from continuity.transcripts.base.model import PartKind, Voice
from continuity.windows import ContextWindow as ToldWindow
from continuity.windows import WindowSource

MAX_COUNT = 2**31 - 1
Identifier = Annotated[str, Field(max_length=200)]
Place = Annotated[str, Field(max_length=4096)]
Told = Annotated[Literal["client", "statusline", "transcript"], Field(description="Who told the window.")]


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
    placeholder: Annotated[str, Field(max_length=300)] = Field(
        "",
        description="Why the message itself is not sent now, in place of `parts` and `content`: it holds the place under its `external_id` "
        "until a message without it comes.",
        examples=["The server failed on it (500, correlation id 6f0c)."],
    )


class BatchIn(Schema):
    """Messages in their order; `device` names where they come from. `abandoned` are external ids of messages that were rewound; they
    may come alone, as may the window."""

    model_config = ConfigDict(extra="forbid")

    messages: list[MessageIn] = Field(default_factory=list)
    abandoned: list[Identifier] = Field(default_factory=list, max_length=10_000)
    device: Annotated[str, Field(max_length=120)] = ""
    max_context_tokens: Window | None = Field(None, description="The context window as the tool told it by then.")
    window_source: Told = "transcript"
    head: Annotated[
        str, Field(pattern="^([0-9a-f]{40}|[0-9a-f]{64})?$", description="The commit that is checked out in the session's folder by then.")
    ] = ""

    @model_validator(mode="after")
    def _says_something(self) -> "BatchIn":
        if not self.messages and not self.abandoned and not self.max_context_tokens:
            raise ValueError("send messages, the abandoned ones, or the window")
        return self

    @property
    def window(self) -> ToldWindow | None:
        return ToldWindow(self.max_context_tokens, WindowSource(self.window_source)) if self.max_context_tokens else None


class MessageQuery(PageQuery):
    from_seq: int = Field(0, ge=0, le=MAX_COUNT, description="Begin with this message.")
    abandoned: bool = Field(False, description="Also messages that were rewound.")
    unmasked: bool = Field(False, description="Secrets as they are; takes the scope admin.")


class MessageOut(Schema):
    """A message with its parts; `secrets` counts what is masked in them, `spans` says where, and who unmasked one and when."""

    seq: int
    external_id: MaskedText
    role: str
    parts: list[dict[str, Any]]
    tokens: int
    at: AwareDatetime | None
    model: MaskedText
    usage: dict[str, int] | None
    usage_id: MaskedText
    agent: MaskedText
    device: MaskedText = Field(description="Where it was recorded, as whoever sent it named the place.")
    abandoned: bool
    placeholder: bool = Field(description="Holds the place of a message that could not be stored yet.")
    secrets: int
    spans: list[dict[str, Any]]
    created_at: AwareDatetime

    @staticmethod
    def resolve_parts(message: Message, context: Any) -> list[Any]:
        unmasked = getattr(context["request"], "unmasked", False)
        return list(message.parts) if unmasked else message_masking.masked(message.parts, message.secrets)

    @staticmethod
    def resolve_secrets(message: Message) -> int:
        return sum("unmasked" not in span for span in message.secrets)

    @staticmethod
    def resolve_spans(message: Message) -> list[dict[str, Any]]:
        return list(message.secrets)
