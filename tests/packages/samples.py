"""Knowledge as distilling would find it in a made-up session about moving a billing job."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

from continuity.knowledge.model import (
    Anchor,
    AnchorState,
    AnchorType,
    CommandRun,
    FileAction,
    FileTouch,
    Knowledge,
    Quote,
    Ref,
    Request,
    RequestKind,
    Situation,
    Task,
    TaskStatus,
    Truth,
    Turn,
)
from continuity.usage.tokens import counter_for
from handoffs.building.preparation import prepare
from handoffs.contract.model import Options, Prepared

NOW = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)
COUNTER = counter_for("gpt-4o")
IMPORTANCE = {
    AnchorType.CORRECTION: 1.0,
    AnchorType.CONSTRAINT: 1.0,
    AnchorType.DECISION: 0.95,
    AnchorType.COMMITMENT: 0.9,
    AnchorType.FACT: 0.85,
    AnchorType.QUESTION: 0.8,
    AnchorType.PREFERENCE: 0.75,
    AnchorType.ERROR: 0.7,
    AnchorType.FAILED_APPROACH: 0.7,
    AnchorType.ARTIFACT: 0.65,
}
CRITICAL = (AnchorType.CONSTRAINT, AnchorType.DECISION, AnchorType.COMMITMENT)


def anchor(kind: AnchorType, text: str, seq: int, **more: object) -> Anchor:
    truth = Truth.OBSERVED if kind is AnchorType.ERROR else Truth.STATED
    fields = {"critical": kind in CRITICAL, "importance": IMPORTANCE[kind], "truth": truth, "method": "sample", **more}
    return Anchor(key=f"{kind.value}-{seq}", type=kind, text=text, ref=Ref(seq, 0, 0, len(text)), **fields)  # type: ignore[arg-type]


def quote(text: str, seq: int) -> Quote:
    return Quote(text, Ref(seq, 0, 0, len(text)))


ANCHORS = (
    anchor(AnchorType.CONSTRAINT, "Never run the migration against the production database before Monday.", 2),
    anchor(
        AnchorType.DECISION,
        "We keep invoices in PostgreSQL.",
        5,
        rationale="the reports need transactions",
        rejected="a document store",
    ),
    anchor(AnchorType.COMMITMENT, "I will send Dana the list of affected customers by Friday.", 8),
    anchor(AnchorType.FACT, "The staging tenant id is tn_4821.", 9),
    anchor(AnchorType.FACT, "The nightly job takes 41 minutes.", 10, truth=Truth.CLAIMED),
    anchor(AnchorType.PREFERENCE, "Keep commit messages under 60 characters.", 11),
    anchor(AnchorType.QUESTION, "Should refunds be moved in the same release?", 12),
    anchor(AnchorType.ERROR, "psycopg.errors.UniqueViolation: duplicate key value violates invoices_number_key", 14),
    anchor(AnchorType.FAILED_APPROACH, "Copying with pg_dump locked the table for minutes.", 15),
    anchor(AnchorType.CORRECTION, "The job runs at 02:30 UTC and not at 02:30 local time.", 16),
)
SUPERSEDED = (
    anchor(
        AnchorType.DECISION,
        "We will store invoices as documents.",
        3,
        state=AnchorState.SUPERSEDED,
        superseded_by="Decision-5",
        critical=False,
    ),
)
TASKS = (
    Task(
        "task-a",
        "Move the billing job to the new scheduler",
        TaskStatus.IN_PROGRESS,
        4,
        18,
        "todo",
        ("write the job", "add the retry", "cover it with tests"),
        ("switch the trigger over", "remove the old cron entry"),
    ),
    Task("task-b", "Document the rollback", TaskStatus.NOT_STARTED, 4, 4, "todo", (), ("write docs/rollback.md",)),
    Task("task-c", "Create the invoices table", TaskStatus.COMPLETED, 4, 13, "todo", ("write the migration", "run it on staging")),
)
FILES = (
    FileTouch("/srv/billing/jobs/nightly.py", FileAction.MODIFIED, 6, 17, count=4),
    FileTouch("/srv/billing/migrations/0007_invoices.sql", FileAction.CREATED, 7, 7),
    FileTouch("/srv/billing/cron/billing.cron", FileAction.DELETED, 17, 17),
    FileTouch("/srv/billing/README.md", FileAction.READ, 5, 5),
)
SITUATION = Situation(
    objective=quote("Move the nightly billing job to the new scheduler without losing invoices.", 1),
    latest_request=quote("Now switch the trigger over and tell me when the tests pass.", 17),
    next_step=quote("Next I switch the trigger in jobs/nightly.py and run the tests again.", 18),
    waiting=False,
    cwd="/srv/billing",
    branch="feature/scheduler",
    verification=CommandRun("pytest tests/jobs -q", 16, 0, True, "12 passed in 3.1s"),
    recent_commands=(CommandRun("pytest tests/jobs -q", 16, 0, True), CommandRun("git status --short", 17, 0, True)),
    commits=(quote("3fa9c1d Add the nightly job", 13),),
    running=("scheduler --dev (port 8091)",),
)
TURNS = (
    Turn(12, quote("Please look at the duplicate key error first.", 12), quote("The importer retried a batch; I made it idempotent.", 15)),
    Turn(
        17,
        quote("Now switch the trigger over and tell me when the tests pass.", 17),
        quote("The old cron entry is gone; the trigger is next.", 18),
    ),
)


def rows_of(turns: tuple[Turn, ...]) -> tuple[Request, ...]:
    """The ledger of requests that these turns make."""
    return tuple(
        Request(
            turn.seq,
            RequestKind.QUESTION if turn.request and turn.request.text.endswith("?") else RequestKind.REQUEST,
            turn.request or quote("", turn.seq),
            turn.seq,
            outcome=turn.answer,
            tells=True,
            told=tuple(said for said in turn.said if said != turn.answer),
        )
        for turn in turns
    )


KNOWLEDGE = Knowledge(
    anchors=ANCHORS,
    superseded=SUPERSEDED,
    tasks=TASKS,
    files=FILES,
    situation=SITUATION,
    turns=TURNS,
    requests=(
        Request(1, RequestKind.REQUEST, quote("Move the nightly billing job to the new scheduler without losing invoices.", 1), 1),
        *rows_of(TURNS),
    ),
    through_seq=18,
    messages=18,
    tokens=52_000,
    anchors_total=len(ANCHORS),
)


def prepared(knowledge: Knowledge = KNOWLEDGE, **options: object) -> Prepared:
    """The package of the knowledge; turns that a test gives by themselves are the ledger of requests too."""
    if knowledge.turns != TURNS and knowledge.requests == KNOWLEDGE.requests:
        knowledge = replace(knowledge, requests=rows_of(knowledge.turns))
    return prepare(
        knowledge,
        Options(**options),  # type: ignore[arg-type]
        counter=COUNTER,
        now=NOW,
        handoff_id="handoff-1",
        conversation_id="conversation-1",
    )


def crowded(anchors: int, *, critical: int = 0) -> Knowledge:
    """Knowledge with many anchors of every type, `critical` of them critical, none of which repeats another."""
    kinds = list(AnchorType)
    touched = range(20, 20 + min(anchors, 200))
    return replace(
        KNOWLEDGE,
        anchors=tuple(
            anchor(
                kinds[n % len(kinds)],
                f"Item number {n} says that module_{n} listens on port {9000 + n} for team {n * 7}.",
                20 + n,
                critical=n < critical,
            )
            for n in range(anchors)
        ),
        superseded=(),
        files=tuple(FileTouch(f"/srv/billing/src/part_{n}/module_{n}.py", FileAction.MODIFIED, n, n) for n in touched),
        through_seq=20 + anchors,
        messages=20 + anchors,
        anchors_total=anchors,
        tokens=400_000,
    )
