"""The lines of a package, and changing them in place."""

from typing import Any
from uuid import UUID

from django.http import HttpResponse
from django.views.decorators.http import require_http_methods

from continuity.core.errors import Invalid
from continuity.knowledge.model import AnchorType
from continuity.models import Scope
from continuity.services.knowledge import fold_runner
from continuity.views.access import MemberRequest, member_page
from handoffs import queries
from handoffs.models import EditAction, Handoff, HandoffEdit
from handoffs.services.edits import package_edits
from handoffs.services.edits.package_edits import TASK
from handoffs.services.packages import handoffs
from handoffs.views.board import author, back_to, panel
from handoffs.views.forms import EditForm
from handoffs.views.reports import shown_sections

TOLD = {
    EditAction.PIN: "Pinned: it stays in this and in later packages.",
    EditAction.UNPIN: "No longer pinned.",
    EditAction.EDIT: "Reworded.",
    EditAction.DISMISS: "Dismissed.",
    EditAction.ADD: "Added, and pinned.",
}


@member_page
@require_http_methods(["GET", "HEAD", "POST"])
def page(request: MemberRequest, handoff_id: UUID) -> HttpResponse:
    """The lines by section; a change that is sent makes the package again, and under htmx the page around it with it."""
    handoff = handoffs.get(team=request.principal.team, handoff_id=handoff_id)
    if request.method != "POST":
        return panel(request, handoff, "handoff-lines", _shown(handoff))
    request.principal.require(Scope.HANDOFF)
    form = EditForm(request.POST)
    if not form.is_valid():
        raise Invalid(" ".join(str(error) for errors in form.errors.values() for error in errors))
    fold_runner.catch_up(conversation_id=handoff.conversation_id)
    made = _change(request, handoff, form.cleaned_data)
    told = TOLD[EditAction(made.action)]
    if not request.htmx:
        return back_to(request, handoff, told, page="handoff-lines")
    changed = handoffs.get(team=request.principal.team, handoff_id=handoff_id)
    return panel(request, changed, "handoff-lines", _shown(changed), whole=True, told=told)


def _change(request: MemberRequest, handoff: Handoff, sent: dict[str, Any]) -> HandoffEdit:
    place = {"team": request.principal.team, "handoff_id": handoff.id, "author": author(request), "version": sent["version"]}
    if sent["action"] == EditAction.ADD:
        return package_edits.add(type=sent["type"], text=sent["text"], **place)
    return package_edits.edit(action=EditAction(sent["action"]), key=sent["key"], ref=sent["ref"], text=sent["text"], **place)


def _shown(handoff: Handoff) -> dict[str, Any]:
    types = [*(kind.value for kind in AnchorType), TASK]
    return {"sections": shown_sections(handoff.rest.get("sections", []), queries.pinned_keys(handoff)), "types": types}
