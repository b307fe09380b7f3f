"""Results of the MCP tools: as much of the API's answers as an agent needs."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, Field

from continuity.core.thresholds import PASSING_FIDELITY


class PreparedResult(BaseModel):
    """A handoff. `ready` can be resumed; `failed` did not pass its check, and `failure` says why."""

    id: str
    conversation_id: str
    status: str = Field(description="draft, ready, resumed, expired, withdrawn or failed.")
    summary: str
    token_count: int
    token_budget: int
    fidelity_score: float = Field(description=f"0..1; passes at {PASSING_FIDELITY:.2f} with every critical item present.")
    failure: str


class ResumptionResult(BaseModel):
    """The new conversation of the chain, and the directive to work from."""

    conversation_id: str
    handoff_id: str
    directive: str
    restored_anchors: int
    restored_tasks: int


class SourceResult(BaseModel):
    conversation_id: str
    seq: int


class MessageResult(BaseModel):
    seq: int
    role: str
    parts: list[dict[str, Any]]


class Expansion(BaseModel):
    """`text` is the item as the directive has it, `excerpt` what its source says; `messages` come at level verbatim."""

    reference: str
    kind: str
    text: str
    excerpt: str
    moved_since: bool = Field(description="Whether the files it speaks of changed since.")
    source: SourceResult | None
    record: dict[str, Any]
    messages: list[MessageResult]


class HitResult(BaseModel):
    """A message, or an anchor with its type and state; `text` is the part that holds the words."""

    kind: str
    conversation_id: str
    title: str
    seq: int
    role: str
    text: str
    anchor_type: str
    state: str


class DecisionResult(BaseModel):
    """A decision that every handoff of the conversation states from now on."""

    key: str
    type: str
    text: str


class UnsupportedResult(BaseModel):
    """A statement of the note, and why it did not hold, or what was not found."""

    part: str
    text: str
    reason: str


class NoteResult(BaseModel):
    """The note is kept and goes into the next handoff, but for what is `contradicted`: mend that and write the note again.

    `unconfirmed` goes in as your word alone.
    """

    note_id: str
    statements: int
    contradicted: list[UnsupportedResult]
    unconfirmed: list[UnsupportedResult]
    dropped: int = Field(description="Older notes that were deleted, since only the newest 20 are kept.")


class RatingResult(BaseModel):
    """How often readers said what of the handoff, with what was said now."""

    handoff_id: str
    useful: int
    not_useful: int
    wrong_line: int
    missing: int


class PackResult(BaseModel):
    """The packs of a repository for a session: standing things, files for its request, what changed, and the files that these name."""

    anchor: str
    context: str
    delta: str
    paths: list[str]
    head: str


class TaskResult(BaseModel):
    """`status` is 0 not started, 1 in progress, 2 blocked, 3 awaiting input, 4 near completion, 5 completed."""

    key: str
    description: str
    status: int
    progress: float = Field(description="0..100.")
    steps_done: list[str]
    steps_left: list[str]
    blocking_reason: str


class WaitingResult(BaseModel):
    id: str
    summary: str


class StatusResult(BaseModel):
    """How full the window is, whether to hand off, and which handoffs of the folder wait to be resumed."""

    conversation_id: str
    title: str
    status: str
    utilization: float | None = Field(description="Used share of the context window, 0..1; null where the window is not known.")
    remaining_tokens: int | None
    should_handoff: bool
    reason: str
    open_tasks: int
    ready: list[WaitingResult]
