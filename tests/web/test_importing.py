"""Importing several files, and text that was pasted."""

import json

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from continuity.models import Conversation, Job
from continuity.services.jobs import jobs
from continuity.views.importing import PASTED
from tests.web.world import browser

HTMX = {"HX-Request": "true"}


def chat(words):
    return json.dumps([{"role": "user", "content": words}, {"role": "assistant", "content": "I will."}])


def file(name, words):
    return SimpleUploadedFile(name, chat(words).encode())


def test_it_works(team, owner):
    answer = browser(owner).post("/conversations/import", {"file": [file("a.json", "Do a"), file("b.json", "Do b")], "format": "auto"})
    assert answer.headers["Location"] == "/conversations/import"
    assert set(Job.objects.values_list("arguments__name", flat=True)) == {"a.json", "b.json"}


def test_pasted_text_is_read_as_a_file(team, owner):
    answer = browser(owner).post("/conversations/import", {"text": chat("Do it"), "format": "auto"}, headers=HTMX)
    job = Job.objects.get()
    assert job.arguments["name"] == PASTED
    assert f'id="job-{job.id}"' in answer.content.decode()
    jobs.run(job_id=job.id)
    assert Conversation.objects.get().title == "Do it"


@pytest.mark.parametrize("given", [{}, {"text": "  "}])
def test_nothing_at_all_is_refused(team, owner, given):
    answer = browser(owner).post("/conversations/import", {"format": "auto", **given})
    assert answer.status_code == 422
    assert "Choose a file, or paste a transcript." in answer.content.decode()


def test_too_many_files_are_refused_by_their_number(team, owner, settings):
    many = [file(f"{number}.json", "x") for number in range(settings.CONTINUITY_MAX_UPLOAD_FILES + 1)]
    answer = browser(owner).post("/conversations/import", {"file": many, "format": "auto"})
    assert answer.status_code == 413
    assert str(settings.CONTINUITY_MAX_UPLOAD_FILES) in answer.content.decode()
    assert not Job.objects.exists()


def test_the_latest_imports_are_listed(team, owner, other_team):
    Job.objects.create(team=team, kind="import", status="done", arguments={"name": "mine.json"})
    Job.objects.create(team=other_team, kind="import", arguments={"name": "theirs.json"})
    page = browser(owner).get("/conversations/import").content.decode()
    assert "mine.json" in page
    assert "theirs.json" not in page
