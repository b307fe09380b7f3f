"""Letting a failed package pass."""

from uuid import UUID

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_http_methods

from continuity.models import Scope
from continuity.views.access import MemberRequest, member_page
from handoffs.services.packages import check_override, handoffs
from handoffs.views.board import author, back_to, board
from handoffs.views.forms import OverrideForm


@member_page
@require_http_methods(["GET", "HEAD", "POST"])
def page(request: MemberRequest, handoff_id: UUID) -> HttpResponse:
    """The form; sent, it makes the package ready as it is. Operators only."""
    request.principal.require(Scope.ADMIN)
    team = request.principal.team
    handoff = handoffs.get(team=team, handoff_id=handoff_id)
    form = OverrideForm(request.POST) if request.method == "POST" else OverrideForm()
    if not form.is_valid():
        shown = board(request, handoff) | {"override_form": form}
        return render(request, "handoffs/steps.html", shown, status=422 if form.is_bound else 200)
    check_override.override(team=team, handoff_id=handoff_id, author=author(request), reason=form.cleaned_data["reason"])
    return back_to(request, handoff, "The package may be resumed as it is.")
