"""“Resume” in the browser, with scripts and without."""

from django.utils import timezone

from continuity.models import Conversation
from continuity.services.recording import conversations
from handoffs.models import Handoff, HandoffStatus, Resumption
from handoffs.services.chains import receipts
from handoffs.services.packages import preparation
from handoffs.services.packages.authors import Author
from tests.handoffs.story import RULE, story
from tests.web.world import browser
from tests.words import answered, said

HTMX = {"HX-Request": "true"}


def prepared(team):
    options = preparation.options_of(budget=4000)
    return preparation.prepare(team=team, conversation_id=story(team).id, options=options)


def send(client, handoff, headers=None, **fields):
    return client.post(f"/handoffs/{handoff.id}/resume", fields, headers=headers or {})


def test_it_works(team, owner):
    client, handoff = browser(owner), prepared(team)
    answer = send(client, handoff, source_tool="codex", model="gpt-5", max_context_tokens=128_000)
    new = Resumption.objects.get().conversation
    assert answer.headers["Location"] == f"/conversations/{new.id}"
    assert (new.source_tool, new.model, new.max_context_tokens, new.owner) == ("codex", "gpt-5", 128_000, owner)
    page = client.get(answer.headers["Location"]).content.decode()
    assert "Waiting for the new session to start" in page
    assert RULE in page
    assert f"/handoffs/{handoff.id}" in page


def test_under_htmx_the_outcome_takes_the_forms_place_and_the_status_changes(team, owner):
    client, handoff = browser(owner), prepared(team)
    answer = send(client, handoff, HTMX)
    page = answer.content.decode()
    assert answer.status_code == 200
    assert "<html" not in page
    assert f"/conversations/{Resumption.objects.get().conversation_id}" in page
    assert 'hx-swap-oob="true"><span class="chip info">resumed</span>' in page


def test_a_page_of_its_own_has_nothing_beside_that_would_change(team, owner):
    handoff = prepared(team)
    address = f"http://testserver/handoffs/{handoff.id}/resume"
    page = send(browser(owner), handoff, HTMX | {"HX-Current-URL": address}).content.decode()
    assert "Open the new conversation" in page
    assert "hx-swap-oob" not in page


def test_a_session_that_nothing_was_said_in_names_no_messages_of_it(team, owner):
    client, handoff = browser(owner), prepared(team)
    send(client, handoff)
    new = Resumption.objects.get().conversation
    page = client.get(f"/conversations/{new.id}").content.decode()
    assert RULE in page
    assert f"/conversations/{new.id}/messages?at=-" not in page
    following = preparation.prepare(team=team, conversation_id=new.id, options=preparation.options_of())
    assert "created before anything was said" in client.get(f"/handoffs/{following.id}").content.decode()


def test_what_is_left_empty_stays_as_it_was(team, owner):
    handoff = prepared(team)
    send(browser(owner), handoff)
    new, old = Resumption.objects.get().conversation, handoff.conversation
    assert (new.source_tool, new.model, new.max_context_tokens) == (old.source_tool, old.model, old.max_context_tokens)


def test_a_second_time_is_refused_unless_it_is_a_branch(team, owner):
    client, handoff = browser(owner), prepared(team)
    send(client, handoff)
    refused = send(client, handoff)
    assert refused.status_code == 422
    assert b"was resumed already" in refused.content
    assert send(client, handoff, HTMX).status_code == 422
    assert send(client, handoff, fork="on").status_code == 302
    assert sorted(Resumption.objects.values_list("fork", flat=True)) == [False, True]
    page = client.get(f"/handoffs/{handoff.id}").content.decode()
    assert "Resumed session" in page
    assert "Branch" in page


def test_the_branch_is_offered_only_after_the_first(team, owner):
    client, handoff = browser(owner), prepared(team)
    assert b"second branch" not in client.get(f"/handoffs/{handoff.id}/resume").content
    send(client, handoff)
    page = client.get(f"/handoffs/{handoff.id}/resume").content
    assert b"second branch" in page
    assert b'<input type="hidden" name="fork" value="on">' in page


