"""Going on from a handoff."""

from uuid import UUID

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from continuity.models import Scope
from continuity.views.access import MemberRequest, member_page, within_another_page
from handoffs.services.chains import resumption
from handoffs.services.packages import handoffs
from handoffs.views.board import board, commands_for
from handoffs.views.forms import ResumeForm
from handoffs.views.reports import restoration


@member_page
@require_http_methods(["GET", "HEAD", "POST"])
def page(request: MemberRequest, handoff_id: UUID) -> HttpResponse:
    """The form; sent, it leads to the new conversation, which under htmx is told in the form's place."""
    request.principal.require(Scope.HANDOFF)
    handoff = handoffs.get(team=request.principal.team, handoff_id=handoff_id)
    form = ResumeForm(request.POST) if request.method == "POST" else ResumeForm()
    if form.is_bound and form.is_valid() and handoff.resumed_at and not form.cleaned_data["fork"]:
        form.add_error(None, "Somebody resumed this handoff meanwhile. Resume once more to open a second branch from it.")
    if not form.is_valid():
        template = "handoffs/resume.html#form" if request.htmx else "handoffs/resume.html"
        return render(request, template, board(request, handoff, form=form), status=422 if form.is_bound else 200)
    resumed = resumption.resume(
        team=request.principal.team,
        handoff_id=handoff.id,
        resumed_by=request.principal.user,
        fork=form.cleaned_data["fork"],
        source_tool=form.cleaned_data["source_tool"],
        model=form.cleaned_data["model"],
        max_context_tokens=form.cleaned_data["max_context_tokens"],
    )
    if request.htmx:
        resumed.handoff.refresh_from_db(fields=["status"])
        found = {
            "handoff": resumed.handoff,
            "resumed": resumed,
            "report": restoration(resumed.resumption.report),
            "commands": commands_for(request, resumed.handoff),
            "beside": within_another_page(request),
        }
        return render(request, "handoffs/resume.html#resumed", found)
    copied = f"{resumed.restored_anchors:,} anchors and {resumed.restored_tasks:,} open tasks were copied."
    told = f"{copied} Waiting for the new session to start."
    messages.success(request, told)
    return redirect("conversation", conversation_id=resumed.conversation.id)
