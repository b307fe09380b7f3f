"""The deep audit: a conversation folded again from its first message, in the background, and compared with what is stored."""

import logging
import time
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any
from uuid import UUID

from django.db import connection
from django.db.models import Exists, Q

from continuity import knowledge
from continuity.core.errors import Conflict, NotFound, Unavailable, existing
from continuity.core.transactions import atomic
from continuity.extraction.model import METHOD
from continuity.knowledge import versions
from continuity.knowledge.in_memory import InMemoryStore
from continuity.knowledge.model import Anchor as DistilledAnchor
from continuity.models import Anchor, Conversation, FileTouch, FoldCheckpoint, Job, Message, Task, Team, User
from continuity.services.events import events
from continuity.services.jobs import jobs
from continuity.services.knowledge import fold_runner, skipped_messages
from continuity.services.recording import conversations
from diagnostics.auditing import comparison
from diagnostics.models import AuditReport
from handoffs.contract import package_json
from handoffs.fidelity.probes import READER, VERSION, Bank
from handoffs.models import Handoff, HandoffStatus, ProbeBank, ProbeCheckpoint
from handoffs.services.edits import regenerate
from handoffs.services.packages import handoffs, probe_bank

logger = logging.getLogger("continuity.audits")

KIND = "audit"
STEP = 500
KEPT = 200
TRIES = 5
# An audit reads everything again: after one that agreed, the next is due when there is half as much again. So all audits of a
# conversation together cost at most three readings, however many packages are made of it.
GROWN = 1.5
_DUE = """
SELECT FROM session_handoffs AS handoff WHERE id = %s AND conversation_id = %s AND NOT EXISTS (
    SELECT FROM diagnostics_auditreport AS report WHERE report.conversation_id = handoff.conversation_id AND differing = 0
    AND report.through_seq > handoff.through_seq / %s)
"""


@dataclass(slots=True)
class _Reading:
    """A conversation as its messages give it, so far; `then` are its anchors at the package's last message."""

    state: knowledge.FoldState
    bank: Bank
    memory: InMemoryStore = field(default_factory=InMemoryStore)
    through: int = 0
    then: dict[str, DistilledAnchor] | None = None


def submit(*, team: Team, conversation_id: UUID, handoff_id: UUID | None = None, created_by: User | None = None) -> Job:
    """Audits a conversation, and one of its packages where named, in the background; one that waits already is given instead.

    Raises NotFound, also for a package of another conversation; ConversationGone, HandoffGone.
    """
    conversation = conversations.get(team=team, conversation_id=conversation_id)
    if handoff_id is not None and handoffs.get(team=team, handoff_id=handoff_id).conversation_id != conversation.id:
        raise NotFound(noun="handoff of this conversation")
    arguments = {"handoff_id": str(handoff_id) if handoff_id else None}
    waiting = Job.objects.filter(team=team, kind=KIND, conversation=conversation, arguments=arguments, status__in=["queued", "running"])
    return waiting.first() or jobs.submit(team=team, kind=KIND, arguments=arguments, created_by=created_by, conversation=conversation)


def is_due(*, conversation_id: UUID, handoff_id: UUID) -> bool:
    """Whether enough was said since the latest audit that agreed for a package to be audited unasked."""
    with connection.cursor() as cursor:
        cursor.execute(_DUE, [handoff_id, conversation_id, GROWN])
        return cursor.fetchone() is not None


def submit_once(*, team: Team, conversation_id: UUID, handoff_id: UUID) -> None:
    """Audits a package in the background, unless that was asked for before or its conversation is gone."""
    asked = Job.objects.filter(conversation=conversation_id, kind=KIND, arguments__handoff_id=str(handoff_id))
    conversation = Conversation.objects.filter(~Exists(asked), team=team, id=conversation_id).first()
    if conversation is not None:
        jobs.submit(team=team, kind=KIND, arguments={"handoff_id": str(handoff_id)}, conversation=conversation)


