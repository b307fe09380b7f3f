"""One anchor, and what a person may change about it."""

from typing import Any
from uuid import UUID

from django import forms
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from continuity import queries
from continuity.core.errors import NotFound
from continuity.displayed_choices import ShownChoice, choice_in
from continuity.knowledge.methods import found_in_words
from continuity.knowledge.model import Truth
from continuity.knowledge.rules import explaining
from continuity.models import Anchor, Scope
from continuity.secrets import mask_text, message_masking
from continuity.services.knowledge import curation, manual_edits
from continuity.services.knowledge.manual_edits import Amendment
from continuity.services.recording import conversations
from continuity.transcripts.base.model import PartKind, Voice
from continuity.transcripts.base.sanitise import clean_text
from continuity.views.access import MemberRequest, member_page
from continuity.views.fields import WordsField

DONE = {
    Amendment.PIN: "Pinned: every package states it.",
    Amendment.UNPIN: "No longer pinned.",
    Amendment.CORRECT: "Corrected.",
    Amendment.DISMISS: "Dismissed: no package states it any more.",
    Amendment.SUPERSEDE: "Replaced by the new words.",
    Amendment.RESTORE: "Current again.",
}
SPEAKERS = (Voice.PERSON, Voice.AGENT)
UNDO = {
    Amendment.PIN: Amendment.UNPIN,
    Amendment.UNPIN: Amendment.PIN,
    Amendment.CORRECT: Amendment.CORRECT,
    Amendment.DISMISS: Amendment.RESTORE,
    Amendment.SUPERSEDE: Amendment.RESTORE,
}


class AnchorChange(forms.Form):
    change = forms.ChoiceField(choices=[(change.value, change.value) for change in Amendment])
    text = WordsField(required=False, max_length=manual_edits.LONGEST, strip=False)


@member_page
@require_http_methods(["GET", "HEAD", "POST"])
def page(request: MemberRequest, conversation_id: UUID, key: str) -> HttpResponse:
    """The anchor with its forms; changed, it stands as it is now, with a way back under htmx."""
    conversation = conversations.get(team=request.principal.team, conversation_id=conversation_id)
    anchor = curation.anchor_of(conversation=conversation, key=key)
    if anchor is None:
        raise NotFound(noun="anchor")
    shown: dict[str, Any] = {
        "conversation": conversation,
        "anchor": anchor,
        "may_change": Scope.WRITE in request.principal.scopes,
    }
    if request.method != "POST":
        queries.credit([anchor])
        anchor.answers = queries.answer_of(anchor) or anchor.answers
        shown["choice"] = _choice(anchor)
        exchange = [(message, text) for message in queries.exchange_of(anchor) if (text := _own_words(message))]
        # Whether the words shown are both the agent's proposal and the person's agreement: then nothing else tells them.
        quoted = {anchor.source_seq, anchor.agreed_seq} == {message.seq for message, _ in exchange}
        shown |= {"exchange": exchange, "quoted": quoted}
    if request.method != "POST" and request.htmx and "rest" in request.GET:
        return render(request, "conversations/_anchor.html", shown)
    # Of the masked words: what a rule matched is a piece in lower case, in which no secret would be known any more.
    shown["found"] = explaining.found_by(mask_text(anchor.text), Truth(anchor.truth), anchor.method)
    shown["found_in_words"] = found_in_words(anchor.method)
    form = AnchorChange(request.POST) if request.method == "POST" else AnchorChange()
    template = "conversations/anchor.html#edit" if request.htmx else "conversations/anchor.html"
    if not form.is_bound:
        return render(request, template, shown)
    request.principal.require(Scope.WRITE)
    if not form.is_valid():
        return render(request, template, shown | {"problem": form.errors}, status=422)
    return _changed(request, anchor, Amendment(form.cleaned_data["change"]), clean_text(form.cleaned_data["text"]), shown)


def _choice(anchor: Anchor) -> ShownChoice | None:
    """The form in which it was chosen, with what was not chosen."""
    forms = [(row.seq, message_masking.masked(row.parts, row.secrets)) for row in queries.forms_before(anchor)]
    return choice_in(forms, question=anchor.rationale, answer=anchor.text)


def _own_words(message: queries.SaidMessage) -> str:
    """The words of a person or the agent in a message, without the secrets that were found in it."""
    parts = message_masking.masked(message.parts, message.secrets)
    texts = (str(part["text"]) for part in parts if part.get("kind") == PartKind.TEXT and part.get("voice") in SPEAKERS)
    return "\n".join(texts).strip()


def _changed(request: MemberRequest, anchor: Anchor, change: Amendment, text: str, shown: dict[str, Any]) -> HttpResponse:
    team, before = request.principal.team, mask_text(anchor.text)
    now = manual_edits.amend(
        team=team, conversation_id=anchor.conversation_id, key=anchor.key, change=change, by=request.principal.user, text=text
    )
    if not request.htmx:
        messages.success(request, DONE[change])
        return redirect("anchor", conversation_id=anchor.conversation_id, key=anchor.key)
    queries.credit([now])
    shown |= {"anchor": now, "done": DONE[change], "undo": UNDO.get(change), "before": before}
    return render(request, "conversations/_anchor.html", shown)
