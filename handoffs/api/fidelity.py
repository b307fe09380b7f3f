"""Fidelity of a package: the check, the probes with their answers, overrides, and averages over many."""

from typing import Annotated, Any
from uuid import UUID

from django.http import HttpResponse
from django.utils import timezone
from ninja import Field, Query, Router, Schema, Status
from pydantic import AwareDatetime, ConfigDict

from continuity.api.access import ADMIN, READ, ApiRequest
from continuity.api.masks import MaskedText, hide
from continuity.api.problems import answers
from continuity.api.versions import IF_MATCH, etag
from handoffs.api.authoring import author, version
from handoffs.fidelity.probes import ProbeKind
from handoffs.fidelity.record import report_to_contract
from handoffs.models import CheckCause, FidelityCheck, HandoffOverride, HandoffStatus
from handoffs.services.packages import check_override, checks, handoffs, validation

router = Router(tags=["fidelity"])

CHECKS = 50


class ProbeOut(Schema):
    """A question to the directive; `line` is the first of its lines (from 1) that answers it, `seq` the message with the answer."""

    kind: ProbeKind
    question: str
    expected: str
    answered: bool
    line: int | None
    seq: int
    weight: float


class CheckOut(Schema):
    """One check in figures. `probes` counts `asked` and `answered` by kind."""

    version: int
    cause: CheckCause
    created_at: AwareDatetime
    passed: bool
    overall: float
    anchors: float
    tasks: float
    state: float
    coverage: float
    repairs: int
    issues: int
    critical: int
    probes_asked: int
    probes_answered: int
    probes: dict[str, Any]


class OverrideOut(Schema):
    """An override of the check: by whom, when, why, and what was missing; `ended_at` is set where it holds no more.

    `made_by_id` is the person, or whose key it was; `made_with_id` the key; `made_as` names both, also when they are gone.
    """

    id: UUID
    version: int
    reason: str
    score: float
    missing: list[str]
    made_by_id: UUID | None
    made_with_id: UUID | None
    made_as: str
    created_at: AwareDatetime
    ended_at: AwareDatetime | None

    @staticmethod
    def resolve_reason(override: HandoffOverride) -> str:
        return str(hide(override.reason))

    @staticmethod
    def resolve_missing(override: HandoffOverride) -> Any:
        return hide(override.missing)


class FidelityOut(Schema):
    """The check of a package as it is (CONT-06's FidelityReport, `report`), its probes, its overrides, and its latest checks."""

    handoff_id: UUID
    status: HandoffStatus
    passes: bool
    report: dict[str, Any]
    probes: list[ProbeOut]
    overrides: list[OverrideOut]
    checks: list[CheckOut]


class ValidationOut(Schema):
    """The check as it comes out now (CONT-06's FidelityReport, `report`), and how many messages came after what the package covers."""

    handoff_id: UUID
    status: HandoffStatus
    passes: bool
    messages_since: int
    report: dict[str, Any]
    probes: list[ProbeOut]


class OverrideIn(Schema):
    model_config = ConfigDict(extra="forbid")

    reason: Annotated[str, Field(max_length=check_override.LONGEST, description="Why it may be resumed without what is missing.")]


class AverageOut(Schema):
    """Means of checks, 0 to 1; null where nothing was checked or asked."""

    model: MaskedText
    checks: int
    passed: int
    overall: float | None
    anchors: float | None
    tasks: float | None
    state: float | None
    coverage: float | None
    probes: float | None
    probes_asked: int
    probes_answered: int


class AveragesOut(Schema):
    team: AverageOut
    models: list[AverageOut] = Field(description="By model, the most checked first, at most 100; empty where none was named.")


class AveragesQuery(Schema):
    days: int = Field(30, description="How far back: 1 to 90 days, where the operator set no other limit.")


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
