"""Ending a conversation at once, or erasing it and every copy of it; both only after a person confirmed."""

from uuid import UUID

from django import forms
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from continuity.models import ConversationStatus, Scope
from continuity.services.recording import conversations
from continuity.views.access import MemberRequest, member_page
from handoffs import queries
from handoffs.services.erasure import erasing

OVER = (ConversationStatus.INVALIDATED, ConversationStatus.INVALIDATED_PENDING_CLEANUP)


class Ending(forms.Form):
    deed = forms.ChoiceField(choices=[("invalidate", "invalidate"), ("erase", "erase")])
    sure = forms.BooleanField(error_messages={"required": "Tick the box to confirm; nothing was done."})


@member_page
@require_http_methods(["GET", "HEAD", "POST"])
def page(request: MemberRequest, conversation_id: UUID) -> HttpResponse:
    """What either means, and the forms for it. Erased, it leads back to the list."""
    request.principal.require(Scope.ADMIN)
    team = request.principal.team
    conversation = conversations.get(team=team, conversation_id=conversation_id)
    form = Ending(request.POST) if request.method == "POST" else Ending()
    if not form.is_valid():
        shown = {"conversation": conversation, "form": form, "over": conversation.status in OVER}
        shown |= {"handoffs": queries.handoffs_of(conversation)}
        return render(request, "conversations/ending.html", shown, status=422 if form.is_bound else 200)
    if form.cleaned_data["deed"] == "erase":
        by = erasing.By(name=request.principal.name, user=request.principal.user)
        erasing.erase_conversation(team=team, conversation_id=conversation.id, by=by)
        messages.success(request, "The conversation is erased; its last copies are being removed in the background.")
        return redirect("conversations")
    conversations.invalidate(team=team, conversation_id=conversation.id)
    messages.success(request, "The conversation has ended. You can still read it; nothing can be added.")
    return redirect("conversation", conversation_id=conversation.id)
