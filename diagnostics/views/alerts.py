"""Alerts of the team: those that are open, those that are over, and who saw them."""

from uuid import UUID

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe

from continuity.accounts.roles import Permission
from continuity.models import Scope
from continuity.views.access import MemberRequest, member_page
from diagnostics.services import raising


@member_page
@require_safe
def page(request: MemberRequest) -> HttpResponse:
    opened, over = raising.latest(request.principal.team)
    may_test = request.principal.may(Permission.ADMIN)
    return render(request, "diagnostics/alerts.html", {"opened": opened, "over": over, "may_test": may_test})


@member_page
@require_POST
def saw(request: MemberRequest, alert_id: UUID) -> HttpResponse:
    request.principal.require(Scope.WRITE)
    raising.saw(team=request.principal.team, alert_id=alert_id, user=request.user)
    return redirect("alerts")


@member_page
@require_POST
def test(request: MemberRequest) -> HttpResponse:
    request.principal.require(Permission.ADMIN)
    raising.test(team=request.principal.team, by=request.principal.name, now=timezone.now())
    messages.success(request, "An alert is on its way through every channel that is set.")
    return redirect("alerts")
