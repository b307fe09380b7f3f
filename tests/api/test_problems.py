"""What goes wrong is told as a problem, without a traceback, and what is described is what happens."""

import json

import pytest
from django.db import OperationalError, connection
from django.test import Client

from config.api import api as interface
from tests.api.caller import ROOT, Caller
from tests.api.operations import OPEN_OPERATIONS


def test_it_works(api: Caller) -> None:
    refused = api.get("/conversations/00000000-0000-4000-8000-000000000000")
    assert refused["Content-Type"] == "application/problem+json"
    assert refused.json() == {
        "noun": "conversation",
        "type": "urn:continuity:problem:not_found",
        "title": "Not found",
        "status": 404,
        "detail": "There is no such conversation.",
        "code": "not_found",
    }


def test_without_the_database_the_answer_is_503_and_says_that_nothing_was_saved(api: Caller, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*args: object) -> None:
        raise OperationalError("connection refused")

    with connection.execute_wrapper(refuse):
        refused = api.post("/conversations", {})
    assert (refused.status_code, refused["Retry-After"], refused.json()["code"]) == (503, "5", "unavailable")
    assert "nothing was saved" in refused.json()["detail"]


def test_a_fault_of_ours_shows_no_traceback(api: Caller) -> None:
    def fail(*args: object) -> None:
        raise ZeroDivisionError("inner detail")

    api.client.raise_request_exception = False
    with connection.execute_wrapper(fail):
        answer = api.get("/conversations")
    assert (answer.status_code, answer.json()["code"]) == (500, "internal_error")
    assert answer.json()["correlation_id"] == answer["X-Correlation-ID"]
    assert "inner detail" not in answer.content.decode()


def test_a_null_byte_in_a_query_is_no_fault_of_ours(api: Caller) -> None:
    assert api.get("/conversations", q="a\x00b").status_code == 200


def test_a_broken_multipart_body_is_a_problem(api: Caller) -> None:
    answer = api.client.post(f"{ROOT}/conversations/import", b"no boundary", content_type="multipart/form-data")
    assert (answer.status_code, answer["Content-Type"]) == (400, "application/problem+json")


def test_every_operation_is_described_with_its_refusals() -> None:
    schema = interface.get_openapi_schema()
    operations = [operation for path in schema["paths"].values() for operation in path.values()]
    is_open = {schema["paths"][f"/api/v1{path}"][method.lower()]["operationId"] for method, path in OPEN_OPERATIONS}
    assert len({operation["operationId"] for operation in operations}) == len(operations)
    for operation in operations:
        assert operation["summary"] and operation["description"] and operation["tags"]
        assert bool(operation.get("security")) is (operation["operationId"] not in is_open)
        assert {401, 403, 404, 422, 503} <= operation["responses"].keys()
        told = "text/event-stream" if operation["summary"] == "Follow events" else "application/json"
        for status, answer in operation["responses"].items():
            assert status == 204 or next(iter(answer["content"])) == (told if status < 400 else "application/problem+json")


@pytest.mark.usefixtures("db")
def test_the_description_is_open_and_its_page_needs_nothing_from_elsewhere() -> None:
    client = Client()
    assert json.loads(client.get(f"{ROOT}/openapi.json").content)["info"]["title"] == "Continuity"
    page = client.get("/api/docs")
    assert page.status_code == 200
    assert "script-src 'self';" in page["Content-Security-Policy"]
    html = page.content.decode()
    assert "://" not in html
    assert "<script>" not in html
    assert "style=" not in html


@pytest.mark.parametrize("path", ["/nothing", "/conversations/12", "/conversations/import/more"])
def test_an_unknown_path_is_a_problem_and_no_page(db: None, path: str) -> None:
    refused = Caller().get(path)
    assert (refused.status_code, refused["Content-Type"]) == (404, "application/problem+json")
