"""All anchors of a conversation, by type and state."""

from uuid import UUID

from django import forms
from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from continuity.knowledge.model import AnchorState, AnchorType
from continuity.models import Anchor, Scope
from continuity.services.recording import conversations
from continuity.templatetags.figures import words
from continuity.views.access import MemberRequest, member_page
from continuity.views.cursors import newest_first

PAGE_SIZE = 50


class AnchorFilter(forms.Form):
    type = forms.ChoiceField(required=False, choices=[("", "Every type"), *((kind.value, words(kind.value)) for kind in AnchorType)])
    state = forms.ChoiceField(required=False, choices=[("", "Every state"), *((state.value, state.value) for state in AnchorState)])


@member_page
@require_safe
def listing(request: MemberRequest, conversation_id: UUID) -> HttpResponse:
    """The page, or under htmx its results."""
    conversation = conversations.get(team=request.principal.team, conversation_id=conversation_id)
    form = AnchorFilter(request.GET)
    chosen = {name: value for name, value in form.cleaned_data.items() if value} if form.is_valid() else {}
    rows = Anchor.objects.filter(conversation=conversation, **chosen)
    page = newest_first(rows, by="source_seq", after=request.GET.get("after", ""), size=PAGE_SIZE, read=int)
    shown = {"conversation": conversation, "form": form, "page": page, "filtered": bool(chosen), "paged": "after" in request.GET}
    shown["may_change"] = Scope.WRITE in request.principal.scopes
    return render(request, "conversations/anchors.html#results" if request.htmx else "conversations/anchors.html", shown)
