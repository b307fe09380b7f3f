"""Importing a file in the browser, and the progress of the job that reads it."""

import json

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from continuity.models import Conversation, Job
from continuity.services.jobs import jobs
from tests.web.world import browser

HTMX = {"HX-Request": "true"}
CHAT = [{"role": "user", "content": "Never touch the public API."}, {"role": "assistant", "content": "I will not."}]


def send(client, content=None, headers=None, **fields):
    file = SimpleUploadedFile("session.json", json.dumps(CHAT).encode() if content is None else content)
    return client.post("/conversations/import", {"file": file, "format": "auto"} | fields, headers=headers or {})


def test_it_works(team, owner):
    client = browser(owner)
    answer = send(client)
    job = Job.objects.get()
    assert answer.headers["Location"] == f"/jobs/{job.id}"
    jobs.run(job_id=job.id)
    page = client.get(f"/jobs/{job.id}").content
    assert b"2 of 2 messages were new" in page
    assert f"/conversations/{Conversation.objects.get().id}".encode() in page


def test_under_htmx_the_progress_takes_the_forms_place(team, owner):
    answer = send(browser(owner), headers=HTMX)
    assert b"<html" not in answer.content
    assert b"data-poll" in answer.content


def test_the_same_file_again_adds_nothing_and_says_so(team, owner):
    client = browser(owner)
    for _ in range(2):
        address = send(client).headers["Location"]
        jobs.run(job_id=Job.objects.latest("created_at").id)
    assert b"nothing was added" in client.get(address).content


def test_a_file_that_is_none_fails_with_its_reason(team, owner):
    client = browser(owner)
    address = send(client, b"Dear diary, nothing happened.\n" * 20).headers["Location"]
    jobs.run(job_id=Job.objects.get().id)
    page = client.get(address).content
    assert b"no transcript" in page
    assert b"Import another file" in page


@pytest.mark.parametrize("fields", [{"file": ""}, {"format": "papyrus"}])
def test_what_can_not_be_used_is_said_at_its_field(fields, team, owner):
    client = browser(owner)
    assert send(client, **fields).status_code == 422
    assert send(client, headers=HTMX, **fields).status_code == 422
    assert not Job.objects.exists()


def test_a_file_over_the_limit_is_refused_with_the_limit(team, owner, settings):
    settings.CONTINUITY_MAX_UPLOAD_BYTES = 10
    answer = send(browser(owner))
    assert answer.status_code == 413
    assert b"over the limit of 10 bytes" in answer.content


def test_progress_is_asked_for_only_while_there_is_some(team, owner):
    client = browser(owner)
    job = Job.objects.create(team=team, kind="import", status="running", done=3, total=9, arguments={"name": "x"})
    page = client.get(f"/jobs/{job.id}").content
    assert b"data-poll" in page
    assert b'http-equiv="refresh"' in page  # for readers without scripts
    assert b'<progress max="9" value="3"' in page
    Job.objects.update(status="failed", error="Given up.")
    page = client.get(f"/jobs/{job.id}").content
    assert b"data-poll" not in page
    assert b'http-equiv="refresh"' not in page


def test_what_did_not_change_is_not_sent_again(team, owner):
    client = browser(owner)
    job = Job.objects.create(team=team, kind="import", status="running", done=3, total=9, attempts=1)
    seen = HTMX | {"If-None-Match": '"running-3-9-1"'}
    assert client.get(f"/jobs/{job.id}", headers=seen).status_code == 304
    Job.objects.update(done=4)
    assert client.get(f"/jobs/{job.id}", headers=seen).status_code == 200
