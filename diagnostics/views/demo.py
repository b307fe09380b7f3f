"""Removing the demo from the strip that names it on every page."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from continuity.models import Conversation, Scope, Team
from continuity.views import confirming
from continuity.views.access import TEAM, MemberRequest, member_page
from diagnostics.services import demo_removal


@member_page
@require_http_methods(["GET", "HEAD", "POST"])
def remove(request: MemberRequest) -> HttpResponse:
    """For operators and owners of the demo team, from within it. Asks first."""
    request.principal.require(Scope.ADMIN)
    team = demo_removal.removable_by(request.principal.user)
    if not confirming.confirmed(request):
        return confirming.ask(request, _question(team))
    demo_removal.remove()
    request.session.pop(TEAM, None)
    messages.success(request, "The demo is removed, with everything in it. “manage.py demo” brings it back.")
    return redirect("home")


def _question(team: Team) -> confirming.Question:
    count = Conversation.objects.visible_to(team).count()
    return confirming.Question(
        title="Remove the demo?",
        effects=[
            f"The team {team.name} is deleted for everybody, with its {count:,} conversations, their handoffs, and its made-up people.",
            "Anything that you or others recorded in this team is deleted too.",
            "Your own teams are not touched. “manage.py demo” brings the demo back as it was at first.",
        ],
        button="Remove the demo",
        back=reverse("home"),
    )
