"""Changing what a package says before it is resumed: pin, reword, dismiss, add; make it again at another budget or style."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any
from uuid import UUID

from django.utils import timezone

from continuity.core.errors import Conflict, Invalid
from continuity.core.transactions import atomic
from continuity.knowledge.model import AnchorType
from continuity.models import Task, Team
from continuity.services.accounts import gates
from continuity.services.knowledge import curation
from handoffs.contract.model import Options, SectionKind
from handoffs.contract.plan_records import options_record
from handoffs.models import EditAction, EditTarget, Handoff, HandoffEdit
from handoffs.services.edits import regenerate as regeneration
from handoffs.services.edits.targets import Named, items, named
from handoffs.services.packages import preparation
from handoffs.services.packages.authors import Author
from handoffs.services.packages.locking import lock

GATE = "Agents.Continuity.Storage"
LONGEST = 2000
TASK = "Task"
EDITS = 1000


@atomic
def edit(
    *,
    team: Team,
    handoff_id: UUID,
    action: EditAction,
    author: Author,
    ref: str = "",
    key: str = "",
    text: str = "",
    version: int | None = None,
) -> HandoffEdit:
    """Pins, unpins, rewords or dismisses the item that `ref` or `key` names, and makes the package again.

    Anchors and tasks are changed in the conversation's knowledge, so later packages and successors have the change too;
    other lines in this package. Raises what `locking.lock` raises; NotFound, Invalid; Conflict where the package would
    no longer pass its check.
    """
    gates.require(team, GATE)
    handoff, now = lock(team=team, handoff_id=handoff_id, version=version), timezone.now()
    _check_room(handoff)
    meant = named(handoff, ref=ref, key=key)
    values = _values(action, meant, text, author)
    if meant.row is not None and values is not None:
        before = curation.change(row=meant.row, values=values, by=author.user, now=now)
        target = EditTarget.TASK if isinstance(meant.row, Task) else EditTarget.ANCHOR
        made = _record(handoff, action, author, now, target=target, named=meant, before=before, after=values)
        _remake(handoff, now)
    else:
        words = {"text": _words(text)} if action is EditAction.EDIT else {}
        made = _record(handoff, action, author, now, target=EditTarget.LINE, named=meant, before={}, after=words)
        _remake(handoff, now)
        _check_line(handoff, meant, action)
    regeneration.publish("handoff.edited", handoff, made)
    return made


@atomic
def add(*, team: Team, handoff_id: UUID, type: str, text: str, author: Author, version: int | None = None) -> HandoffEdit:
    """Adds an anchor of a type, or a `Task`, that nobody said, and makes the package again. An added anchor is pinned."""
    gates.require(team, GATE)
    handoff, now, words = lock(team=team, handoff_id=handoff_id, version=version), timezone.now(), _words(text)
    _check_room(handoff)
    if type != TASK and type not in list(AnchorType):
        raise Invalid(f"type must be {TASK} or one of {', '.join(AnchorType)}.", field="type")
    if type == TASK:
        key = curation.add_task(conversation=handoff.conversation, text=words, by=author.user, now=now).key
    else:
        key = curation.add_anchor(conversation=handoff.conversation, type=AnchorType(type), text=words, by=author.user, now=now).key
    target = EditTarget.TASK if type == TASK else EditTarget.ANCHOR
    made = _record(handoff, EditAction.ADD, author, now, target=target, named=Named(target, key), before={}, after={"text": words})
    _remake(handoff, now)
    made.reference = next((reference for reference, known in handoff.references.items() if known == key), "")
    made.save(update_fields=["reference"])
    regeneration.publish("handoff.edited", handoff, made)
    return made


@atomic
def regenerate(*, team: Team, handoff_id: UUID, author: Author, changes: Mapping[str, Any], version: int | None = None) -> Handoff:
    """Makes a new directive of the same package with other options: `changes` of budget, style, max_reminder_count or note.

    A failed package that passes now is ready. Raises what `locking.lock` raises, and Invalid.
    """
    gates.require(team, GATE)
    handoff, now = lock(team=team, handoff_id=handoff_id, version=version), timezone.now()
    kept = regeneration.options_of(handoff)
    wanted = {name: changes.get(name, getattr(kept, name)) for name in ("budget", "style", "max_reminder_count", "note")}
    options = preparation.options_of(**wanted, trigger_reason=kept.trigger_reason)
    options = replace(
        options, include_immediate_actions=kept.include_immediate_actions, include_context_reminders=kept.include_context_reminders
    )
    before, after = options_record(kept), options_record(options)
    made = _record(handoff, EditAction.REGENERATE, author, now, target=EditTarget.PACKAGE, named=None, before=before, after=after)
    _remake(handoff, now, options)
    regeneration.publish("handoff.regenerated", handoff, made)
    return handoff


def _remake(handoff: Handoff, now: datetime, options: Options | None = None) -> None:
    refusal = "With this change the package would fail its check; a larger budget may help"
    regeneration.make_again(handoff, now=now, refusal=refusal, options=options)


def _values(action: EditAction, meant: Named, text: str, author: Author) -> dict[str, Any] | None:
    """The fields that an action sets on the row behind an item; None where it concerns the line alone."""
    if meant.row is not None and action is EditAction.DISMISS:
        return dict(curation.DISMISSED[type(meant.row)])
    if meant.target is EditTarget.LINE:
        return None
    if action is EditAction.EDIT:
        words = _words(text)
        return {"description": words} if meant.target is EditTarget.TASK else {"text": words, **curation.stated_by(author.user)}
    return {"pinned": action is EditAction.PIN} if meant.target is EditTarget.ANCHOR else None


def _words(text: str) -> str:
    if not 0 < len(text.strip()) <= LONGEST:
        raise Invalid(f"text must have 1 to {LONGEST:,} characters.", field="text")
    return text.strip()


def _check_room(handoff: Handoff) -> None:
    if HandoffEdit.objects.filter(handoff=handoff).count() >= EDITS:
        raise Conflict(f"A handoff takes at most {EDITS:,} changes; prepare another one.")


def _check_line(handoff: Handoff, meant: Named, action: EditAction) -> None:
    """Raises Invalid where a change met no line, so that nothing is recorded that does nothing."""
    was = meant.item is not None and meant.item["kind"] != SectionKind.LOOKUP
    there = any(item["key"] == meant.key for item in items(handoff))
    if not (was if action in (EditAction.DISMISS, EditAction.UNPIN) else there):
        raise Invalid("The package has no such line to change.", field="key")


def _record(
    handoff: Handoff,
    action: EditAction,
    author: Author,
    now: datetime,
    *,
    target: EditTarget,
    named: Named | None,
    before: Mapping[str, Any],
    after: Mapping[str, Any],
) -> HandoffEdit:
    return HandoffEdit.objects.create(
        team=handoff.team,
        handoff=handoff,
        action=action,
        target=target,
        key=named.key if named else "",
        reference=named.reference if named else "",
        before=dict(before),
        after=dict(after),
        made_by=author.user,
        made_with=author.key,
        created_at=now,
    )
