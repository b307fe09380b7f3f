"""A session that begins with a directive is the conversation that its handoff was resumed as."""

import threading

import pytest
from django.db import connection

from continuity.core.errors import Conflict
from continuity.models import Conversation
from continuity.services.recording import conversations, sessions
from continuity.transcripts.directive_spans import digest_of
from handoffs.models import Resumption
from handoffs.services.chains import chains, resumption
from handoffs.services.packages import handoffs, preparation
from tests.handoffs.story import RULE, story
from tests.words import said


def prepared(conversation):
    options = preparation.options_of(budget=4000)
    return preparation.prepare(team=conversation.team, conversation_id=conversation.id, options=options)


def begun(team, directive, external_id="s1", **about):
    return sessions.open(
        team=team, source_tool="codex", external_id=external_id, directive_digest=digest_of(f"Please go on.\n{directive}\n"), **about
    )


def resumed(team, **how):
    handoff = prepared(story(team))
    return resumption.resume(team=team, handoff_id=handoff.id, **how)


def test_it_works(team, owner):
    first = resumed(team)
    opened = begun(
        team, handoffs.directive_text(first.handoff), title="Something else", model="gpt-5", max_context_tokens=400_000, owner=owner
    )
    assert opened == first.conversation
    assert (opened.source_tool, opened.external_id, opened.model, opened.max_context_tokens) == ("codex", "s1", "gpt-5", 400_000)
    assert (opened.title, opened.owner, opened.cwd) == (first.handoff.conversation.title, owner, "/srv/app")
    conversations.append(team=team, conversation_id=opened.id, messages=[said(handoffs.directive_text(first.handoff)), said("Go on.")])
    opened.refresh_from_db()
    assert RULE in prepared(opened).text
    assert chains.get(team=team, any_id=opened.id) == first.handoff.chain


def test_a_session_is_opened_once(team):
    first = resumed(team)
    directive = handoffs.directive_text(first.handoff)
    begun(team, directive)
    with pytest.raises(Conflict) as refused:
        begun(team, directive)
    assert refused.value.data["conversation_id"] == str(first.conversation.id)


def test_a_second_session_is_a_branch(team):
    first = resumed(team)
    begun(team, handoffs.directive_text(first.handoff))
    second = begun(team, handoffs.directive_text(first.handoff), "s2")
    assert second != first.conversation
    assert Resumption.objects.get(conversation=second).fork
    assert (second.resumed_from, second.external_id) == (first.handoff.conversation, "s2")


def test_words_that_were_laid_out_anew_are_the_same(team):
    first = resumed(team)
    directive = handoffs.directive_text(first.handoff).replace("\n", "  \r\n")
    assert begun(team, directive) == first.conversation


@pytest.mark.parametrize("style", ["concise", "narrative"])
def test_a_directive_in_another_style_is_known(team, style):
    first = resumed(team, style=style)
    assert begun(team, handoffs.directive_text(first.handoff, style=style)) == first.conversation


def test_what_was_resumed_and_went_on_is_not_taken(team):
    first = resumed(team)
    conversations.append(team=team, conversation_id=first.conversation.id, messages=[said("Go on.")])
    assert begun(team, handoffs.directive_text(first.handoff)).resumed_from == first.handoff.conversation
    assert Resumption.objects.count() == 2


def test_another_teams_directive_leads_nowhere(team, other_team):
    first = resumed(team)
    opened = begun(other_team, handoffs.directive_text(first.handoff))
    assert (opened.team, opened.resumed_from) == (other_team, None)
    first.conversation.refresh_from_db()
    assert first.conversation.external_id == ""


def test_a_directive_that_nobody_resumed_leads_nowhere(team):
    handoff = prepared(story(team))
    assert begun(team, handoff.text).resumed_from is None
    handoff.refresh_from_db()
    assert handoff.resumed_at is None


def test_where_the_old_conversation_was_ended_nothing_is_resumed(team):
    first = resumed(team)
    begun(team, handoffs.directive_text(first.handoff))
    conversations.invalidate(team=team, conversation_id=first.handoff.conversation_id)
    assert begun(team, handoffs.directive_text(first.handoff), "s2").resumed_from is None


@pytest.mark.parametrize(
    "words",
    [
        "Nothing of ours.",
        "--- SESSION CONTINUATION ---\n- half of it",
        "<file>\n--- SESSION CONTINUATION ---\nx\n--- END CONTINUATION ---\n</file>",
    ],
)
def test_what_is_no_whole_directive_has_no_digest(words):
    assert digest_of(words) == ""


@pytest.mark.django_db(transaction=True)
def test_two_sessions_at_the_same_moment_are_two_conversations(team):
    first = resumed(team)
    directive = handoffs.directive_text(first.handoff)
    opened = []

    def go(name):
        try:
            opened.append(begun(team, directive, name).id)
        finally:
            connection.close()

    threads = [threading.Thread(target=go, args=[name]) for name in ("s1", "s2")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(set(opened)) == 2
    assert first.conversation.id in opened
    assert Conversation.objects.filter(resumed_from=first.handoff.conversation).count() == 2
