"""Going on from a handoff in a new conversation that starts from its predecessor's fold."""

from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db import connection
from django.utils import timezone

from continuity import queries, secrets
from continuity.core.errors import AlreadyResumed, HandoffGone, NotResumable, SessionInvalidated, existing
from continuity.core.tracing import span
from continuity.core.transactions import atomic
from continuity.models import Conversation, ConversationStatus, Team, User
from continuity.services.accounts import gates
from continuity.services.events import events
from continuity.services.knowledge import inheritance
from continuity.services.recording import conversations, windows
from continuity.services.recording.row_sql import insert
from continuity.transcripts import directive_spans
from handoffs.contract import package_json
from handoffs.fidelity import resumption as check
from handoffs.models import CheckCause, Handoff, HandoffChain, HandoffStatus, Resumption
from handoffs.models.handoffs import COLUMNS
from handoffs.services.chains import chains
from handoffs.services.edits import regenerate
from handoffs.services.packages import checks, handoffs, policies, probe_bank, reporting
from handoffs.services.packages.attempts import AttemptTimer

GATE = "Agents.Continuity.Directive"
MISSING = 50  # what a refusal names at most
_MARK = """
WITH chain AS (UPDATE handoff_chains SET last_activity_at = %(now)s WHERE id = %(chain)s),
given AS (
    UPDATE session_handoffs SET status = 'resumed', resumed_at = %(now)s, resumed_conversation_id = %(new)s WHERE id = %(handoff)s
)
UPDATE continuity_conversation SET status = 'handed_off', updated_at = %(now)s WHERE id = %(old)s AND status IN ('active', 'idle')
"""


@dataclass(frozen=True, slots=True)
class ResumedHandoff:
    """The new conversation, the handoff it goes on from, and the check that everything arrived (CONT-06)."""

    conversation: Conversation
    handoff: Handoff
    resumption: Resumption
    restored_anchors: int
    restored_tasks: int


@span("continuity.resume")
def resume(
    *,
    team: Team,
    handoff_id: UUID,
    resumed_by: User | None = None,
    fork: bool = False,
    source_tool: str = "",
    external_id: str = "",
    model: str = "",
    max_context_tokens: int | None = None,
    window_source: str = "",
    style: str = "",
) -> ResumedHandoff:
    """Opens the next conversation of the chain. What the old one said since the package was made is added first.

    `style` is the one in which the successor is told; by the words it is known again (`continuing`).

    Raises NotFound; HandoffGone (410) when it expired; SessionInvalidated (410); NotResumable (409) unless it is
    ready; AlreadyResumed (409) unless `fork`; Conflict (409) where the session `external_id` is recorded already.
    """
    gates.require(team, GATE)
    place = Handoff.objects.filter(team=team, id=handoff_id).defer(*COLUMNS.values(), "rest", "text", "references")
    handoff = place.first() or handoffs.get(team=team, handoff_id=handoff_id)
    handoff.team = team
    attempt = reporting.resuming(handoff)
    if connection.in_atomic_block:
        chains.lock(handoff.chain_id)  # before the conversation, which folding locks
    with attempt:
        while True:
            read = level(team, handoff.conversation_id)
            with suppress(_TakenBack):
                wanted = _Wanted(resumed_by, fork, source_tool, external_id, model, max_context_tokens, window_source, style)
                return _resume(team, handoff.chain_id, handoff_id, read.rewinds, wanted, attempt)


def go_on(*, team: Team, handoff: Handoff) -> ResumedHandoff:
    """Resumes a handoff that the caller's transaction prepared: it holds the chain and the conversation, and read both. Raises as `resume`
    does."""
    if handoff.conversation.last_seq > handoff.through_seq:
        return resume(team=team, handoff_id=handoff.id)
    gates.require(team, GATE)
    attempt = reporting.resuming(handoff)
    with attempt:
        _check_resumable(handoff, fork=False)
        attempt.admit()
        return _open(handoff, _Wanted(), attempt)


@dataclass(frozen=True, slots=True)
class _Wanted:
    """What the caller asks for; see `resume`."""

    resumed_by: User | None = None
    fork: bool = False
    source_tool: str = ""
    external_id: str = ""
    model: str = ""
    max_context_tokens: int | None = None
    window_source: str = ""
    style: str = ""


class _TakenBack(Exception):
    """Knowledge of the conversation was taken back after it was read: the successor would begin with less than there is."""


def level(team: Team, conversation_id: UUID) -> Conversation:
    """The conversation with all that was said in it folded and read."""
    conversation = conversations.get(team=team, conversation_id=conversation_id)
    if probe_bank.is_current(conversation):
        return conversation
    probe_bank.gather(conversation_id=conversation_id)
    return conversations.get(team=team, conversation_id=conversation_id)


@atomic
def _resume(team: Team, chain_id: UUID, handoff_id: UUID, rewinds: int, wanted: _Wanted, attempt: AttemptTimer) -> ResumedHandoff:
    # The chain first, as preparing and cleaning lock it.
    chains.lock(chain_id)
    handoff = _lock_resumable(team, handoff_id, wanted.fork)
    if handoff.conversation.rewinds != rewinds:
        raise _TakenBack
    attempt.admit()
    _top_up(handoff)
    return _open(handoff, wanted, attempt)


