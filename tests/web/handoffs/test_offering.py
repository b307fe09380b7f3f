"""Handing over with a note, answering with a reason, and whose turn it is."""

from datetime import timedelta
from html import unescape

from django.core import mail
from django.utils import timezone

from continuity.knowledge.model import TaskStatus
from continuity.models import Task
from handoffs import queries
from handoffs.models import Handoff, OfferAnswer
from tests.factories import ConversationFactory, TaskFactory
from tests.web import rows
from tests.web.world import browser


def test_it_works(team, owner, teammate):
    handoff = rows.handoff(ConversationFactory.create(team=team, title="Tide page", owner=owner), status="ready")
    address = f"/handoffs/{handoff.id}"
    giver, taker = browser(owner), browser(teammate)
    assert "Your turn:" in giver.get(address).content.decode()
    shown = giver.post(f"{address}/offer", {"to": teammate.email, "note": "The lease test is left."}, follow=True).content.decode()
    assert "who got a mail" in shown
    assert f"Waiting for {teammate}" in shown
    (sent,) = mail.outbox
    assert sent.to == [teammate.email]
    assert "The lease test is left." in sent.body
    assert f"http://testserver{address}" in sent.body
    assert "Tide page" not in f"{sent.body} {sent.subject}"
    listed, of_session = (giver.get(each).content.decode() for each in ("/handoffs", f"/conversations/{handoff.conversation_id}"))
    assert f"<span>You have it now · offered to {teammate}, no answer yet" in giver.get(address).content.decode()
    assert f"<span>{owner} has it now · offered to you, no answer yet" in taker.get(address).content.decode()
    assert "offered to you" in taker.get("/handoffs").content.decode()
    assert "Note: “The lease test is left.”" in taker.get("/").content.decode()
    assert ">offered</span>" in listed and ">ready</span>" not in listed
    assert f"waits for {teammate}" in of_session and "nothing to do" not in of_session
    given = [address in each.get("/handoffs?whose=given").content.decode() for each in (giver, taker)]
    assert given == [True, False], "who offered it finds it by that"
    assert 'value="withdraw"' not in giver.get(address).content.decode(), "an offer is taken back first"
    asked = taker.get(address).content.decode()
    assert "Their note: “The lease test is left.”" in asked
    assert ('value="decline"' in asked, 'value="withdraw"' in asked) == (True, False), "who is asked answers, and does nothing else"
    answered = taker.post(f"{address}/steps", {"step": "accept"}, follow=True)
    assert answered.redirect_chain == [(address, 302)]
    top = answered.content.decode().split('id="panel"')[0]
    told = "Accepted: you have it now. Its directive was made again, with the note that came with the offer."
    assert [each in top for each in (told, "Your turn:", ">Resume now</a>")] == [True] * 3
    more = top.split('<summary class="small">More</summary>')[1].split("</details>")[0]
    assert f"Take {owner}’s note out of the text" in more and "Give up this handoff (nobody can resume it)" in more
    assert top.split('id="handoff-head"')[1].count("<button") == more.count("<button") == 2, "folded"
    assert "You have it now" in top and "offered to" not in top and f"{owner}</strong>, with this note:" in top
    assert ">Agent’s note</a>" in answered.content.decode(), "which is not the giver's"
    assert "The giver’s note put into the directive" in taker.get(f"{address}/history").content.decode()


def test_what_was_accepted_and_waits_for_something_stands_last_and_says_for_what(team, owner, teammate):
    for title in ("Frisian texts", "Tide page"):
        handoff = rows.handoff(ConversationFactory.create(team=team, title=title, owner=owner), status="ready")
        browser(owner).post(f"/handoffs/{handoff.id}/offer", {"to": teammate.email})
        browser(teammate).post(f"/handoffs/{handoff.id}/steps", {"step": "accept"})
        if title == "Frisian texts":
            TaskFactory.create(conversation=handoff.conversation, status=TaskStatus.BLOCKED, blocking_reason="the translators' file")
    home = unescape(browser(teammate).get("/").content.decode())
    ready, held = home.split("Accepted, to be resumed</h3>")[1].split("Accepted, and waiting for something</h3>")
    assert "Tide page" in ready and "Frisian texts" not in ready
    assert "Waits. The agent said: “the translators' file”" in held and ">Open</a>" in held and ">Resume</a>" not in held
    assert "<title>(1) Home" in home, "what waits for something else is not counted"
    Task.objects.update(edited_by=owner)
    assert "Waits: the translators' file" in unescape(browser(teammate).get("/").content.decode()), "a person wrote it"
    Handoff.objects.filter(conversation__title="Tide page").delete()
    home = browser(teammate).get("/").content.decode()
    assert "<title>Home" in home and "Accepted, and waiting for something</h3>" in home and "Nothing waits for you." not in home


def test_that_no_mail_is_sent_is_said_beside_the_form(team, owner, teammate, settings):
    handoff = rows.handoff(ConversationFactory.create(team=team, owner=owner), status="ready")
    forms = (f"/handoffs/{handoff.id}", f"/conversations/{handoff.conversation_id}/prepare?give", "/team/invitations", "/password/reset")
    assert not any("no mail is sent" in browser(owner).get(each).content.decode() for each in forms)
    settings.EMAIL_BACKEND = "django.core.mail.backends.console.EmailBackend"
    assert all("no mail is sent" in browser(owner).get(each).content.decode() for each in forms)


