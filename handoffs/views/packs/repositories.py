"""A team's repositories; one of them with its packs, figures and what was captured, which people decide about by keyboard."""

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST, require_safe

from continuity.core.errors import Invalid
from continuity.models import Scope
from continuity.views.access import MemberRequest, member_page
from handoffs.models import Artifact, ArtifactStatus, PackSession, Repository, StoredPack
from handoffs.services.packs import governing, measures, pack_policies, repositories, reviewing
from handoffs.views.board import author

SHOWN, SESSIONS, PACKS = 100, 10, 5
TOLD = {
    "accept": "Accepted: it stands in the next session’s Anchor pack.",
    "reject": "Rejected.",
    "reopen": "It waits for a decision again.",
}
MODES = {
    "off": "Packs are off: nothing is read.",
    "passive": "Packs are only measured: sessions are given nothing, and these figures tell what they would have been given.",
    "snapshot": "Sessions are given packs, and secured when their pressure rises.",
    "rehydrate": "Sessions are given packs, secured when their pressure rises, and begun anew when it is high.",
}


@member_page
@require_safe
def listing(request: MemberRequest) -> HttpResponse:
    """Those that the team's sessions worked in, the one used last first."""
    team = request.principal.team
    rows = list(Repository.objects.visible_to(team).order_by("-seen_at")[:SHOWN])
    waiting = set(Artifact.objects.visible_to(team).drafts().values_list("repository_id", flat=True).distinct()[:SHOWN])
    shown = {"repositories": [{"row": row, "waits": row.id in waiting} for row in rows], "mode": MODES[_mode(request)]}
    return render(request, "packs/repositories.html", shown)


@member_page
@require_safe
def page(request: MemberRequest, repository_id: UUID) -> HttpResponse:
    """One repository."""
    row = repositories.get(team=request.principal.team, repository_id=repository_id)
    sessions = PackSession.objects.filter(repository=row).select_related("conversation").order_by("-seen_at")[:SESSIONS]
    drafts = reviewing.of_repository(row, status=ArtifactStatus.DRAFT, limit=SHOWN)
    decided = [each for each in reviewing.of_repository(row, limit=SHOWN) if each.status != ArtifactStatus.DRAFT]
    shown = {
        "repository": row,
        "measures": measures.of_repository(row),
        "sessions": [{"row": each, "pressure": governing.pressure_of(each)} for each in sessions],
        "packs": StoredPack.objects.filter(repository=row).select_related("conversation").order_by("-used_at")[:PACKS],
        "drafts": drafts,
        "decided": decided,
        "mode": MODES[_mode(request)],
        "may_decide": Scope.HANDOFF in request.principal.scopes,
    }
    return render(request, "packs/repository.html", shown)


@member_page
@require_POST
def decide(request: MemberRequest, repository_id: UUID) -> HttpResponse:
    """Decides about what was chosen. Under htmx, about one, the one as it stands now."""
    request.principal.require(Scope.HANDOFF)
    team = request.principal.team
    row = repositories.get(team=team, repository_id=repository_id)
    action, words = request.POST.get("action", ""), request.POST.get("text", "").strip()
    decided = reviewing.decide(
        team=team, repository=row, ids=_chosen(request), action=action, author=author(request), text=_changed(request, words)
    )
    if request.htmx and len(decided) == 1:
        shown: dict[str, Any] = {"artifact": decided[0], "repository": row, "may_decide": True}
        return render(request, "packs/_artifact.html", shown)
    messages.success(request, TOLD[action])
    return redirect("repository", repository_id=row.id)


def _chosen(request: MemberRequest) -> list[UUID]:
    """Raises Invalid."""
    try:
        return [UUID(each) for each in request.POST.getlist("artifact")]
    except ValueError as error:
        raise Invalid("These are no artifacts.", field="artifact") from error


def _changed(request: MemberRequest, words: str) -> str | None:
    """A person's wording, where they changed it."""
    return words if words and words != request.POST.get("shown", "").strip() else None


def _mode(request: MemberRequest) -> str:
    team = request.principal.team
    return str(pack_policies.mode_of(team, pack_policies.effective(team)))
