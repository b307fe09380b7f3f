"""The page that searches: what it says where nothing holds all the words."""

import html

from continuity.models import Message
from continuity.services.knowledge import fold_runner
from continuity.services.recording import conversations
from continuity.services.search import indexing, searching
from tests.factories import AnchorFactory, ConversationFactory
from tests.handoffs.story import DECISION, story
from tests.web.world import browser
from tests.words import said


def test_it_works(team, owner):
    conversation = ConversationFactory.create(team=team, title="Partitions")
    conversations.append(team=team, conversation_id=conversation.id, messages=[said("The copy of the readings runs by night.")])
    indexing.catch_up()
    pages = {words: browser(owner).get("/search/", {"q": words}).content.decode() for words in ("copy night", "why copying", "tides")}
    assert "some of them" not in pages["copy night"]
    assert "Nothing contains all of these words. This contains some of them" in pages["why copying"]
    assert "<mark>" in pages["why copying"]
    assert "Nothing contains any of these words" in pages["tides"]


def test_who_said_a_decision_is_told_and_when_in_the_knowledge(team, owner):
    conversation = story(team)
    fold_runner.catch_up(conversation_id=conversation.id)
    indexing.catch_up()
    client = browser(owner)
    found = client.get("/search/", {"q": "Postgres", "kind": "anchor"}).content.decode()
    assert "said by a person" in found
    listed = client.get(f"/conversations/{conversation.id}/anchors", {"q": "Postgres"}).content.decode()
    of_decision = html.unescape(listed).split(DECISION, 1)[1].split("</li>")[0]
    said_at = Message.objects.get(conversation=conversation, seq=3)
    assert f'<time datetime="{(said_at.at or said_at.created_at).isoformat()}"' in of_decision


def test_it_says_how_many_there_are_on_all_pages(team, owner, monkeypatch):
    conversation = ConversationFactory.create(team=team, title="Partitions")
    told = [said(f"The copy of the readings {number} runs by night.") for number in range(25)]
    conversations.append(team=team, conversation_id=conversation.id, messages=told)
    for each in (conversation, ConversationFactory.create(team=team)):  # the second knows it from the first
        AnchorFactory.create(conversation=each, text="The copy runs by night.", source_seq=3, origin_conversation_id=conversation.id)
    indexing.catch_up()
    client = browser(owner)
    page = client.get("/search/", {"q": "copy night"})
    assert "25 messages, 1 anchor, the best first" in page.content.decode()
    later = client.get("/search/", {"q": "copy night", "after": page.context["next"]}).content.decode()
    assert "25 messages, 1 anchor, the best first" in later
    monkeypatch.setattr(searching, "CANDIDATES", 10)
    assert "10+ messages, 1 anchor" in client.get("/search/", {"q": "copy night"}).content.decode()


def test_conversations_with_the_same_title_are_told_apart(team, owner):
    for title, branch in (("Partitions", "main"), ("Partitions", "fix/night"), ("Tides", "tides")):
        conversation = ConversationFactory.create(team=team, title=title, branch=branch)
        conversations.append(team=team, conversation_id=conversation.id, messages=[said("The copy of the readings runs by night.")])
    indexing.catch_up()
    page = browser(owner).get("/search/", {"q": "copy night"}).content.decode()
    heads = [head.split("</h2>")[0] for head in page.split("<h2>")[1:]]
    assert sorted(word for word in ("main, last", "fix/night, last") if any(word in head for head in heads)) == [
        "fix/night, last",
        "main, last",
    ]
    assert not any("last message" in head for head in heads if "Tides" in head)
