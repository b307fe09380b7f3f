"""Handoff notes on the pages: verdicts in words, changed by members, with and without scripts; the team's switch."""

import pytest

from continuity.models import Role
from continuity.services.accounts import accounts
from handoffs.models import HandoffPolicy, NoteStatement, StoredNote
from handoffs.notes import form
from handoffs.services.notes import note_writer
from handoffs.services.packages import preparation
from tests.cast import person
from tests.handoffs.story import story
from tests.web.world import browser

WRONG, OPEN = "All tests pass.", "The cause is the cache of the resolver."
HTMX = {"HX-Request": "true"}


@pytest.fixture
def conversation(team):
    return story(team)


@pytest.fixture
def note(team, conversation):
    return note_writer.write(team=team, conversation_id=conversation.id, note=form.read({"now": [WRONG], "lessons": [OPEN]})).note


def address(note, text):
    return f"/conversations/{note.conversation_id}/notes/{note.id}/{NoteStatement.objects.get(note=note, text=text).key}"


def test_it_works(team, owner, conversation, note):
    visitor = browser(owner)
    made = preparation.prepare(team=team, conversation_id=conversation.id, options=preparation.options_of())
    for path in (f"/conversations/{conversation.id}", f"/conversations/{conversation.id}/notes", f"/handoffs/{made.id}/note"):
        page = visitor.get(path).content.decode()
        assert WRONG in page and OPEN in page, path
        assert "Does not hold: left out" in page
        assert "pytest tests/queue" in page, "the reason"
        assert "Unconfirmed: the agent’s own word" in page
        assert "Written by the agent" in page
        assert "message 10" in page
        assert address(note, OPEN) in page
    assert "What is known beside it" in visitor.get(f"/handoffs/{made.id}/note").content.decode()


def test_a_person_edits_and_dismisses_without_scripts(owner, note):
    visitor = browser(owner)
    wrong, lesson = address(note, WRONG), address(note, OPEN)
    assert visitor.post(wrong, {"action": "edit", "text": "One test fails."}).status_code == 302
    page = visitor.get(f"/conversations/{note.conversation_id}/notes").content.decode()
    assert "One test fails." in page and "A person’s words" in page and f"<del>{WRONG}</del>" in page
    assert visitor.post(lesson, {"action": "dismiss"}).status_code == 302
    assert NoteStatement.objects.get(text=OPEN).dismissed is True
    assert NoteStatement.objects.get(text="One test fails.").changed_by == owner
    assert visitor.post(lesson, {"action": "nonsense"}).status_code == 422
    assert visitor.post(lesson, {"action": "edit", "text": " "}).status_code == 422


def test_under_htmx_the_statement_comes_back(owner, note):
    answer = browser(owner).post(address(note, OPEN), {"action": "dismiss"}, headers=HTMX)
    told = answer.content.decode()
    assert answer.status_code == 200
    assert told.lstrip().startswith("<li") and "Dismissed" in told and "Count it again" in told


def test_a_form_without_its_token_is_refused(owner, note):
    visitor = browser(owner)
    visitor.handler.enforce_csrf_checks = True
    assert visitor.post(address(note, OPEN), {"action": "dismiss"}).status_code == 403


def test_a_viewer_reads_and_changes_nothing(team, note):
    viewer = person("viewer")
    accounts.add_member(team=team, user=viewer, role=Role.VIEWER)
    visitor, place = browser(viewer), address(note, OPEN)
    page = visitor.get(f"/conversations/{note.conversation_id}/notes").content.decode()
    assert OPEN in page and place not in page
    assert visitor.post(place, {"action": "dismiss"}).status_code == 403
    assert visitor.post("/team/notes", {"asks": "no"}).status_code == 403


def test_an_outsider_gets_404(other_team, outsider, note):
    visitor = browser(outsider)
    assert visitor.get(f"/conversations/{note.conversation_id}/notes").status_code == 404
    assert visitor.post(address(note, OPEN), {"action": "dismiss"}).status_code == 404


def test_the_team_switches_asking_off_and_on(team, owner):
    visitor = browser(owner)
    assert "Stop asking" in visitor.get("/team/notes").content.decode()
    assert visitor.post("/team/notes", {"asks": "no"}).status_code == 302
    assert HandoffPolicy.objects.get().ask_for_notes is False
    assert "Ask for notes" in visitor.get("/team/notes").content.decode()
    visitor.post("/team/notes", {"asks": "yes"})
    assert HandoffPolicy.objects.get().ask_for_notes is True


def test_a_package_whose_note_is_gone_still_shows_it(team, owner, conversation, note):
    made = preparation.prepare(team=team, conversation_id=conversation.id, options=preparation.options_of())
    StoredNote.objects.all().delete()
    page = browser(owner).get(f"/handoffs/{made.id}/note").content.decode()
    assert OPEN in page and "Does not hold: left out" in page
    assert "/notes/" not in page.replace("/team/notes", "")


def test_many_notes_take_as_many_queries_as_one(team, owner, conversation, django_assert_max_num_queries):
    for number in range(note_writer.KEPT):
        note_writer.write(team=team, conversation_id=conversation.id, note=form.read({"lessons": [f"Lesson {number}."]}))
    visitor = browser(owner)
    with django_assert_max_num_queries(12):
        page = visitor.get(f"/conversations/{conversation.id}/notes").content.decode()
    assert page.count("Lesson ") >= note_writer.KEPT
