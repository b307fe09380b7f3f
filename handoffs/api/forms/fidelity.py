"""Checks of packages as callers ask for them and get them."""

from typing import Annotated, Any
from uuid import UUID

from ninja import Field, Schema
from pydantic import AwareDatetime, ConfigDict

from continuity.api.masks import MaskedText, hide
from handoffs.fidelity.probes import ProbeKind
from handoffs.models import CheckCause, HandoffOverride, HandoffStatus
from handoffs.services.packages import check_override


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