@jobs.runner(KIND)
def run(lease: jobs.Lease) -> Mapping[str, Any]:
    """Reads everything again, in steps that keep the lease. What is killed begins anew, unless its report stands already."""
    started = time.perf_counter()
    done = AuditReport.objects.filter(id=lease.job.id).first()
    if done is not None:
        return {"audit_id": str(done.id), "differences": done.differing}
    conversation_id = existing(lease.job.conversation_id, "conversation")
    given = lease.job.arguments["handoff_id"]
    handoff = Handoff.objects.filter(id=given, conversation=conversation_id).first() if given else None
    for _ in range(TRIES):
        conversation = _level(lease, conversation_id)
        reading = _begin(conversation)
        while reading.through < conversation.folded_seq:
            _read(reading, conversation, stop=handoff.through_seq if handoff else None)
            lease.advance(done=reading.through, total=conversation.folded_seq)
        found, counts = _compared(conversation, reading, handoff)
        if _unchanged(conversation):
            return _store(lease, conversation, handoff, reading, found, counts, started)
    raise Unavailable("The conversation changes faster than it can be audited; try again when it rests.", retry_after=60)


def _level(lease: jobs.Lease, conversation_id: UUID) -> Conversation:
    """The conversation with all of it folded. Raises NotFound where it was erased, NewerRules where a newer release folds it."""
    while not (folded := fold_runner.catch_up(conversation_id=conversation_id, steps=4)).complete:
        lease.advance()
    if folded.newer is not None:
        raise fold_runner.newer_rules(folded.newer)
    while not probe_bank.catch_up(conversation_id=conversation_id, steps=4).complete:
        lease.advance()
    return existing(Conversation.objects.select_related("team").filter(id=conversation_id).first(), "conversation")


def _begin(conversation: Conversation) -> _Reading:
    """From what a predecessor handed down, or from nothing."""
    handed = FoldCheckpoint.objects.filter(conversation=conversation, seq=0, rules_version=versions.RULES_VERSION).first()
    asked = ProbeCheckpoint.objects.filter(conversation=conversation, seq=0, rules_version=VERSION).first()
    state = knowledge.FoldState.from_json(handed.state) if handed else knowledge.FoldState()
    return _Reading(state, Bank.from_json(asked.state if asked else {}))


def _read(reading: _Reading, conversation: Conversation, *, stop: int | None) -> None:
    """The next messages, up to the package's last one where it lies among them. What was passed over when it was folded is again: that is
    told of by itself. Raises Conflict where another one can't be read, so that nothing can be compared."""
    last = min(reading.through + STEP, conversation.folded_seq)
    last = stop if stop is not None and reading.through < stop < last else last
    of = {"conversation": conversation, "seq__gt": reading.through, "seq__lte": last, "abandoned": False}
    rows = list(Message.objects.filter(**of).order_by("seq"))
    known = skipped_messages.passed_over(conversation=conversation, reader=knowledge.READER, first=reading.through + 1, last=last)
    folded = knowledge.fold(reading.state, ((row.seq, row.as_transcript()) for row in rows), known_skipped=known)
    reading.memory.apply(folded.changes)
    known = skipped_messages.passed_over(conversation=conversation, reader=READER, first=reading.through + 1, last=last)
    reading.bank, skipped = reading.bank.read_on([(row.seq, probe_bank.masked_message(row)) for row in rows], known_skipped=known)
    for each in (*folded.skipped, *skipped):
        raise Conflict(f"Message {each.seq:,} could be read when it was folded and can't be now ({each.error}): nothing can be compared.")
    reading.state, reading.through = folded.state, last
    if stop == last:
        reading.then = dict(reading.memory.anchors)


def _unchanged(conversation: Conversation) -> bool:
    same = {"folded_seq": conversation.folded_seq, "rewinds": conversation.rewinds, "refold_from": None}
    return Conversation.objects.filter(id=conversation.id, **same).exists()


