"""The list of a team's conversations."""

from uuid import UUID

from django import forms
from django.db.models import Q
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_safe

from continuity.models import Conversation, ConversationStatus, Scope
from continuity.models.conversations import ConversationQuerySet
from continuity.views.access import MemberRequest, member_page
from continuity.views.cursors import newest_first

PAGE_SIZE = 50


class Filter(forms.Form):
    q = forms.CharField(label="Find", required=False, max_length=200, widget=forms.TextInput({"type": "search"}))
    status = forms.ChoiceField(required=False, choices=[("", "Any status"), *ConversationStatus.choices])


@member_page
@require_safe
def home(request: MemberRequest) -> HttpResponse:
    return redirect("conversations")


@member_page
@require_safe
def listing(request: MemberRequest) -> HttpResponse:
    """The page, or under htmx its results. One query for the rows, whatever their number."""
    form = Filter(request.GET)
    chosen = form.cleaned_data if form.is_valid() else {}
    rows = _matching(Conversation.objects.visible_to(request.principal.team), chosen.get("q", ""), chosen.get("status", ""))
    page = newest_first(rows.defer("metadata", "cwd", "branch"), by="updated_at", after=request.GET.get("after", ""), size=PAGE_SIZE)
    shown = {
        "form": form,
        "page": page,
        "filtered": any(chosen.values()),
        "paged": "after" in request.GET,
        "may_import": Scope.WRITE in request.principal.scopes,
    }
    return render(request, "conversations/list.html#results" if request.htmx else "conversations/list.html", shown)


def _matching(rows: ConversationQuerySet, text: str, status: str) -> ConversationQuerySet:
    if status:
        rows = rows.filter(status=status)
    text = text.strip()
    if not text:
        return rows
    try:
        return rows.filter(id=UUID(text))
    except ValueError:
        named = Q(title__icontains=text) | Q(model__icontains=text) | Q(source_tool__icontains=text)
        return rows.filter(named | Q(external_id__startswith=text))
