"""The files that a conversation changed."""

from uuid import UUID

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from continuity.services.recording import conversations
from continuity.views.access import MemberRequest, member_page
from handoffs import queries


@member_page
@require_safe
def page(request: MemberRequest, conversation_id: UUID) -> HttpResponse:
    """Those that were changed last."""
    conversation = conversations.get(team=request.principal.team, conversation_id=conversation_id)
    shown = {"conversation": conversation, "files": queries.changed_files(conversation), "most": queries.FILES_SHOWN}
    return render(request, "conversations/files.html", shown)