def _compared(
    conversation: Conversation, reading: _Reading, handoff: Handoff | None
) -> tuple[list[comparison.AuditDifference], dict[str, int]]:
    rows = Anchor.objects.filter(conversation=conversation)
    not_folded = Q(pinned=True) | Q(edited_at__isnull=False) | Q(origin_conversation__isnull=False) | Q(method=METHOD)
    touched = set(rows.filter(not_folded).values_list("key", flat=True))
    anchors = {anchor.key: anchor for anchor in rows.exclude(not_folded).as_distilled()}
    tasks = Task.objects.filter(conversation=conversation)
    held = Q(edited_at__isnull=False) | Q(origin_conversation__isnull=False) | Q(method=METHOD)
    touched_tasks = set(tasks.filter(held).values_list("key", flat=True))
    stored_tasks = {task.key: task.as_distilled() for task in tasks.exclude(held)}
    files = FileTouch.objects.filter(conversation=conversation).as_distilled()
    found = [
        *comparison.compare_anchors(reading.memory.anchors, anchors, touched),
        *comparison.compare_tasks(reading.memory.tasks, stored_tasks, touched_tasks),
        *comparison.compare_files(reading.memory.files.values(), files),
    ]
    bank = ProbeBank.objects.filter(conversation=conversation, through_seq=reading.through, rewinds=conversation.rewinds).first()
    # Read before they are compared: a bank that nothing was read for is stored as an empty one.
    if bank is not None and Bank.from_json(bank.state).to_json() != reading.bank.to_json():
        found.append(comparison.AuditDifference("probes", "changed", "", reading.through))
    counts = {"anchors": len(anchors), "tasks": len(stored_tasks), "files": len(files), "package_anchors": 0}
    if handoff is not None and reading.then is not None and handoff.through_seq and not _may_be_rewound(conversation, handoff):
        package = package_json.from_contract(handoff.package)
        aside = touched | regenerate.steering_of(handoff).dismissed
        counts["package_anchors"] = len(package.anchors)
        found += comparison.compare_package(package.anchors, reading.then, aside)
        if handoff.status != HandoffStatus.FAILED:
            found += comparison.missing_critical(reading.then, {anchor.key for anchor in package.anchors}, aside)
    return found, counts


def _may_be_rewound(conversation: Conversation, handoff: Handoff) -> bool:
    """Whether messages of the package may have been taken back since: what it says of them can't be read again then."""
    gone = Message.objects.filter(conversation=conversation, seq__lte=handoff.through_seq, abandoned=True)
    return conversation.rewinds > 0 and gone.exists()


@atomic
def _store(
    lease: jobs.Lease,
    conversation: Conversation,
    handoff: Handoff | None,
    reading: _Reading,
    found: list[comparison.AuditDifference],
    counts: Mapping[str, int],
    started: float,
) -> dict[str, Any]:
    # Whoever erases holds the conversation before it deletes its jobs: in the same order here, nobody waits in a circle.
    list(Conversation.objects.select_for_update(no_key=True, of=("self",)).filter(id=conversation.id).values_list("id"))
    lease.advance()  # with the report or not at all: whoever lost the job adds no second one
    report = AuditReport.objects.create(
        id=lease.job.id,
        team=conversation.team,
        conversation=conversation,
        handoff=handoff,
        through_seq=reading.through,
        differing=len(found),
        differences=[asdict(difference) for difference in found[:KEPT]],
        duration_ms=round((time.perf_counter() - started) * 1000, 1),
        **counts,
    )
    told = {"audit_id": str(report.id), "handoff_id": str(handoff.id) if handoff else None, "differences": len(found)}
    name = "audit.differed" if found else "audit.agreed"
    events.publish(name=name, team=conversation.team, subject_id=conversation.id, payload=told, critical=bool(found))
    if found:
        metadata = {"conversation_id": str(conversation.id), **told}
        logger.error("[CONT:FIDELITY] Audit differs: %s in %d places", conversation.id, len(found), extra={"metadata": metadata})
    return {"audit_id": str(report.id), "differences": len(found)}
