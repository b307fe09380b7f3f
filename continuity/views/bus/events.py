"""The page of a team's events as they happen, of who is told of them, and of those that nobody took."""

from dataclasses import dataclass
from uuid import UUID

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe

from continuity.accounts.roles import Permission
from continuity.events.topics import ANY, BadTopic, checked_patterns, matches
from continuity.models import Conversation, Event
from continuity.services.subscriptions import letters, subscription_status
from continuity.views.access import MemberRequest, member_page

SHOWN = 30
# A filter is looked for among the newest of the team's events.
LOOKED_AT = 1000
OF_EVENTS = ("position", "topic", "name", "critical", "publisher", "subject_id", "created_at")
LETTERS = 50


@dataclass(frozen=True, slots=True)
class ShownEvent:
    """An event, and the conversation that it is about, where it is about one."""

    event: Event
    conversation: Conversation | None


@member_page
@require_safe
def page(request: MemberRequest) -> HttpResponse:
    """The page, or under htmx its tail. Topics, names and titles only: what was said is for subscribers."""
    team = request.principal.team
    asked = request.GET.get("topic", "")[:200].strip()
    try:
        pattern, wrong = checked_patterns(asked or ANY), ""
    except BadTopic as error:
        pattern, wrong = ANY, f"{error}."
    rows = Event.objects.filter(team=team, position__isnull=False).order_by("-position").only(*OF_EVENTS)
    critical = bool(request.GET.get("critical"))
    tail = [event for event in rows[:LOOKED_AT] if matches(pattern, event.subject) and (event.critical or not critical)][:SHOWN]
    about = {event.subject_id for event in tail if event.subject_id}
    conversations: dict[UUID | None, Conversation] = dict(Conversation.objects.filter(team=team).only("title").in_bulk(about))
    shown = {
        "tail": [ShownEvent(event, conversations.get(event.subject_id)) for event in tail],
        "topic": asked,
        "filtered": critical or pattern != ANY,
        "wrong": wrong,
        "critical": critical,
    }
    if request.htmx:
        return render(request, "events/events.html#tail", shown)
    shown |= {"subscriptions": subscription_status.of_team(team, now=timezone.now())}
    shown |= {"letters": letters.of_team(team).order_by("-created_at", "-id")[:LETTERS]}
    return render(request, "events/events.html", shown | {"may_retry": request.principal.may(Permission.ADMIN)})


@member_page
@require_POST
def retry(request: MemberRequest, letter_id: UUID) -> HttpResponse:
    """A dead letter's subscriber gets the event once more."""
    request.principal.require(Permission.ADMIN)
    letters.retry(team=request.principal.team, letter_id=letter_id)
    messages.success(request, "It is given to its subscriber again.")
    return redirect("events")
