"""The API's answers, as far as the client reads them."""

from __future__ import annotations

from typing import Any, NotRequired, TypedDict


class DecisionAnswer(TypedDict):
    """Whether to hand off; `utilization` is the used share of the window, 0..1, None where the window is not known. `held` is `preparing`
    while a handoff is being made."""

    should_handoff: bool
    reason: str
    utilization: float | None
    remaining_tokens: int | None
    remaining_turns: int | None
    due: bool
    held: str | None
    event: str
    note_wanted: NotRequired[str]


class PresentDecision(DecisionAnswer):
    """The decision as it is now, with the handoffs that an append names beside it."""

    handoff_id: NotRequired[str | None]
    ready_handoff_id: NotRequired[str | None]


class AppendAnswer(TypedDict):
    """Where the decision is held as `preparing`, the `handoff_id` comes with a later answer; `ready_handoff_id` is the newest that is
    ready, however it was made."""

    conversation_id: str
    seqs: list[int]
    added: int
    warnings: list[str]
    decision: DecisionAnswer
    handoff_id: str | None
    handoff_status: str | None
    ready_handoff_id: NotRequired[str | None]


class Conversation(TypedDict):
    id: str
    title: str
    status: str
    source_tool: str
    external_id: str
    cwd: str
    branch: str
    max_context_tokens: int | None
    window_source: str
    utilization: float | None
    message_count: int
    folded_seq: int
    updated_at: str


class Handoff(TypedDict):
    id: str
    conversation_id: str
    status: str
    summary: str
    through_seq: int
    token_count: int
    token_budget: int
    fidelity_score: float
    failure: str
    created_at: str


class HandoffWithPackage(Handoff):
    """One handoff, with its package."""

    package: dict[str, Any]


class ValidationAnswer(TypedDict):
    handoff_id: str
    status: str
    passes: bool
    messages_since: int
    report: dict[str, Any]


class ResumeAnswer(TypedDict):
    conversation: Conversation
    handoff_id: str
    directive: str
    restored_anchors: int
    restored_tasks: int
    report: dict[str, Any]


class ExpandAnswer(TypedDict):
    """`text` is the item's in the package, `excerpt` of its source; at level verbatim `messages` hold that whole."""

    handoff_id: str
    reference: str
    kind: str
    text: str
    moved_since: bool
    record: dict[str, Any]
    source: dict[str, Any] | None
    excerpt: str
    messages: list[Message]


class StatementAnswer(TypedDict):
    """`verdict` is supported, uncontradicted or contradicted."""

    key: str
    part: str
    text: str
    verdict: str
    reason: str
    dismissed: bool


class NoteAnswer(TypedDict):
    id: str
    number: int
    kind: str
    through_seq: int
    statements: list[StatementAnswer]


class UnsupportedStatement(TypedDict):
    part: str
    text: str
    reason: str


class WriteNoteAnswer(TypedDict):
    """The stored note; `contradicted` are the statements that did not hold, `unconfirmed` those that nothing confirms."""

    note: NoteAnswer
    contradicted: list[UnsupportedStatement]
    unconfirmed: list[UnsupportedStatement]
    made: bool
    dropped: int


class RatingCountsAnswer(TypedDict):
    useful: int
    not_useful: int
    wrong_line: int
    missing: int


class RatingAnswer(TypedDict):
    """`line` and `excerpt` are of a line that was called wrong."""

    kind: str
    line: int
    excerpt: str
    text: str


class RatingsAnswer(TypedDict):
    """All ratings of the handoff, the newest first."""

    handoff_id: str
    counts: RatingCountsAnswer
    ratings: list[RatingAnswer]


class Task(TypedDict):
    """`status` is 0 not started … 4 near completion, 5 completed."""

    key: str
    description: str
    status: int
    progress: float
    steps_done: list[str]
    steps_left: list[str]
    blocking_reason: str


class Anchor(TypedDict):
    key: str
    type: str
    text: str
    source_seq: int
    origin_conversation_id: str | None


class Message(TypedDict):
    seq: int
    external_id: str
    role: str
    parts: list[dict[str, Any]]
    at: str | None
    agent: str
    placeholder: bool


class SourceExcerpt(TypedDict):
    """`marks` are half-open character ranges of `text`."""

    text: str
    marks: list[tuple[int, int]]
    cut_before: bool
    cut_after: bool


class SearchHit(TypedDict):
    """`kind` is message or anchor; `seq` is the message in the conversation."""

    kind: str
    conversation_id: str
    title: str
    seq: int
    role: str
    at: str | None
    excerpt: SourceExcerpt
    anchor_key: str
    anchor_type: str
    state: str


class SearchAnswer(TypedDict):
    items: list[SearchHit]
    next_cursor: str | None
    only_latest: bool


class Pack(TypedDict):
    """Packs of a session; the texts are data about a repository."""

    id: str
    fingerprint: str
    head: str
    anchor: str
    context: str
    delta: str
    paths: list[str]


class EarlierFiles(TypedDict):
    """The files of an earlier session; `at` in seconds since 1970."""

    id: str
    at: float
    edited: list[str]
    read: list[str]


class PackAnswer(TypedDict):
    """`gives` says that the texts of `parts` belong into the window; `wanted` asks for what the client finds in the repository."""

    mode: str
    gives: bool
    pack: Pack | None
    parts: list[str]
    hit: bool
    wanted: bool
    contents: bool
    low_token: bool
    sessions: list[EarlierFiles]
    paths: list[str]
    epoch: int
    action: str
    reasons: list[str]


class ClientKey(TypedDict):
    """`maker` is whose key it is, `team` where it works."""

    key: str
    name: str
    team: str
    maker: str


class CommitDecision(TypedDict):
    text: str
    rationale: str
    seq: int


class CommitReason(TypedDict):
    """`commit` came about between the messages `after_seq` and `seq` of the conversation; `before` was checked out until then."""

    commit: str
    before: str
    after_seq: int
    seq: int
    conversation_id: str
    title: str
    source_tool: str
    request: str
    request_seq: int
    decisions: list[CommitDecision]
