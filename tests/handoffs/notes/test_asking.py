"""The answer to an append says when a note is wanted; the team's switch turns it off."""

import pytest

from handoffs.models import HandoffPolicy
from tests.api.caller import Caller, agent, person

pytestmark = pytest.mark.django_db


@pytest.fixture
def api(team):
    return Caller.of(team)


def fill(api, conversation, share):
    told = api.say(conversation, person("Go on."), agent("Done.", usage={"input": int(share * 1000), "output": 0})).json()
    return told["decision"]


def test_it_works(api, team):
    conversation = api.open(max_context_tokens=1000)
    assert fill(api, conversation, 0.5)["note_wanted"] == ""
    assert fill(api, conversation, 0.76)["note_wanted"] == "window"
    assert api.get(f"/conversations/{conversation}/decision").json()["note_wanted"] == "window"
    assert api.post(f"/conversations/{conversation}/notes", {"lessons": ["Tabs are wide."]}).status_code == 201
    assert fill(api, conversation, 0.77)["note_wanted"] == ""


def test_a_handoff_that_is_due_is_another_reason(api):
    conversation = api.open(max_context_tokens=1000)
    assert fill(api, conversation, 0.9)["note_wanted"] == "handoff"


def test_the_teams_switch_turns_it_off(api, team):
    conversation = api.open(max_context_tokens=1000)
    assert api.patch("/policy", {"ask_for_notes": False}).json()["effective"]["ask_for_notes"] is False
    assert fill(api, conversation, 0.76)["note_wanted"] == ""
    assert api.patch(f"/conversations/{conversation}/policy", {"ask_for_notes": True}).status_code == 200
    assert fill(api, conversation, 0.77)["note_wanted"] == "window"
    assert HandoffPolicy.objects.filter(ask_for_notes=False).count() == 1


def test_nothing_is_wanted_where_the_window_is_not_known(api):
    conversation = api.open()
    assert fill(api, conversation, 0.9)["note_wanted"] == ""
