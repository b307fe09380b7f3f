"""Preparing a handoff of a conversation."""

from uuid import UUID

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from continuity.models import Scope
from continuity.services import conversations, proposing
from continuity.views import jobs
from continuity.views.access import MemberRequest, member_page
from handoffs import queries
from handoffs.services import preparation
from handoffs.views.forms import PrepareForm

# With more messages than this to distil first, preparing takes longer than one should wait for a page.
AT_ONCE = 4000


@member_page
@require_http_methods(["GET", "HEAD", "POST"])
def page(request: MemberRequest, conversation_id: UUID) -> HttpResponse:
    """The form; sent, it leads to the handoff or to the job that makes it, which under htmx take the form's place."""
    request.principal.require(Scope.HANDOFF)
    conversation = conversations.get(team=request.principal.team, conversation_id=conversation_id)
    form = PrepareForm(request.POST) if request.method == "POST" else PrepareForm()
    if not form.is_valid():
        shown = {"conversation": conversation, "form": form, "may_prepare": True}
        template = "conversations/prepare.html#form" if request.htmx else "conversations/prepare.html"
        return render(request, template, shown, status=422 if form.is_bound else 200)
    team, user = request.principal.team, request.principal.user
    options = preparation.options_of(budget=form.cleaned_data["budget"], style=form.cleaned_data["style"])
    if conversation.last_seq - conversation.folded_seq > AT_ONCE:
        job = preparation.submit(team=team, conversation_id=conversation.id, options=options, owner=user)
        return render(request, "jobs/job.html#progress", jobs.shown(job)) if request.htmx else redirect("job", job_id=job.id)
    proposing.before_preparing(conversation_id=conversation.id)
    handoff = preparation.prepare(team=team, conversation_id=conversation.id, options=options, owner=user)
    if request.htmx:
        shown = {"handoff": handoff, "conversation": conversation, "handoffs": queries.handoffs_of(conversation)}
        return render(request, "conversations/prepare.html#prepared", shown)
    return redirect("handoff", handoff_id=handoff.id)
