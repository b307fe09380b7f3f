"""All anchors of a conversation: ranked, searched, by type and state; and pinning or dismissing several at once."""

from uuid import UUID

from django import forms
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import urlencode
from django.views.decorators.http import require_http_methods

from continuity import queries
from continuity.core.errors import Invalid
from continuity.core.keyset import Order
from continuity.knowledge.model import AnchorState, AnchorType
from continuity.models import Anchor, Conversation, Scope
from continuity.services.knowledge import manual_edits
from continuity.services.knowledge.manual_edits import Amendment
from continuity.services.recording import conversations
from continuity.templatetags.figures import state_words, type_words
from continuity.views.access import MemberRequest, member_page
from continuity.views.cursors import in_order

PAGE_SIZE = 50
# The most important first, as packages take them, or the latest.
SORTS: dict[str, Order] = {
    "": {"critical": bool, "importance": float, "source_seq": int, "id": UUID},
    "latest": {"source_seq": int, "id": UUID},
}
TOLD = {
    Amendment.PIN: "pinned: every package states them",
    Amendment.UNPIN: "no longer pinned",
    Amendment.DISMISS: "dismissed: no package states them any more",
    Amendment.RESTORE: "current again",
}


class AnchorFilter(forms.Form):
    q = forms.CharField(label="Contains", required=False, max_length=200, widget=forms.TextInput({"type": "search"}))
    type = forms.ChoiceField(required=False, choices=[("", "Every type"), *((kind.value, type_words(kind.value)) for kind in AnchorType)])
    state = forms.ChoiceField(
        required=False, choices=[("", "Every state"), *((state.value, state_words(state.value)) for state in AnchorState)]
    )
    sort = forms.ChoiceField(label="Sort by", required=False, choices=[("", "Most important"), ("latest", "Latest")])


@member_page
@require_http_methods(["GET", "HEAD", "POST"])
def listing(request: MemberRequest, conversation_id: UUID) -> HttpResponse:
    """The page, or under htmx its results; a POST changes those that are chosen."""
    conversation = conversations.get(team=request.principal.team, conversation_id=conversation_id)
    if request.method == "POST":
        return _change(request, conversation)
    form = AnchorFilter(request.GET)
    chosen = {name: value for name, value in form.cleaned_data.items() if value} if form.is_valid() else {}
    rows = Anchor.objects.filter(conversation=conversation, **{name: chosen[name] for name in ("type", "state") if name in chosen})
    rows = rows.select_related("edited_by")
    if text := chosen.get("q", "").strip():
        rows = rows.filter(text__icontains=text)
    page = in_order(rows, SORTS[chosen.get("sort", "")], after=request.GET.get("after", ""), size=PAGE_SIZE)
    queries.credit(page.rows)
    shown = {
        "conversation": conversation,
        "form": form,
        "page": page,
        "filtered": bool(chosen),
        "paged": "after" in request.GET,
        "may_change": Scope.WRITE in request.principal.scopes,
        "choosing": True,
        "query": request.GET.urlencode(),
    }
    if chosen and not page.rows:
        shown["total"] = Anchor.objects.filter(conversation=conversation).count()
    return render(request, "conversations/anchors.html#results" if request.htmx else "conversations/anchors.html", shown)


def _change(request: MemberRequest, conversation: Conversation) -> HttpResponse:
    request.principal.require(Scope.WRITE)
    keys, change = request.POST.getlist("key"), request.POST.get("change", "")
    if change not in TOLD:
        raise Invalid(f"change must be one of {', '.join(TOLD)}.", field="change")
    changed = manual_edits.amend_several(
        team=request.principal.team, conversation_id=conversation.id, keys=keys, change=Amendment(change), by=request.principal.user
    )
    if keys:
        messages.success(request, f"{changed:,} {TOLD[Amendment(change)]}.")
    else:
        messages.error(request, "Choose anchors first: each has a box before its words.")
    back = {name: request.GET[name] for name in ("q", "type", "state", "sort") if name in request.GET}
    return redirect(f"{reverse('anchors', args=[conversation.id])}?{urlencode(back)}")
