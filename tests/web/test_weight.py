"""What a page weighs when it is sent: compressed for who can read that, and light with the longest of packages."""

import gzip
from pathlib import Path

from django.conf import settings
from django.contrib.staticfiles import finders

from handoffs.services.packages import preparation
from tests.factories import AnchorFactory
from tests.handoffs.story import story
from tests.web.reading import read
from tests.web.world import browser

FIRST_LOAD_BYTES = 150_000
READS = {"Accept-Encoding": "gzip, br"}


def files_of(document):
    """Bytes of the files that a page loads, as they lie there."""
    wanted = {
        element.attributes.get("src") or element.attributes.get("href", "") for tag in ("script", "link") for element in document.all(tag)
    }
    found = [finders.find(address.removeprefix(settings.STATIC_URL)) for address in wanted if address.startswith(settings.STATIC_URL)]
    assert all(found)
    return sum(Path(str(path)).stat().st_size for path in found)


def test_it_works(team, owner):
    answer = browser(owner).get("/team", headers=READS)
    assert answer.headers["Content-Encoding"] == "gzip"
    assert "Accept-Encoding" in answer.headers["Vary"]
    assert int(answer.headers["Content-Length"]) == len(answer.content) < 10_000
    assert b"What each role may do" in gzip.decompress(answer.content)


def test_who_can_not_read_it_gets_it_as_it_is(team, owner):
    answer = browser(owner).get("/team")
    assert "Content-Encoding" not in answer.headers
    assert b"What each role may do" in answer.content


def test_what_is_no_page_is_left_alone(team, owner):
    answer = browser(owner).get("/api/v1/openapi.json", headers=READS)
    assert answer.json()["paths"]
    assert "Content-Encoding" not in answer.headers


def test_what_did_not_change_is_not_sent_again_to_who_got_it_compressed(team, owner):
    conversation = story(team)
    AnchorFactory.create_batch(3, conversation=conversation)
    client, panel = browser(owner), {"HX-Request": "true", "HX-Target": "use", **READS}
    first = client.get(f"/conversations/{conversation.id}", headers=panel)
    assert first.headers["Content-Encoding"] == "gzip"
    again = client.get(f"/conversations/{conversation.id}", headers={**panel, "If-None-Match": first.headers["ETag"]})
    assert (again.status_code, again.content) == (304, b"")


def test_a_package_of_many_lines_that_can_be_edited_is_light(team, owner):
    conversation = story(team)
    for number in range(80):
        AnchorFactory.create(conversation=conversation, text=f"Never change the table number {number} by hand, whatever the reason may be.")
    handoff = preparation.prepare(team=team, conversation_id=conversation.id, options=preparation.options_of(budget=8000))
    answer = browser(owner).get(f"/handoffs/{handoff.id}/lines", headers=READS)
    document = read(gzip.decompress(answer.content))
    assert len(document.all("textarea")) > 60
    assert len(answer.content) + files_of(document) < FIRST_LOAD_BYTES
