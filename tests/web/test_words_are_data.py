"""Words of a transcript are shown as words: never as HTML, never with a secret in them."""

import json

from django.test import Client

from tests.web.reading import read
from tests.web.world import browser, pages, world

ATTACK = "<script>alert(1)</script><img src=x onerror=alert(2)>\"'{{ 7 * 7 }}{% now 'Y' %}"
SECRET = "ghp_" + "aB3dE5fG7hI9jK1lM3nO5pQ7rS9tU1vW3xY5"


def fragments(client: Client, of):
    yield "filtered", client.get("/conversations", {"q": "alert"}, headers={"HX-Request": "true"})
    yield "handoffs", client.get("/handoffs", headers={"HX-Request": "true"})
    yield "anchors", client.get(f"/conversations/{of.conversation.id}/anchors", headers={"HX-Request": "true"})
    yield "messages", client.get(f"/conversations/{of.conversation.id}/messages", headers={"HX-Request": "true"})
    yield "job", client.get(f"/jobs/{of.job.id}", headers={"HX-Request": "true"})


def test_it_works(team, owner):
    client, there = browser(owner), world(team, owner, ATTACK)
    shown = 0
    for address, answer in [*pages(client, there), *fragments(client, there)]:
        document = read(answer.content)
        assert "<script>alert" not in answer.content.decode(), address
        assert not [element for element in document.elements if "onerror" in element.attributes], address
        assert not document.astray, address
        shown += b"&lt;script&gt;alert(1)" in answer.content
    assert shown >= 12


def test_a_search_is_given_back_as_text(team, owner):
    world(team, owner)
    answer = browser(owner).get("/conversations", {"q": ATTACK})
    assert b"<script>alert" not in answer.content
    assert read(answer.content).all("input")


def test_secrets_are_masked_on_every_page(team, owner):
    client = browser(owner)
    there = world(team, owner, f"the token is {SECRET} and stays so")
    spans = [{"start": 13, "end": 13 + len(SECRET), "kind": "github-token"}]
    there.handoff.secrets = spans
    there.handoff.save()
    message = there.conversation.messages.get(seq=1)
    message.secrets = [{"part": 0, "path": ["text"]} | spans[0]]
    message.save()
    there.conversation.messages.filter(seq=2).delete()
    for address, answer in [*pages(client, there), *fragments(client, there)]:
        assert SECRET not in answer.content.decode(), address
    assert b"[secret: " in client.get(f"/handoffs/{there.handoff.id}").content


def test_the_package_to_take_away_is_masked(team, owner):
    there = world(team, owner)
    there.handoff.package = there.handoff.package | {"compactedSummary": f"use {SECRET}", "preservedAnchors": [{"text": SECRET}]}
    there.handoff.save()
    answer = browser(owner).get(f"/handoffs/{there.handoff.id}/package.json")
    assert answer.headers["Content-Disposition"] == f'attachment; filename="handoff-{there.handoff.id}.json"'
    assert SECRET not in answer.content.decode()
    assert json.loads(answer.content)["plan"] == there.handoff.package["plan"]


def test_marks_that_turn_the_direction_of_writing_in_old_rows_reach_no_page(team, owner):
    client, there = browser(owner), world(team, owner, "pay \u202eecila\u202c now")
    for address, answer in [*pages(client, there), *fragments(client, there)]:
        assert "\u202e" not in answer.content.decode(), address
