"""A handoff: its directive, and the package to take away."""

from typing import Any
from uuid import UUID

from django.http import HttpResponse, JsonResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from continuity.core.errors import NotFound
from continuity.secrets import message_masking
from continuity.views.access import MemberRequest, member_page
from continuity.views.unchanged import unless_unchanged
from handoffs import queries
from handoffs.contract.model import Style
from handoffs.models import Handoff
from handoffs.services.packages import handoffs
from handoffs.views.board import head, panel
from handoffs.views.briefing.showing import note_outcomes, note_summary, shown_briefing
from handoffs.views.reports import restoration

HEAD = "handoff-head"  # an element that keeps up by itself
RESUMPTION = "resumption-"  # one for each resumption whose session was not seen yet


@member_page
@require_safe
def page(request: MemberRequest, handoff_id: UUID) -> HttpResponse:
    """The page, its directive in the style it was prepared in or in the one asked for; for an element that keeps up by itself, only that.

    Raises Invalid on an unknown style.
    """
    handoff = handoffs.get(team=request.principal.team, handoff_id=handoff_id)
    if request.htmx.target == HEAD:
        seen = (handoff.version, handoff.status, handoff.messages_after)
        return unless_unchanged(request, seen, lambda: render(request, "handoffs/_head.html", head(request, handoff)))
    if (request.htmx.target or "").startswith(RESUMPTION):
        return _resumption(request, handoff, (request.htmx.target or "").removeprefix(RESUMPTION))
    return panel(request, handoff, "handoff", _directive(request, handoff))


def _directive(request: MemberRequest, handoff: Handoff) -> dict[str, Any]:
    """The directive as a briefing, or with `view=text` as its text."""
    asked = request.GET.get("style", "")
    text, style = handoffs.directive_text(handoff, style=asked), asked or handoff.style
    shown: dict[str, Any] = {"text": text, "style": style, "styles": [known.value for known in Style]}
    if request.GET.get("view") == "text":
        return shown | {"as_text": True}
    briefing = shown_briefing(handoff, text, style)
    return shown | {"briefing": briefing, "note_told": note_summary(handoff, note_outcomes(handoff, briefing.briefing))}


def _resumption(request: MemberRequest, handoff: Handoff, wanted: str) -> HttpResponse:
    """One resumption as it stands now. Raises NotFound."""
    found = next((each for each in queries.resumptions_of(handoff) if str(each.id) == wanted), None)
    if found is None:
        raise NotFound(noun="resumption of this handoff")
    shown = {"handoff": handoff, "resumption": found, "report": restoration(found.report)}
    return unless_unchanged(request, found.session_seen, lambda: render(request, "handoffs/_resumption.html", shown))


@member_page
@require_safe
def package(request: MemberRequest, handoff_id: UUID) -> HttpResponse:
    """The package in its public form, secrets masked, as a file."""
    handoff = handoffs.get(team=request.principal.team, handoff_id=handoff_id)
    parts = [handoff.package]
    body = message_masking.masked(parts, message_masking.spans_of(parts))[0]
    headers = {"Content-Disposition": f'attachment; filename="handoff-{handoff.id}.json"'}
    return JsonResponse(body, headers=headers, json_dumps_params={"indent": 2, "ensure_ascii": False})
