"""A handoff's page: the briefing with sources in place, the exact text, the check in words, and ratings."""

from html import escape

import pytest

from continuity.models import Anchor
from continuity.services.recording import conversations
from handoffs.models import HandoffRating
from handoffs.notes import form
from handoffs.services.chains import resumption
from handoffs.services.edits.targets import items
from handoffs.services.notes import writing
from handoffs.services.packages import handoffs, preparation
from tests.handoffs.story import story
from tests.web.reading import read
from tests.web.world import browser
from tests.words import said

HTMX = {"HX-Request": "true"}
ATTACK = "<script>alert(1)</script>"


@pytest.fixture
def handoff(team, owner):
    conversation = story(team)
    note = form.read({"lessons": ["Leases of the queue are short."], "history": ["The user approved the release."]})
    writing.write(team=team, conversation_id=conversation.id, note=note)
    made = preparation.prepare(team=team, conversation_id=conversation.id, options=preparation.options_of(), owner=owner)
    resumption.resume(team=team, handoff_id=made.id, resumed_by=owner)
    return handoffs.get(team=team, handoff_id=made.id)


@pytest.fixture
def client(owner):
    return browser(owner)


def page(client, handoff, rest="", **headers):
    answer = client.get(f"/handoffs/{handoff.id}{rest}", headers=headers)
    assert answer.status_code == 200, answer.content
    return answer.content.decode()


def announced(html):
    return [element.text for element in read(html.encode()).elements if element.attributes.get("role") == "status"]


def links(html, name):
    return [element.attributes for element in read(html.encode()).all("a") if element.attributes.get("class") == name]


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


def test_what_became_of_the_note_stands_below_it(client, handoff):
    html = page(client, handoff)
    assert "What the agent’s note said, and what was changed" in html
    assert "<del>The user approved the release.</del>" in html
    assert "No person was found to have said this." in html
    of_note = page(client, handoff, "/note")
    assert "left out since it did not hold" in of_note
    assert "In the briefing, line " in of_note


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


def test_a_line_is_called_wrong_in_its_place(client, handoff):
    wrong = links(page(client, handoff), "wrong no-print")[0]
    assert "What is wrong with line" in client.get(wrong["hx-get"], headers=HTMX).content.decode()
    whole = client.get(wrong["href"])
    key = next(e.attributes["value"] for e in read(whole.content).all("input") if e.attributes.get("name") == "line")
    answer = client.post(f"/handoffs/{handoff.id}/ratings", {"line": key, "comment": ATTACK})
    assert answer.status_code == 302
    row = HandoffRating.objects.get()
    html = page(client, handoff)
    assert "1 reader says that this is wrong: &lt;script&gt;" in html
    assert f'/handoffs/{handoff.id}#line-{row.line}">Line {row.line}</a>' in html


def test_a_line_of_another_style_is_marked_where_it_is_shown_and_linked_where_it_stands(client, handoff):
    wrong = links(page(client, handoff, "?style=narrative"), "wrong no-print")[-1]
    shown = read(client.get(wrong["hx-get"], headers=HTMX).content)
    sent = {e.attributes["name"]: e.attributes["value"] for e in shown.all("input") if e.attributes.get("name") in ("line", "style")}
    number = wrong["aria-label"].rpartition(" ")[2]
    html = client.post(f"/handoffs/{handoff.id}/ratings", sent, headers=HTMX).content.decode()
    row = HandoffRating.objects.get()
    assert f'id="opened-{number}"' in html
    assert str(row.line) != number
    assert f'#line-{row.line}">Line {row.line}</a>' in html
    HandoffRating.objects.update(line=0)
    assert "#line-" not in client.get(f"/handoffs/{handoff.id}/ratings").content.decode()
    told = client.get("/diagnostics").content.decode()
    assert f"Wrong: {escape(row.excerpt[:20])}" in told and "#line-0" not in told


def test_useful_and_missing_are_kept_in_place_and_taken_back(client, handoff):
    address = f"/handoffs/{handoff.id}/ratings"
    assert "Useful to 1 of 1" in client.post(address, {"useful": "yes"}, headers=HTMX).content.decode()
    assert "Useful to 0 of 1" in client.post(address, {"useful": "no"}, headers=HTMX).content.decode()
    told = client.post(address, {"missing": "The port."}, headers=HTMX).content.decode()
    assert "1 thing missing" in told
    assert "Missing: " in told and "The port." in told
    row = HandoffRating.objects.get(kind="missing")
    html = client.post(address, {"take_back": str(row.id)}, headers=HTMX).content.decode()
    assert "0 things missing" in html
    assert announced(html) == ["Taken back."]


def test_a_change_of_the_package_is_announced_once_and_not_among_the_ratings(team, client):
    made = preparation.prepare(team=team, conversation_id=story(team).id, options=preparation.options_of())
    key = next(item["key"] for item in items(made) if item["reference"].startswith("a"))
    sent = {"action": "pin", "key": key, "version": made.version}
    html = client.post(f"/handoffs/{made.id}/lines", sent, headers=HTMX).content.decode()
    assert html.count("Pinned: it stays") == 1
    assert 'id="ratings"' in html
    assert announced(html) == []


@pytest.mark.parametrize("sent", [{}, {"useful": "perhaps"}, {"missing": "x" * 501}, {"line": "a999"}, {"take_back": "none"}])
def test_what_says_nothing_is_refused(client, handoff, sent):
    assert client.post(f"/handoffs/{handoff.id}/ratings", sent).status_code == 422
    assert not HandoffRating.objects.exists()


def test_what_nobody_resumed_has_no_forms_to_rate_it(team, client):
    made = preparation.prepare(team=team, conversation_id=story(team).id, options=preparation.options_of())
    html = page(client, made)
    assert "Whoever resumes it can say here" in html
    assert links(html, "wrong no-print") == []


def test_outsider_gets_404(handoff, outsider, other_team):
    theirs = browser(outsider)
    assert theirs.get(f"/handoffs/{handoff.id}/sources/a1").status_code == 404
    assert theirs.get(f"/handoffs/{handoff.id}/ratings").status_code == 404
    assert theirs.post(f"/handoffs/{handoff.id}/ratings", {"useful": "yes"}).status_code == 404
    assert not HandoffRating.objects.exists()


def test_the_team_sees_what_its_readers_say(client, handoff):
    client.post(f"/handoffs/{handoff.id}/ratings", {"missing": "The port of the queue."})
    assert "Missing: The port of the queue." in client.get("/diagnostics").content.decode()
