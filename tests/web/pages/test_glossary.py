"""Words that are explained on pages mean what the glossary says."""

import re
from pathlib import Path

from django.conf import settings

from continuity.templatetags.glossary import MEANINGS, term
from tests.factories import ConversationFactory
from tests.web import rows
from tests.web.world import browser

TEXT = (Path(settings.BASE_DIR) / "docs" / "glossary.md").read_text(encoding="utf-8")
ROWS = dict(re.findall(r"^\| \*\*(.+?)\*\* \| (.+) \|$", TEXT, re.MULTILINE))


def test_it_works():
    assert 'popovertarget="term-context-window"' in term("context window", "Window")


def test_they_say_the_same():
    assert {word: ROWS[word].replace("**", "").replace("`", "") for word in MEANINGS} == MEANINGS


def test_a_word_is_explained_once_on_each_page_and_where_it_first_stands(team, owner):
    handoff = rows.handoff(ConversationFactory.create(team=team, owner=owner), status="ready")
    rows.handoff(handoff.conversation, status="ready", number=2)
    client = browser(owner)
    places = ("/", "/handoffs", f"/handoffs/{handoff.id}", f"/chains/{handoff.chain_id}", f"/conversations/{handoff.conversation_id}")
    for place in places:
        page = client.get(place).content.decode()
        assert page.count('id="term-fidelity"') == 1, place
        before = page.split("<main")[1].partition('popovertarget="term-fidelity"')[0]
        assert "fidelity" not in re.sub(r"<[^>]*>", "", re.sub(r"<option[^>]*>[^<]*", "", before)).lower(), place
