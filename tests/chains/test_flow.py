"""The same stories through the services: every session is recorded, distilled, handed off and resumed."""

from __future__ import annotations

import pytest

from continuity.models import Conversation, Team
from continuity.services.recording import conversations
from handoffs.models import Handoff
from handoffs.services.chains import chains, resumption
from handoffs.services.packages import preparation
from tests.chains.passing import tokens_of
from tests.chains.reading import told
from tests.chains.stories import Story, story


def prepare(conversation: Conversation, budget: int) -> Handoff:
    options = preparation.options_of(budget=budget)
    return preparation.prepare(team=conversation.team, conversation_id=conversation.id, options=options)


def last_session(team: Team, told_story: Story, budget: int) -> Conversation:
    conversation = conversations.create(team=team, title="A story", source_tool="test")
    for number, messages in enumerate(told_story.hops):
        if number:
            conversation = resumption.resume(team=team, handoff_id=prepare(conversation, budget).id).conversation
        conversations.append(team=team, conversation_id=conversation.id, messages=list(messages))
        conversation.refresh_from_db()
    return conversation


def test_it_works(team: Team) -> None:
    told_story = story("coding", 2, 0)
    handoff = prepare(last_session(team, told_story, 4000), 4000)
    assert handoff.position == 2
    assert len(told(told_story, handoff.text).missing) <= 1


@pytest.mark.parametrize(("name", "hops"), [("ops", 5), pytest.param("writing", 12, marks=pytest.mark.long)])
def test_a_chain_of_sessions_loses_nothing(team: Team, name: str, hops: int) -> None:
    told_story = story(name, hops, 1)
    conversation = last_session(team, told_story, 4000)
    whole = tokens_of(told_story)
    for budget, least in ((4000, 0.96), (whole * 3 // 10, 0.96), (whole * 2 // 10, 0.96), (whole // 10, 0.75)):
        handoff = prepare(conversation, budget)
        found = told(told_story, handoff.text)
        assert len(found.missing) <= (1 - least) * len(told_story.holds), (budget, [s.words for s in found.missing])
        assert len(found.stale) <= 0.12 * len(told_story.past), (budget, [s.words for s in found.stale])
        assert not found.redone
        assert handoff.token_count <= budget or handoff.package["plan"]["exceededByCritical"]
    assert chains.get(team=team, any_id=conversation.id).total_handoffs == hops
