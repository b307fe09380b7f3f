"""Changes to anchors and tasks by hand. They stay through every re-fold and go to every successor."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any
from uuid import uuid4

from continuity.core.errors import Conflict, NotFound
from continuity.knowledge.anchor_types import TRAITS
from continuity.knowledge.model import AnchorState, AnchorType, TaskStatus, Truth
from continuity.models import Anchor, Conversation, Task, User
from continuity.models.anchors import ADDED
from continuity.services.recording import stored_rows

BY_PERSON, BY_AGENT = f"{ADDED}person", f"{ADDED}agent"

Row = Anchor | Task
# The fields of a row as JSON values.
Values = Mapping[str, Any]


def anchor_of(*, conversation: Conversation, key: str) -> Anchor | None:
    return next(iter(stored_rows.rows(Anchor, "WHERE conversation_id = %s AND key = %s", [conversation.id, key])), None)


def task_of(*, conversation: Conversation, key: str) -> Task | None:
    return Task.objects.filter(conversation=conversation, key=key).first()


def change(*, row: Row, values: Values, by: User | None, now: datetime) -> Values:
    """Sets fields of an anchor or a task by hand. Returns what they were before. The caller's transaction."""
    marks = {"edited_by_id": by and str(by.id), "edited_at": now.isoformat()}
    before = {name: getattr(row, name) for name in (*values, "edited_by_id", "edited_at")}
    type(row)._default_manager.filter(id=row.id).update(**values, **marks)
    return {name: value if isinstance(value, str | bool | int | None) else str(value) for name, value in before.items()}


def stated_by(user: User | None) -> Values:
    """The changes of an anchor that a person's words make: it counts as stated. An agent's change nothing."""
    return {"truth": Truth.STATED.value} if user is not None else {}


def restore(*, row: Row, after: Values, before: Values) -> None:
    """Takes a change back. Raises Conflict where somebody changed the same fields since. The caller's transaction."""
    if not type(row)._default_manager.filter(id=row.id, **after).update(**before):
        raise Conflict("This was changed again since; undo the later change first.")


def add_anchor(*, conversation: Conversation, type: AnchorType, text: str, by: User | None, now: datetime) -> Anchor:
    """An anchor that nobody said: it has no source, is pinned, and stays until it is dismissed. The caller's transaction."""
    return Anchor.objects.create(
        team_id=conversation.team_id,
        conversation=conversation,
        key=f"p{uuid4().hex[:11]}",
        type=type.value,
        text=text,
        found_seq=conversation.folded_seq,
        source_seq=conversation.folded_seq,
        importance=TRAITS[type].importance,
        truth=Truth.STATED if by else Truth.CLAIMED,
        method=BY_PERSON if by else BY_AGENT,
        pinned=True,
        edited_by=by,
        edited_at=now,
    )


def add_task(*, conversation: Conversation, text: str, by: User | None, now: datetime) -> Task:
    """A task that nobody named before. The caller's transaction."""
    return Task.objects.create(
        team_id=conversation.team_id,
        conversation=conversation,
        key=f"p{uuid4().hex[:11]}",
        description=text,
        status=TaskStatus.NOT_STARTED,
        method=BY_PERSON if by else BY_AGENT,
        first_seq=conversation.folded_seq,
        last_seq=conversation.folded_seq,
        edited_by=by,
        edited_at=now,
    )


def remove(*, row: Row) -> None:
    """Deletes what was added by hand. Raises NotFound where it is gone, or was said by somebody. The caller's transaction."""
    removed, _ = type(row)._default_manager.filter(id=row.id, method__in=(BY_PERSON, BY_AGENT)).delete()
    if not removed:
        raise NotFound(noun="added item")


DISMISSED: Mapping[type[Row], Values] = {
    Anchor: {"state": AnchorState.DISMISSED.value, "pinned": False},
    Task: {"dismissed": True},
}
