"""How it goes now: a page that renews itself every five seconds (SC-026)."""

from django.http import HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from continuity.views.access import MemberRequest, member_page
from diagnostics.services.figures import present


@member_page
@require_safe
def page(request: MemberRequest) -> HttpResponse:
    """The page, or under htmx its figures. A fixed number of queries."""
    shown = {"present": present.of_team(request.principal.team, now=timezone.now())}
    return render(request, "diagnostics/now.html#figures" if request.htmx else "diagnostics/now.html", shown)
