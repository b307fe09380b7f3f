"""The steps of a package's life that people take: make it again, make it ready, withdraw it, hand it over."""

from collections.abc import Callable
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from continuity.core.errors import Invalid
from continuity.models import Scope
from continuity.services.knowledge import fold_runner
from continuity.transcripts.base.sanitise import clean_text
from continuity.views.access import MemberRequest, member_page
from handoffs.models import Handoff
from handoffs.services.chains import offer_acceptance, offer_mail, offers
from handoffs.services.edits import package_edits
from handoffs.services.packages import handoffs, lifecycle
from handoffs.views.board import author, back_to, board
from handoffs.views.forms import OfferForm, RemakeForm

Step = Callable[..., Handoff]
STEPS: dict[str, tuple[Step, str]] = {
    "ready": (lifecycle.make_ready, "It can be resumed now."),
    "withdraw": (lifecycle.withdraw, "Withdrawn: nobody can resume it. “Undo” makes it available again."),
    "accept": (offer_acceptance.accept, "Accepted: you have it now."),
    "decline": (offers.decline, "Declined; it stays with its owner."),
    "take_back": (offers.take_back, "The offer is taken back."),
    "remind": (offers.remind, "Offered once more"),
}


@member_page
@require_http_methods(["GET", "HEAD", "POST"])
def step(request: MemberRequest, handoff_id: UUID) -> HttpResponse:
    """The steps that one can take now; the one that is sent is taken."""
    request.principal.require(Scope.HANDOFF)
    handoff = handoffs.get(team=request.principal.team, handoff_id=handoff_id)
    if request.method != "POST":
        return render(request, "handoffs/steps.html", board(request, handoff))
    if request.POST.get("step") not in STEPS:
        raise Invalid(f"step must be one of {', '.join(STEPS)}.", field="step")
    name = request.POST["step"]
    take, told = STEPS[name]
    more = {"reason": clean_text(request.POST.get("reason", ""))} if name == "decline" else {}
    moved = take(**_place(request, handoff), **more)
    if name == "remind":
        told += _mailed(request, moved)
    if name == "accept" and offer_acceptance.holds_offer_note(moved):
        told += " Its directive was made again, with the note that came with the offer."
    if request.POST.get("back") == "home":
        messages.success(request, told)
        return redirect("home")
    return back_to(request, handoff, told)


@member_page
@require_http_methods(["GET", "HEAD", "POST"])
def offer(request: MemberRequest, handoff_id: UUID) -> HttpResponse:
    """The form; sent, it offers the package to a teammate."""
    request.principal.require(Scope.HANDOFF)
    handoff = handoffs.get(team=request.principal.team, handoff_id=handoff_id)
    form = OfferForm(request.POST) if request.method == "POST" else OfferForm()
    if not form.is_valid():
        shown = {**board(request, handoff), "offer_form": form}
        return render(request, "handoffs/steps.html", shown, status=422 if form.is_bound else 200)
    given = offers.offer(to=form.cleaned_data["to"], note=clean_text(form.cleaned_data["note"]), **_place(request, handoff))
    return back_to(request, handoff, f"Offered{_mailed(request, given)}")


@member_page
@require_http_methods(["GET", "HEAD", "POST"])
def answer(request: MemberRequest, handoff_id: UUID) -> HttpResponse:
    """Clears what was answered to one's offer, which Home tells of, and leads back there."""
    handoff = handoffs.get(team=request.principal.team, handoff_id=handoff_id)
    if request.method != "POST":
        return render(request, "handoffs/steps.html", board(request, handoff))
    offers.answer_seen(handoff=handoff, by=request.principal.user)
    return redirect("home")


@member_page
@require_http_methods(["GET", "HEAD", "POST"])
def remake(request: MemberRequest, handoff_id: UUID) -> HttpResponse:
    """The form; sent, it makes the package again at another budget, in another style, with another note."""
    request.principal.require(Scope.HANDOFF)
    handoff = handoffs.get(team=request.principal.team, handoff_id=handoff_id)
    form = RemakeForm(request.POST) if request.method == "POST" else None
    if form is None or not form.is_valid():
        return render(request, "handoffs/remake.html", board(request, handoff, remake=form), status=422 if form else 200)
    fold_runner.catch_up(conversation_id=handoff.conversation_id)
    made = package_edits.regenerate(changes=form.cleaned_data, **_place(request, handoff))
    return back_to(request, made, f"Made again: {made.token_count:,} tokens, fidelity {int(made.fidelity_score * 1000) / 10:.1f}%.")


def _mailed(request: MemberRequest, given: Handoff) -> str:
    """Mails to whom it is offered, and says whether that went out."""
    return to_whom(given, mailed=offer_mail.send(handoff=given, link=request.build_absolute_uri(reverse("handoff", args=[given.id]))))


def to_whom(given: Handoff, *, mailed: bool) -> str:
    return f" to {given.offered_to}{', who got a mail.' if mailed else '. No mail was sent: let them know yourself.'}"


def _place(request: MemberRequest, handoff: Handoff) -> dict[str, Any]:
    return {"team": request.principal.team, "handoff_id": handoff.id, "author": author(request)}
