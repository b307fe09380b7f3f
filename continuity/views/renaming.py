"""A conversation's title, written by a person."""

from uuid import UUID

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_POST

from continuity.models import Scope
from continuity.services.recording import conversations
from continuity.transcripts.base.sanitise import clean_text
from continuity.views.access import MemberRequest, member_page

LONGEST = 300


@member_page
@require_POST
def title(request: MemberRequest, conversation_id: UUID) -> HttpResponse:
    """Sets it; what it was made of before does not come back by itself."""
    request.principal.require(Scope.WRITE)
    team = request.principal.team
    conversation = conversations.get(team=team, conversation_id=conversation_id)
    given = " ".join(clean_text(request.POST.get("title", ""))[:LONGEST].split())
    if given:
        conversations.change(team=team, conversation_id=conversation.id, changes={"title": given})
        messages.success(request, "Renamed.")
    else:
        messages.error(request, "A title needs at least one character. Nothing was changed.")
    return redirect("conversation", conversation_id=conversation.id)
