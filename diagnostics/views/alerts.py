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
from diagnostics.alerting import channels
from diagnostics.services import alert_raising, shown_alerts

CHANNELS = {"webhook": "a webhook", "slack": "Slack", "pagerduty": "PagerDuty", "mail": "e-mail"}


@member_page
@require_safe
def page(request: MemberRequest) -> HttpResponse:
    principal = request.principal
    opened, over = shown_alerts.of_team(principal.team, request.user)
    shown = {
        "opened": opened,
        "over": over,
        "may_see": principal.may(Scope.WRITE),
        "may_test": principal.may(Permission.ADMIN),
        "channels": [CHANNELS[name] for name in channels.those_set()],
    }
    return render(request, "diagnostics/alerts.html", shown)


@member_page
@require_POST
def saw(request: MemberRequest, alert_id: UUID) -> HttpResponse:
    request.principal.require(Scope.WRITE)
    alert_raising.saw(team=request.principal.team, alert_id=alert_id, user=request.user)
    return redirect("alerts")


@member_page
@require_POST
def test(request: MemberRequest) -> HttpResponse:
    request.principal.require(Permission.ADMIN)
    alert_raising.test(team=request.principal.team, by=request.principal.name, now=timezone.now())
    messages.success(request, "A test is on its way: it stands in the log, and reaches each channel that is set within seconds.")
    return redirect("alerts")
