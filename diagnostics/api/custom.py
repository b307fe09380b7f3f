"""Metrics that a team brings itself."""

from typing import Annotated

from django.utils import timezone
from ninja import Field, Router, Schema, Status

from continuity.api.access import WRITE, ApiRequest
from continuity.api.problems import answers
from diagnostics.measuring.instruments import InstrumentKind
from diagnostics.services.figures import custom
from diagnostics.services.figures.custom import OwnSample

router = Router(tags=["metrics"])
NAME = r"^[a-z][a-z0-9_]{0,59}$"


class SampleIn(Schema):
    """`value` is what a counter grows by, what a gauge is now, or what a histogram has seen (best in milliseconds)."""

    name: str = Field(pattern=NAME, max_length=60, examples=["training_examples"])
    kind: InstrumentKind = InstrumentKind.COUNTER
    value: float = 1.0
    labels: dict[Annotated[str, Field(pattern=NAME, max_length=30)], Annotated[str, Field(max_length=60)]] = Field(
        default_factory=dict, max_length=custom.MOST_LABELS
    )


class SamplesIn(Schema):
    metrics: list[SampleIn] = Field(min_length=1, max_length=custom.AT_ONCE)


@router.post("/metrics/custom", auth=WRITE, response=answers(None, 204, 409), summary="Add metrics of your own")
def take_custom_metrics(request: ApiRequest, payload: SamplesIn) -> Status[None]:
    """Adds what was measured, all or nothing. It is told at `/metrics` and over OTLP as `custom_<name>` (of a counter
    `custom_<name>_total`, of a histogram `custom_<name>_histogram`) with the label `team_id`. A team has 50 names and 200 series at most
    (429); a name keeps its kind (409)."""
    samples = [OwnSample(each.name, each.kind, each.value, each.labels) for each in payload.metrics]
    custom.take(team=request.auth.team, samples=samples, now=timezone.now())
    return Status(204, None)
