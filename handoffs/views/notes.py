"""Handoff notes: each statement with its verdict in words beside what is known, changed by people; and the team's switch for asking."""

from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

from django import forms
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_safe

from continuity.core.errors import Invalid, NotFound
from continuity.core.note_parts import LONGEST, PARTS
from continuity.models import Conversation, Scope
from continuity.services.recording import conversations
from continuity.views.access import MemberRequest, member_page
from continuity.views.fields import WordsField
from handoffs.briefing import read_briefing
from handoffs.contract.model import Style
from handoffs.directive.lines.note import LABEL, PLACES
from handoffs.models import NoteStatement, StoredNote
from handoffs.services.notes import note_edits, note_queries
from handoffs.services.packages import handoffs, policies
from handoffs.views.board import author, panel
from handoffs.views.briefing.showing import LEFT_OUT, NoteOutcome, note_outcomes, note_summary

VERDICTS = {
    "supported": ("ok", "Holds"),
    "uncontradicted": ("warn", "Unconfirmed: the agent’s own word"),
    "contradicted": ("bad", "Does not hold: left out"),
}
BESIDE = 6  # lines of what is known that stand beside a part
TOLD = {"edit": "Changed: these are your words now.", "dismiss": "Dismissed: no package includes it.", "restore": "It counts again."}


class StatementForm(forms.Form):
    action = forms.ChoiceField(choices=[(name, name) for name in TOLD])
    text = WordsField(required=False, max_length=LONGEST)


@member_page
@require_safe
def page(request: MemberRequest, conversation_id: UUID) -> HttpResponse:
    """The notes of a conversation, the newest first."""
    conversation = conversations.get(team=request.principal.team, conversation_id=conversation_id)
    effective = policies.effective(team=request.principal.team, conversation=conversation)
    shown = {**shown_notes(request, conversation), "conversation": conversation, "asks": effective.ask_for_notes}
    return render(request, "handoffs/notes.html", shown)


@member_page
@require_http_methods(["POST"])
def change(request: MemberRequest, conversation_id: UUID, note_id: UUID, statement: str) -> HttpResponse:
    """Edits or dismisses a statement, or takes a dismissal back. Under htmx the statement as it stands now."""
    request.principal.require(Scope.HANDOFF)
    note_queries.get(team=request.principal.team, conversation_id=conversation_id, note_id=note_id)
    form = StatementForm(request.POST)
    if not form.is_valid():
        raise Invalid(" ".join(str(error) for errors in form.errors.values() for error in errors))
    action = form.cleaned_data["action"]
    place: dict[str, Any] = {"team": request.principal.team, "conversation_id": conversation_id, "note_id": note_id, "key": statement}
    if action == "edit":
        note = note_edits.edit(text=form.cleaned_data["text"], author=author(request), **place)
    else:
        note = (note_edits.dismiss if action == "dismiss" else note_edits.restore)(author=author(request), **place)
    if not request.htmx:
        messages.success(request, TOLD[action])
        return redirect("notes", conversation_id=conversation_id)
    row = NoteStatement.objects.filter(note=note, key=statement).select_related("changed_by").first()
    if row is None:
        raise NotFound(noun="statement of this note")
    shown = {"conversation": note.conversation, "note": note, "line": _line(row), "may_change": True}
    return render(request, "handoffs/_statement.html", shown)


