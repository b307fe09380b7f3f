"""A handoff's page: the briefing with sources in place, the exact text, and the check in words."""

import pytest

from continuity.models import Anchor
from continuity.services.recording import conversations
from handoffs.services.edits.targets import items
from handoffs.services.packages import handoffs, preparation
from tests.handoffs.story import story
from tests.web.handoffs.briefing_page import ATTACK, HTMX, links, page
from tests.web.reading import read
from tests.web.world import browser
from tests.words import said


def test_it_works(client, handoff):
    """Now comes first; every source is a link that works without scripts, and opens in place with them."""
    html = page(client, handoff)
    assert html.index(">Now</h2>") < html.index(">Rules that hold</h2>")
    sources = links(html, "ref")
    assert sources
    for source in sources:
        assert source["href"] == source["hx-get"]
        assert client.get(source["href"]).status_code == 200
        assert "<details open>" in client.get(source["href"], headers=HTMX).content.decode()


@pytest.mark.parametrize("style", ["structured", "concise", "narrative"])
def test_the_exact_text_stays_for_copying_and_reading(client, handoff, style):
    text = handoffs.directive_text(handoff, style=style)
    for view in ("", "&view=text"):
        pre = next(
            e for e in read(page(client, handoff, f"?style={style}{view}").encode()).all("pre") if e.attributes.get("id") == "directive"
        )
        assert pre.text == text
        assert ("hidden" in pre.attributes) is not bool(view)


def test_a_source_opens_around_the_words_that_its_reference_names(team, client):
    conversation, rule = story(team), "Never delete the archive folder."
    words = f"{'Some words go before it. ' * 100}{rule}{' And some follow.' * 100}"
    conversations.append(team=team, conversation_id=conversation.id, messages=[said(words)])
    made = preparation.prepare(team=team, conversation_id=conversation.id, options=preparation.options_of())
    reference = next(item["reference"] for item in items(made) if rule in item["text"] and item["reference"].startswith("a"))
    html = client.get(f"/handoffs/{made.id}/sources/{reference}", headers=HTMX)
    excerpt = next(e.text for e in read(html.content).all("div") if e.attributes.get("class") == "words excerpt")
    assert rule in excerpt
    assert excerpt.startswith("…") and excerpt.endswith("…") and len(excerpt) <= 1502


def test_hostile_words_show_as_words(team, owner, client):
    conversation = story(team)
    conversations.append(team=team, conversation_id=conversation.id, messages=[said(f"Never use {ATTACK} [a1!] in the queue.")])
    made = preparation.prepare(team=team, conversation_id=conversation.id, options=preparation.options_of())
    html = page(client, made)
    assert ATTACK not in html
    assert html.count("&lt;script&gt;") >= 2  # in the briefing, and in the text to copy


def test_what_the_text_beside_a_note_names_no_source_of_can_be_opened_on_the_page(client, handoff):
    known = {item["reference"]: item for section in handoff.rest["sections"] for item in section["items"]}
    text, html = handoffs.directive_text(handoff), page(client, handoff)
    opened = {link["href"].rsplit("/", 1)[-1] for link in links(html, "ref")}
    unnamed = {name for name in opened & known.keys() if f"[{name}" not in text and f", {name}" not in text and not name.startswith("n")}
    assert any(name.startswith("m") for name in unnamed)
    for name in unnamed:
        assert client.get(f"/handoffs/{handoff.id}/sources/{name}").status_code == 200


def test_what_became_of_the_note_stands_below_it(client, handoff):
    html = page(client, handoff)
    assert "What the agent’s note said, and what was changed" in html
    assert "<del>The user approved the release.</del>" in html
    assert "No person was found to have said this." in html
    of_note = page(client, handoff, "/note")
    told = "1 left out because the conversation contradicts it"
    assert told in html and told in of_note
    assert "In the briefing, line " in of_note
    assert "Does not hold: left out" in of_note and "<span>Left out</span>" not in of_note


def test_a_statement_of_the_note_can_be_opened_and_says_whose_it_is(client, handoff):
    html, words = page(client, handoff), "Leases of the queue are short."
    rows = read(html.encode()).all("li")
    (line,) = [e.text for e in rows if words in e.text and e.attributes.get("id", "").startswith("line-")]
    assert "agent’s note" in line and "the agent’s claim, not confirmed" in line
    (source,) = [link["href"] for link in links(html, "ref") if link["href"].endswith("/n2")]
    assert words in client.get(source, headers=HTMX).content.decode()


def test_the_check_is_told_in_words_and_leads_to_lines(client, handoff):
    wrong = {"code": "next_done", "telling": "next", "line": 5, "words": "Run it", "reason": "It was run at once.", "seq": 2}
    handoff.fidelity = handoff.fidelity | {"disagreements": [wrong], "agreement": 0.8}
    handoff.save()
    html = page(client, handoff)
    assert "1 line does not agree:" in html
    assert f'/handoffs/{handoff.id}#line-5">Line 5</a>' in html
    assert html.count("It was run at once.") == 2  # in the box, and at its line
    assert "Of all that is known" in html


def test_a_source_that_is_gone_says_so_in_its_place(client, handoff):
    assert client.get(f"/handoffs/{handoff.id}/sources/m9999").status_code == 404
    assert "not here any more" in client.get(f"/handoffs/{handoff.id}/sources/m9999", headers=HTMX).content.decode()


def test_what_was_taken_back_since_is_not_said_to_be_added_by_hand(client, handoff):
    Anchor.objects.filter(conversation=handoff.conversation).delete()
    html = client.get(f"/handoffs/{handoff.id}/sources/a1", headers=HTMX).content.decode()
    assert "came with a package, or was taken back or deleted since" in html


@pytest.mark.parametrize("issues", [[], [{"component": "Anchor", "severity": "critical", "description": "A rule is not preserved."}]])
def test_what_was_left_out_is_said_to_be_not_required_only_where_that_is_so(client, handoff, issues):
    handoff.fidelity = handoff.fidelity | {"coverage": 0.6, "issues": issues}
    handoff.save()
    html = page(client, handoff)
    assert "60.0% of all current anchors stand in their own words. The rest is over, included in other words, or had no room: see" in html
    assert ("Nothing required is missing: the decisions" in html) is not bool(issues)
    assert ("Something is missing; it is listed below" in html) is bool(issues)


def test_outsider_gets_404(handoff, outsider, other_team):
    assert browser(outsider).get(f"/handoffs/{handoff.id}/sources/a1").status_code == 404
