"""Handing over with a note, answering with a reason, and whose turn it is."""

from django.core import mail

from handoffs.models import OfferAnswer
from tests.factories import ConversationFactory
from tests.web import rows
from tests.web.world import browser


def test_it_works(team, owner, teammate):
    handoff = rows.handoff(ConversationFactory.create(team=team, title="Tide page", owner=owner), status="ready")
    address = f"/handoffs/{handoff.id}"
    giver, taker = browser(owner), browser(teammate)
    assert "Your turn:" in giver.get(address).content.decode()
    shown = giver.post(f"{address}/offer", {"to": teammate.email, "note": "The lease test is left."}, follow=True).content.decode()
    assert "who got a mail" in shown
    assert f"{teammate} is to answer:" in shown
    (sent,) = mail.outbox
    assert sent.to == [teammate.email]
    assert "The lease test is left." in sent.body
    assert f"http://testserver{address}" in sent.body
    assert "Tide page" not in f"{sent.body} {sent.subject}"
    asked = taker.get(address).content.decode()
    assert "“The lease test is left.”" in asked
    assert ('value="decline"' in asked, 'value="withdraw"' in asked) == (True, False), "who is asked answers, and does nothing else"
    answer = taker.post(f"{address}/steps", {"step": "accept"})
    assert answer.headers["Location"] == f"{address}#resume-title"
    assert "Your turn:" in taker.get(address).content.decode()


def test_who_declines_says_why_and_the_giver_reads_it(team, owner, teammate):
    handoff = rows.handoff(ConversationFactory.create(team=team, title="Tide page", owner=owner), status="ready")
    browser(owner).post(f"/handoffs/{handoff.id}/offer", {"to": teammate.email})
    browser(teammate).post(f"/handoffs/{handoff.id}/steps", {"step": "decline", "reason": "On leave until Monday"})
    assert OfferAnswer.objects.get(handoff=handoff).reason == "On leave until Monday"
    assert "“On leave until Monday”" in browser(owner).get("/").content.decode()


def test_a_handoff_leads_to_what_changed_since_the_one_before(team, owner):
    conversation = ConversationFactory.create(team=team, owner=owner)
    first, second = (rows.handoff(conversation, number=number, status="ready") for number in (1, 2))
    link = f'<a href="/handoffs/{second.id}/difference?against=previous"'
    assert link in browser(owner).get(f"/handoffs/{second.id}").content.decode()
    assert "against=previous" not in browser(owner).get(f"/handoffs/{first.id}").content.decode()


def test_the_home_page_of_the_team_shows_what_others_have_to_do(team, owner, teammate):
    rows.handoff(ConversationFactory.create(team=team, title="Draft of theirs", owner=teammate), status="draft")
    client = browser(owner)
    assert "Draft of theirs" not in client.get("/").content.decode().split("The last 14 days")[0]
    page = client.get("/?whose=team").content.decode()
    assert "Draft of theirs" in page.split("The last 14 days")[0]
    assert "<title>(1) Home" in page
    assert "<title>(1) Home" in client.get("/").content.decode()  # it is kept
    assert "<title>Home" in client.get("/?whose=mine").content.decode()
