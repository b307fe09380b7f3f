"""The page of what a package leaves out, and how it differs from an earlier one."""

from typing import Any
from uuid import UUID

from django.http import HttpResponse
from django.views.decorators.http import require_safe

from continuity.core.errors import Invalid
from continuity.knowledge.model import FileAction
from continuity.views.access import MemberRequest, member_page
from handoffs.contract.model import PackageItem, SectionKind
from handoffs.models import Handoff
from handoffs.services.packages import comparison, handoffs
from handoffs.views.board import panel

LINES = 60
AGAINST = {"transcript": "Left out", "previous": "Since the previous one"}


@member_page
@require_safe
def page(request: MemberRequest, handoff_id: UUID) -> HttpResponse:
    """Against the conversation, the handoff before it, or an earlier one of its chain by its id."""
    handoff = handoffs.get(team=request.principal.team, handoff_id=handoff_id)
    against = request.GET.get("against", "transcript")
    found = _of_transcript(handoff) if against == "transcript" else _of_earlier(handoff, _earlier(handoff, against))
    return panel(request, handoff, "handoff-difference", {"against": against, "comparisons": AGAINST, **found})


def _of_transcript(handoff: Handoff) -> dict[str, Any]:
    lines = comparison.what_was_left_out(handoff)
    return {"left_out": lines[:LINES], "left_out_total": len(lines)}


def _earlier(handoff: Handoff, against: str) -> Handoff | None:
    if against == "previous":
        return comparison.previous_of(handoff)
    try:
        return Handoff.objects.get(chain=handoff.chain_id, created_at__lt=handoff.created_at, id=UUID(against))
    except (ValueError, Handoff.DoesNotExist):
        raise Invalid(f"against must be one of {', '.join(AGAINST)}, or an earlier handoff of its chain.", field="against") from None


def _of_earlier(handoff: Handoff, previous: Handoff | None) -> dict[str, Any]:
    if previous is None:
        return {"previous": None}
    found = comparison.since_previous(handoff, previous)
    new = [each for each in found.new if not _only_read(*each)]
    gone = [each for each in found.gone if not _only_read(each.kind, each.item)]
    return {
        "previous": previous,
        "new": new[:LINES],
        "gone": gone[:LINES],
        "new_read": [item for kind, item in found.new if _only_read(kind, item)],
        "gone_read": [each.item for each in found.gone if _only_read(each.kind, each.item)],
        "changed": found.changed[:LINES],
        "beyond": max(0, *(len(lines) - LINES for lines in (new, gone, found.changed))),
    }


def _only_read(kind: SectionKind, item: PackageItem) -> bool:
    """Whether it tells of a file that nobody changed: many in every package, and little to tell of."""
    return kind is SectionKind.FILES and item.label == FileAction.READ
