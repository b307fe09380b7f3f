"""What every page shows around its content."""

from typing import Any

from django.conf import settings
from django.http import HttpRequest
from django.utils import timezone

from continuity.auth import Principal
from continuity.models import Team

# The menu's entry for the first part of a path.
AREAS = {"": "home", "conversations": "conversations", "jobs": "conversations", "handoffs": "handoffs", "chains": "handoffs"}
AREAS |= {area: area for area in ("diagnostics", "search")}


def site(request: HttpRequest) -> dict[str, Any]:
    """Version, clock, and for a member the principal and `teams`, which asks once, where it is used."""
    principal: Principal | None = getattr(request, "principal", None)

    def teams() -> list[Team]:
        return list(Team.objects.filter(memberships__user=principal.user).order_by("name")[:100]) if principal else []

    return {
        "version": settings.CONTINUITY_VERSION,
        "now": timezone.now(),
        "principal": principal,
        "teams": teams,
        "area": AREAS.get(request.path.split("/")[1], ""),
    }
