"""A handoff: its directive, and the package to take away."""

from uuid import UUID

from django.http import HttpResponse, JsonResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from continuity import masking
from continuity.views.access import MemberRequest, member_page
from continuity.views.unchanged import unless_unchanged
from handoffs.packages.model import Style
from handoffs.services import handoffs
from handoffs.views.board import board, panel

HEAD = "handoff-head"  # the element that keeps up by itself


@member_page
@require_safe
def page(request: MemberRequest, handoff_id: UUID) -> HttpResponse:
    """The page, its directive in the style it was prepared in or in the one asked for; for a live head, only that.

    Raises Invalid on an unknown style.
    """
    handoff = handoffs.get(team=request.principal.team, handoff_id=handoff_id)
    if request.htmx.target == HEAD:
        seen = (handoff.version, handoff.status, handoff.messages_after)
        return unless_unchanged(request, seen, lambda: render(request, "handoffs/_head.html", board(request, handoff)))
    style = request.GET.get("style", "")
    text = handoffs.directive_text(handoff, style=style)
    return panel(request, handoff, "handoff", {"text": text, "style": style or handoff.style, "styles": [known.value for known in Style]})


@member_page
@require_safe
def package(request: MemberRequest, handoff_id: UUID) -> HttpResponse:
    """The package in its public form, secrets masked, as a file."""
    handoff = handoffs.get(team=request.principal.team, handoff_id=handoff_id)
    parts = [handoff.package]
    body = masking.masked(parts, masking.spans_of(parts))[0]
    headers = {"Content-Disposition": f'attachment; filename="handoff-{handoff.id}.json"'}
    return JsonResponse(body, headers=headers, json_dumps_params={"indent": 2, "ensure_ascii": False})
