"""The source of a line of a briefing, which opens in its place; without scripts a page of its own."""

from typing import Any
from uuid import UUID

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from continuity.core.errors import NotFound
from continuity.displayed_messages import show
from continuity.views.access import MemberRequest, member_page
from handoffs.models import Handoff
from handoffs.services.packages import expansion, handoffs
from handoffs.services.packages.expansion import Depth

SHOWN = 1500  # characters of the source shown in place, around the words that the reference names


@member_page
@require_safe
def page(request: MemberRequest, handoff_id: UUID, reference: str) -> HttpResponse:
    """What a reference stands for, and what was said there. Raises Invalid on what is no reference; NotFound, but not
    in place."""
    handoff = handoffs.get(team=request.principal.team, handoff_id=handoff_id)
    template = "handoffs/_opened.html" if request.htmx else "handoffs/opened.html"
    return render(request, template, {"handoff": handoff, "reference": reference, **_shown(handoff, reference, gone=bool(request.htmx))})


def _shown(handoff: Handoff, reference: str, *, gone: bool) -> dict[str, Any]:
    """With `gone`, a source that is not there any more is told as that."""
    try:
        found = expansion.expand(handoff=handoff, ref=reference, level=Depth.DETAILED, longest=SHOWN)
        return {"found": found, "speaker": show(found.said, clip=0).speaker if found.said else ""}
    except NotFound:
        if not gone:
            raise
        return {"found": None}
