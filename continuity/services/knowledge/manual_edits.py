"""Edits of a conversation's anchors by people: one transaction and one event each, and each can be undone."""

from collections.abc import Sequence
from enum import StrEnum
from typing import Any
from uuid import UUID

from django.utils import timezone

from continuity.core.errors import Conflict, Invalid, existing
from continuity.core.transactions import atomic
from continuity.knowledge.model import AnchorState, AnchorType
from continuity.models import Anchor, Conversation, Team, User
from continuity.services.events import events
from continuity.services.knowledge import curation
from continuity.services.recording import conversations

LONGEST = 2000
MOST = 50  # anchors at once


class Amendment(StrEnum):
    PIN = "pin"
    UNPIN = "unpin"
    CORRECT = "correct"
    DISMISS = "dismiss"
    SUPERSEDE = "supersede"
    RESTORE = "restore"


CURRENT = {"state": AnchorState.CURRENT.value, "superseded_by": "", "settled_seq": None}


@atomic
def amend(*, team: Team, conversation_id: UUID, key: str, change: Amendment, by: User | None, text: str = "") -> Anchor:
    """Changes one anchor by hand; it stays so through every re-fold, and goes to every later package and successor.

    CORRECT puts `text` in the place of its words; SUPERSEDE lets a new anchor of the same type with `text` replace it;
    RESTORE makes it current again, and dismisses what replaced it by hand. Raises NotFound, SessionInvalidated, Invalid on
    a bad text, Conflict where the anchor's state does not allow the change.
    """
    conversation = _locked(team, conversation_id)
    anchor = existing(curation.anchor_of(conversation=conversation, key=key), "anchor")
    now = timezone.now()
    is_current = anchor.state == AnchorState.CURRENT
    if is_current is (change is Amendment.RESTORE):
        raise Conflict(f"The anchor is {anchor.state}; {'there is nothing to restore' if is_current else 'restore it first'}.")
    values: dict[str, Any]
    if change is Amendment.SUPERSEDE:
        new = curation.add_anchor(conversation=conversation, type=AnchorType(anchor.type), text=_words(text), by=by, now=now)
        values = {"state": AnchorState.SUPERSEDED.value, "superseded_by": new.key, "settled_seq": conversation.folded_seq}
    elif change is Amendment.CORRECT:
        values = {"text": _words(text), **curation.stated_by(by)}
    elif change is Amendment.RESTORE:
        values = CURRENT
        _dismiss_replacement(conversation, anchor, by)
    else:
        values = dict(curation.DISMISSED[Anchor]) if change is Amendment.DISMISS else {"pinned": change is Amendment.PIN}
    curation.change(row=anchor, values=values, by=by, now=now)
    events.publish(
        name="anchor.changed", team=team, subject_id=conversation.id, payload={"key": key, "change": change.value, "type": anchor.type}
    )
    anchor.refresh_from_db()
    return anchor


@atomic
def amend_several(*, team: Team, conversation_id: UUID, keys: Sequence[str], change: Amendment, by: User | None) -> int:
    """Changes several by hand, each as `amend` does; those whose state does not allow the change stay as they are. Returns how many
    changed. Raises Invalid on more than `MOST`, else as `amend`."""
    if len(keys) > MOST:
        raise Invalid(f"At most {MOST} anchors can be changed at once.", field="key")
    wanted = AnchorState.DISMISSED if change is Amendment.RESTORE else AnchorState.CURRENT
    rows = Anchor.objects.filter(conversation=conversation_id, team=team, key__in=keys, state=wanted)
    found = list(rows.order_by("key").values_list("key", flat=True))
    for key in found:
        amend(team=team, conversation_id=conversation_id, key=key, change=change, by=by)
    return len(found)


def _locked(team: Team, conversation_id: UUID) -> Conversation:
    conversation = Conversation.objects.visible_to(team).select_for_update(no_key=True).filter(id=conversation_id).first()
    if conversation is None:
        raise conversations.missing(team=team, conversation_id=conversation_id)
    conversations.check_usable(conversation)
    return conversation


def _dismiss_replacement(conversation: Conversation, anchor: Anchor, by: User | None) -> None:
    """Dismisses the anchor that replaced another by hand, when the replacing is undone."""
    replacement = curation.anchor_of(conversation=conversation, key=anchor.superseded_by) if anchor.superseded_by else None
    if replacement is not None and replacement.method in (curation.BY_PERSON, curation.BY_AGENT):
        curation.change(row=replacement, values=curation.DISMISSED[Anchor], by=by, now=timezone.now())


def _words(text: str) -> str:
    if not 0 < len(text.strip()) <= LONGEST:
        raise Invalid(f"The text must have 1 to {LONGEST:,} characters.", field="text")
    return text.strip()
