"""A conversation's transcript, in stretches, and one message in full."""

from uuid import UUID

from django.contrib import messages as notices
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_safe

from continuity.core.errors import Invalid, NotFound, RoleTooLow
from continuity.displayed_messages import ShownMessage, ShownPart, show, tools_called
from continuity.models import Conversation, Message, Role
from continuity.services.knowledge import unmasking
from continuity.services.recording import conversations
from continuity.views import confirming
from continuity.views.access import MemberRequest, member_page
from continuity.views.window import LARGEST, window

DIGITS = 6


@member_page
@require_safe
def stretch(request: MemberRequest, conversation_id: UUID) -> HttpResponse:
    """The page, or under htmx its messages: those before a number, or those after it with the way on."""
    conversation = conversations.get(team=request.principal.team, conversation_id=conversation_id)
    shown = {
        "conversation": conversation,
        "window": window(conversation, request.GET),
        "onwards": "after" in request.GET,
        "backwards": bool(request.htmx) and "before" in request.GET,
    }
    return render(request, "conversations/messages.html#stretch" if request.htmx else "conversations/messages.html", shown)


@member_page
@require_http_methods(["GET", "HEAD", "POST"])
def single(request: MemberRequest, conversation_id: UUID, seq: int) -> HttpResponse:
    """One message, unclipped, with what is masked in it; under htmx what one part changes in files.

    A POST by an owner, once confirmed, shows the span of that number to everybody.
    """
    conversation = conversations.get(team=request.principal.team, conversation_id=conversation_id)
    seq = min(seq, LARGEST)
    if request.method == "POST":
        return _unmask(request, conversation, seq)
    found = list(Message.objects.filter(conversation=conversation, seq__in=(seq - 1, seq)).order_by("seq"))
    if not found or found[-1].seq != seq:
        raise NotFound(noun="message")
    message = show(found[-1], clip=None, called=tools_called(found))
    if request.htmx and "part" in request.GET:
        return render(request, "conversations/message.html#edits", {"part": _part(message, request.GET["part"])})
    shown = {"conversation": conversation, "message": message, "may_unmask": request.principal.role == Role.OWNER}
    return render(request, "conversations/message.html", shown)


def _part(message: ShownMessage, number: str) -> ShownPart:
    if not (number.isascii() and number.isdigit() and len(number) < DIGITS and int(number) < len(message.parts)):
        raise NotFound(noun="part")
    return message.parts[int(number)]


def _unmask(request: MemberRequest, conversation: Conversation, seq: int) -> HttpResponse:
    if request.principal.role != Role.OWNER:
        raise RoleTooLow(role=Role.OWNER.label)
    number = request.POST.get("number", "")
    if not (number.isascii() and number.isdigit() and len(number) < DIGITS):
        raise Invalid("Say which span, by its number.", field="number")
    if not confirming.confirmed(request):
        return confirming.ask(request, _question(conversation, seq, int(number)))
    team, by = request.principal.team, request.principal.name
    unmasking.unmask(team=team, conversation_id=conversation.id, seq=seq, number=int(number), by=by)
    notices.success(request, "It is shown from now on, and it is recorded that you said so.")
    return redirect("message", conversation_id=conversation.id, seq=seq)


def _question(conversation: Conversation, seq: int, number: int) -> confirming.Question:
    message = Message.objects.filter(conversation=conversation, seq=seq).first()
    if message is None:
        raise NotFound(noun="message")
    if number >= len(message.secrets):
        raise Invalid(f"Message {seq} has {len(message.secrets)} masked spans.", field="number")
    span, team = message.secrets[number], conversation.team.name
    return confirming.Question(
        title="Show what is masked?",
        effects=[
            f"The {span['kind'].replace('_', ' ')} in message {seq:,}, part {span['part'] + 1}, is shown to everybody in {team}.",
            "It is recorded that you decided this.",
            "This can't be undone: it can't be masked again.",
        ],
        button="Show it to everybody",
        back=reverse("message", args=[conversation.id, seq]),
        sent={"number": str(number)},
    )
