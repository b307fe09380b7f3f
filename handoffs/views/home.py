"""The first page: what needs somebody now, what was done lately, and the figures of a fortnight."""

from django.http import HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from continuity.models import Conversation, Scope
from continuity.views.access import MemberRequest, member_page
from handoffs.activity import figures, fortnight, latest
from handoffs.attention import attention


@member_page
@require_safe
def page(request: MemberRequest) -> HttpResponse:
    """Fifteen queries, whatever there is to show; under htmx only what needs somebody."""
    team, now = request.principal.team, timezone.now()
    needs = {"needs": attention(team=team, user=request.principal.user, now=now)}
    if request.htmx:
        return render(request, "home.html#needs", needs)
    days = fortnight(team, now)
    shown = needs | {
        "deeds": latest(team),
        "days": days,
        "figures": figures(days),
        "begun": Conversation.objects.visible_to(team).exists(),
        "may_import": Scope.WRITE in request.principal.scopes,
    }
    return render(request, "home.html", shown)
