"""Titles that are made: of what was asked, and of branch and folder where that says little."""

import pytest

from continuity.knowledge.titles import says_little, title_of
from continuity.models import Conversation
from continuity.services.knowledge import fold_runner
from continuity.services.recording import conversations
from tests.factories import ConversationFactory
from tests.words import answered, said


def opened(team, **about):
    return conversations.create(team=team, cwd="/srv/lab/pump", branch="fix/valve", **about)


def after(conversation, *messages):
    conversations.append(team=conversation.team, conversation_id=conversation.id, messages=messages)
    fold_runner.catch_up(conversation_id=conversation.id)
    conversation.refresh_from_db()
    return conversation.title


def test_it_works(team):
    conversation = opened(team)
    assert conversation.title == "fix/valve in pump"
    assert after(conversation, said("hi"), answered("Hello.")) == "hi (fix/valve in pump)"
    assert after(conversation, said("ok")) == "hi (fix/valve in pump)"
    assert after(conversation, said("Please close the valve before the pump starts.")) == "Please close the valve before the pump starts."
    assert after(conversation, said("Please write the manual of the pump.")) == "Please close the valve before the pump starts."


def test_a_client_that_names_it_by_its_first_request_gets_the_same(team):
    assert after(opened(team, title="commit it"), said("commit it")) == "commit it (fix/valve in pump)"


@pytest.mark.parametrize("mine", ["Pump", "commit it, Kim", "fix/other in pump", "commit it (mine)"])
def test_what_a_person_wrote_stays(team, mine):
    conversation = opened(team)
    after(conversation, said("commit it"))
    conversations.change(team=team, conversation_id=conversation.id, changes={"title": mine})
    conversation.refresh_from_db()
    assert after(conversation, said("Please close the valve before the pump starts.")) == mine


@pytest.mark.parametrize(
    ("goal", "branch", "folder", "title"),
    [
        ("\n## Build the queue\nand more", "main", "/home/kim/harbour", "Build the queue"),
        ("", "main", "/home/kim/harbour", "main in harbour"),
        ("", "", "C:\\work\\harbour", "harbour"),
        ("run the tests", "main", "", "run the tests (main)"),
        ("run the tests", "", "", "run the tests"),
        ("", "", "", ""),
        ("word " * 60, "", "", ("word " * 20).strip() + "…"),
    ],
    ids=["goal", "place", "folder", "branch", "nowhere", "nothing", "long"],
)
def test_one_without_a_title_is_named_by_its_goal_else_its_place(goal, branch, folder, title):
    assert title_of(goal=goal, branch=branch, folder=folder) == title


@pytest.mark.parametrize(
    "line", ["hi", "commit it", "fix the bug", "go on please", "make it work and then push it", "CI", "Mach bitte weiter"]
)
def test_words_of_any_work_say_little(line):
    assert says_little(line)


@pytest.mark.parametrize(
    "line", ["Add retries to it", "why did CI fail?", "Fix src/pump.py", "Bump Django to 5.2", "继续修复阀门关闭的问题"]
)
def test_a_short_request_that_names_something_is_enough(line):
    assert not says_little(line)


def test_a_title_is_given_once_and_never_takes_the_place_of_a_persons(team):
    conversation = ConversationFactory.create(team=team, title="")
    assert "job queue" in after(conversation, said("Please build the job queue."), answered("I will."))
    Conversation.objects.filter(id=conversation.id).update(title="By hand")
    assert after(conversation, said("Now write another thing.")) == "By hand"
