"""Setting the context window of a conversation by hand."""

from uuid import UUID

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_POST

from continuity.models import Scope
from continuity.services.recording import conversations
from continuity.views.access import MemberRequest, member_page
from continuity.windows import words


@member_page
@require_POST
def change(request: MemberRequest, conversation_id: UUID) -> HttpResponse:
    """Sets it; empty takes back what was set. Leads back to the conversation either way."""
    request.principal.require(Scope.WRITE)
    given = request.POST.get("tokens", "")
    tokens = words.read(given)
    if given.strip() and tokens is None:
        messages.error(request, "That is no window: give its tokens, such as 1M, 200k or 262144. Nothing was changed.")
        return redirect("conversation", conversation_id=conversation_id)
    changed = conversations.change(team=request.principal.team, conversation_id=conversation_id, changes={"max_context_tokens": tokens})
    known = f"{changed.max_context_tokens:,} tokens" if changed.max_context_tokens else "not known"
    messages.success(request, f"The context window is {known}.")
    return redirect("conversation", conversation_id=conversation_id)
