"""Preparing a handoff of a conversation, with a look at what a budget holds before."""

from typing import Any
from uuid import UUID, uuid4

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_http_methods
from django_htmx.http import HttpResponseClientRedirect

from continuity.models import Conversation, Scope
from continuity.services.accounts import gates
from continuity.services.model import model_extraction
from continuity.services.recording import conversations
from continuity.transcripts.base.sanitise import clean_text
from continuity.usage import tokens
from continuity.usage.tokens import Tally
from continuity.views import jobs
from continuity.views.access import MemberRequest, member_page, within_another_page
from handoffs import queries
from handoffs.budgeting.costs import Costs
from handoffs.building.comparison import omitted_lines
from handoffs.contract.model import SectionKind
from handoffs.directive.styles import MANNERS
from handoffs.models import Handoff
from handoffs.services.chains.offer_at_once import hand_over
from handoffs.services.packages import preparation
from handoffs.views.board import author
from handoffs.views.forms import HandOverForm
from handoffs.views.life import to_whom
from handoffs.views.reports import budget_slices

# With more messages than this to distil first, preparing takes longer than one should wait for a page.
AT_ONCE = 4000
CUT = 8  # lines shown of those that a budget has no room for
# The button by which a form is sent without scripts to see what fits: in a GET the token against forgery would stand in the address.
LOOK = "look"
# What a link or a form says that is there to hand the session over.
GIVES = "give"
HINTS = (SectionKind.RECENT, SectionKind.LOOKUP)


@member_page
@require_http_methods(["GET", "HEAD", "POST"])
def page(request: MemberRequest, conversation_id: UUID) -> HttpResponse:
    """The form; sent, it leads to the handoff or to the job that makes it, which under htmx take the form's place.

    A GET that names a budget, or a form sent to be looked at, shows what would fit it; nothing is stored. With `give` the page is there to
    hand the session over to a teammate, whom the form then needs.
    """
    request.principal.require(Scope.HANDOFF)
    conversation = conversations.get(team=request.principal.team, conversation_id=conversation_id)
    teammates = queries.teammates_of(request.principal.team, request.principal.user)
    asked = request.POST if request.method == "POST" else request.GET
    if LOOK in asked or (request.method != "POST" and "budget" in asked):
        return _previewed(request, conversation, HandOverForm(asked, teammates=teammates), gives=GIVES in asked)
    gives = GIVES in asked and bool(teammates)
    form = HandOverForm(request.POST if request.method == "POST" else None, teammates=teammates, gives=gives)
    if not form.is_valid():
        shown = {"conversation": conversation, "form": form, "may_prepare": True, "gives": gives, "earlier": _ready(conversation)}
        shown["nobody"] = GIVES in asked and not teammates
        template = "conversations/prepare.html#form" if request.htmx else "conversations/prepare.html"
        return render(request, template, shown, status=422 if form.is_bound else 200)
    team, user = request.principal.team, request.principal.user
    options = preparation.options_of(budget=form.cleaned_data["budget"], style=form.cleaned_data["style"])
    if conversation.last_seq - conversation.folded_seq > AT_ONCE:
        offer = {
            "to": form.cleaned_data["to"],
            "note": clean_text(form.cleaned_data["note"]),
            "site": f"{request.scheme}://{request.get_host()}",
        }
        job = preparation.submit(
            team=team, conversation_id=conversation.id, options=options, owner=user, offer=offer if offer["to"] else None
        )
        return render(request, "jobs/job.html#progress", jobs.shown(job)) if request.htmx else redirect("job", job_id=job.id)
    model_extraction.before_preparing(conversation_id=conversation.id)
    handoff = preparation.prepare(team=team, conversation_id=conversation.id, options=options, owner=user)
    handoff = _handed_over(request, handoff, form)
    made = reverse("handoff", args=(handoff.id,))
    if not within_another_page(request):
        return HttpResponseClientRedirect(made) if request.htmx else redirect(made)
    shown = {"handoff": handoff, "conversation": conversation, "handoffs": queries.handoffs_of(conversation)}
    return render(request, "conversations/prepare.html#prepared", shown)


def _ready(conversation: Conversation) -> Handoff | None:
    """The handoff that can be resumed already, of which it is told what becomes of it. One query."""
    latest = queries.latest_of(conversation)
    return queries.ready_one([latest] if latest else [], now=timezone.now())


def _handed_over(request: MemberRequest, handoff: Handoff, form: HandOverForm) -> Handoff:
    """The handoff, offered to the teammate whom the form names; one that failed its check is offered to nobody, and that is said."""
    to = form.cleaned_data["to"]
    if not to:
        return handoff
    link = request.build_absolute_uri(reverse("handoff", args=[handoff.id]))
    done = hand_over(handoff=handoff, to=to, note=clean_text(form.cleaned_data["note"]), author=author(request), link=link)
    if done.refused:
        messages.warning(request, f"It is not offered to anybody: {done.refused}")
    else:
        messages.success(request, f"Offered{to_whom(done.handoff, mailed=done.mailed)}")
    return done.handoff


def _previewed(request: MemberRequest, conversation: Conversation, form: HandOverForm, *, gives: bool) -> HttpResponse:
    """What a budget holds, what it leaves out, and what it costs. As many queries as preparing takes."""
    shown: dict[str, Any] = {
        "conversation": conversation,
        "form": form,
        "may_prepare": True,
        "gives": gives,
        "earlier": _ready(conversation),
    }
    if form.is_valid():
        gates.require(request.principal.team, "Agents.Continuity.Model")
        conversations.check_open(conversation)
        options = preparation.options_of(budget=form.cleaned_data["budget"], style=form.cleaned_data["style"])
        made = preparation.build(conversation=conversation, options=options, handoff_id=uuid4(), now=timezone.now())
        rest = [line for line in omitted_lines(made.known, made.package) if line.kind not in HINTS]
        plan = made.package.plan
        costs = Costs(Tally(tokens.counter_for(conversation.model)), MANNERS[options.style], plan.scaffold)
        shown["preview"] = {
            "plan": plan,
            "filled": plan.used / plan.target,
            "level": "warn" if plan.exceeded_by_critical else "info",
            "share": plan.used / conversation.max_context_tokens if conversation.max_context_tokens else None,
            "slices": budget_slices(plan.by_section, plan.used),
            "report": made.report,
            "cut": [(line, costs.line(line.kind, line.item)) for line in rest[:CUT]],
            "cut_total": len(rest),
            "unfolded": conversation.last_seq - conversation.folded_seq,
        }
    # A budget that can't be is told in the panel: it is no error to be half-way through typing one.
    template = "conversations/prepare.html#preview" if request.htmx else "conversations/prepare.html"
    return render(request, template, shown)
