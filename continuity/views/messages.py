"""A conversation's transcript, in stretches, and one message in full."""

from uuid import UUID

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from continuity.errors import NotFound
from continuity.models import Message
from continuity.readable import show
from continuity.services import conversations
from continuity.views.access import MemberRequest, member_page
from continuity.views.window import window


@member_page
@require_safe
def stretch(request: MemberRequest, conversation_id: UUID) -> HttpResponse:
    """The page, or under htmx its messages."""
    conversation = conversations.get(team=request.principal.team, conversation_id=conversation_id)
    shown = {"conversation": conversation, "window": window(conversation, request.GET)}
    return render(request, "conversations/messages.html#stretch" if request.htmx else "conversations/messages.html", shown)


@member_page
@require_safe
def single(request: MemberRequest, conversation_id: UUID, seq: int) -> HttpResponse:
    """One message, unclipped."""
    conversation = conversations.get(team=request.principal.team, conversation_id=conversation_id)
    message = Message.objects.filter(conversation=conversation, seq=min(seq, 2**31 - 1)).first()
    if message is None:
        raise NotFound(noun="message")
    return render(request, "conversations/message.html", {"conversation": conversation, "message": show(message, clip=None)})
