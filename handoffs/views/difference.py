"""The page of what a package leaves out, and how it differs from the one before it."""

from typing import Any
from uuid import UUID

from django.http import HttpResponse
from django.views.decorators.http import require_safe

from continuity.core.errors import Invalid
from continuity.views.access import MemberRequest, member_page
from handoffs.models import Handoff
from handoffs.services.packages import comparison, handoffs
from handoffs.views.board import panel

LINES = 60
AGAINST = {"transcript": "Left out", "previous": "Since the previous one"}


@member_page
@require_safe
def page(request: MemberRequest, handoff_id: UUID) -> HttpResponse:
    """Against the conversation, or against the handoff before it."""
    handoff = handoffs.get(team=request.principal.team, handoff_id=handoff_id)
    against = request.GET.get("against", "transcript")
    if against not in AGAINST:
        raise Invalid(f"against must be one of {', '.join(AGAINST)}.", field="against")
    found = _of_transcript(handoff) if against == "transcript" else _of_previous(handoff)
    return panel(request, handoff, "handoff-difference", {"against": against, "comparisons": AGAINST, **found})


def _of_transcript(handoff: Handoff) -> dict[str, Any]:
    lines = comparison.what_was_left_out(handoff)
    return {"left_out": lines[:LINES], "left_out_total": len(lines)}


def _of_previous(handoff: Handoff) -> dict[str, Any]:
    previous = comparison.previous_of(handoff)
    if previous is None:
        return {"previous": None}
    found = comparison.since_previous(handoff, previous)
    return {
        "previous": previous,
        "new": found.new[:LINES],
        "gone": found.gone[:LINES],
        "changed": found.changed[:LINES],
        "beyond": max(0, *(len(lines) - LINES for lines in (found.new, found.gone, found.changed))),
    }
