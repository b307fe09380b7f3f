"""Reads that span models, bounded however long the conversation."""

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from continuity import knowledge
from continuity.displayed_choices import BEFORE
from continuity.knowledge import model as distilled
from continuity.knowledge import selection
from continuity.knowledge.methods import ACCEPTED, ANSWERED, ASKED
from continuity.models import Anchor, Conversation
from continuity.services.knowledge import queries
from continuity.services.recording import stored_rows
from continuity.transcripts.base.model import PartKind, Role, Voice

SAID = json.dumps([{"kind": PartKind.TEXT, "voice": Voice.PERSON}])
REPLACED = 3  # of what one anchor replaced
PLACE = 400  # characters of a folder or branch that a package tells
NOBODYS = ("system", "directive")  # how methods begin of what no person of the session said
RETOLD = 3  # summaries that a model gave of the latest stretches
# What lists of anchors ask for each time; where an anchor was said in its own team only.
_PLACE = """continuity_anchor AS anchor JOIN continuity_conversation AS place
    ON place.id = coalesce(anchor.origin_conversation_id, anchor.conversation_id) AND place.team_id = anchor.team_id"""
_PERSON = "coalesce(nullif(owner.name, ''), owner.email)"
_SAID = f"""
SELECT anchor.id, coalesce(said.at, said.created_at), {_PERSON},
    CASE WHEN anchor.method = ANY(%(asking)s) AND anchor.source_seq > 0 THEN (
        SELECT seq FROM continuity_message WHERE conversation_id = place.id AND seq < anchor.source_seq AND role = '{Role.ASSISTANT}'
        ORDER BY seq DESC LIMIT 1) END
FROM {_PLACE}
LEFT JOIN continuity_message AS said ON said.conversation_id = place.id AND said.seq = anchor.source_seq AND anchor.source_seq > 0
LEFT JOIN continuity_user AS owner ON owner.id = place.owner_id
WHERE anchor.id = ANY(%(ids)s)
"""  # noqa: S608  our own names
_PEOPLE = f"SELECT anchor.id, {_PERSON} FROM {_PLACE} JOIN continuity_user AS owner ON owner.id = place.owner_id WHERE anchor.id = ANY(%s)"  # noqa: S608
_AGREED = """
SELECT anchor.id, (
    SELECT CASE WHEN EXISTS (SELECT FROM jsonb_array_elements(yes.parts) AS part WHERE strpos(part->>'text', anchor.rationale) > 0)
        THEN yes.seq END
    FROM continuity_message AS yes
    WHERE yes.conversation_id = coalesce(anchor.origin_conversation_id, anchor.conversation_id) AND yes.seq > anchor.source_seq
        AND yes.parts @> %(said)s::jsonb
    ORDER BY yes.seq LIMIT 1)
FROM continuity_anchor AS anchor WHERE anchor.id = ANY(%(ids)s)
"""
_OF_REPLACED = stored_rows.Columns(Anchor, "conversation", "key", "text", "superseded_by")
_REPLACED = f"""
SELECT {_OF_REPLACED.sql} FROM continuity_anchor WHERE conversation_id = ANY(%s) AND state = 'superseded' AND superseded_by = ANY(%s)
ORDER BY found_seq, key LIMIT %s
"""  # noqa: S608  our own names
_MESSAGES = "SELECT seq, role, parts, secrets FROM continuity_message WHERE conversation_id = %s AND seq = ANY(%s) ORDER BY seq"


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
    (`answers`), what it replaced (`replaced`), and who said what a person said (`said_in`), also in an earlier session. Three queries at
    most."""
    _say(anchors)
    agree([anchor for anchor in anchors if anchor.method == ACCEPTED and anchor.source_seq > 0])
    set_replaced(anchors)


def _say(anchors: Collection[Anchor]) -> None:
    """When and by whom each was said, and which question it answers: one that stands in the agent's last message before. One query."""
    by_id = {anchor.id: anchor for anchor in anchors}
    if not by_id:
        return
    for id_, said_on, person, asked in stored_rows.found(_SAID, {"ids": list(by_id), "asking": [ANSWERED, ASKED]}):
        anchor = by_id[id_]
        anchor.said_on = None if anchor.is_added else said_on
        if person and _is_persons(anchor):
            anchor.said_in = person
        if asked:
            anchor.answers = distilled.Quote(anchor.rationale, distilled.Ref(asked))


