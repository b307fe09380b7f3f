"""What readers say of a handoff, on its page: in place and without scripts, replaced, taken back, and counted."""

from html import escape

import pytest

from continuity.models import Role
from continuity.services.accounts import accounts
from handoffs.models import HandoffRating
from handoffs.services.edits.targets import items
from handoffs.services.packages import preparation
from handoffs.services.packages.authors import Author
from handoffs.services.ratings import rating, rating_queries
from handoffs.services.ratings.rating import Ratings
from tests.cast import person
from tests.handoffs.story import story
from tests.web.handoffs.briefing_page import ATTACK, HTMX, announced, links, page
from tests.web.reading import read
from tests.web.world import browser


def row_of(handoff, text, **fields):
    return HandoffRating(team=handoff.team, handoff=handoff, version=handoff.version, kind="missing", key=text, text=text, **fields)


def test_it_works(client, handoff):
    """A line is called wrong in its place, or on a page of its own without scripts."""
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
    assert "Once somebody resumed it, anybody of the team can say here" in html
    assert links(html, "wrong no-print") == []


def test_outsider_gets_404(handoff, outsider, other_team):
    theirs = browser(outsider)
    assert theirs.get(f"/handoffs/{handoff.id}/ratings").status_code == 404
    assert theirs.post(f"/handoffs/{handoff.id}/ratings", {"useful": "yes"}).status_code == 404
    assert not HandoffRating.objects.exists()


def test_the_team_sees_what_its_readers_say(client, handoff):
    client.post(f"/handoffs/{handoff.id}/ratings", {"missing": "The port of the queue."})
    assert "Missing: The port of the queue." in client.get("/diagnostics").content.decode()


def test_ones_own_can_be_changed_and_taken_back_however_many_others_are(client, handoff, owner, teammate):
    address = f"/handoffs/{handoff.id}/ratings"
    client.post(address, {"useful": "no"})
    client.post(address, {"missing": "The port."})
    HandoffRating.objects.bulk_create(row_of(handoff, f"Thing {number}") for number in range(rating_queries.SHOWN))
    html = client.get(address).content.decode()
    assert f"{rating_queries.SHOWN + 1} things missing" in html
    assert 'value="no" aria-describedby="useful-asks" aria-pressed="true"' in html
    assert str(HandoffRating.objects.get(text="The port.").id) in html


def test_an_admin_may_remove_anybodys_and_a_member_only_ones_own(team, client, handoff, teammate):
    row = rating.rate(team=team, handoff_id=handoff.id, author=Author(teammate), ratings=Ratings(missing=["The port."]))[0]
    member = person("member")
    accounts.add_member(team=team, user=member, role=Role.MEMBER)
    address, sent = f"/handoffs/{handoff.id}/ratings", f'name="take_back" value="{row.id}"'
    assert sent in client.get(address).content.decode()
    assert "Remove" in client.get(address).content.decode()
    assert sent not in browser(member).get(address).content.decode()
    assert sent in browser(teammate).get(address).content.decode()


@pytest.mark.parametrize("field", ["comment", "missing"])
def test_a_lines_end_counts_as_the_page_counts_it(client, handoff, field):
    """The browser lets 500 characters pass, a line's end as one, and sends it as two."""
    words = "x" * 249 + "\r\n" + "y" * 250
    assert client.post(f"/handoffs/{handoff.id}/ratings", {"line": "a1", field: words}).status_code == 302
    assert HandoffRating.objects.get(text__startswith="x").text == words.replace("\r\n", "\n")
