"""The main job over the API: prepare, read, resume, and the chain that comes of it."""

import json
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from continuity.models import Conversation
from handoffs.models import Handoff
from handoffs.services.packages import cleanup
from tests.api.caller import Caller, agent, person

KEPT = (
    "always write a migration",
    "Never send real SMS from tests",
    "no new dependencies",
    "the time zone goes on the recipient",
    "README",
)


@pytest.fixture
def conversation(api: Caller) -> str:
    """The demo session, recorded."""
    return str(api.import_file()["result"]["conversation_id"])


def prepare(api: Caller, conversation: str, **wanted: Any) -> dict[str, Any]:
    answer = api.post(f"/conversations/{conversation}/handoffs", wanted)
    assert answer.status_code == 201, answer.content
    told: dict[str, Any] = answer.json()
    return told


def test_it_works(api: Caller, conversation: str) -> None:
    made = prepare(api, conversation, note="Mind the tide.")
    assert (made["status"], made["conversation_id"], made["position"], made["failure"]) == ("ready", conversation, 1, "")
    assert made["fidelity_score"] >= 0.85
    assert 0 < made["token_count"] <= made["token_budget"] == 4000
    assert made["through_seq"] == api.get(f"/conversations/{conversation}").json()["last_seq"]

    package = api.get(f"/handoffs/{made['id']}").json()["package"]
    assert {"handoffId", "conversationId", "compactedSummary", "preservedAnchors", "unfinishedWork", "state", "metadata"} <= package.keys()
    assert (package["handoffId"], package["conversationId"]) == (made["id"], conversation)
    assert package["compactedSummary"] and package["preservedAnchors"] and package["unfinishedWork"] and package["files"]

    directive = api.get(f"/handoffs/{made['id']}/directive")
    assert directive["Content-Type"] == "text/markdown; charset=utf-8"
    text = directive.content.decode()
    assert text.startswith("--- SESSION CONTINUATION ---")
    assert text.rstrip().endswith("--- END CONTINUATION ---")
    for kept in KEPT:
        assert kept in text, kept


def test_what_was_corrected_is_not_what_the_directive_says(api: Caller, conversation: str) -> None:
    current = [row["text"] for row in api.get(f"/conversations/{conversation}/anchors", limit=200).json()["items"]]
    assert not [text for text in current if text.startswith("Stations get a `time_zone` column")]


def test_resuming_opens_a_conversation_that_knows_what_the_old_one_knew(api: Caller, conversation: str) -> None:
    made = prepare(api, conversation)
    answer = api.post(f"/handoffs/{made['id']}/resume", {"source_tool": "codex", "model": "gpt-5", "max_context_tokens": 128_000})
    told = answer.json()
    assert answer.status_code == 201
    new = told["conversation"]
    assert (new["source_tool"], new["model"], new["max_context_tokens"], new["resumed_from_id"]) == (
        "codex",
        "gpt-5",
        128_000,
        conversation,
    )
    assert (told["fork"], told["restored_anchors"] > 0, told["restored_tasks"] > 0) == (False, True, True)
    assert told["directive"] == api.get(f"/handoffs/{made['id']}/directive").content.decode()
    carried = api.get(f"/conversations/{new['id']}/anchors").json()["items"]
    assert {row["origin_conversation_id"] for row in carried} == {conversation}
    assert api.get(f"/conversations/{conversation}").json()["status"] == "handed_off"
    after = api.get(f"/handoffs/{made['id']}").json()
    assert (after["status"], after["resumed_conversation_id"]) == ("resumed", new["id"])


def test_a_second_resume_is_409_and_a_fork_is_not(api: Caller, conversation: str) -> None:
    path = f"/handoffs/{prepare(api, conversation)['id']}/resume"
    first = api.post(path).json()
    refused = api.post(path, {})
    assert (refused.status_code, refused.json()["code"]) == (409, "already_resumed")
    fork = api.post(path, {"fork": True})
    assert (fork.status_code, fork.json()["fork"]) == (201, True)
    assert fork.json()["conversation"]["id"] != first["conversation"]["id"]


def test_the_chain_is_found_by_any_of_its_ids(api: Caller, conversation: str) -> None:
    first = prepare(api, conversation)
    second_conversation = api.post(f"/handoffs/{first['id']}/resume").json()["conversation"]["id"]
    api.say(second_conversation, person("Schedule it with cron."), agent("I decided to use cron at 07:00 UTC."))
    second = prepare(api, second_conversation)
    third_conversation = api.post(f"/handoffs/{second['id']}/resume").json()["conversation"]["id"]
    chain = api.get(f"/chains/{first['chain_id']}").json()
    assert (chain["root_conversation_id"], chain["current_handoff_id"], chain["total_handoffs"]) == (conversation, second["id"], 2)
    assert [(row["id"], row["position"]) for row in chain["handoffs"]] == [(first["id"], 1), (second["id"], 2)]
    for any_id in (conversation, second_conversation, third_conversation):
        assert api.get(f"/chains/{any_id}").json()["id"] == chain["id"]


def test_not_waiting_gives_a_job_that_gives_the_handoff(api: Caller, conversation: str) -> None:
    accepted = api.post(f"/conversations/{conversation}/handoffs?wait=false", {"budget": 2000})
    assert accepted.json()["status"] == "queued"
    job = api.finish(accepted)
    assert (job["status"], job["kind"], job["result"]["status"]) == ("done", "prepare", "ready")
    assert api.get(f"/handoffs/{job['result']['handoff_id']}").json()["token_budget"] == 2000