def test_nobody_is_chosen_until_somebody_is(team, owner, teammate):
    handoff = rows.handoff(ConversationFactory.create(team=team, title="Tide page", owner=owner), status="ready")
    client = browser(owner)
    choices = client.get(f"/handoffs/{handoff.id}").content.decode().split('id="offer-to"')[1].split("</select>")[0]
    assert choices.index("Choose a teammate") < choices.index(teammate.email)
    answer = client.post(f"/handoffs/{handoff.id}/offer", {"to": "", "note": "The lease test is left."})
    assert answer.status_code == 422
    page = answer.content.decode()
    assert "Choose a teammate to offer it to." in page and ">The lease test is left.</textarea>" in page
    handoff.refresh_from_db()
    assert handoff.offered_to is None


def test_whose_session_it_is_stands_on_its_page(team, owner, teammate):
    handoff = rows.handoff(ConversationFactory.create(team=team, title="Tide page", owner=teammate), status="ready")
    assert f"recorded by {teammate}" in browser(owner).get(f"/handoffs/{handoff.id}").content.decode()
    assert "recorded by" not in browser(teammate).get(f"/handoffs/{handoff.id}").content.decode()


def test_a_resumed_handoff_does_not_expire_and_says_so(team, owner):
    of = ConversationFactory.create(team=team, owner=owner)
    waiting, resumed = rows.handoff(of, status="ready"), rows.handoff(of, status="resumed", resumed_at=timezone.now(), number=2)
    client = browser(owner)
    assert "unless it is resumed" in client.get(f"/handoffs/{waiting.id}").content.decode()
    shown = client.get(f"/handoffs/{resumed.id}").content.decode()
    assert "unless it is resumed" not in shown and "does not expire" in shown


def test_who_declines_says_why_and_the_giver_reads_it(team, owner, teammate):
    handoff = rows.handoff(ConversationFactory.create(team=team, title="Tide page", owner=owner), status="ready")
    browser(owner).post(f"/handoffs/{handoff.id}/offer", {"to": teammate.email})
    browser(teammate).post(f"/handoffs/{handoff.id}/steps", {"step": "decline", "reason": "On leave until Monday"})
    assert OfferAnswer.objects.get(handoff=handoff).reason == "On leave until Monday"
    assert "“On leave until Monday”" in browser(owner).get("/").content.decode()
    history = browser(owner).get(f"/handoffs/{handoff.id}/history").content.decode()
    assert ("Offer declined" in history, "On leave until Monday" in history, str(teammate) in history) == (True, True, True)
    assert ">Undo<" not in history
    assert queries.latest_edit(handoff) is None


def test_who_waits_for_an_answer_sees_it_at_home_and_may_ask_again_or_take_it_back(team, owner, teammate):
    handoff = rows.handoff(ConversationFactory.create(team=team, title="Tide page", owner=owner), status="ready")
    giver, address = browser(owner), f"/handoffs/{handoff.id}/steps"
    giver.post(f"/handoffs/{handoff.id}/offer", {"to": teammate.email, "note": "The lease test is left."})
    page = giver.get("/").content.decode()
    waiting = page.split("Offered by you, not answered yet")[1].split("</section>")[0]
    assert (f"to {teammate}" in waiting, "Tide page" in waiting) == (True, True)
    assert ("Nothing waits for you" in page, "<title>Home" in page) == (True, True), "it is somebody else who has to act"
    assert "not answered yet" not in browser(teammate).get("/").content.decode()
    assert "Remind them" not in page
    assert giver.post(address, {"step": "remind", "back": "home"}).status_code == 409
    Handoff.objects.update(offered_at=timezone.now() - timedelta(hours=2))
    assert "Remind them" in giver.get("/").content.decode()
    assert "Offered once more to" in giver.post(address, {"step": "remind", "back": "home"}, follow=True).content.decode()
    assert ["The lease test is left." in each.body for each in mail.outbox] == [True, True]
    assert browser(teammate).post(address, {"step": "remind"}).status_code == 403
    assert giver.post(address, {"step": "take_back", "back": "home"}).headers["Location"] == "/"
    assert "not answered yet" not in giver.get("/").content.decode()


def test_a_handoff_leads_to_what_changed_since_the_one_before(team, owner):
    conversation = ConversationFactory.create(team=team, owner=owner)
    first, second = (rows.handoff(conversation, number=number, status="ready") for number in (1, 2))
    told = "compare with the one before"
    assert told in browser(owner).get(f"/handoffs/{second.id}").content.decode()
    assert told not in browser(owner).get(f"/handoffs/{first.id}").content.decode()


def test_the_home_page_of_the_team_shows_what_others_have_to_do(team, owner, teammate):
    rows.handoff(ConversationFactory.create(team=team, title="Draft of theirs", owner=teammate), status="draft")
    client = browser(owner)
    assert "Draft of theirs" not in client.get("/").content.decode().split("The last 14 days")[0]
    page = client.get("/?whose=team").content.decode()
    assert "Draft of theirs" in page.split("The last 14 days")[0]
    assert "<title>(1) Home" in page
    assert "nobody has it yet" not in page
    assert f"{teammate} has it now" in page
    assert "<title>Home" in client.get("/").content.decode()  # one's own again: the menu leads there
    back = {"HX-Request": "true", "HX-Current-URL": "http://testserver/?whose=team"}
    assert "Draft of theirs" in client.get("/", headers=back).content.decode()  # what a button in that list leads back to
    for other in ("http://testserver/?next=whose=team", "http://testserver/?whose=mine", "http://[x?whose=team"):
        assert "Draft of theirs" not in client.get("/", headers=back | {"HX-Current-URL": other}).content.decode(), other