def test_a_window_of_no_size_is_said_at_its_field(team, owner):
    answer = send(browser(owner), prepared(team), max_context_tokens=3)
    assert answer.status_code == 422
    assert Conversation.objects.count() == 1


def test_a_failed_package_offers_no_resuming_and_says_why(team, owner):
    client, handoff = browser(owner), prepared(team)
    Handoff.objects.update(status=HandoffStatus.FAILED, failure="A rule is missing.")
    page = client.get(f"/handoffs/{handoff.id}").content
    assert b"A rule is missing." in page
    assert b"Resume</button>" not in page
    assert send(client, handoff).status_code == 409


def test_what_cannot_be_resumed_has_no_form(team, owner):
    handoff = prepared(team)
    client, address = browser(owner), f"/handoffs/{handoff.id}/resume"
    assert "<form" in client.get(address).content.decode().partition("<main")[2]
    for changes, told in (
        ({"status": HandoffStatus.DRAFT}, "makes it ready"),
        ({"status": HandoffStatus.FAILED}, "Its check failed"),
        ({"status": HandoffStatus.WITHDRAWN}, "is withdrawn"),
        ({"status": HandoffStatus.READY, "expires_at": timezone.now()}, "It has expired"),
    ):
        Handoff.objects.filter(id=handoff.id).update(**changes)
        page = client.get(address).content.decode().partition("<main")[2]
        assert told in page
        assert "<form" not in page


def shown_of(client, handoff):
    """The part of the page about who went on."""
    page = client.get(f"/handoffs/{handoff.id}").content.decode()
    return page[page.index('id="resume-title"') : page.index('id="fidelity-title"')]


CLAIMS = ("seamless", "restored", "100%")


def test_nothing_is_claimed_of_a_session_that_nobody_saw(team, owner):
    client, handoff = browser(owner), prepared(team)
    outcome = send(client, handoff, HTMX).content.decode()
    there = shown_of(client, handoff)
    for told in (outcome, there):
        assert "waiting for the session" in told
        assert not [claim for claim in CLAIMS if claim in told]


def test_its_first_messages_show_the_figures(team, owner):
    client, handoff = browser(owner), prepared(team)
    send(client, handoff)
    resumption = Resumption.objects.get()
    panel = {"HX-Request": "true", "HX-Target": f"resumption-{resumption.id}"}
    waiting = client.get(f"/handoffs/{handoff.id}", headers=panel)
    assert f'data-live="handoff.{handoff.id} conversation.{resumption.conversation_id}"' in waiting.content.decode()
    again = client.get(f"/handoffs/{handoff.id}", headers=panel | {"If-None-Match": waiting.headers["ETag"]})
    assert again.status_code == 304
    conversations.append(team=team, conversation_id=resumption.conversation_id, messages=[said("Go on."), answered("I go on.")])
    for told in (shown_of(client, handoff), client.get(f"/handoffs/{handoff.id}", headers=panel).content.decode()):
        assert "waiting for the session" not in told
        assert "2 messages" in told
        assert all(claim in told for claim in CLAIMS)


def test_a_receipt_shows_the_figures(team, owner):
    client, handoff = browser(owner), prepared(team)
    send(client, handoff)
    receipts.give(team=team, handoff_id=handoff.id, author=Author(user=owner))
    told = shown_of(client, handoff)
    assert "a receipt" in told
    assert all(claim in told for claim in CLAIMS)


def test_a_conversation_that_waits_for_its_session_is_not_called_active(team, owner):
    client, handoff = browser(owner), prepared(team)
    send(client, handoff)
    new = Resumption.objects.get().conversation
    page = client.get(f"/conversations/{new.id}").content.decode()
    assert '<span class="chip ">waiting for its session</span>' in page
    assert "Waits for the resumed session" in page
    for claim in ("The agent’s work is in progress", "Waits for the person", "<strong data-says>Go on"):
        assert claim not in page
    assert "waiting for its session" in client.get("/conversations").content.decode()
    conversations.append(team=team, conversation_id=new.id, messages=[said("Go on.")])
    assert "waiting for its session" not in client.get(f"/conversations/{new.id}").content.decode()