@member_page
@require_safe
def of_package(request: MemberRequest, handoff_id: UUID) -> HttpResponse:
    """The note as a package was made with it: what was told, and what was left out and why."""
    handoff = handoffs.get(team=request.principal.team, handoff_id=handoff_id)
    record = handoff.rest.get("note")
    keys = [each["key"] for each in record["statements"]] if record else []
    found = StoredNote.objects.filter(conversation=handoff.conversation, statements__key__in=keys[:1])
    note = found.newest_first().select_related("made_by", "made_with__created_by").first()
    rows = {row.key: row for row in NoteStatement.objects.filter(note=note, key__in=keys).select_related("changed_by")} if note else {}
    briefing = read_briefing(handoffs.directive_text(handoff), Style(handoff.style))
    outcomes = note_outcomes(handoff, briefing)
    lines = [_line(rows[each["key"]]) if each["key"] in rows else _line_of(each) for each in (record["statements"] if record else ())]
    lines = [_became(line, outcomes[line["key"]]) for line in lines]
    shown = {
        "note_told": note_summary(handoff, outcomes),
        "note": note,
        "record": record,
        "parts": _by_part(lines, _beside(handoff.rest.get("sections", []))),
        "may_change": Scope.HANDOFF in request.principal.scopes,
    }
    return panel(request, handoff, "handoff-note", shown)


@member_page
@require_http_methods(["GET", "HEAD", "POST"])
def asking(request: MemberRequest) -> HttpResponse:
    """Whether agents of the team are asked for notes, and the switch."""
    team = request.principal.team
    if request.method == "POST":
        request.principal.require(Scope.ADMIN)
        asks = request.POST.get("asks") == "yes"
        policies.change(team=team, conversation=None, changes={"ask_for_notes": asks}, author=author(request))
        messages.success(request, "Agents are asked for a note." if asks else "Agents are not asked for notes any more.")
        return redirect("note-asking")
    effective = policies.effective(team=team)
    shown = {"asks": effective.ask_for_notes, "may_change": Scope.ADMIN in request.principal.scopes, "parts": PARTS}
    return render(request, "handoffs/asking.html", shown)


def shown_notes(request: MemberRequest, conversation: Conversation, *, newest: bool = False) -> dict[str, Any]:
    """The notes with their statements by part, or only the newest. Two queries."""
    found = note_queries.notes_of(conversation, limit=1 if newest else None)
    notes = [{"note": note, "parts": _by_part([_line(row) for row in note.statements.all()])} for note in found]
    return {"notes": notes, "may_change_notes": Scope.HANDOFF in request.principal.scopes}


def _by_part(lines: Sequence[Mapping[str, Any]], beside: Mapping[str, Sequence[str]] | None = None) -> list[dict[str, Any]]:
    """The statements of each part that has some, and beside them what is known of it."""
    grouped = {part: [line for line in lines if line["part"] == part] for part in PARTS}
    return [{"part": part, "lines": found, "beside": (beside or {}).get(part, ())} for part, found in grouped.items() if found]


def _beside(sections: Sequence[Mapping[str, Any]]) -> dict[str, list[str]]:
    """For each part the first lines of its section that are not the note's."""
    known = {section["kind"]: [item["text"] for item in section["items"] if item["label"] != LABEL] for section in sections}
    return {part: known.get(kind.value, [])[:BESIDE] for part, (kind, _) in PLACES.items()}


def _line(row: NoteStatement) -> dict[str, Any]:
    level, words = VERDICTS[row.verdict]
    return {
        "key": row.key,
        "part": row.part,
        "text": row.text,
        "original": row.original,
        "reason": row.reason,
        "level": level,
        "verdict": "A person’s words" if row.person else words,
        "dismissed": row.dismissed,
        "changed_at": row.changed_at,
        "changed_by": row.changed_by,
        "editable": True,
    }


def _became(line: dict[str, Any], outcome: NoteOutcome) -> dict[str, Any]:
    """The statement with what became of it in a package, where its verdict does not say that already."""
    says_it = outcome.words == LEFT_OUT and line["verdict"] == VERDICTS["contradicted"][1]
    return line if says_it else {**line, "outcome": outcome}


def _line_of(record: Mapping[str, Any]) -> dict[str, Any]:
    """A statement of a package whose note is not there any more."""
    level, words = VERDICTS[record["verdict"]]
    return {**record, "level": level, "verdict": words, "editable": False}
