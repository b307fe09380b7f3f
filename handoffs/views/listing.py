"""The list of a team's handoffs."""

from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django import forms
from django.db.models import Q, QuerySet
from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from continuity.core.keyset import Slice
from continuity.core.thresholds import PASSING_FIDELITY
from continuity.views.access import MemberRequest, member_page
from continuity.views.cursors import newest_first
from handoffs import queries
from handoffs.contract.model import Style
from handoffs.models import Handoff, HandoffStatus
from handoffs.models.handoffs import LOSS, OFFERED, HandoffQuerySet

PAGE_SIZE = 50
WHOSE = {"": "Anybody", "mine": "Me", "offered": "Offered to me", "given": "Offered by me", "automatic": "Anybody, made automatically"}
# Each begins with the word of its badge, and says what that means for who reads it.
STATUSES = {
    "": "Any status",
    HandoffStatus.DRAFT: "Draft: to be reviewed before anybody resumes it",
    HandoffStatus.READY: "Ready: can be resumed",
    OFFERED: "Offered: a teammate has not answered yet",
    HandoffStatus.RESUMED: "Resumed: another conversation continues it",
    HandoffStatus.EXPIRED: "Expired: its time to be resumed is over",
    HandoffStatus.WITHDRAWN: "Withdrawn: somebody took it back",
    HandoffStatus.FAILED: "Failed: did not pass its check",
}
CHECKS = {"": "Any check", "low": "Below 95%", "failed": "Did not pass"}
VERSIONS = {"": "Newest handoff only", "all": "All handoffs"}
LOW = 0.95


@dataclass(frozen=True, slots=True)
class Sort:
    """Largest `by` first; `read` parses its value back from a cursor."""

    label: str
    by: str
    read: Any = None


SORTS = {
    "newest": Sort("Newest first", "created_at"),
    "lowest": Sort("Lowest fidelity first", "loss", int),
    "largest": Sort("Largest first", "token_count", int),
}


class HandoffFilter(forms.Form):
    q = forms.CharField(
        label="Find", required=False, max_length=200, widget=forms.TextInput({"type": "search", "placeholder": "Title or id"})
    )
    status = forms.ChoiceField(required=False, choices=list(STATUSES.items()))
    whose = forms.ChoiceField(label="Who has it", required=False, choices=list(WHOSE.items()))
    check = forms.ChoiceField(required=False, choices=list(CHECKS.items()))
    style = forms.ChoiceField(required=False, choices=[("", "Any style"), *((style.value, style.value) for style in Style)])
    versions = forms.ChoiceField(label="For each conversation, show", required=False, choices=list(VERSIONS.items()))
    sort = forms.ChoiceField(required=False, choices=[(name, sort.label) for name, sort in SORTS.items()])


@member_page
@require_safe
def page(request: MemberRequest) -> HttpResponse:
    """The page, or under htmx its results. One query for the rows, whatever their number."""
    form = HandoffFilter(request.GET)
    chosen = {name: value for name, value in form.cleaned_data.items() if value} if form.is_valid() else {}
    sort = chosen.pop("sort", "newest")
    rows = queries.light(Handoff.objects.visible_to(request.principal.team)).select_related("conversation", "chain", "owner", "offered_to")
    found = _cut(_matching(rows, request, chosen), SORTS[sort], request.GET.get("after", ""))
    shown = {
        "form": form,
        "page": found,
        "filtered": bool(chosen),
        "newest_only": "versions" not in chosen and not _is_id(chosen.get("q", "").strip()),
        "paged": "after" in request.GET,
        "order": SORTS[sort].label,
    }
    if not found.rows and chosen:
        shown["total"] = Handoff.objects.visible_to(request.principal.team).newest_versions().count()
    return render(request, "handoffs/list.html#results" if request.htmx else "handoffs/list.html", shown)


def _cut(rows: QuerySet[Handoff], sort: Sort, after: str) -> Slice:
    if sort.by == "loss":
        rows = rows.annotate(loss=LOSS)
    parsing = {"read": sort.read} if sort.read else {}
    return newest_first(rows, by=sort.by, after=after, size=PAGE_SIZE, **parsing)


def _matching(rows: HandoffQuerySet, request: MemberRequest, chosen: dict[str, str]) -> QuerySet[Handoff]:
    text = chosen.get("q", "").strip()
    if "versions" not in chosen and not _is_id(text):
        rows = rows.newest_versions()
    if "style" in chosen:
        rows = rows.filter(style=chosen["style"])
    if "status" in chosen:
        rows = rows.standing(chosen["status"])
    match chosen.get("whose"):
        case "mine":
            rows = rows.filter(owner=request.principal.user)
        case "offered":
            rows = rows.filter(offered_to=request.principal.user)
        case "given":
            rows = rows.filter(offered_by=request.principal.user).exclude(offered_to=None)
        case "automatic":
            rows = rows.filter(automatic=True)
    match chosen.get("check"):
        case "low":
            rows = rows.filter(fidelity_score__lt=LOW)
        case "failed":
            rows = rows.filter(Q(status=HandoffStatus.FAILED) | Q(fidelity_score__lt=PASSING_FIDELITY))
    return _found(rows, text)


def _is_id(text: str) -> bool:
    try:
        UUID(text)
    except ValueError:
        return False
    return True


def _found(rows: QuerySet[Handoff], text: str) -> QuerySet[Handoff]:
    """By a whole id of the handoff, its conversation or its chain, or by words of the title."""
    if not text:
        return rows
    if not _is_id(text):
        return rows.filter(conversation__title__icontains=text)
    wanted = UUID(text)
    return rows.filter(Q(id=wanted) | Q(conversation_id=wanted) | Q(chain_id=wanted))
