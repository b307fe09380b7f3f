"""Whatever the OpenAPI document allows, and what it forbids, is answered as it says: no fault, documented statuses and shapes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pytest
import schemathesis
from django.core.handlers.wsgi import WSGIHandler
from django.core.signals import request_finished, request_started
from django.db import close_old_connections, transaction
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.core.result import Ok
from schemathesis.specs.openapi.checks import content_type_conformance, response_schema_conformance, status_code_conformance

from config.api import api as interface
from continuity.models import Segment
from tests.api.caller import Caller, agent, person
from tests.api.operations import OPEN_OPERATIONS
from tests.cast import ours
from tests.cast import person as somebody
from tests.lasting import Lasting

if TYPE_CHECKING:
    from schemathesis import APIOperation

CHECKS = [not_a_server_error, status_code_conformance, content_type_conformance, response_schema_conformance]
MODES = [GenerationMode.POSITIVE, GenerationMode.NEGATIVE]
EXAMPLES = [2, pytest.param(12, marks=pytest.mark.long)]

schema = schemathesis.openapi.from_dict(interface.get_openapi_schema())
schema.app = WSGIHandler()
# A stream has no end to check, and an answer that waits in the event loop can't be had without one.
ASYNCHRONOUS = {"/api/v1/agents/heartbeats/orders"}
OPERATIONS = [
    operation
    for operation in [found.ok() for found in schema.get_all_operations() if isinstance(found, Ok)]
    if not any("text/event-stream" in str(answer) for answer in operation.definition.raw["responses"].values())
    and not any(operation.path.endswith(path) or path.endswith(operation.path) for path in ASYNCHRONOUS)
]


@pytest.fixture(scope="module")
def world(lasting: Lasting[tuple[str, dict[str, Any]]]) -> tuple[str, dict[str, Any]]:
    return lasting(make_world)


def make_world() -> tuple[str, dict[str, Any]]:
    """A key, and values of path parameters that name what is there."""
    api = Caller.of(ours(somebody("owner")))
    conversation = api.open(title="Tides", cwd="/srv/tides")
    said = [person(f"Please check harbour {number}. Never skip one.") if number % 2 else agent("Checked.") for number in range(1, 25)]
    assert api.say(conversation, *said).status_code == 201
    handoff = api.post(f"/conversations/{conversation}/handoffs").json()["id"]
    edit = api.post(f"/handoffs/{handoff}/edits", {"action": "add", "type": "Task", "text": "Look again"}).json()["id"]
    tasks = api.get(f"/conversations/{conversation}/tasks").json()["items"]
    job = api.upload(b"").json().get("id")
    segment = Segment.objects.filter(conversation_id=conversation).order_by("id").first()
    known = {"conversation_id": conversation, "handoff_id": handoff, "any_id": conversation, "edit_id": edit, "key": tasks[0]["key"]}
    known |= {"seq": 2} | ({"job_id": job} if job else {}) | ({"segment_id": str(segment.id)} if segment else {})
    return api.key, known


def test_it_works() -> None:
    assert len(OPERATIONS) > 50


@pytest.fixture
def one_connection(world: object, db: None) -> Iterator[None]:
    """Requests leave the test's own connection open, as they do with Django's test client, which connects the signals again."""
    for signal in (request_started, request_finished):
        signal.disconnect(close_old_connections)
    yield
    for signal in (request_started, request_finished):
        signal.connect(close_old_connections)


@pytest.mark.usefixtures("one_connection")
@pytest.mark.parametrize("examples", EXAMPLES)
@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda operation: operation.definition.raw["operationId"])
def test_an_operation_does_what_the_document_says(
    world: tuple[str, dict[str, Any]], operation: APIOperation[Any, Any, Any, Any], examples: int
) -> None:
    key, places = world
    named = {parameter.name: places[parameter.name] for parameter in operation.path_parameters if parameter.name in places}

    @settings(max_examples=examples, derandomize=True, deadline=None, database=None, suppress_health_check=list(HealthCheck))
    @given(case=st.one_of(*(operation.as_strategy(generation_mode=mode, path_parameters=named or None) for mode in MODES)))
    def check(case: schemathesis.Case[Any]) -> None:
        case.path_parameters.update(named)
        with transaction.atomic():
            case.call_and_validate(checks=CHECKS, headers={"Authorization": f"Bearer {key}"})
            transaction.set_rollback(True)

    check()


@pytest.mark.usefixtures("one_connection")
@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda operation: operation.definition.raw["operationId"])
def test_an_operation_is_described_and_closed_to_whoever_has_no_key(operation: APIOperation[Any, Any, Any, Any]) -> None:
    about = operation.definition.raw
    assert about["summary"] and about["description"]
    assert {"401", "404"} <= {str(status) for status in about["responses"]}
    for status, answer in about["responses"].items():
        assert answer["description"]
        assert int(status) < 400 or list(answer["content"]) == ["application/problem+json"]

    @settings(max_examples=1, derandomize=True, deadline=None, database=None, suppress_health_check=list(HealthCheck))
    @given(case=operation.as_strategy())
    def check(case: schemathesis.Case[Any]) -> None:
        for name in ("Authorization", "X-API-Key"):
            case.headers.pop(name, "")
        closed = (operation.method.upper(), operation.path.removeprefix("/api/v1")) not in OPEN_OPERATIONS
        assert (case.call().status_code == 401) is closed

    check()
