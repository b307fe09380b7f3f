"""Choosing the team to act in."""

from django.http import HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_POST

from continuity.errors import NotFound
from continuity.models import Team
from continuity.views.access import TEAM, MemberRequest, member_page


@member_page
@require_POST
def switch(request: MemberRequest) -> HttpResponse:
    """Acts in another of one's teams from now on; a team that one is not in is not found."""
    team = Team.objects.filter(memberships__user=request.principal.user, slug=request.POST.get("team", "")[:50]).first()
    if team is None:
        raise NotFound(noun="team")
    request.session[TEAM] = team.slug
    return redirect("home")
