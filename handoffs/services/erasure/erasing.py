"""Erasing a conversation, or words in it, everywhere: rows at once in one transaction, the rest in a job that goes on until it is complete.

Copies are followed through the chain: what successors took over, the packages that they and it gave, what they were told.
"""

import logging
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from typing import Any, TypeVar
from uuid import UUID

from django.db.models import F, QuerySet
from django.utils import timezone

from continuity.core import clock
from continuity.core.errors import ConversationGone, Invalid, Unavailable, existing
from continuity.core.note_parts import PARTS
from continuity.core.redaction import SHORTEST, Redaction, is_redacted, redact
from continuity.core.transactions import atomic
from continuity.knowledge.directive_parser.grammar import SectionKind
from continuity.knowledge.handoff_note import NoteVerdict
from continuity.knowledge.model import AnchorState, AnchorType, FileAction, Truth
from continuity.models import Conversation, Erasure, ErasureScope, Job, JobStatus, Message, Team, User
from continuity.services import agent_state
from continuity.services.erasure import delete_conversation, external_copies, redact_messages, redact_rows
from continuity.services.events import events
from continuity.services.jobs import deferrals, jobs, queueing
from continuity.services.knowledge import fold_runner
from continuity.services.model import proposal_rows
from continuity.services.recording import conversations, imports, lineage
from continuity.services.segments import segment_rows
from continuity.services.shared_state import state_erasure as shared_states
from continuity.transcripts.base.model import PartKind, Role, Voice
from handoffs.contract.model import Scaffold, Style
from handoffs.directive.lines.wording import CLOSING, OPENING
from handoffs.models import FidelityCheck, Handoff, HandoffChain
from handoffs.services.chains import chain_removal
from handoffs.services.erasure import rebuilding
from handoffs.services.packages import probe_bank
from handoffs.services.packs import pack_caches
from handoffs.services.ratings import rekeying

logger = logging.getLogger("continuity.erasing")

KIND = "erase"
REASON = "Erased from its conversation while it waited; upload it again without what was erased."
LONGEST = 100_000  # characters of words that are looked for
# Values by which records are read again: redacted, they would make messages and packages unreadable.
RESERVED = frozenset(
    member.value
    for family in (PartKind, Voice, Role, AnchorType, AnchorState, Truth, FileAction, SectionKind, Style, Scaffold, NoteVerdict)
    for member in family
) | frozenset(PARTS)

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class By:
    """The author of an erasure: a person, or a key by its name."""

    name: str
    user: User | None = None


@dataclass(frozen=True, slots=True)
class Place:
    """A span of the text of one part of a message: half-open, in characters."""

    seq: int
    part: int
    start: int
    end: int


def erase_conversation(*, team: Team, conversation_id: UUID, by: By) -> Erasure:
    """Removes a conversation and every copy of it. Twice is once: the second call gives the first one's tombstone. Raises NotFound."""
    try:
        return _exclusively(team, conversation_id, lambda conversation, _family: _erase_whole(conversation, by))
    except ConversationGone:
        return Erasure.objects.get(team=team, conversation=conversation_id, scope=ErasureScope.CONVERSATION)


def erase_words(*, team: Team, conversation_id: UUID, words: str, by: By) -> Erasure:
    """Blacks `words` out of a conversation and of all that are in a chain with it, and out of everything made from them.

    Raises Invalid where the words are too short or too long to be told from others, NotFound, ConversationGone.
    """
    _check_words(words, "text")
    return _exclusively(team, conversation_id, lambda conversation, family: _erase_words(conversation, family, words, by))


def erase_place(*, team: Team, conversation_id: UUID, place: Place, by: By) -> Erasure:
    """Blacks out one span of a message, and its words in everything made from messages. Raises as `erase_words`."""
    return _exclusively(team, conversation_id, lambda conversation, family: _erase_place(conversation, family, place, by))


def _exclusively(team: Team, conversation_id: UUID, work: Callable[[Conversation, Sequence[UUID]], T]) -> T:
    """Does `work` with the conversation and the ids of all in a chain with it, while nobody prepares, resumes or appends there.

    Chains are locked first, as preparing and resuming do. What joined the chain before the locks were held is found by asking again.
    """
    while True:
        with suppress(_Grown):
            return _attempt(team, conversation_id, work)


