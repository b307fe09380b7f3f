"""What happens in the team as it happens, who is told of it, and what they never took."""

from uuid import UUID

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe

from continuity.accounts.roles import Permission
from continuity.events.topics import BadTopic, checked_patterns, matches
from continuity.models import Event
from continuity.services.subscriptions import letters, standing
from continuity.views.access import MemberRequest, member_page

SHOWN = 50
# A filter is looked for among the newest of the team's events.
LOOKED_AT = 1000
OF_EVENTS = ("position", "topic", "name", "critical", "publisher", "subject_id", "created_at")
LETTERS = 50


@member_page
@require_safe
def page(request: MemberRequest) -> HttpResponse:
    """The page, or under htmx its tail. Names, places and ids only: what was said is for subscribers."""
    pattern = request.GET.get("topic", "")[:200].strip() or "*"
    try:
        pattern, wrong = checked_patterns(pattern), ""
    except BadTopic as error:
        pattern, wrong = "*", f"{error}."
    rows = Event.objects.filter(team=request.principal.team, position__isnull=False).order_by("-position").only(*OF_EVENTS)
    critical = bool(request.GET.get("critical"))
    tail = [event for event in rows[:LOOKED_AT] if matches(pattern, event.subject) and (event.critical or not critical)][:SHOWN]
    shown = {"tail": tail, "topic": pattern, "wrong": wrong, "critical": critical}
    if request.htmx:
        return render(request, "events/events.html#tail", shown)
    shown |= {"subscriptions": standing.of_team(request.principal.team, now=timezone.now())}
    shown |= {"letters": letters.of_team(request.principal.team).order_by("-created_at", "-id")[:LETTERS]}
    return render(request, "events/events.html", shown | {"may_retry": request.principal.may(Permission.ADMIN)})


@member_page
@require_POST
def retry(request: MemberRequest, letter_id: UUID) -> HttpResponse:
    """A dead letter's subscriber gets the event once more."""
    request.principal.require(Permission.ADMIN)
    letters.retry(team=request.principal.team, letter_id=letter_id)
    messages.success(request, "It is given to its subscriber again.")
    return redirect("events")
