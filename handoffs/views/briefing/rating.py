"""Rating a received handoff: useful or not, a wrong line chosen in its place, something missing."""

from typing import Any
from uuid import UUID

from django import forms
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from continuity.core.bounds.ratings import LONGEST
from continuity.core.errors import Invalid
from continuity.models import Scope
from continuity.views.access import MemberRequest, member_page
from continuity.views.fields import WordsField
from handoffs.briefing import BriefingLine, find_line, read_briefing
from handoffs.contract.model import Style
from handoffs.models import Handoff
from handoffs.services.packages import handoffs
from handoffs.services.ratings import rating
from handoffs.services.ratings.rating import Ratings
from handoffs.services.ratings.rating_rows import WrongLine
from handoffs.views.board import author
from handoffs.views.briefing.showing import shown_ratings

THANKS = "Kept. It is counted, and shown with the handoff."
TAKEN_BACK = "Taken back."


class RatingForm(forms.Form):
    """One of: `useful`, a `line` with a comment, what is `missing`, or the rating to take back."""

    useful = forms.ChoiceField(choices=[("yes", "yes"), ("no", "no")], required=False)
    line = forms.CharField(max_length=LONGEST, required=False)
    style = forms.ChoiceField(choices=[(style.value, style.value) for style in Style], required=False)
    comment = WordsField(max_length=LONGEST, required=False)
    missing = WordsField(max_length=LONGEST, required=False)
    take_back = forms.UUIDField(required=False)


@member_page
@require_http_methods(["GET", "HEAD", "POST"])
def page(request: MemberRequest, handoff_id: UUID) -> HttpResponse:
    """The ratings with their forms; `line` (a key or number) opens the form for that line. What is sent is kept."""
    handoff = handoffs.get(team=request.principal.team, handoff_id=handoff_id)
    if request.method == "POST":
        return _take(request, handoff)
    line = _line(handoff, request.GET.get("line", ""), request.GET.get("style", ""))
    shown = {**shown_ratings(request.principal, handoff), "handoff": handoff, "conversation": handoff.conversation, "line": line}
    shown["style"] = request.GET.get("style", "") or handoff.style
    in_place = bool(request.htmx) and line is not None
    return render(request, "handoffs/_wrong.html" if in_place else "handoffs/ratings.html", shown)


def _line(handoff: Handoff, named: str, style: str) -> BriefingLine | None:
    """The line in the style that is shown; None where none is named. Raises Invalid."""
    if not named:
        return None
    try:
        return find_line(read_briefing(handoffs.directive_text(handoff, style=style), Style(style or handoff.style)), named)
    except ValueError as error:
        raise Invalid(f"{error}.".capitalize(), field="line") from error


def _take(request: MemberRequest, handoff: Handoff) -> HttpResponse:
    request.principal.require(Scope.HANDOFF)
    form = RatingForm(request.POST)
    if not form.is_valid():
        raise Invalid(" ".join(f"{name}: {error}" for name, errors in form.errors.items() for error in errors))
    sent = form.cleaned_data
    place: dict[str, Any] = {"team": request.principal.team, "handoff_id": handoff.id, "author": author(request)}
    line = _line(handoff, sent["line"], sent["style"])
    if sent["take_back"]:
        rating.take_back(rating_id=sent["take_back"], anyones=Scope.ADMIN in request.principal.scopes, **place)
    else:
        rating.rate(ratings=_ratings(sent), style=sent["style"], **place)
    told = TAKEN_BACK if sent["take_back"] else THANKS
    if not request.htmx:
        messages.success(request, told)
        return redirect("handoff", handoff_id=handoff.id)
    shown = {**shown_ratings(request.principal, handoff), "handoff": handoff, "rated_told": told, "line": line}
    return render(request, "handoffs/_rated.html", shown)


def _ratings(sent: dict[str, Any]) -> Ratings:
    wrong = [WrongLine(sent["line"], sent["comment"])] if sent["line"] else []
    return Ratings({"yes": True, "no": False}.get(sent["useful"]), wrong, [sent["missing"]] if sent["missing"] else [])
