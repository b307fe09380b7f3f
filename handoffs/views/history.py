"""The history of a package's changes, and undoing them."""

from uuid import UUID

from django import forms
from django.http import HttpResponse
from django.views.decorators.http import require_http_methods

from continuity.core.errors import Invalid
from continuity.models import Scope
from continuity.services.knowledge import fold_runner
from continuity.views.access import MemberRequest, member_page
from handoffs import queries
from handoffs.models.edits import ANSWERS
from handoffs.services.edits import undo
from handoffs.services.packages import handoffs
from handoffs.views.board import author, back_to, panel


class UndoForm(forms.Form):
    edit = forms.UUIDField()


@member_page
@require_http_methods(["GET", "HEAD", "POST"])
def page(request: MemberRequest, handoff_id: UUID) -> HttpResponse:
    """The latest changes; the one that is sent is undone."""
    handoff = handoffs.get(team=request.principal.team, handoff_id=handoff_id)
    if request.method != "POST":
        return panel(request, handoff, "handoff-history", {"edits": queries.edits_of(handoff), "most": queries.EDITS, "answers": ANSWERS})
    request.principal.require(Scope.HANDOFF)
    form = UndoForm(request.POST)
    if not form.is_valid():
        raise Invalid("Name the change that is to be undone.", field="edit")
    fold_runner.catch_up(conversation_id=handoff.conversation_id)
    undo.undo(team=request.principal.team, handoff_id=handoff.id, edit_id=form.cleaned_data["edit"], author=author(request))
    return back_to(request, handoff, "Undone.", page="handoff-history")