class _Grown(Exception):
    """Another conversation or chain joined before all were locked."""


@atomic
def _attempt(team: Team, conversation_id: UUID, work: Callable[[Conversation, Sequence[UUID]], T]) -> T:
    """Locks all that stands in the chain, in the order of docs/adr/0013-lock-order.md, and does the work. Raises _Grown."""
    family = lineage.family(conversation_id)
    # Imports first: one that goes on holds its job while it appends.
    _hold(Job.objects.filter(conversation__in=family, kind=imports.KIND))
    chains = chain_removal.chains_of(family)
    _hold(HandoffChain.objects.filter(id__in=chains))
    locked = Conversation.objects.select_for_update().filter(id__in=family, team=team).order_by("id")
    found = next((row for row in locked if row.id == conversation_id), None)
    if found is None:
        raise conversations.missing(team=team, conversation_id=conversation_id)
    if lineage.family(conversation_id) != family or chain_removal.chains_of(family) != chains:
        raise _Grown
    _hold(Handoff.objects.filter(conversation__in=family))
    segment_rows.hold(conversations=family)
    return work(found, family)


def _hold(rows: "QuerySet[Any]") -> None:
    list(rows.select_for_update().order_by("id").values_list("id"))


def _erase_whole(conversation: Conversation, by: By) -> Erasure:
    now = timezone.now()
    heirs = lineage.heirs(conversation)
    team, source = conversation.team, delete_conversation.source_of(conversation)
    copies = list(Handoff.objects.filter(conversation__in=heirs).values_list("id", flat=True))
    jobs_of = list(Job.objects.filter(conversation=conversation).values_list("id", flat=True))
    files = jobs.end_all(conversations=[conversation.id], kind=imports.KIND, reason=REASON)
    uploads = {name for name in jobs.names_of_files(conversation) if len(name) >= SHORTEST}
    redact_rows.empty_log(conversations=[conversation.id, *heirs])
    FidelityCheck.objects.filter(handoff__conversation=conversation).update(model="")  # they stay, as figures
    statuses = rebuilding.empty(heirs)
    probe_bank.forget(conversations=heirs)
    rebuilding.forget_edits(heirs, told_by=conversation)
    notes = rebuilding.forget_notes([conversation.id, *heirs])
    ratings = rebuilding.forget_ratings([conversation.id, *heirs], told_by=conversation)
    packages = chain_removal.take_out(conversation, now=now)
    redact_messages.in_stretches(OPENING, CLOSING, redact, conversations=heirs)
    redact_rows.in_replies(team=team, mentioning=[conversation.id, *packages, *copies, *notes], told=delete_conversation.GONE)
    redact_rows.in_replies(
        team=team, mentioning=heirs, told=delete_conversation.GONE, holding=partial(delete_conversation.repeats, conversation)
    )
    states = agent_state.forget(
        team=team, conversation=conversation.id, heirs=heirs, repeats=partial(delete_conversation.repeats, conversation)
    )
    shared = shared_states.forget(team=team, conversation=conversation.id, repeats=partial(delete_conversation.repeats, conversation))
    delete_conversation.undescribe(conversation, heirs=heirs)
    for name in uploads:
        redact_rows.of_team(Redaction(name), team=team)
    erased = conversation.id
    removed = delete_conversation.remove(conversation, heirs=heirs, subjects=packages)
    removed["handoff"] += len(packages)
    removed["storednote"] += len(notes)
    removed["handoffrating"] += ratings
    removed["storedstate"] += states
    removed["stateentry"] += shared
    removed["storedpack"] += pack_caches.forget_team(team=team)
    rest = {"subjects": [erased, *packages, *jobs_of], "files": files, "heirs": heirs, "packages": statuses}
    return _bury(team, erased, {"scope": ErasureScope.CONVERSATION, "source": source}, by, removed, rest, now)


def _erase_words(conversation: Conversation, family: Sequence[UUID], words: str, by: By) -> Erasure:
    redaction = Redaction(words)
    first = redact_messages.in_messages(redaction, conversations=family)
    return _erase_copies(conversation, family, redaction, first, {"scope": ErasureScope.WORDS}, by)


