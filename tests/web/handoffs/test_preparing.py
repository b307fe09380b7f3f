"""“Prepare handoff” in the browser, with scripts and without."""

import re
from html import unescape

import pytest

from continuity.models import Job
from continuity.services.jobs import jobs
from continuity.services.knowledge import fold_runner
from continuity.services.recording import conversations
from handoffs.models import Handoff
from handoffs.views import preparing
from tests.handoffs.story import DECISION, RULE, story
from tests.web.reading import read
from tests.web.world import browser
from tests.words import called

HTMX = {"HX-Request": "true"}


def send(client, conversation, headers=None, **fields):
    return client.post(f"/conversations/{conversation.id}/prepare", {"budget": 4000, "style": "structured"} | fields, headers=headers or {})


def test_it_works(team, owner):
    client, conversation = browser(owner), story(team)
    answer = send(client, conversation)
    handoff = Handoff.objects.get()
    assert answer.headers["Location"] == f"/handoffs/{handoff.id}"
    assert handoff.owner == owner
    page = client.get(answer.headers["Location"])
    directive = next(element for element in read(page.content).elements if element.attributes.get("id") == "directive")
    assert directive.text.startswith("--- SESSION CONTINUATION ---")
    assert RULE in directive.text


def test_without_scripts_one_sees_what_fits_and_nothing_is_made(team, owner):
    client, conversation = browser(owner), story(team)
    answer = send(client, conversation, look="yes")
    assert answer.status_code == 200
    assert "Passes its check: tells" in answer.content.decode()
    assert not Handoff.objects.exists()


def test_what_is_cut_is_told_with_its_cost(team, owner):
    client, conversation = browser(owner), story(team)
    writes = [
        called("Write", {"file_path": f"/srv/app/queue/part{number}.py", "content": "x = 1"}, call_id=f"w{number}") for number in range(30)
    ]
    conversations.append(team=team, conversation_id=conversation.id, messages=writes)
    fold_runner.catch_up(conversation_id=conversation.id)
    page = send(client, conversation, look="yes", budget=150).content.decode()
    cut = page.partition("What is cut")[2].partition("</details>")[0]
    costs = [int(cost) for cost in re.findall(r"(\d+) tokens", cut)]
    assert costs
    assert all(costs)


def test_under_htmx_the_outcome_takes_the_forms_place(team, owner):
    client, conversation = browser(owner), story(team)
    answer = send(client, conversation, HTMX)
    assert answer.status_code == 200
    assert b"<html" not in answer.content
    page = answer.content.decode()
    assert page.count(f"/handoffs/{Handoff.objects.get().id}") == 5  # in the form’s place, in the list, and in the heading (resume, offer)
    assert 'id="handoffs" aria-labelledby="handoffs-title" hx-swap-oob="true"' in page


def test_one_looks_when_the_options_are_opened_and_is_led_to_the_handoff(team, owner):
    client, conversation = browser(owner), story(team)
    address = f"/conversations/{conversation.id}/prepare"
    for place in (address, f"/conversations/{conversation.id}"):
        assert 'hx-trigger="toggle from:#more-options once, input' in client.get(place).content.decode()
    answer = send(client, conversation, HTMX | {"HX-Current-URL": f"http://testserver{address}?from=mail"})
    # To be seen again after a reload, the outcome has an address of its own.
    assert answer.headers["HX-Redirect"] == f"/handoffs/{Handoff.objects.get().id}"


@pytest.mark.parametrize("fields", [{"budget": 10}, {"budget": ""}, {"budget": "many"}, {"budget": 10**12}, {"style": "baroque"}])
def test_what_can_not_be_used_is_said_at_its_field(fields, team, owner):
    client, conversation = browser(owner), story(team)
    for headers, whole in ((None, True), (HTMX, False)):
        answer = send(client, conversation, headers, **fields)
        assert answer.status_code == 422
        assert (b"<html" in answer.content) is whole
        wrong = [element for element in read(answer.content).elements if element.attributes.get("aria-invalid") == "true"]
        assert [element.attributes["name"] for element in wrong] == list(fields)
    assert not Handoff.objects.exists()


def test_the_conversation_shows_what_was_found_and_prepared(team, owner):
    client, conversation = browser(owner), story(team)
    send(client, conversation)
    page = unescape(client.get(f"/conversations/{conversation.id}").content.decode())
    for expected in (RULE, DECISION, "Write the worker", f"/handoffs/{Handoff.objects.get().id}"):
        assert expected in page
    files = unescape(client.get(f"/conversations/{conversation.id}/files").content.decode())
    assert "queue/schema.py</span>" in files, files.split("<h2>Files")[1][:900]


def test_an_ended_conversation_is_refused_with_its_reason(team, owner):
    client, conversation = browser(owner), story(team)
    conversations.invalidate(team=team, conversation_id=conversation.id)
    answer = send(client, conversation)
    assert answer.status_code == 410
    assert b"Session invalidated" in answer.content
    notice = send(client, conversation, HTMX)
    assert notice.headers["HX-Retarget"] == "#notices"


def test_much_that_is_unread_is_prepared_by_a_job(team, owner, monkeypatch):
    monkeypatch.setattr(preparing, "AT_ONCE", 5)
    client, conversation = browser(owner), story(team)
    answer = send(client, conversation)
    job = Job.objects.get()
    assert answer.headers["Location"] == f"/jobs/{job.id}"
    assert b"Waiting for a worker" in client.get(f"/jobs/{job.id}").content
    jobs.run(job_id=job.id)
    assert f"/handoffs/{Handoff.objects.get().id}".encode() in client.get(f"/jobs/{job.id}").content


def test_the_directive_is_shown_in_any_of_the_styles(team, owner):
    client, conversation = browser(owner), story(team)
    address = send(client, conversation).headers["Location"]
    shown = {style: read(client.get(f"{address}?style={style}").content) for style in ("structured", "concise", "narrative")}
    texts = {next(e.text for e in page.elements if e.attributes.get("id") == "directive") for page in shown.values()}
    assert len(texts) == 3
    assert all(RULE in text for text in texts)
    assert client.get(f"{address}?style=baroque").status_code == 422
