"""Handing a session over from its own page."""

import pytest
from django.core import mail

from continuity.models import Event, Job, JobStatus, Membership, Role, User
from continuity.services.jobs import jobs
from handoffs.models import Handoff, HandoffStatus
from handoffs.services.packages import preparation
from handoffs.views import preparing
from tests.handoffs.story import story
from tests.web import rows
from tests.web.handoffs.test_preparing import HTMX, send
from tests.web.reading import read
from tests.web.world import browser


@pytest.fixture
def mate(team):
    user = User.objects.create_user("jonas@example.com")
    Membership.objects.create(team=team, user=user, role=Role.MEMBER)
    return user


def test_it_works(team, owner, mate):
    client, conversation = browser(owner), story(team)
    assert "Hand over to a teammate" in client.get(f"/conversations/{conversation.id}").content.decode()
    answer = send(client, conversation, to=mate.email, note="The lease test is left.")
    handoff = Handoff.objects.get()
    assert (handoff.offered_to, handoff.offer_note, handoff.owner) == (mate, "The lease test is left.", owner)
    assert "Offered to jonas@example.com" in client.get(answer.headers["Location"]).content.decode()


def test_who_comes_to_hand_over_is_asked_for_a_teammate(team, owner, mate):
    client, conversation = browser(owner), story(team)
    address = f"/conversations/{conversation.id}/prepare"
    assert f'href="{address}?give">Hand over to a teammate' in client.get(f"/conversations/{conversation.id}").content.decode()
    page = client.get(f"{address}?give").content.decode()
    assert "<h1>Hand over to a teammate</h1>" in page and "<h1>Prepare a handoff</h1>" not in page
    assert "<h1>Prepare a handoff</h1>" in client.get(address).content.decode()
    answer = send(client, conversation, give="yes")
    assert (answer.status_code, Handoff.objects.exists()) == (422, False)
    assert "Choose a teammate to offer it to." in answer.content.decode()
    send(client, conversation, give="yes", to=mate.email)
    assert Handoff.objects.get().offered_to == mate


def test_a_handoff_that_is_ready_is_handed_over_from_its_session(team, owner, mate):
    client, conversation = browser(owner), story(team, owner=owner)
    send(client, conversation)
    handoff = Handoff.objects.get()
    link = f'href="/handoffs/{handoff.id}#offer-title">Hand over to a teammate</a>'
    assert link in client.get(f"/conversations/{conversation.id}").content.decode()
    assert 'id="offer-title">Hand over to a teammate</h2>' in client.get(f"/handoffs/{handoff.id}").content.decode()
    assert link not in browser(mate).get(f"/conversations/{conversation.id}").content.decode(), "its owner gives it"


def test_who_has_nobody_to_hand_over_to_is_told_and_can_prepare(team, owner):
    client, conversation = browser(owner), story(team)
    page = client.get(f"/conversations/{conversation.id}/prepare?give").content.decode()
    assert "Nobody else in the team may resume handoffs yet." in page and "<h1>Prepare a handoff</h1>" in page
    assert send(client, conversation, give="yes").status_code == 302


def test_nobody_but_a_teammate_is_offered_it_and_then_nothing_is_made(team, owner, mate):
    answer = send(browser(owner), story(team), to="eve@example.com")
    assert answer.status_code == 422
    assert not Handoff.objects.exists()


def test_what_failed_its_check_is_offered_to_nobody_and_that_is_said(team, owner, mate, monkeypatch):
    def failed(**given):
        handoff = prepare(**given)
        Handoff.objects.filter(id=handoff.id).update(status=HandoffStatus.FAILED)
        handoff.refresh_from_db()
        return handoff

    prepare = preparation.prepare
    monkeypatch.setattr(preparation, "prepare", failed)
    client = browser(owner)
    answer = send(client, story(team), to=mate.email)
    assert Handoff.objects.get().offered_to is None
    assert "It is not offered to anybody: Its check failed." in client.get(answer.headers["Location"]).content.decode()


def test_what_takes_longer_is_offered_once_it_is_made_and_twice_is_once(team, owner, mate, monkeypatch):
    monkeypatch.setattr(preparing, "AT_ONCE", -1)
    client, conversation = browser(owner), story(team)
    answer = send(client, conversation, to=mate.email, note="The lease test is left.")
    job = Job.objects.get(kind="prepare")
    jobs.run(job_id=job.id)
    page = client.get(answer.headers["Location"]).content.decode()
    assert "The handoff is made. It is offered to jonas@example.com, who got a mail." in page
    handoff = Handoff.objects.get()
    assert handoff.offered_to == mate
    (sent,) = mail.outbox
    assert (sent.to, f"http://testserver/handoffs/{handoff.id}" in sent.body) == ([mate.email], True)
    Job.objects.filter(id=job.id).update(status=JobStatus.QUEUED, finished_at=None)
    jobs.run(job_id=job.id)
    assert Event.objects.filter(name="handoff.offered").count() == 1
    assert len(mail.outbox) == 1


