"""The first page: what needs somebody now, what was done lately, and the figures of a fortnight."""

from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from continuity.models import Conversation, Job, JobStatus, Scope
from continuity.views import jobs
from continuity.views.access import TEAM, MemberRequest, member_page
from handoffs.activity import figures, fortnight, latest
from handoffs.attention import attention


@member_page
@require_safe
def page(request: MemberRequest) -> HttpResponse:
    """Fourteen queries, whatever there is to show; under htmx only what needs somebody. Where nothing is recorded yet, how to begin."""
    team, now = request.principal.team, timezone.now()
    if not request.htmx and not Conversation.objects.visible_to(team).exists():
        return render(request, "welcome.html", _welcome(request))
    user, scopes = request.principal.user, request.principal.scopes
    needs = {
        "needs": attention(team=team, user=user, now=now, scopes=scopes),
        "may_dismiss": Scope.WRITE in scopes,
        "may_act": Scope.HANDOFF in scopes,
    }
    if request.htmx:
        return render(request, "home.html#needs", needs)
    days = fortnight(team, now)
    shown = needs | {
        "deeds": latest(team),
        "days": days,
        "figures": figures(days),
    }
    return render(request, "home.html", shown)


def _welcome(request: MemberRequest) -> dict[str, Any]:
    """The demo's progress is shown to whom it is for, until it is there."""
    demo = Job.objects.filter(team=request.principal.team, kind="demo", created_by=request.user).order_by("-created_at").first()
    shown: dict[str, Any] = {"may_import": Scope.WRITE in request.principal.scopes}
    if demo is None or demo.status == JobStatus.DONE:
        return shown
    request.session[TEAM] = request.principal.team.slug  # One sees the demo first once it is there, but not while one looks at this.
    return shown | jobs.shown(demo)
