"""Reads that span models, bounded however long the conversation."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any

from django.db.models import OuterRef, Subquery
from django.db.models.functions import Coalesce

from continuity import knowledge
from continuity.displayed_choices import BEFORE
from continuity.knowledge import model as distilled
from continuity.knowledge import selection
from continuity.knowledge.methods import ACCEPTED, ANSWERED, ASKED
from continuity.models import Anchor, Conversation, Message
from continuity.services.knowledge import queries
from continuity.transcripts.base.model import PartKind, Role, Voice

SAID = [{"kind": PartKind.TEXT, "voice": Voice.PERSON}]
REPLACED = 3  # of what one anchor replaced
PLACE = 400  # characters of a folder or branch that a package tells
NOBODYS = ("system", "directive")  # how methods begin of what no person of the session said
RETOLD = 3  # summaries that a model gave of the latest stretches


def open_tasks(conversation: Conversation) -> Sequence[distilled.Task]:
    """The open tasks, latest change first. One query."""
    return queries.open_tasks(conversation.id, limit=selection.TASKS)


def knowledge_of(conversation: Conversation, *, anchors_limit: int = selection.ANCHORS) -> distilled.Knowledge:
    """The knowledge that a package is assembled from, as distilled so far. Four queries, each bounded.

    All critical anchors are given (up to `choosing.CRITICAL`), and of the others `anchors_limit`: half of them the most important,
    half the latest.
    """
    standing = queries.knowledge_state(conversation.id, counted=selection.COUNTED, retold=RETOLD)
    important, latest = selection.halves(anchors_limit)
    chosen = queries.anchors(
        conversation.id, critical=selection.CRITICAL, important=important, latest=latest, superseded=selection.SUPERSEDED
    )
    found = {anchor.key: anchor for anchor in chosen}.values()
    touches = queries.touches(conversation.id, changed=selection.FILES, read=selection.FILES_READ)
    merged = knowledge.merge_files(selection.in_order(touches))
    current = (anchor for anchor in found if anchor.state is distilled.AnchorState.CURRENT)
    return distilled.Knowledge(
        anchors=knowledge.order_anchors(current, standing.outline.through_seq),
        superseded=knowledge.latest_superseded(found),
        tasks=knowledge.worth_telling(queries.tasks(conversation.id, open=selection.TASKS, completed=selection.COMPLETED)),
        files=merged,
        situation=placed(conversation, standing.outline.situation),
        turns=standing.outline.turns,
        requests=standing.outline.requests,
        brief=standing.outline.brief,
        carried=standing.outline.carried,
        through_seq=conversation.folded_seq,
        messages=conversation.message_count,
        tokens=conversation.total_tokens,
        anchors_total=standing.anchors,
        retold=standing.retold,
    )


def known_of(
    conversation: Conversation, record: Mapping[str, Any], *, keys: Collection[str], paths: Collection[str]
) -> distilled.Knowledge:
    """The conversation's knowledge of these anchors and files, and its situation without the names in use, to compare with what was to
    arrive; the fold has this record.

    `knowledge_of` chooses by rank, which differs between conversations of different size. Two queries. Raises OutdatedState.
    """
    state = knowledge.FoldState.outline(record, words=False)
    return distilled.Knowledge(
        anchors=tuple(queries.current_anchors(conversation.id, keys=keys)),
        files=knowledge.merge_files(queries.touches_of(conversation.id, paths=paths)),
        situation=placed(conversation, knowledge.situation(state)),
        requests=state.requests,
    )


def credit(anchors: Collection[Anchor]) -> None:
    """Says when each was said (`said_on`), which message agreed to what the agent proposed (`agreed_seq`), which question it answers
    (`answers`), what it replaced (`replaced`), and who said what a person said (`said_in`), also in an earlier session. Six queries at
    most."""
    _date([anchor for anchor in anchors if anchor.source_seq > 0 and not anchor.is_added])
    agree([anchor for anchor in anchors if anchor.method == ACCEPTED and anchor.source_seq > 0])
    _find_questions([anchor for anchor in anchors if anchor.method in (ANSWERED, ASKED) and anchor.source_seq > 0])
    set_replaced(anchors)
    name_people(anchors)


def name_people(anchors: Collection[Anchor]) -> None:
    """Says who said what a person said (`said_in`), as transcripts call them: whoever recorded the session. One query at most."""
    said = [each for each in anchors if each.truth == distilled.Truth.STATED and not each.method.startswith(NOBODYS)]
    if said:
        teams, places = {anchor.team_id for anchor in said}, {anchor.said_at for anchor in said}
        sessions = Conversation.objects.filter(team__in=teams, id__in=places, owner__isnull=False)
        owners = {id: name or email for id, name, email in sessions.values_list("id", "owner__name", "owner__email")}
        for anchor in said:
            anchor.said_in = owners.get(anchor.said_at, "")


def answer_of(anchor: Anchor) -> distilled.Quote | None:
    """What the agent had asked or offered that a person's words answer, with the message, as the ledger knows it. One query at most."""
    if anchor.is_added or anchor.truth != distilled.Truth.STATED or not anchor.source_seq:
        return None
    row = queries.request_at(anchor.said_at, anchor.source_seq)
    return row.answers if row is not None else None


