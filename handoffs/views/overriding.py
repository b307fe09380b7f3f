"""Letting a failed package pass."""

from uuid import UUID

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST

from continuity.models import Scope
from continuity.views.access import MemberRequest, member_page
from handoffs.services import handoffs, overriding
from handoffs.services.authors import Author
from handoffs.views.forms import OverrideForm, ResumeForm
from handoffs.views.handoffs import shown


@member_page
@require_POST
def page(request: MemberRequest, handoff_id: UUID) -> HttpResponse:
    """Makes the package ready as it is; operators only. Leads back to its page."""
    request.principal.require(Scope.ADMIN)
    team = request.principal.team
    form = OverrideForm(request.POST)
    if not form.is_valid():
        handoff = handoffs.get(team=team, handoff_id=handoff_id)
        return render(request, "handoffs/handoff.html", shown(request, handoff, ResumeForm()) | {"override_form": form}, status=422)
    overriding.override(
        team=team,
        handoff_id=handoff_id,
        author=Author(request.principal.user),
        made_as=request.principal.name,
        reason=form.cleaned_data["reason"],
    )
    messages.success(request, "The package may be resumed as it is.")
    return redirect("handoff", handoff_id=handoff_id)
