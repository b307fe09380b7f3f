"""Template context of every page."""

from typing import Any

from django.conf import settings
from django.http import HttpRequest
from django.utils import timezone

from continuity.auth import Principal
from continuity.core.operation import open_access
from continuity.services.accounts import mail

# The menu's entry for the first part of a path.
AREAS = {"": "home", "conversations": "conversations", "jobs": "conversations", "handoffs": "handoffs", "chains": "handoffs"}
AREAS |= {area: area for area in ("agents", "diagnostics", "events", "search", "states")} | {"alerts": "diagnostics", "groups": "agents"}


def site(request: HttpRequest) -> dict[str, Any]:
    """Version, clock, whether mail is sent, and for a member the principal, their teams, and the last event that the page may show."""
    principal: Principal | None = getattr(request, "principal", None)

    return {
        "version": settings.CONTINUITY_VERSION,
        "now": timezone.now(),
        "principal": principal,
        "last_event": getattr(request, "last_event", None),
        "teams": principal.teams if principal else (),
        "open_access": open_access.WARNING if settings.CONTINUITY_OPEN_ACCESS else "",
        "mails": mail.is_set_up(),
        "area": AREAS.get(request.path.split("/")[1], ""),
    }