def forms_before(anchor: Anchor) -> list[Message]:
    """The agent's messages before a choice that a person made in a form, among which the form is. One query at most."""
    if anchor.method != ASKED or anchor.is_added or not anchor.source_seq:
        return []
    near = Message.objects.filter(conversation=anchor.said_at, seq__lt=anchor.source_seq, seq__gte=anchor.source_seq - BEFORE)
    return list(near.filter(role=Role.ASSISTANT).order_by("-seq"))


def exchange_of(anchor: Anchor) -> list[Message]:
    """The message in which an anchor was said, and the one that agreed to it, in their order. One query at most."""
    if anchor.is_added or not anchor.source_seq:
        return []
    said = {anchor.source_seq, anchor.agreed_seq or anchor.source_seq}
    return list(Message.objects.filter(conversation=anchor.said_at, seq__in=said).order_by("seq"))


def _find_questions(anchors: Collection[Anchor]) -> None:
    """A question stands in the agent's last message before the answer. One query where there are any."""
    if not anchors:
        return
    before = Message.objects.filter(conversation=OuterRef("at"), seq__lt=OuterRef("source_seq"), role=Role.ASSISTANT).order_by("-seq")
    rows = Anchor.objects.filter(id__in=[anchor.id for anchor in anchors]).annotate(at=Coalesce("origin_conversation", "conversation"))
    asked = dict(rows.annotate(asked=Subquery(before.values("seq")[:1])).values_list("id", "asked"))
    for anchor in anchors:
        if seq := asked.get(anchor.id):
            anchor.answers = distilled.Quote(anchor.rationale, distilled.Ref(seq))


def set_replaced(anchors: Collection[Anchor]) -> None:
    """Sets what each anchor replaced (`replaced`); one that was made current again counts as replaced by nothing. One query."""
    by_place = {(anchor.conversation_id, anchor.key): anchor for anchor in anchors}
    rows = Anchor.objects.filter(conversation__in={place for place, _ in by_place}, state=distilled.AnchorState.SUPERSEDED)
    rows = rows.filter(superseded_by__in={key for _, key in by_place}).only("conversation", "key", "text", "superseded_by")
    for row in rows.order_by("found_seq", "key")[: len(by_place) * REPLACED]:
        if newer := by_place.get((row.conversation_id, row.superseded_by)):
            newer.replaced = [*newer.replaced, row][:REPLACED]


def _date(anchors: Collection[Anchor]) -> None:
    if anchors:
        teams, places, seqs = zip(*((anchor.team_id, anchor.said_at, anchor.source_seq) for anchor in anchors), strict=True)
        rows = Message.objects.filter(conversation__team__in=set(teams), conversation__in=set(places), seq__in=set(seqs))
        dates = {(row, seq): at or kept for row, seq, at, kept in rows.values_list("conversation", "seq", "at", "created_at")}
        for anchor in anchors:
            anchor.said_on = dates.get((anchor.said_at, anchor.source_seq))


def agree(anchors: Collection[Anchor]) -> None:
    """A proposal is agreed to (`agreed_seq`) by what a person says next, where that has the words that are kept as the reason. Two queries
    where there are any."""
    if not anchors:
        return
    later = Message.objects.filter(conversation=OuterRef("at"), seq__gt=OuterRef("source_seq"), parts__contains=SAID).order_by("seq")
    rows = Anchor.objects.filter(id__in=[anchor.id for anchor in anchors]).annotate(at=Coalesce("origin_conversation", "conversation"))
    found = rows.annotate(yes=Subquery(later.values("id")[:1])).values_list("id", "yes")
    answers = {id: yes for id, yes in found if yes}
    messages = Message.objects.filter(id__in=set(answers.values())).values_list("id", "seq", "parts")
    said = {id: (seq, parts) for id, seq, parts in messages}
    for anchor in anchors:
        seq, parts = said[answers[anchor.id]] if anchor.id in answers else (0, ())
        if anchor.rationale and any(anchor.rationale in part.get("text", "") for part in parts):
            anchor.agreed_seq = seq


def placed(conversation: Conversation, situation: distilled.Situation) -> distilled.Situation:
    """Adds the folder and branch that a caller gave, where the folded messages showed no others since. No query."""
    still = [name for name, shown in conversation.given.items() if queries.mark_of(getattr(situation, name)) == shown]
    places: dict[str, Any] = {name: " ".join(getattr(conversation, name).split())[:PLACE] for name in still}
    return replace(situation, **places)
