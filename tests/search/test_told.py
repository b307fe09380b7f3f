"""What the page and the API say when very many hold the words, of which the latest alone are ranked."""

import pytest

from continuity.models import Conversation
from continuity.services.search import searching
from tests.api.caller import Caller
from tests.search.test_searching import record
from tests.web.world import browser
from tests.words import said

TOLD = "these are the best of the latest 4 messages and 4 anchors"


@pytest.fixture(params=[4, 5])
def many(request, team, monkeypatch):
    """Whether more hold the word than are ranked."""
    monkeypatch.setattr(searching, "CANDIDATES", 4)
    record(team, *[said(f"The harbour report number {number}") for number in range(request.param)])
    return request.param > 4


def test_it_works(many, team):
    found = Caller.of(team).get("/search?q=harbour&kind=message").json()
    assert found["only_latest"] is many
    assert len(found["items"]) == 4


def test_within_a_conversation_it_is_told_too(many, team):
    here = Conversation.objects.get().id
    assert Caller.of(team).get(f"/conversations/{here}/search?q=harbour&kind=message").json()["only_latest"] is many


@pytest.mark.parametrize("headers", [{}, {"HX-Request": "true"}])
def test_the_page_says_so_above_what_it_found(many, headers, team, owner):
    page = browser(owner).get("/search/?q=harbour&kind=message", headers=headers).content.decode()
    assert (TOLD in page) is many
    if many:
        assert page.index(TOLD) < page.index("report number")


def test_where_nothing_is_found_nothing_is_said(many, team, owner):
    page = browser(owner).get("/search/?q=lighthouse").content.decode()
    assert "latest 4 messages" not in page
    assert Caller.of(team).get("/search?q=lighthouse").json() == {"items": [], "next_cursor": None, "only_latest": False}