@atomic
def _open(handoff: Handoff, wanted: _Wanted, attempt: AttemptTimer) -> ResumedHandoff:
    """The next conversation. The caller holds the chain, the old conversation, and the handoff, which says all that was said there."""
    team, old = handoff.team, handoff.conversation
    tool, model = wanted.source_tool or old.source_tool, wanted.model or old.model
    new = conversations.create(
        team=team,
        owner=wanted.resumed_by or handoff.owner,
        title=old.title,
        source_tool=tool,
        external_id=wanted.external_id,
        provider=old.provider,
        model=model,
        max_context_tokens=wanted.max_context_tokens,
        window_source=wanted.window_source,
        evidence=windows.of_heir(old, source_tool=tool, model=model),
        cwd=old.cwd,
        branch=old.branch,
        resumed_from=old,
    )
    reporting.opened(handoff, new)
    restored = inheritance.inherit(heir=new, predecessor=old)
    probe_bank.carry(heir=new, predecessor=old)
    policies.carry(heir=new, predecessor=old)
    package = package_json.from_contract(package_json.without_lines(handoff.package))
    keys, paths = {anchor.key for anchor in package.anchors}, {file.path for file in package.files}
    arrived = queries.known_of(new, restored.record, keys=keys, paths=paths)
    report = check.validate_resumption(package, handoff.text, arrived, new_conversation_id=str(new.id))
    resumption = Resumption(
        team=team,
        handoff=handoff,
        conversation=new,
        resumed_by=wanted.resumed_by,
        fork=handoff.resumed_at is not None,
        report=package_json.resumption_to_contract(report),
        directive_digest=directive_spans.digest_of(handoffs.directive_text(handoff, style=wanted.style)),
    )
    insert(resumption)
    _mark(handoff, new)
    reporting.resumed(handoff, new, report, fork=resumption.fork, anchors=restored.anchors, attempt=attempt)
    return ResumedHandoff(new, handoff, resumption, restored.anchors, restored.tasks)


def _lock_resumable(team: Team, handoff_id: UUID, fork: bool) -> Handoff:
    locked = existing(Handoff.objects.select_for_update().filter(id=handoff_id).first(), "handoff")
    locked.team, locked.conversation = team, conversations.get(team=team, conversation_id=locked.conversation_id)
    _check_resumable(locked, fork=fork)
    return locked


def _check_resumable(handoff: Handoff, *, fork: bool) -> None:
    if handoff.resumed_at is None and handoff.expires_at <= timezone.now():
        raise HandoffGone(f"This handoff expired on {handoff.expires_at:%Y-%m-%d}.", reason="expired")
    if handoff.conversation.status in (ConversationStatus.INVALIDATED, ConversationStatus.INVALIDATED_PENDING_CLEANUP):
        raise SessionInvalidated
    if handoff.status == HandoffStatus.RESUMED and not fork:
        raise AlreadyResumed
    if handoff.status not in (HandoffStatus.READY, HandoffStatus.RESUMED):
        raise NotResumable(handoff_status=handoff.status, missing=_missing(handoff))


def _missing(handoff: Handoff) -> list[str]:
    """The items that the check of a failed package found missing, secrets masked; empty for any other."""
    issues = handoffs.report_of(handoff).issues if handoff.status == HandoffStatus.FAILED else ()
    return [secrets.mask_text(issue.description) for issue in issues[:MISSING]]


def _top_up(handoff: Handoff) -> None:
    """Makes the package again where messages came after it; what was resumed once stays as it was."""
    conversation = handoff.conversation
    if handoff.resumed_at is not None or conversation.last_seq <= handoff.through_seq:
        return
    prepared = regenerate.remake(handoff, now=timezone.now())
    if handoff.status == HandoffStatus.FAILED:
        raise NotResumable(
            "This handoff can't be resumed: with the messages that came after it, its check fails.",
            handoff_status="failed",
            missing=_missing(handoff),
        )
    handoff.save()
    checks.record(handoff=handoff, report=prepared.report, cause=CheckCause.TOPPED_UP)


def _mark(handoff: Handoff, new: Conversation) -> None:
    now = timezone.now()
    if handoff.resumed_at is not None:
        HandoffChain.objects.filter(id=handoff.chain_id).update(last_activity_at=now)
        return
    handoff.status, handoff.resumed_at, handoff.resumed_conversation = HandoffStatus.RESUMED, now, new
    values: dict[str, datetime | UUID] = {
        "now": now,
        "chain": handoff.chain_id,
        "handoff": handoff.id,
        "new": new.id,
        "old": handoff.conversation_id,
    }
    with connection.cursor() as cursor:
        cursor.execute(_MARK, values)  # The caller holds the locks of the chain and the handoff.
        ended = cursor.rowcount
    if ended:
        payload = {"handoff_id": str(handoff.id)}
        events.publish(name="conversation.handed_off", team=handoff.team, subject_id=handoff.conversation_id, payload=payload)
