"""The first page: what needs somebody now, what was done lately, and the figures of a fortnight."""

from django.http import HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_http_methods

from continuity.models import Conversation, Scope
from continuity.views.access import MemberRequest, asked_from, member_page
from handoffs.activity import figures, fortnight, latest
from handoffs.attention import attention
from handoffs.views.front import beginning


@member_page
@require_http_methods(["GET", "HEAD", "POST"])
def page(request: MemberRequest) -> HttpResponse:
    """Twenty-five queries, whatever there is to show; under htmx only what needs somebody. Where nothing is recorded yet, how to begin.

    A POST hides the first steps in this browser.
    """
    if request.method == "POST":
        beginning.hide(request)
        return redirect("home")
    team, now = request.principal.team, timezone.now()
    if not request.htmx and not Conversation.objects.visible_to(team).exists():
        return render(request, "welcome.html", beginning.shown(request, now, begun=False))
    user, scopes = request.principal.user, request.principal.scopes
    asked = request.GET if "whose" in request.GET else QueryDict(asked_from(request.htmx).partition("?")[2])  # a form of the list
    whose = "team" if asked.get("whose") == "team" else "mine"
    needs = {
        "whose": whose,
        "needs": attention(team=team, user=user, now=now, scopes=scopes, everybodys=whose == "team"),
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
        **beginning.shown(request, now, begun=True),
    }
    return render(request, "home.html", shown)
