"""Fidelity of a package: the check, the probes with their answers, overrides, and averages over many."""

from uuid import UUID

from django.http import HttpResponse
from django.utils import timezone
from ninja import Query, Router, Status

from continuity.api.access import ADMIN, READ, ApiRequest
from continuity.api.masks import hide
from continuity.api.problems import answers
from continuity.api.versions import IF_MATCH, etag
from handoffs.api.authoring import author, version
from handoffs.api.forms.fidelity import AveragesOut, AveragesQuery, FidelityOut, OverrideIn, OverrideOut, ValidationOut
from handoffs.fidelity.record import report_to_contract
from handoffs.models import FidelityCheck, HandoffOverride
from handoffs.services.packages import check_override, checks, handoffs, validation

router = Router(tags=["fidelity"])

CHECKS = 50


@router.get("/handoffs/{uuid:handoff_id}/fidelity", auth=READ, response=answers(FidelityOut, 200, 410), summary="Read the check")
def get_fidelity(request: ApiRequest, handoff_id: UUID) -> Status[FidelityOut]:
    """The check of the package, what each probe was answered, who let it pass where it failed, and its latest checks in figures."""
    handoff = handoffs.get(team=request.auth.team, handoff_id=handoff_id)
    report = hide(handoff.fidelity)
    told = {
        "handoff_id": handoff.id,
        "status": handoff.status,
        "passes": handoffs.report_of(handoff).passes_threshold,
        "report": {name: value for name, value in report.items() if name != "probes"},
        "probes": report.get("probes", []),
        "overrides": list(HandoffOverride.objects.filter(handoff=handoff).order_by("-created_at")),
        "checks": list(FidelityCheck.objects.filter(handoff=handoff).order_by("-created_at")[:CHECKS]),
    }
    return Status(200, FidelityOut.model_validate(told))


@router.post("/handoffs/{uuid:handoff_id}/validate", auth=READ, response=answers(ValidationOut, 200, 410), summary="Check a package again")
def validate_handoff(request: ApiRequest, handoff_id: UUID) -> Status[ValidationOut]:
    """Holds the stored package against its conversation as it is now. The package stays as it is, whatever comes out."""
    done = validation.validate(team=request.auth.team, handoff_id=handoff_id)
    report = hide(report_to_contract(done.report))
    told = {"handoff_id": handoff_id, "status": done.handoff.status, "passes": done.report.passes_threshold}
    told |= {"messages_since": done.messages_since, "probes": report.pop("probes", []), "report": report}
    return Status(200, ValidationOut.model_validate(told))


@router.post(
    "/handoffs/{uuid:handoff_id}/override",
    auth=ADMIN,
    response=answers(OverrideOut, 201, 409, 410, 412),
    summary="Override check",
    openapi_extra=IF_MATCH,
)
def override_handoff(request: ApiRequest, handoff_id: UUID, payload: OverrideIn, response: HttpResponse) -> Status[HandoffOverride]:
    """Makes a package ready although its check failed; operators only, with a reason. It ends where something else is missing too."""
    made = check_override.override(
        team=request.auth.team,
        handoff_id=handoff_id,
        author=author(request),
        reason=payload.reason,
        version=version(request),
    )
    response["ETag"] = etag(made.handoff.version)
    return Status(201, made)


@router.get("/fidelity/averages", auth=READ, response=answers(AveragesOut), summary="Read average fidelity")
def get_averages(request: ApiRequest, query: Query[AveragesQuery]) -> Status[AveragesOut]:
    """The mean scores of the team's checks, of all and by model. Needs the tier Teams."""
    team, models = checks.averages(team=request.auth.team, now=timezone.now(), days=query.days)
    return Status(200, AveragesOut.model_validate({"team": team, "models": models}))
