"""The page of what a package leaves out, and how it differs from an earlier one."""

import re
from dataclasses import replace
from typing import Any
from uuid import UUID

from django.http import HttpResponse
from django.views.decorators.http import require_safe

from continuity.core.errors import Invalid
from continuity.knowledge.model import FileAction
from continuity.knowledge.requests.belonging import known_by
from continuity.views.access import MemberRequest, member_page
from handoffs import queries
from handoffs.contract.model import PackageItem, SectionKind
from handoffs.directive.lines.wording import normalise
from handoffs.models import Handoff
from handoffs.services.packages import comparison, handoffs
from handoffs.services.packages.known_before import places_of
from handoffs.views.board import panel

LINES = 60
DONE = 8  # steps that are named in the summary
_REPLACED_BY = re.compile(r"\(replaced by [a-z]\d+: ")
ENDED = ("superseded", "resolved", "dismissed")  # what no longer holds; other lines only gave way
PREVIOUS, TRANSCRIPT = "previous", "transcript"


@member_page
@require_safe
def page(request: MemberRequest, handoff_id: UUID) -> HttpResponse:
    """What the package leaves out of what is known. With `against`, what changed since then, as older links ask for it."""
    handoff = handoffs.get(team=request.principal.team, handoff_id=handoff_id)
    against = request.GET.get("against", TRANSCRIPT)
    if against != TRANSCRIPT:
        return _changes(request, handoff, against)
    return panel(request, handoff, "handoff-difference", _of_transcript(handoff))


@member_page
@require_safe
def changes(request: MemberRequest, handoff_id: UUID) -> HttpResponse:
    """What changed since the handoff before it, or since an earlier one of its chain that `against` names by its id."""
    handoff = handoffs.get(team=request.principal.team, handoff_id=handoff_id)
    return _changes(request, handoff, request.GET.get("against", PREVIOUS))


def _changes(request: MemberRequest, handoff: Handoff, against: str) -> HttpResponse:
    shown = {"against": against, "others": queries.earlier_than(handoff), **_of_earlier(handoff, _earlier(handoff, against))}
    return panel(request, handoff, "handoff-changes", shown)


def _of_transcript(handoff: Handoff) -> dict[str, Any]:
    lines = comparison.omitted_knowledge(handoff)
    places = places_of(handoff.conversation_id, {line.item.key for line in lines[:LINES]})
    return {"left_out": lines[:LINES], "left_out_total": len(lines), "places": places}


def _earlier(handoff: Handoff, against: str) -> Handoff | None:
    if against == PREVIOUS:
        return comparison.previous_of(handoff)
    try:
        return Handoff.objects.get(chain=handoff.chain_id, created_at__lt=handoff.created_at, id=UUID(against))
    except (ValueError, Handoff.DoesNotExist):
        raise Invalid(f"against must be {TRANSCRIPT}, {PREVIOUS}, or an earlier handoff of its chain.", field="against") from None


def _of_earlier(handoff: Handoff, previous: Handoff | None) -> dict[str, Any]:
    if previous is None:
        return {"previous": None}
    compared = comparison.since_previous(handoff, previous)
    found = compared.difference
    fresh = [each for each in found.new if not _only_read(*each)]
    told_now = [(kind, item) for kind, item in fresh if item.key in compared.told_now]
    new = [each for each in fresh if each not in told_now]
    lost = [each for each in found.gone if not _only_read(each.kind, each.item)]
    ended = [each for each in lost if each.why in ENDED]
    gone = [each for each in lost if each.why not in ENDED]
    return {
        "previous": previous,
        "progress": compared.progress,
        "done": [(step, compared.belongings.get(known_by(step))) for step in compared.progress.done[:DONE]],
        "asked": compared.belongings.get(known_by(compared.progress.asked)),
        "belongs": compared.tasks,
        "places": compared.places,
        "more_done": max(0, len(compared.progress.done) - DONE),
        "counts": {"new": len(new), "ended": len(ended), "gone": len(gone), "changed": len(found.changed)},
        "new": [(kind, _without_number(item), _reason(item, compared.reasons)) for kind, item in new[:LINES]],
        "told_now": [(kind, _without_number(item), _reason(item, compared.reasons)) for kind, item in told_now[:LINES]],
        "ended": [(replace(each, item=_without_number(each.item)), compared.anchors.get(each.item.key)) for each in ended[:LINES]],
        "gone": [replace(each, item=_without_number(each.item)) for each in gone[:LINES]],
        "new_read": [item for kind, item in found.new if _only_read(kind, item)],
        "gone_read": [each.item for each in found.gone if _only_read(each.kind, each.item)],
        "changed": found.changed[:LINES],
        "beyond": max(0, *(len(lines) - LINES for lines in (new, told_now, ended, gone, found.changed))),
    }


def _without_number(item: PackageItem) -> PackageItem:
    """The line without the number that its own handoff gave to what replaced it: in another one the number means something else."""
    return item._replace(text=_REPLACED_BY.sub("(replaced by ", item.text)) if _REPLACED_BY.search(item.text) else item


def _reason(item: PackageItem, reasons: dict[str, str]) -> str:
    """Why it was decided, where the line itself does not tell."""
    why = reasons.get(item.key, "")
    return "" if normalise(why) in normalise(item.text) else why


def _only_read(kind: SectionKind, item: PackageItem) -> bool:
    """Whether it tells of a file that nobody changed: many in every package, and little to tell of."""
    return kind is SectionKind.FILES and item.label == FileAction.READ
