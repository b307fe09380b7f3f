"""Words that are explained on pages mean what the glossary says."""

import json
import re
from pathlib import Path

from django.conf import settings

from config.api import api as interface
from continuity.templatetags.glossary import MEANINGS, term
from handoffs.templatetags.package_lines import FATES
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


def test_what_a_package_does_not_hold_is_left_out_in_one_word():
    """As the glossary's table has it, on the pages of a handoff and in the API's descriptions."""
    assert "| omitted (of a package) | left out |" in TEXT
    pages = {path.name: path.read_text(encoding="utf-8") for path in Path(settings.BASE_DIR, "templates", "handoffs").rglob("*.html")}
    assert "left out" in pages["_changes.html"]
    described = json.dumps(interface.get_openapi_schema())
    for word in ("omitted", "told instead", "told only now", "not told of"):
        assert [name for name, text in pages.items() if word in text.lower()] == []
        assert word not in described.lower()
    assert [fate for fate in FATES.values() if "told" in fate] == []
