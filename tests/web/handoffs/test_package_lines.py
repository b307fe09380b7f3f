"""The lines of a package on the page that changes them: what each shows, and what its form sends."""

from __future__ import annotations

import pytest

from handoffs.contract.model import PackageItem, SectionKind
from handoffs.services.packages import preparation
from handoffs.templatetags.package_lines import section_title
from tests.factories import ConversationFactory
from tests.handoffs.story import RULE, story
from tests.web import rows
from tests.web.reading import read
from tests.web.world import browser

SECRET = "ghp_" + "aB3dE5fG7hI9jK1lM3nO5pQ7rS9tU1vW3xY5"
HOSTILE = "<b>'\"&{{ 7 }}"


def page(client, handoff):
    return read(client.get(f"/handoffs/{handoff.id}/lines").content)


def of_lines(document):
    """What lines are reworded in."""
    return [area for area in document.all("textarea") if area.attributes["id"].startswith("line-")]


def made(team, owner, *items, kind=SectionKind.RULES, **fields):
    handoff = rows.handoff(ConversationFactory.create(team=team, owner=owner, last_seq=40), **fields)
    sections = [{"kind": kind.value, "items": [item._asdict() for item in items], "dropped": 0}]
    handoff.rest = handoff.rest | {"sections": sections}
    handoff.save()
    return handoff


def test_it_works(team, owner):
    handoff = preparation.prepare(team=team, conversation_id=story(team).id, options=preparation.options_of())
    document = page(browser(owner), handoff)
    forms = [form for form in document.all("form") if form.attributes["action"] == f"/handoffs/{handoff.id}/lines"]
    sent = [field for field in document.all("input") if field.attributes.get("name") == "csrfmiddlewaretoken"]
    assert any(RULE in area.text for area in document.all("textarea"))
    assert len(of_lines(document)) + 1 == len(forms) > 5  # a form for each line, and one that adds
    assert len(sent) >= len(forms)
    labelled = {label.attributes["for"] for label in document.all("label")}
    ids = [area.attributes["id"] for area in of_lines(document)]
    assert len({*ids}) == len(ids)
    assert {*ids} <= labelled


@pytest.mark.parametrize("field", ["text", "label", "reference", "key"])
def test_words_of_a_line_are_words(field, team, owner):
    words = {"reference": "a1", "key": "k1", "text": "Keep the API.", "label": ""} | {field: HOSTILE}
    handoff = made(team, owner, PackageItem(seq=3, tokens=12, importance=0.9, **words))
    answer = browser(owner).get(f"/handoffs/{handoff.id}/lines")
    document = read(answer.content)
    assert not document.all("b") and not document.astray
    assert b"&lt;b&gt;&#x27;&quot;&amp;{{ 7 }}" in answer.content


def test_a_line_whose_key_holds_a_secret_is_asked_for_by_its_reference(team, owner):
    handoff = made(team, owner, PackageItem("a7", f"the token is {SECRET}", f"The token is {SECRET}.", 3, 12, 0.9))
    answer = browser(owner).get(f"/handoffs/{handoff.id}/lines")
    named = {field.attributes.get("name"): field.attributes.get("value") for field in read(answer.content).all("input")}
    assert named["ref"] == "a7" and "key" not in named
    assert SECRET.encode() not in answer.content


def test_what_a_line_is_stands_beside_it(team, owner):
    binding = PackageItem("a1", "k1", "Keep the API.", 1234, 1500, 0.9, critical=True, label="agreed", claimed=True)
    handoff = made(team, owner, binding, PackageItem("", "k2", "Say it.", 0, 3, 0.5))
    shown = browser(owner).get(f"/handoffs/{handoff.id}/lines").content.decode()
    for words in (
        '<span class="chip">in every handoff</span>',
        "the agent’s claim, not confirmed",
        "<span>agreed</span>",
        "a1, message 1,234</a>",
        "1,500 tokens",
    ):
        assert words in shown
    assert f'href="/conversations/{handoff.conversation_id}/messages?at=1234#m1234"' in shown
    assert "message 0" not in shown


def test_what_is_made_of_what_is_left_out_has_no_form(team, owner):
    handoff = made(team, owner, PackageItem("", "left out", "For lack of room: 2 rules.", 0, 9, 1.0), kind=SectionKind.LOOKUP)
    document = page(browser(owner), handoff)
    assert not of_lines(document)
    assert not [button for button in document.all("button") if button.attributes.get("value") == "dismiss"]


def test_what_was_resumed_is_only_read(team, owner):
    handoff = made(team, owner, PackageItem("a1", "k1", "Keep the API.", 3, 12, 0.9), status="resumed")
    assert not of_lines(page(browser(owner), handoff))


def test_sections_are_called_as_the_briefing_calls_them():
    titles = {kind: section_title(kind) for kind in SectionKind}
    assert titles[SectionKind.NEXT] == "Now"
    assert not [title for title in titles.values() if title.islower() or title.startswith("#")]