def _erase_place(conversation: Conversation, family: Sequence[UUID], place: Place, by: By) -> Erasure:
    message = existing(Message.objects.filter(conversation=conversation, seq=place.seq).first(), "message")
    if not place.part < len(message.parts):
        raise Invalid(f"Message {place.seq} has {len(message.parts)} parts.", field="part")
    text = message.parts[place.part].get("text", "")
    if not 0 <= place.start < place.end <= len(text):
        raise Invalid(f"start and end must lie within the {len(text)} characters of the part's text.", field="end")
    words = text[place.start : place.end]
    redaction = Redaction(words)
    first: dict[UUID, int] = {}
    if not is_redacted(words):
        _check_words(words, "end")
        redact_messages.at_place(message, part=place.part, start=place.start, end=place.end)
        first = redact_messages.in_stretches(OPENING, CLOSING, redaction.in_copies, conversations=family) | {conversation.id: place.seq}
    of_place = {"scope": ErasureScope.PLACE, "seq": place.seq, "part": place.part, "start": place.start, "end": place.end}
    return _erase_copies(conversation, family, redaction, first, of_place, by)


def _check_words(words: str, field: str) -> None:
    if len(words.strip()) < SHORTEST:
        raise Invalid(f"Fewer than {SHORTEST} characters can't be told from others; take in the words around them.", field=field)
    if words.strip() in RESERVED:
        raise Invalid("This is also a word of the records themselves; take in the words around it, or name the place.", field=field)
    if len(words) > LONGEST:
        raise Invalid(f"At most {LONGEST:,} characters are looked for at once.", field=field)


def _erase_copies(
    conversation: Conversation, family: Sequence[UUID], redaction: Redaction, first: Mapping[UUID, int], what: dict[str, Any], by: By
) -> Erasure:
    """Takes the knowledge back to before the words, and redacts them in all that was made with them."""
    removed: Counter[str] = Counter(message=len(first))
    if not is_redacted(redaction.words):
        redact_rows.empty_log(conversations=family, holding=lambda text: redaction.in_copies(text) != text)
    packages = list(Handoff.objects.filter(conversation__in=family).values_list("id", flat=True))
    # What a worker or a preparation read before this moment is not stored any more.
    Conversation.objects.filter(id__in=family).update(rewinds=F("rewinds") + 1, version=F("version") + 1)
    for changed in Conversation.objects.filter(id__in=first):
        proposal_rows.forget_summaries(conversations=[changed.id], since=first[changed.id])
        proposal_rows.forget_summaries(conversations=lineage.heirs(changed))
        if first[changed.id] <= changed.folded_seq:
            fold_runner.rewind(conversation=changed, to=first[changed.id], newer=True)
    files = jobs.end_all(conversations=family, kind=imports.KIND, reason=REASON)
    if not is_redacted(redaction.words):
        removed += shared_states.redact(team=conversation.team, redaction=redaction)  # First, since their digests follow.
        removed += redact_rows.in_copies(redaction, conversations=family, subjects=packages)
        rekeying.rekey(conversations=family)
        told, mentioning = delete_conversation.GONE, [*family, *packages]
        removed += redact_rows.of_team(redaction, team=conversation.team)
        removed["storedstate"] += agent_state.redact(team=conversation.team, redaction=redaction)
        removed["storedpack"] += pack_caches.forget_team(team=conversation.team)
        removed["idempotentreply"] = redact_rows.in_replies(
            team=conversation.team,
            mentioning=mentioning,
            told=told,
            holding=lambda body: redaction.in_copies(body) != body,
        )
    rest: dict[str, Any] = {"subjects": [], "files": files, "heirs": [], "packages": {}}
    return _bury(conversation.team, conversation.id, what, by, removed, rest, timezone.now())