def test_the_directive_comes_in_every_style_and_as_json(api: Caller, conversation: str) -> None:
    path = f"/handoffs/{prepare(api, conversation, style='concise')['id']}/directive"
    own = api.get(path).content
    texts = {style: api.get(path, style=style).content for style in ("structured", "concise", "narrative")}
    assert (texts["concise"], len(set(texts.values()))) == (own, 3)
    told = api.call("GET", f"{path}?style=narrative", Accept="application/json").json()
    assert (told["style"], told["text"].encode()) == ("narrative", texts["narrative"])
    assert api.get(path, style="poem").json()["field"] == "style"


@pytest.mark.parametrize(
    ("wanted", "field"),
    [
        ({"budget": 100}, "budget"),
        ({"budget": 10**9}, "budget"),
        ({"style": "poem"}, "style"),
        ({"max_reminder_count": -1}, "max_reminder_count"),
        ({"tokens": 5}, "tokens"),
    ],
)
def test_a_bad_wish_names_its_field(api: Caller, wanted: dict[str, Any], field: str) -> None:
    refused = api.post(f"/conversations/{api.open()}/handoffs", wanted)
    assert (refused.status_code, refused.json()["field"]) == (422, field)


def test_a_draft_waits_for_a_person(api: Caller, conversation: str) -> None:
    made = prepare(api, conversation, draft=True)
    refused = api.post(f"/handoffs/{made['id']}/resume")
    assert (made["status"], refused.status_code, refused.json()["code"], refused.json()["status"]) == ("draft", 409, "not_resumable", 409)


def test_a_handoff_whose_time_is_over_is_410(api: Caller, conversation: str) -> None:
    made = prepare(api, conversation)
    Handoff.objects.filter(id=made["id"]).update(expires_at=timezone.now() - timedelta(seconds=1))
    assert api.post(f"/handoffs/{made['id']}/resume").json()["code"] == "handoff_gone"
    cleanup.delete_expired(now=timezone.now())
    for path in (f"/handoffs/{made['id']}", f"/handoffs/{made['id']}/directive"):
        gone = api.get(path)
        assert (gone.status_code, gone.json()["code"], gone.json()["reason"]) == (410, "handoff_gone", "expired")
    assert Conversation.objects.filter(id=conversation).exists()


def test_what_is_said_after_preparing_is_in_the_directive_after_resuming(api: Caller, conversation: str) -> None:
    made = prepare(api, conversation)
    api.say(conversation, person("One more rule: never log phone numbers."))
    told = api.post(f"/handoffs/{made['id']}/resume").json()
    assert "never log phone numbers" in told["directive"]


def test_secrets_are_masked_wherever_they_are_read(api: Caller) -> None:
    secret = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    conversation = api.open(title=f"Use {secret}")
    api.say(conversation, person(f"Always push with the token {secret}. Never use another one."), agent("Understood."))
    made = prepare(api, conversation)
    answers = [
        api.get(path).content.decode()
        for path in (
            f"/conversations/{conversation}",
            "/conversations",
            f"/conversations/{conversation}/anchors",
            f"/conversations/{conversation}/tasks",
            f"/conversations/{conversation}/handoffs",
            f"/handoffs/{made['id']}",
            f"/handoffs/{made['id']}/directive",
            f"/handoffs/{made['id']}/directive?style=narrative",
            f"/chains/{conversation}",
        )
    ]
    answers += [json.dumps(made), api.post(f"/handoffs/{made['id']}/resume").content.decode()]
    assert [answer for answer in answers if secret in answer] == []
    assert "[secret:" in answers[6]


def test_the_lists_of_knowledge_filter_and_page(api: Caller, conversation: str) -> None:
    anchors = api.get(f"/conversations/{conversation}/anchors", limit=200).json()["items"]
    assert {row["state"] for row in anchors} == {"current"}
    rules = api.get(f"/conversations/{conversation}/anchors", type="Constraint").json()["items"]
    assert rules and {row["type"] for row in rules} == {"Constraint"}
    one, two = (api.get(f"/conversations/{conversation}/anchors", limit=1).json(), anchors)
    following = api.get(f"/conversations/{conversation}/anchors", limit=1, cursor=one["next_cursor"]).json()
    assert [row["key"] for row in one["items"] + following["items"]] == [row["key"] for row in two[:2]]
    tasks = api.get(f"/conversations/{conversation}/tasks").json()["items"]
    still_open = api.get(f"/conversations/{conversation}/tasks", open=True).json()["items"]
    assert 0 < len(still_open) < len(tasks)
    changed = api.get(f"/conversations/{conversation}/files", action="modified").json()["items"]
    assert any(row["path"].endswith("tidewatch/alerts.py") and row["touches"] == 3 for row in changed)


def test_handoffs_are_found_by_status_and_by_folder(api: Caller, stranger: Caller) -> None:
    conversation = api.open(cwd="/srv/app")
    api.say(conversation, person("Please build the tide page. Never use feet."), agent("I start with the table."))
    made = prepare(api, conversation)
    for query in ({}, {"status": "ready"}, {"cwd": "/srv/app", "status": "ready"}):
        assert [row["id"] for row in api.get("/handoffs", **query).json()["items"]] == [made["id"]]
        assert stranger.get("/handoffs", **query).json()["items"] == []
    for query in ({"status": "resumed"}, {"cwd": "/srv"}):
        assert api.get("/handoffs", **query).json()["items"] == []
