"""Preparing a handoff: fold the rest, plan, assemble, check, repair, store, extend the chain, tell."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID, uuid4

from django.conf import settings
from django.db import connection
from django.db.models import Q
from django.urls import reverse
from django.utils import timezone

from continuity import queries, secrets
from continuity.core.errors import Invalid
from continuity.core.tracing import span
from continuity.core.transactions import atomic
from continuity.knowledge import NewerState
from continuity.knowledge.model import Knowledge
from continuity.models import ApiKey, Conversation, Job, Team, User
from continuity.services.accounts import gates
from continuity.services.jobs import jobs
from continuity.services.knowledge import fold_runner
from continuity.services.model import model_extraction
from continuity.services.recording import conversations
from continuity.services.recording.row_sql import insert
from continuity.usage import tokens
from handoffs.budgeting.read_limits import anchors_for
from handoffs.building.masking import masked
from handoffs.building.preparation import check_again
from handoffs.building.preparation import prepare as prepare_package
from handoffs.contract import package_json
from handoffs.contract.model import FidelityReport, Options, Prepared, Style
from handoffs.directive.line_overrides import UNSTEERED, Steering
from handoffs.directive.references import References
from handoffs.fidelity.probes import questions
from handoffs.models import CheckCause, Handoff, HandoffStatus
from handoffs.services.chains import chains
from handoffs.services.chains.offer_at_once import hand_over
from handoffs.services.notes import note_queries as notes
from handoffs.services.notes import summaries
from handoffs.services.packages import checks, policies, probe_bank, reporting
from handoffs.services.packages.attempts import AttemptTimer
from handoffs.services.packages.authors import Author

KIND = "prepare"
MIN_BUDGET = 150
MAX_BUDGET = 200_000
_HOLD = "SELECT rewinds, last_seq, status FROM continuity_conversation WHERE id = %s FOR NO KEY UPDATE"


def options_of(
    *, budget: int = 4000, style: str = "structured", max_reminder_count: int = 5, trigger_reason: str = "Manual", note: str = ""
) -> Options:
    """Checked options. Raises Invalid naming the field and its limits."""
    if not MIN_BUDGET <= budget <= MAX_BUDGET:
        raise Invalid(f"budget must lie between {MIN_BUDGET:,} and {MAX_BUDGET:,} tokens.", field="budget")
    if style not in list(Style):
        raise Invalid(f"style must be one of {', '.join(Style)}.", field="style")
    if not 0 <= max_reminder_count <= 100:
        raise Invalid("max_reminder_count must lie between 0 and 100.", field="max_reminder_count")
    return Options(
        budget=budget, style=Style(style), max_reminder_count=max_reminder_count, trigger_reason=trigger_reason[:200], note=note[:2000]
    )


@span("continuity.prepare")
def prepare(
    *,
    team: Team,
    conversation_id: UUID,
    options: Options,
    owner: User | None = None,
    key: ApiKey | None = None,
    draft: bool = False,
    handoff_id: UUID | None = None,
    automatic: bool = False,
) -> Handoff:
    """Prepares and stores a handoff of the conversation as it stands; a draft where asked or where the policy is review.

    Preparing the same `handoff_id` again gives the stored one, and an `automatic` one that waits is not made twice. A
    package that fails its check is stored as `failed` with what is missing. Raises NotFound, ConversationGone,
    SessionInvalidated, SessionExpired, GateClosed, ChainTooLong, and NewerRules where a newer release distilled the conversation.
    """
    _require(team)
    conversation = conversations.get(team=team, conversation_id=conversation_id)
    conversations.check_open(conversation)
    if connection.in_atomic_block:
        chains.hold(conversation_id)  # before the conversation, which folding locks
    again = automatic or handoff_id is not None
    handoff_id = handoff_id or uuid4()
    with reporting.preparing(team, conversation, handoff_id, options) as attempt:
        while True:
            if not probe_bank.is_current(conversation):
                probe_bank.gather(conversation_id=conversation.id)
                conversation = conversations.get(team=team, conversation_id=conversation_id)
            now = timezone.now()
            prepared = build(conversation=conversation, options=options, handoff_id=handoff_id, now=now)
            effective = policies.effective(team=team, conversation=conversation)
            draft = draft or effective.review
            limit = effective.max_chain_length
            handoff = _store(team, conversation, prepared, Author(owner, key), draft, handoff_id, now, again, automatic, limit, attempt)
            if handoff is not None:
                summaries.keep(conversation, prepared.knowledge)
                return handoff
            conversation = conversations.get(team=team, conversation_id=conversation_id)


def _require(team: Team) -> None:
    """A package is CONT-01's model, and is kept in CONT-04's store. Raises GateClosed."""
    gates.require(team, "Agents.Continuity.Model")
    gates.require(team, "Agents.Continuity.Storage")


def build(*, conversation: Conversation, options: Options, handoff_id: UUID, now: datetime, steering: Steering = UNSTEERED) -> Prepared:
    """The package from what is distilled, checked and repaired, not stored, its secrets masked before anything is shortened or counted. A
    fixed number of queries; three more where it leaves room. Raises NewerRules."""
    try:
        known = _known(conversation, options)
    except NewerState as error:
        raise fold_runner.newer_rules(error.found) from error
    bank = probe_bank.bank_of(conversation)
    return prepare_package(
        known,
        options,
        counter=tokens.counter_for(conversation.model),
        now=now,
        handoff_id=str(handoff_id),
        conversation_id=str(conversation.id),
        steering=steering,
        probes=questions(bank),
        course=bank.course,
    )


def check(*, conversation: Conversation, options: Options, handoff_id: UUID, steering: Steering, text: str) -> FidelityReport:
    """The check of a text against what is distilled now, as a package with these options would have to state it."""
    bank = probe_bank.bank_of(conversation)
    return check_again(
        _known(conversation, options),
        options,
        text,
        counter=tokens.counter_for(conversation.model),
        handoff_id=str(handoff_id),
        steering=steering,
        probes=questions(bank),
        course=bank.course,
    )


def _known(conversation: Conversation, options: Options) -> Knowledge:
    knowledge = masked(queries.knowledge_of(conversation, anchors_limit=anchors_for(options.budget)))
    return replace(knowledge, note=notes.in_use(conversation, knowledge))


@atomic
def _store(
    team: Team,
    conversation: Conversation,
    prepared: Prepared,
    author: Author,
    draft: bool,
    handoff_id: UUID,
    now: datetime,
    again: bool,
    automatic: bool,
    limit: int | None,
    attempt: AttemptTimer,
) -> Handoff | None:
    """The stored handoff, the one from before where it was asked for `again`; None where the conversation's knowledge was taken back
    after it was read, so that it must be read again."""
    link = chains.link_for(conversation=conversation, now=now)
    with connection.cursor() as cursor:
        cursor.execute(_HOLD, [conversation.id])
        current = cursor.fetchone()
    if current is None:
        raise conversations.missing(team=team, conversation_id=conversation.id)
    rewinds, conversation.last_seq, conversation.status = current
    stored = _stored(team, conversation, handoff_id, automatic) if again else None
    if stored is not None:
        stored.team, stored.conversation = team, conversation
        return stored
    if rewinds != conversation.rewinds:
        return None
    chains.check_room(chain=link.chain, limit=limit)
    handoff = Handoff(
        id=handoff_id,
        team=team,
        conversation=conversation,
        chain=link.chain,
        position=link.position,
        number=link.number,
        previous_handoff_id=link.previous_id,
        owner=author.person or conversation.owner,
        made_by=author.person,
        made_with=author.key,
        automatic=automatic,
        context_tokens=conversation.context_tokens,
        expires_at=now + timedelta(days=settings.HANDOFF_RETENTION_DAYS),
        created_at=now,
    )
    fill(handoff, prepared, draft=draft)
    insert(handoff)
    chains.extend(chain=link.chain, handoff=handoff, tokens=prepared.package.metadata.original_token_count, now=now)
    checks.record(handoff=handoff, report=prepared.report, cause=CheckCause.PREPARED)
    reporting.prepared(handoff, prepared, attempt)
    return handoff


def _stored(team: Team, conversation: Conversation, handoff_id: UUID, automatic: bool) -> Handoff | None:
    """The handoff that was stored under this id before, or the automatic one that waits."""
    same = Q(id=handoff_id)
    if automatic:
        same |= Q(conversation=conversation, automatic=True, status__in=(HandoffStatus.DRAFT, HandoffStatus.READY))
    return Handoff.objects.visible_to(team).filter(same).first()


def fill(handoff: Handoff, prepared: Prepared, *, draft: bool) -> None:
    """Puts a package and its check into the row, unsaved."""
    public = package_json.to_contract(prepared.package, prepared.report)
    handoff.status = HandoffStatus.FAILED if not prepared.report.passes_threshold else HandoffStatus.DRAFT if draft else HandoffStatus.READY
    handoff.through_seq = prepared.package.through_seq
    handoff.package = public
    handoff.text = prepared.text
    handoff.references = References(prepared.knowledge, handoff.references).all()
    handoff.secrets = [{"start": span.start, "end": span.end, "kind": span.kind} for span in secrets.find(prepared.text)]
    handoff.style = prepared.package.options.style.value
    handoff.token_budget = prepared.package.options.budget
    handoff.token_count = prepared.package.plan.used
    handoff.fidelity_score = prepared.report.overall_fidelity_score
    missing = [] if prepared.report.passes_threshold else [issue.description.rstrip(".") for issue in prepared.report.issues]
    handoff.failure = "; ".join(missing)[:4000]


def submit(
    *,
    team: Team,
    conversation_id: UUID,
    options: Options,
    owner: User | None = None,
    key: ApiKey | None = None,
    draft: bool = False,
    offer: Mapping[str, str] | None = None,
) -> Job:
    """Prepares in the background; the job's result holds the handoff's id. With an `offer` ({"to": e-mail address, "note": words, "site":
    scheme and host for the link in the mail}) it is offered once it is made; the result tells why it was not.

    Raises NotFound, SessionInvalidated, GateClosed.
    """
    _require(team)
    conversation = conversations.get(team=team, conversation_id=conversation_id)
    conversations.check_open(conversation)
    arguments = {
        "handoff_id": str(uuid4()),
        "budget": options.budget,
        "style": options.style.value,
        "max_reminder_count": options.max_reminder_count,
        "trigger_reason": options.trigger_reason,
        "note": options.note,
        "draft": draft,
        "offer": dict(offer) if offer else None,
    }
    if key is not None:
        arguments["key_id"] = str(key.id)
    return jobs.submit(team=team, kind=KIND, arguments=arguments, created_by=Author(owner, key).person, conversation=conversation)


@jobs.runner(KIND)
def run(lease: jobs.Lease) -> Mapping[str, Any]:
    """Folds in steps that keep the lease, then prepares under the id chosen at submission, so that twice is once."""
    job = lease.job
    given = dict(job.arguments)
    handoff_id, draft, offer = UUID(given.pop("handoff_id")), given.pop("draft"), given.pop("offer", None)
    key = ApiKey.objects.visible_to(job.team).filter(id=given.pop("key_id", None)).first()
    conversation_id = fold_runner.catch_up_for(lease)
    while not probe_bank.catch_up(conversation_id=conversation_id, steps=4).complete:
        lease.advance()
    model_extraction.before_preparing(conversation_id=conversation_id, keep=lease.advance)
    lease.advance(done=1, total=2)
    handoff = prepare(
        team=job.team,
        conversation_id=conversation_id,
        options=options_of(**given),
        owner=job.created_by,
        key=key,
        draft=draft,
        handoff_id=handoff_id,
    )
    told = {"handoff_id": str(handoff.id), "status": handoff.status}
    return told | _offered(handoff, offer, job.created_by) if offer else told


def _offered(handoff: Handoff, offer: Mapping[str, str], giver: User | None) -> dict[str, Any]:
    """To whom it was offered, or why to nobody; the handoff itself is made either way."""
    link = f"{offer['site']}{reverse('handoff', args=[handoff.id])}"
    done = hand_over(handoff=handoff, to=offer["to"], note=offer["note"], author=Author(user=giver), link=link)
    return {"not_offered": done.refused} if done.refused else {"offered_to": str(done.handoff.offered_to), "mailed": done.mailed}
