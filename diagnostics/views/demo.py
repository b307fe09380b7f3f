"""Removing the demo from the strip that names it on every page."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_POST

from continuity.models import Scope
from continuity.views.access import TEAM, MemberRequest, member_page
from diagnostics.services import demo


@member_page
@require_POST
def remove(request: MemberRequest) -> HttpResponse:
    """For operators and owners of the demo team, from within it."""
    request.principal.require(Scope.ADMIN)
    demo.removable_by(request.principal.user)
    demo.remove()
    request.session.pop(TEAM, None)
    messages.success(request, "The demo is removed, with everything in it. “manage.py demo” makes it anew.")
    return redirect("home")
