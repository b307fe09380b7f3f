"""A handoff, the list of a team's, and a package to take away."""

from typing import Any
from uuid import UUID

from django import forms
from django.http import HttpResponse, JsonResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from continuity import masking
from continuity.models import Scope
from continuity.views.access import MemberRequest, member_page
from continuity.views.cursors import newest_first
from handoffs import queries
from handoffs.models import Handoff, HandoffStatus
from handoffs.packages import contract
from handoffs.packages.model import Style
from handoffs.services import handoffs, overriding
from handoffs.views.forms import TOOLS, OverrideForm, ResumeForm
from handoffs.views.reports import budget_slices, restoration

PAGE_SIZE = 50


class Filter(forms.Form):
    status = forms.ChoiceField(required=False, choices=[("", "Any status"), *HandoffStatus.choices])


@member_page
@require_safe
def listing(request: MemberRequest) -> HttpResponse:
    """The page, or under htmx its results. One query for the rows, whatever their number."""
    form = Filter(request.GET)
    status = form.cleaned_data["status"] if form.is_valid() else ""
    rows = queries.light(Handoff.objects.visible_to(request.principal.team)).select_related("conversation", "owner")
    rows = rows.filter(status=status) if status else rows
    page = newest_first(rows, by="created_at", after=request.GET.get("after", ""), size=PAGE_SIZE)
    shown = {"form": form, "page": page, "filtered": bool(status)}
    return render(request, "handoffs/list.html#results" if request.htmx else "handoffs/list.html", shown)


@member_page
@require_safe
def page(request: MemberRequest, handoff_id: UUID) -> HttpResponse:
    """The page, its directive in the style it was prepared in or in the one asked for."""
    handoff = handoffs.get(team=request.principal.team, handoff_id=handoff_id)
    return render(request, "handoffs/handoff.html", shown(request, handoff, ResumeForm()))


def shown(request: MemberRequest, handoff: Handoff, form: ResumeForm) -> dict[str, Any]:
    """What the page of a handoff shows. Three queries. Raises Invalid on an unknown style."""
    style = request.GET.get("style", "")
    fidelity = contract.report_from_contract(handoff.fidelity)
    links = queries.links_of(handoff.chain)
    here = next((link for link in links if link.id == handoff.id), handoff)
    return {
        "handoff": handoff,
        "conversation": handoff.conversation,
        "text": handoffs.directive_text(handoff, style=style),
        "style": style or handoff.style,
        "styles": [known.value for known in Style],
        "fidelity": fidelity,
        "probes_answered": sum(answer.answered for answer in fidelity.probes),
        "override": overriding.standing_of(handoff),
        "override_form": OverrideForm(),
        "may_override": Scope.ADMIN in request.principal.scopes,
        "slices": budget_slices(handoff.package["plan"]["bySection"]),
        "over_budget": handoff.package["plan"]["exceededByCritical"],
        "original_tokens": handoff.metadata["originalTokenCount"],
        "ratio": handoff.metadata["compressionRatio"],
        "links": links,
        "resumptions": [(resumption, restoration(resumption.report)) for resumption in here.resumptions.all()],
        "form": form,
        "tools": TOOLS,
        "resumable": handoff.status in (HandoffStatus.READY, HandoffStatus.RESUMED),
        "may_resume": Scope.HANDOFF in request.principal.scopes,
    }


@member_page
@require_safe
def package(request: MemberRequest, handoff_id: UUID) -> HttpResponse:
    """The package in its public form, secrets masked, as a file."""
    handoff = handoffs.get(team=request.principal.team, handoff_id=handoff_id)
    parts = [handoff.package]
    body = masking.masked(parts, masking.spans_of(parts))[0]
    headers = {"Content-Disposition": f'attachment; filename="handoff-{handoff.id}.json"'}
    return JsonResponse(body, headers=headers, json_dumps_params={"indent": 2, "ensure_ascii": False})