def _bury(
    team: Team, conversation_id: UUID, what: Mapping[str, Any], by: By, removed: Counter[str], rest: dict[str, Any], now: datetime
) -> Erasure:
    """Leaves the tombstone, and the job that does the rest."""
    arguments = {
        **rest,
        "subjects": [str(each) for each in rest["subjects"]],
        "heirs": [str(each) for each in rest["heirs"]],
        "conversation_id": str(conversation_id),
    }
    job = jobs.submit(team=team, kind=KIND, arguments=arguments, created_by=by.user)
    counts = {name: count for name, count in sorted(removed.items()) if count}
    erasure = Erasure.objects.create(
        team=team, conversation=conversation_id, erased_by=by.user, erased_as=by.name[:200], job=job, removed=counts, created_at=now, **what
    )
    payload = {"erasure_id": str(erasure.id), "scope": erasure.scope}
    events.publish(name="conversation.erased", team=team, subject_id=conversation_id, payload=payload, critical=True)
    logger.info("[CONT:ERASE] Erased %s of conversation %s", erasure.scope, conversation_id)
    return erasure


@jobs.runner(KIND)
def run(lease: jobs.Lease) -> Mapping[str, Any]:
    """Removes what is outside of the database, and makes again what was made with the erased words. May be repeated."""
    given = lease.job.arguments
    try:
        external_copies.remove(subjects=[UUID(each) for each in given["subjects"]], files=given["files"])
    except (OSError, external_copies.TracesRemain) as error:
        raise Unavailable(f"{error} Erasing goes on when it can.", retry_after=15) from error
    _forget_events(lease.job.team_id, [UUID(each) for each in given["subjects"]])
    for heir_id in given["heirs"]:
        _hand_down(UUID(heir_id), lease)
    rebuilding.make_again(given["packages"])
    return _complete(lease.job)


def _forget_events(team_id: UUID, subjects: Sequence[UUID]) -> None:
    """Deletes the events that had to be counted first. Raises Unavailable while some still have to."""
    _, left = delete_conversation.delete_events(team_id=team_id, about=subjects) if subjects else (0, False)
    if left:
        raise Unavailable("Some of its events are not counted yet. Erasing goes on when they are.", retry_after=15)


def _hand_down(heir_id: UUID, lease: jobs.Lease) -> None:
    heir = Conversation.objects.select_related("resumed_from").filter(id=heir_id).first()
    if heir is None:
        return  # erased meanwhile
    if heir.resumed_from_id:
        _fold(heir.resumed_from_id, lease)
    _inherit_again(heir)
    _fold(heir_id, lease)


@atomic
def _inherit_again(heir: Conversation) -> None:
    delete_conversation.hand_down(heir=heir)
    if heir.resumed_from is not None:
        probe_bank.carry(heir=Conversation.objects.get(id=heir.id), predecessor=heir.resumed_from)


def _fold(conversation_id: UUID, lease: jobs.Lease) -> None:
    lease.advance()
    while not fold_runner.catch_up(conversation_id=conversation_id, steps=4).complete:
        lease.advance()
    probe_bank.catch_up(conversation_id=conversation_id)


@atomic
def _complete(job: Job) -> dict[str, Any]:
    erasure = Erasure.objects.get(job=job)
    if Erasure.objects.filter(id=erasure.id, completed_at=None).update(completed_at=timezone.now()):
        payload = {"erasure_id": str(erasure.id), "scope": erasure.scope}
        events.publish(name="erasure.completed", team=erasure.team, subject_id=erasure.conversation, payload=payload)
    return {"erasure_id": str(erasure.id), "scope": erasure.scope, "removed": erasure.removed}


def sweep(*, now: datetime, older_than: timedelta = timedelta(seconds=30)) -> int:
    """Lets jobs that gave up begin anew, until every erase is complete. Returns how many."""
    failed = Erasure.objects.filter(clock.settled("created_at", now=now, age=older_than), completed_at=None, job__status=JobStatus.FAILED)
    left = deferrals.without_waiting(failed, KIND, now).order_by("created_at").values_list("id", flat=True)
    return deferrals.each(kind=KIND, ids=list(left[:100]), work=_queue_again, of=Erasure, claim=False)


def _queue_again(erasure_id: UUID) -> bool:
    job_id = Erasure.objects.values_list("job_id", flat=True).get(id=erasure_id)
    again = Job.objects.filter(id=job_id, status=JobStatus.FAILED)
    if not again.update(status=JobStatus.QUEUED, attempts=0, error="", finished_at=None, lease_until=None):
        return False
    queueing.send("continuity.run_job", str(job_id))
    return True