def test_an_offer_that_is_refused_leaves_the_handoff_made_and_says_why(team, owner, mate, monkeypatch):
    def left(**given):
        Membership.objects.filter(user=mate).delete()  # while it was being prepared
        return prepare(**given)

    prepare = preparation.prepare
    monkeypatch.setattr(preparation, "prepare", left)
    client = browser(owner)
    answer = send(client, story(team), to=mate.email)
    assert Handoff.objects.get().offered_to is None
    assert "It is not offered to anybody: to must be the e-mail address" in client.get(answer.headers["Location"]).content.decode()


def test_options_are_folded_behind_the_button_and_stand_open_where_one_was_chosen(team, owner, teammate):
    client, conversation = browser(owner), story(team)
    page = client.get(f"/conversations/{conversation.id}/prepare?give").content.decode()
    places = [page.index(each) for each in ('name="to"', 'name="note"', "Prepare and offer it</button>", ">More options<", 'name="budget"')]
    assert places == sorted(places)
    assert '<details id="more-options">' in page
    chosen = send(client, conversation, give="yes", to="", budget=900).content.decode()
    assert '<details id="more-options" open>' in chosen and 'value="900"' in chosen
    assert '<details id="more-options">' in send(client, conversation, give="yes", to="").content.decode()


def test_what_somebody_else_has_can_be_handed_over_and_it_is_told_what_becomes_of_the_earlier_handoff(team, owner, teammate):
    client, conversation = browser(owner), story(team)
    mine = preparation.prepare(team=team, conversation_id=conversation.id, options=preparation.options_of(), owner=teammate)
    page = client.get(f"/conversations/{conversation.id}").content.decode()
    link = f'href="/conversations/{conversation.id}/prepare?give">Hand over to a teammate</a>'
    assert link in page.split(">Resume</a>")[1].split("</div>")[0]
    told = f'<a href="/handoffs/{mine.id}">Handoff 1</a> is there already: {teammate} has it. It stays as an earlier version'
    for asked in (page, client.get(f"/conversations/{conversation.id}/prepare?give").content.decode()):
        assert told in asked


def test_after_an_offer_the_page_says_one_thing_about_it(team, owner, teammate):
    client, conversation = browser(owner), story(team)
    send(client, conversation)
    headers = HTMX | {"HX-Current-URL": f"http://testserver/conversations/{conversation.id}"}
    page = send(client, conversation, headers, to=teammate.email).content.decode()
    assert f"<strong>Handoff 2 is made and offered to {teammate}</strong>" in page
    head = page.split('id="conversation-head" hx-swap-oob="true"')[1].split("</header>")[0]
    assert f"waits for {teammate}" in head and "Handoff 1 waits" not in head and ">Resume</a>" not in head
    badges = [each for each in read(page.encode()).all("span") if each.text in ("ready", "offered")]
    assert [each.text for each in badges] == ["offered"], "the other one is an earlier version"


@pytest.mark.parametrize(
    ("status", "rest"), [("failed", "/conversations/{conversation}/prepare?give"), ("draft", "/handoffs/{handoff}#offer-title")]
)
def test_what_is_to_be_reviewed_can_be_handed_over_as_well(status, rest, team, owner, teammate):
    conversation = story(team, owner=owner)
    handoff = rows.handoff(conversation, status=status)
    page = browser(owner).get(f"/conversations/{conversation.id}").content.decode()
    link = f'href="{rest.format(conversation=conversation.id, handoff=handoff.id)}">Hand over to a teammate</a>'
    assert link in page.split(">Review the handoff</a>")[1].split("</div>")[0]
    conversation.status = "expired"
    conversation.save()
    over = browser(owner).get(f"/conversations/{conversation.id}").content.decode()
    assert (link in over) is (status == "draft"), "no other handoff is made of what is over"


def test_a_handoff_alone_is_no_chain(team, owner):
    handoff = rows.handoff(story(team, owner=owner), status="ready")
    address = f"/conversations/{handoff.conversation_id}"
    assert "Chain of" not in browser(owner).get(address).content.decode()
    handoff.chain.total_handoffs = 2
    handoff.chain.save()
    assert ">Chain of 2 handoffs</a>" in browser(owner).get(address).content.decode()


def test_the_form_says_whose_conversation_it_is_and_that_they_are_not_told(team, owner, teammate, mate):
    conversation = story(team, owner=teammate)
    handoff = rows.handoff(conversation, status="ready")
    Handoff.objects.update(owner=owner)
    told = f"This is {teammate}’s conversation. Unless you offer it to them, they are not told: let them know yourself."
    for form in (f"/conversations/{conversation.id}", f"/conversations/{conversation.id}/prepare?give", f"/handoffs/{handoff.id}"):
        assert told in browser(owner).get(form).content.decode(), form
    assert told not in browser(teammate).get(f"/conversations/{conversation.id}/prepare?give").content.decode()