def name_people(anchors: Collection[Anchor]) -> None:
    """Says who said what a person said (`said_in`), as transcripts call them: whoever recorded the session. One query at most."""
    said = {anchor.id: anchor for anchor in anchors if _is_persons(anchor)}
    if said:
        for id_, person in stored_rows.found(_PEOPLE, [list(said)]):
            said[id_].said_in = person


def _is_persons(anchor: Anchor) -> bool:
    return anchor.truth == distilled.Truth.STATED and not anchor.method.startswith(NOBODYS)


def answer_of(anchor: Anchor) -> distilled.Quote | None:
    """What the agent had asked or offered that a person's words answer, with the message, as the ledger knows it. One query at most."""
    if anchor.is_added or anchor.truth != distilled.Truth.STATED or not anchor.source_seq:
        return None
    row = queries.request_at(anchor.said_at, anchor.source_seq)
    return row.answers if row is not None else None


@dataclass(frozen=True, slots=True)
class SaidMessage:
    """What was said in a message, and where secrets are in it (`message_masking.masked`)."""

    seq: int
    role: str
    parts: Sequence[Mapping[str, Any]]
    secrets: Sequence[Mapping[str, Any]]


def forms_before(anchor: Anchor) -> list[SaidMessage]:
    """The agent's messages before a choice that a person made in a form, among which the form is. One query at most."""
    if anchor.method != ASKED or anchor.is_added or not anchor.source_seq:
        return []
    return [each for each in _messages(anchor, range(max(anchor.source_seq - BEFORE, 1), anchor.source_seq)) if each.role == Role.ASSISTANT]


def exchange_of(anchor: Anchor) -> list[SaidMessage]:
    """The message in which an anchor was said, and the one that agreed to it, in their order. One query at most."""
    if anchor.is_added or not anchor.source_seq:
        return []
    return _messages(anchor, {anchor.source_seq, anchor.agreed_seq or anchor.source_seq})


def _messages(anchor: Anchor, seqs: Collection[int]) -> list[SaidMessage]:
    found = stored_rows.found(_MESSAGES, [anchor.said_at, list(seqs)])
    return [SaidMessage(seq, role, json.loads(parts), json.loads(secrets)) for seq, role, parts, secrets in found]


def set_replaced(anchors: Collection[Anchor]) -> None:
    """Sets what each anchor replaced (`replaced`); one that was made current again counts as replaced by nothing. One query."""
    by_place = {(anchor.conversation_id, anchor.key): anchor for anchor in anchors}
    places, keys = {place for place, _ in by_place}, {key for _, key in by_place}
    for values in stored_rows.found(_REPLACED, [list(places), list(keys), len(by_place) * REPLACED]):
        row = _OF_REPLACED.row(values)
        if newer := by_place.get((row.conversation_id, row.superseded_by)):
            newer.replaced = [*newer.replaced, row][:REPLACED]


def agree(anchors: Collection[Anchor]) -> None:
    """A proposal is agreed to (`agreed_seq`) by what a person says next, where that has the words that are kept as the reason. One query
    where there are any."""
    by_id = {anchor.id: anchor for anchor in anchors if anchor.rationale}
    if by_id:
        for id_, seq in stored_rows.found(_AGREED, {"ids": list(by_id), "said": SAID}):
            by_id[id_].agreed_seq = seq or 0


def placed(conversation: Conversation, situation: distilled.Situation) -> distilled.Situation:
    """Adds the folder and branch that a caller gave, where the folded messages showed no others since. No query."""
    still = [name for name, shown in conversation.given.items() if queries.mark_of(getattr(situation, name)) == shown]
    places: dict[str, Any] = {name: " ".join(getattr(conversation, name).split())[:PLACE] for name in still}
    return replace(situation, **places)
