"""When a conversation was last active: by the times of its own messages, not by when they came to be recorded."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.utils import timezone

from continuity.models import Anchor, Conversation, Event, Team, User
from continuity.services.knowledge import fold_runner
from continuity.services.recording import conversations
from continuity.services.search import indexing, searching
from tests.factories import ConversationFactory
from tests.web.world import browser
from tests.words import said

OLD = datetime(2025, 3, 4, 10, 0, tzinfo=UTC)
DECISION = "We decided to keep the queue in Postgres instead of Redis."


def told(conversation: Conversation, *times: datetime | None, words: str = "Go on.") -> Conversation:
    messages = [said(words, at=at) for at in times]
    conversations.append(team=conversation.team, conversation_id=conversation.id, messages=messages)
    conversation.refresh_from_db()
    return conversation


def test_it_works(team: Team) -> None:
    conversation = told(conversations.create(team=team), OLD, OLD + timedelta(minutes=5))
    assert conversation.active_at == OLD + timedelta(minutes=5)
    assert conversation.status == "idle"
    told(conversation, OLD + timedelta(minutes=3))
    assert conversation.active_at == OLD + timedelta(minutes=5)


def test_a_session_that_is_over_is_never_active_and_one_that_goes_on_is(team: Team) -> None:
    conversation = told(conversations.create(team=team), OLD)
    told(conversation, timezone.now())
    assert conversation.status == "active"
    names = Event.objects.filter(subject_id=conversation.id, name__in=["conversation.idled", "conversation.reactivated"])
    assert list(names.order_by("created_at").values_list("name", flat=True)) == ["conversation.idled", "conversation.reactivated"]


@pytest.mark.parametrize("at", [None, datetime(2999, 1, 1, tzinfo=UTC)], ids=["no time", "a time that lies ahead"])
def test_what_has_no_time_of_its_own_was_said_when_it_was_recorded(team: Team, at: datetime | None) -> None:
    conversation = told(conversations.create(team=team), at)
    assert abs(conversation.active_at - timezone.now()) < timedelta(minutes=1)
    assert conversation.status == "active"


def test_the_session_that_was_active_last_comes_first_whenever_it_was_recorded(team: Team, owner: User) -> None:
    recent = told(ConversationFactory.create(team=team, title="Of today"), timezone.now())
    old = told(ConversationFactory.create(team=team, title="Of last spring"), OLD)
    assert old.created_at > recent.created_at
    listed = browser(owner).get("/conversations").content.decode()
    assert listed.index("Of today") < listed.index("Of last spring")
    assert "04 Mar 2025" in listed


def test_its_page_says_when_it_was_and_when_it_was_recorded(team: Team, owner: User) -> None:
    page = browser(owner).get(f"/conversations/{told(conversations.create(team=team), OLD).id}").content.decode()
    assert page.count("04 Mar 2025, 10:00:00") >= 2  # the last message, and the beginning
    assert "<dt>Recorded here since</dt>" in page


def test_search_dates_an_anchor_by_its_message(team: Team) -> None:
    conversation = told(conversations.create(team=team), OLD, words=DECISION)
    fold_runner.catch_up(conversation_id=conversation.id)
    assert Anchor.objects.filter(conversation=conversation).exists()
    while indexing.catch_up():
        pass

    def kinds(**filters: Any) -> set[tuple[str, datetime | None]]:
        found = searching.find(team=team, words="queue Postgres", filters=searching.Filters(**filters))
        return {(hit.kind, hit.at) for hit in found.hits}

    assert kinds() == {("message", OLD), ("anchor", OLD)}
    assert kinds(until=OLD + timedelta(days=1)) == {("message", OLD), ("anchor", OLD)}
    assert kinds(since=OLD + timedelta(days=1)) == set()
