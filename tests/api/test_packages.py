"""Packages over the API: exported by one team, taken in by another."""

import base64
import json
from typing import Any

import pytest

from handoffs.contract import signature
from tests.api.caller import Caller, agent, person


@pytest.fixture(autouse=True)
def key_file(settings: Any, tmp_path: Any) -> None:
    settings.CONTINUITY_SIGNING_KEY_FILE = tmp_path / "signing_key"


@pytest.fixture
def document(api: Caller) -> dict[str, Any]:
    conversation = api.open(title="Quiet hours", max_context_tokens=50_000)
    api.say(conversation, person("Use Postgres, never SQLite."), agent("Understood."))
    made = api.post(f"/conversations/{conversation}/handoffs").json()
    answer = api.get(f"/handoffs/{made['id']}/export")
    assert answer.status_code == 200
    assert answer["Content-Disposition"].startswith("attachment")
    told: dict[str, Any] = answer.json()
    return told


def test_it_works(document: dict[str, Any], api: Caller, stranger: Caller) -> None:
    key = api.get("/signing-key").json()
    assert key["key_id"] == document["signature"]["keyId"] == signature.key_id(base64.b64decode(key["public_key"]))
    made = stranger.post("/packages", document)
    assert made.status_code == 201, made.content
    assert (made.json()["status"], made.json()["origin"]["handoffId"]) == ("ready", document["package"]["handoffId"])
    resumed = stranger.post(f"/handoffs/{made.json()['id']}/resume").json()
    assert "never SQLite" in resumed["directive"]
    assert (resumed["conversation"]["title"], resumed["conversation"]["max_context_tokens"]) == ("Quiet hours", 50_000)


def test_the_same_package_is_stored_once(document: dict[str, Any], stranger: Caller) -> None:
    first = stranger.post("/packages", document, Idempotency_Key="one")
    assert stranger.post("/packages", document, Idempotency_Key="one").content == first.content
    again = stranger.post("/packages", document)
    assert (again.status_code, again.json()["conversation_id"]) == (409, first.json()["conversation_id"])


def test_each_refusal_says_why(document: dict[str, Any], stranger: Caller, settings: Any, tmp_path: Any) -> None:
    def refused(**changes: Any) -> tuple[int, str]:
        answer = stranger.post("/packages", document | changes)
        return answer.status_code, answer.json()["code"]

    assert refused(package=document["package"] | {"throughSeq": 7}) == (422, "bad_signature")
    assert refused(version=2) == (422, "invalid")
    assert refused(version="1") == (422, "invalid")
    assert refused(more=1) == (422, "invalid")
    settings.CONTINUITY_MAX_PACKAGE_BYTES = len(json.dumps(document)) - 1
    assert refused() == (413, "too_large")
    settings.CONTINUITY_MAX_PACKAGE_BYTES *= 2
    settings.CONTINUITY_SIGNING_KEY_FILE = tmp_path / "other"
    assert refused() == (403, "untrusted_key")
    assert stranger.get("/conversations").json()["items"] == []


def test_a_draft_waits_for_a_person(document: dict[str, Any], stranger: Caller) -> None:
    made = stranger.post("/packages?draft=true", document).json()
    assert made["status"] == "draft"
    assert stranger.post(f"/handoffs/{made['id']}/edits", {"action": "pin", "ref": "a1"}).status_code == 201
    assert stranger.post(f"/handoffs/{made['id']}/ready").json()["status"] == "ready"
