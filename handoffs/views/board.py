"""Common parts of a handoff's pages: its life, check, budget, place in the chain, and its successor."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone

from continuity.core.thresholds import PASSING_FIDELITY
from continuity.models import Scope
from continuity.views.access import MemberRequest
from handoffs import queries
from handoffs.contract import package_json
from handoffs.models import EditAction, Handoff, HandoffStatus
from handoffs.models.handoffs import OFFERABLE
from handoffs.services.packages import check_override
from handoffs.services.packages.authors import Author
from handoffs.services.packages.locking import EDITABLE
from handoffs.turns import turn_of
from handoffs.views.briefing.showing import shown_ratings
from handoffs.views.commands import ResumeCommand, commands
from handoffs.views.forms import TOOLS, OverrideForm, RemakeForm, ResumeForm
from handoffs.views.reports import budget_slices, restoration

UNDOABLE = {*EDITABLE, HandoffStatus.WITHDRAWN}
PANELS = {
    "handoff": "Directive",
    "handoff-lines": "Edit",
    "handoff-note": "Agent’s note",
    "handoff-difference": "What was left out",
    "handoff-changes": "Compare",
    "handoff-history": "Edit history",
}


def head(request: MemberRequest, handoff: Handoff) -> dict[str, Any]:
    """What stands above the panels, and keeps up by itself: whose turn it is, and the steps that one may take. Four queries at most."""
    user, may = request.principal.user, Scope.HANDOFF in request.principal.scopes
    alive = handoff.resumed_at is not None or handoff.expires_at > timezone.now()
    offerable = may and alive and handoff.status in OFFERABLE
    mine = user is not None and handoff.offered_to_id == user.id
    gives = user is not None and handoff.owner_id in (None, user.id)
    if user is not None and handoff.owner_id == user.id:
        handoff.owner = user  # who need not be read again
    if handoff.owner_id is not None and handoff.owner_id == handoff.conversation.owner_id:
        handoff.conversation.owner = handoff.owner
    takes_back = offerable and bool(handoff.offered_to_id) and (gives or handoff.offered_by_id == getattr(user, "id", None))
    undoable = queries.latest_edit(handoff) if may and alive and handoff.status in UNDOABLE else None
    return {
        "handoff": handoff,
        "turn": turn_of(handoff, user.id if user else None, alive=alive),
        "conversation": handoff.conversation,
        "override": check_override.override_of(handoff),
        "override_form": OverrideForm(),
        "may_override": Scope.ADMIN in request.principal.scopes,
        "expired": not alive,
        "may_resume": may,
        "editable": may and alive and handoff.status in EDITABLE,
        "may_make_ready": may and alive and handoff.status == HandoffStatus.DRAFT,
        "may_give_up": offerable and not mine and not takes_back,
        "offered_to_me": offerable and mine,
        "may_offer": offerable and gives and not handoff.offered_to_id,
        "may_take_back": takes_back,
        "teammates": queries.teammates_for(handoff, without=user) if offerable and gives and not handoff.offered_to_id else [],
        "newer": queries.newer_than(handoff) if alive and handoff.resumed_at is None else None,
        "undoable": undoable,
        "note_undoable": undoable is not None
        and undoable.action == EditAction.REGENERATE
        and undoable.after.get("note") != undoable.before.get("note"),
    }


def _within_panel(request: MemberRequest, handoff: Handoff) -> dict[str, Any]:
    """What panels show of the handoff besides their own. Five queries at most."""
    return {
        **head(request, handoff),
        # The first of a chain has nothing to be compared with.
        "panels": {name: label for name, label in PANELS.items() if name != "handoff-changes" or handoff.number > 1},
        **shown_ratings(request.principal, handoff),
    }


def board(request: MemberRequest, handoff: Handoff, *, form: ResumeForm | None = None, remake: RemakeForm | None = None) -> dict[str, Any]:
    """Eight queries, whatever the length of the chain. Shared by the page and its forms."""
    fidelity = package_json.report_from_contract(handoff.fidelity)
    plan, options = handoff.rest["plan"], handoff.rest.get("options", {})
    shown, links = _within_panel(request, handoff), queries.neighbours_of(handoff)
    return {
        **shown,
        "fidelity": fidelity,
        "passing": PASSING_FIDELITY,
        "probes_answered": sum(answer.answered for answer in fidelity.probes),
        "slices": budget_slices(plan["bySection"], handoff.token_count),
        "over_budget": plan["exceededByCritical"],
        "original_tokens": handoff.metadata["originalTokenCount"],
        "ratio": handoff.metadata["compressionRatio"],
        "links": links,
        "replaced": any(link.conversation_id == handoff.conversation_id and link.created_at > handoff.created_at for link in links)
        and handoff.standing == HandoffStatus.READY,
        "resumptions": [(resumption, restoration(resumption.report)) for resumption in queries.resumptions_of(handoff)],
        "form": form or ResumeForm(),
        "tools": TOOLS,
        "commands": commands_for(request, handoff),
        "remake": remake or RemakeForm(initial={"budget": handoff.token_budget, "style": handoff.style, "note": options.get("note", "")}),
        "resumable": not shown["expired"] and handoff.status in (HandoffStatus.READY, HandoffStatus.RESUMED),
    }


def panel(
    request: MemberRequest, handoff: Handoff, name: str, shown: Mapping[str, Any], *, whole: bool = False, told: str = ""
) -> HttpResponse:
    """The page with one of its panels; under htmx the panel, or with `whole` everything that a change of the package moves."""
    part = "" if not request.htmx else "#body" if whole else "#panel"
    around = _within_panel(request, handoff) if part == "#panel" else board(request, handoff)
    everything = {**around, **shown, "at": name, "panel": f"handoffs/_{name.removeprefix('handoff-')}.html", "told": told}
    return render(request, f"handoffs/handoff.html{part}", everything)


def back_to(request: MemberRequest, handoff: Handoff, told: str, *, page: str = "handoff") -> HttpResponse:
    """To a page of the handoff, saying what was done."""
    messages.success(request, told)
    return redirect(page, handoff_id=handoff.id)


def author(request: MemberRequest) -> Author:
    return Author(user=request.principal.user)


def commands_for(request: MemberRequest, handoff: Handoff) -> Sequence[ResumeCommand]:
    return commands(str(handoff.id), resumed=handoff.resumed_at is not None, site=request.build_absolute_uri("/").rstrip("/"))
