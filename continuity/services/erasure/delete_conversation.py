"""Removing a conversation and what others took over from it. The caller holds the locks, and has dealt with its packages."""

import hashlib
import json
from collections import Counter
from collections.abc import Sequence
from typing import Any
from uuid import UUID

from django.db import models
from django.db.models import Q
from django.db.models.functions import Cast

from continuity import knowledge
from continuity.core.errors import ConversationGone
from continuity.core.redaction import FRAGMENT, walk
from continuity.core.transactions import atomic
from continuity.models import Anchor, Conversation, Event, FileTouch, FoldCheckpoint, FoldState, Job, Message, ModelPass, Segment, Task
from continuity.services.erasure import retention
from continuity.services.events import relay
from continuity.services.knowledge import fold_runner, inheritance
from continuity.services.model import proposal_rows

COUNTED = (Message, Anchor, Task, FileTouch, Segment, FoldState, FoldCheckpoint, ModelPass, Job)
OF_ERASING = ("conversation.erased", "erasure.completed")
GONE = {
    "status": ConversationGone.status,
    "body": json.dumps(
        {
            "type": f"urn:continuity:problem:{ConversationGone.code}",
            "title": "Conversation gone",
            "status": ConversationGone.status,
            "detail": "What this request was answered with was erased since.",
            "code": ConversationGone.code,
        }
    ),
}


def source_of(conversation: Conversation) -> str:
    """A digest of the session that was recorded; empty where it has no id of its own."""
    named = f"{conversation.source_tool}\n{conversation.external_id}"
    return hashlib.sha256(named.encode("utf-8", "surrogatepass")).hexdigest() if conversation.external_id else ""


def remove(conversation: Conversation, *, heirs: Sequence[UUID], subjects: Sequence[UUID]) -> Counter[str]:
    """Deletes the conversation's rows, its events and those about `subjects`, and what `heirs` took over from it. Counts rows by table.

    The heirs stay, as if they went on from its predecessor. Their folds begin empty until `hand_down` gives them what is left.
    """
    removed: Counter[str] = Counter()
    jobs = Job.objects.filter(conversation=conversation).values_list("id", flat=True)
    team_id, about = conversation.team_id, [conversation.id, *subjects, *jobs]
    removed["modelproposal"] += proposal_rows.forget_all(conversations=heirs)
    for heir in Conversation.objects.filter(id__in=heirs):
        fold_runner.start_again_from(conversation=heir, record=knowledge.FoldState().to_json())
    for copies in (Anchor.objects.filter(conversation__in=heirs), Task.objects.filter(conversation__in=heirs)):
        removed[copies.model._meta.model_name or ""] += _delete_copies(copies, conversation, heirs)
    removed["filetouch"] += FileTouch.objects.filter(conversation__in=heirs, first_seq__lte=0).delete()[0]
    for model in COUNTED:
        removed[model._meta.model_name or ""] += model._default_manager.filter(conversation=conversation).count()
    Conversation.objects.filter(resumed_from=conversation).update(resumed_from=conversation.resumed_from_id)
    conversation.delete()
    removed["conversation"] += 1
    removed["event"] += delete_events(team_id=team_id, about=about)[0]
    return removed


def _delete_copies(rows: Any, conversation: Conversation, heirs: Sequence[UUID]) -> int:
    """Deletes what was taken over from the conversation, and from heirs that may repeat its words: these inherit anew.

    What a person pinned or edited stays, unless the conversation said it.
    """
    by_person = Q(edited_at__isnull=False) | (Q(pinned=True) if rows.model is Anchor else Q())
    deleted: int = rows.filter(origin_conversation=conversation).delete()[0]
    deleted += rows.filter(origin_conversation__in=heirs).exclude(by_person).delete()[0]
    for row in rows.filter(by_person):
        if contains_words(conversation, row.text if rows.model is Anchor else row.description):
            deleted += row.delete()[0]
    return deleted


def undescribe(conversation: Conversation, *, heirs: Sequence[UUID]) -> None:
    """Takes from heirs the title, folder and branch that they took over from the conversation and that none of their own messages has."""
    for heir in Conversation.objects.filter(id__in=heirs):
        changes: dict[str, str] = {"title": ""} if heir.title == conversation.title else {}
        for name in ("cwd", "branch"):
            if getattr(heir, name) == getattr(conversation, name):
                own = Message.objects.filter(conversation=heir).exclude(**{name: ""}).order_by("-seq").values_list(name, flat=True).first()
                changes[name] = own or ""
        if changes:
            Conversation.objects.filter(id=heir.id).update(**changes)


def repeats(conversation: Conversation, body: str) -> bool:
    """Whether an answer of ours, which is JSON, repeats words of the conversation."""
    found: list[str] = []

    def collect(text: str) -> str:
        found.append(text)
        return text

    walk(json.loads(body) if body else {}, collect)
    return any(contains_words(conversation, words) for words in set(found) if len(words) >= FRAGMENT)


def contains_words(conversation: Conversation, words: str) -> bool:
    """Whether these words stand in a message of the conversation, or were added to what it knows."""
    said = Message.objects.filter(conversation=conversation).annotate(words=Cast("parts", models.TextField()))
    return (
        said.filter(words__contains=json.dumps(words, ensure_ascii=False)[1:-1]).exists()
        or Anchor.objects.filter(conversation=conversation, text=words).exists()
        or Task.objects.filter(conversation=conversation, description=words).exists()
    )


@atomic
def delete_events(*, team_id: UUID, about: Sequence[UUID]) -> tuple[int, bool]:
    """Deletes the team's events about these ids, but for those that our own readers have not counted yet: they hold ids and numbers,
    and go when they were. Gives how many went, and whether some are left. What tells of the erasing itself stays."""
    mentioned = Q(subject_id__in=about)
    for each in about:
        mentioned |= Q(words__contains=str(each))
    of_team = Event.objects.filter(team_id=team_id).exclude(name__in=OF_ERASING).annotate(words=Cast("payload", models.TextField()))
    all_about = of_team.filter(mentioned)
    behind = retention.read_through()
    read = all_about if behind is None else all_about.filter(position__lte=behind)
    relay.hold(read)
    deleted = read.delete()[0]
    return deleted, behind is not None and all_about.exists()


def hand_down(*, heir: Conversation) -> None:
    """Lets an heir of what was erased begin with what its predecessor knows, all of it folded, or with nothing where it has none."""
    predecessor = heir.resumed_from
    if predecessor is None:
        fold_runner.start_again_from(conversation=heir, record=knowledge.FoldState().to_json())
    else:
        inheritance.inherit_again(heir=heir, predecessor=predecessor)
