"""The page that searches: what it says where nothing holds all the words."""

from continuity.services.recording import conversations
from continuity.services.search import indexing
from tests.factories import ConversationFactory
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
