"""The first page: what waits for somebody, and that it costs the same however much there is."""

from datetime import timedelta

import pytest
from django.utils import timezone

from continuity.knowledge.model import TaskStatus
from continuity.models import Conversation, Job, Role
from continuity.services.accounts import accounts, apikeys
from diagnostics.services import trends
from handoffs import activity
from handoffs.attention import SHOWN
from handoffs.models import Handoff, OfferAnswer
from handoffs.services.chains import offers
from handoffs.services.packages import preparation
from handoffs.services.packages.authors import Author
from tests.cast import person
from tests.factories import ConversationFactory, TaskFactory
from tests.handoffs.story import story
from tests.web import rows
from tests.web.world import browser


def home(user):
    return browser(user).get("/").content.decode()


def full(team, share=0.8, **fields):
    return ConversationFactory.create(team=team, max_context_tokens=200_000, context_tokens=int(200_000 * share), **fields)


def test_it_works(team, owner):
    assert "Welcome to Ours" in home(owner)
    ConversationFactory.create(team=team, title="Calm one")
    page = home(owner)
    assert "Nothing waits for you" in page
    assert "Calm one" in page


def test_the_first_steps_tick_themselves_until_all_are_done_or_one_does_not_want_to_see_them(team, owner, teammate):
    client = browser(owner)
    page = client.get("/").content.decode()
    assert "http://testserver/client/continuity.pyz" in page
    assert page.count("To do: ") == 4  # there is a teammate
    _key, token = apikeys.issue(team=team, name="laptop", created_by=owner)
    apikeys.authenticate(token, now=timezone.now())
    rows.handoff(ConversationFactory.create(team=team))
    assert "First steps" not in client.get("/").content.decode()
    Handoff.objects.all().delete()
    page = client.get("/").content.decode()
    assert (page.count("Done: "), page.count("To do: ")) == (4, 1)
    client.post("/", {"hide": "first-steps"})
    assert "First steps" not in client.get("/").content.decode()
    assert "First steps" in home(teammate)


def test_what_waits_is_named_by_its_reason(team, owner, teammate):
    full(team, title="Filling up")
    conversation = ConversationFactory.create(team=team, title="Packed")
    rows.handoff(conversation, status="failed")
    rows.handoff(ConversationFactory.create(team=team), status="draft", offered_to=teammate, offered_by=owner, offered_at=timezone.now())
    rows.handoff(ConversationFactory.create(team=team), expires_at=timezone.now() + timedelta(hours=5))
    TaskFactory.create(conversation=conversation, status=TaskStatus.BLOCKED, description="Wait for the key")
    ConversationFactory.create(team=team, expires_at=timezone.now() + timedelta(hours=5))
    Job.objects.create(team=team, kind="import", status="failed", arguments={"name": "old.json"}, error="It holds no messages.")
    page = home(teammate)
    for title in ("Near their limit", "Failed their check", "Drafts to review", "Offered to you", "Tasks that wait"):
        assert title in page
    for title in ("Deleted soon unless resumed", "Ending soon", "Work that failed", "old.json", "Wait for the key"):
        assert title in page
    assert f'href="/conversations/{conversation.id}#tasks-title" aria-label="Open: Wait for the key"' in page
    assert "Offered to you" not in home(owner)


def everything(team, owner):
    """One of each thing that needs somebody, all of it `owner`'s."""
    conversation = full(team, owner=owner, title="Filling up")
    rows.handoff(conversation, status="failed")
    for title, of in (("Draft of it", {"status": "draft"}), ("Soon gone", {"expires_at": timezone.now() + timedelta(hours=5)})):
        rows.handoff(ConversationFactory.create(team=team, owner=owner, title=title), **of)
    TaskFactory.create(conversation=conversation, status=TaskStatus.BLOCKED, description="Wait for the key")
    ConversationFactory.create(team=team, owner=owner, title="Ends", expires_at=timezone.now() + timedelta(hours=5))
    Job.objects.create(team=team, kind="import", status="failed", arguments={"name": "old.json"}, error="No.", created_by=owner)


SECTIONS = ("Near their limit", "Tasks that wait", "Failed their", "Drafts to", "Deleted soon", "Ending soon", "Work that failed")


def shown(user):
    page = home(user)
    return [section for section in SECTIONS if section in page]


def test_nobody_is_asked_to_see_to_what_is_somebody_elses(team, owner, teammate):
    everything(team, owner)
    assert shown(owner) == list(SECTIONS)
    assert shown(teammate) == []
    assert "Nothing waits for you" in home(teammate)


def test_what_is_nobodys_or_of_one_who_left_needs_all_who_can_act(team, owner, teammate):
    viewer = person("viewer")
    accounts.add_member(team=team, user=viewer, role=Role.VIEWER)
    everything(team, person("gone"))
    assert shown(owner) == shown(teammate) == list(SECTIONS)
    Conversation.objects.update(owner=None)
    Handoff.objects.update(owner=None)
    Job.objects.update(created_by=None)
    assert shown(owner) == shown(teammate) == list(SECTIONS)
    assert shown(viewer) == []
    assert "Viewers read" in home(viewer)


def test_who_prepared_a_package_is_credited_whoever_owns_it_now(team, owner, teammate):
    conversation = story(team, owner=owner)
    handoff = preparation.prepare(team=team, conversation_id=conversation.id, options=preparation.options_of(), owner=owner)
    offers.offer(team=team, handoff_id=handoff.id, to=teammate.email, author=Author(user=owner))
    offers.accept(team=team, handoff_id=handoff.id, author=Author(user=teammate))
    recent = home(owner).split("Recent activity")[1]
    assert "now</time> · you" in recent.split("Handoff 1")[1].split("</li>")[0]


def test_an_old_session_that_was_imported_needs_nobody_now(team, owner):
    conversation = full(team, owner=owner, active_at=timezone.now() - timedelta(days=90))
    TaskFactory.create(conversation=conversation, status=TaskStatus.BLOCKED, description="Wait for the key")
    assert shown(owner) == []


def test_an_old_session_was_imported_and_did_not_begin_now(team, owner):
    ConversationFactory.create(team=team, title="Of spring", active_at=timezone.now() - timedelta(days=90))
    ConversationFactory.create(team=team, title="Recorded when it was over", active_at=timezone.now() - timedelta(minutes=5))
    job = Job.objects.create(team=team, kind="import", status="done")
    Job.objects.filter(id=job.id).update(conversation=ConversationFactory.create(team=team, title="A file of today"))
    recent = home(owner).split("Recent activity")[1]
    assert [recent.count(words) for words in ("Imported: ", "Recording began: ")] == [2, 1]


def test_an_answer_to_an_offer_is_told_until_it_is_cleared(team, owner, teammate):
    handoff = rows.handoff(ConversationFactory.create(team=team, title="Tide page", owner=owner))
    offers.offer(team=team, handoff_id=handoff.id, to=teammate.email, author=Author(user=owner))
    offers.decline(team=team, handoff_id=handoff.id, author=Author(user=teammate))
    assert f"declined by {teammate}" in home(owner)
    assert "Answers to your offers" not in home(teammate)
    address = f"/handoffs/{handoff.id}/answer"
    browser(teammate).post(address)
    assert "Answers to your offers" in home(owner)
    assert browser(owner).post(address).headers["Location"] == "/"
    assert "Answers to your offers" not in home(owner)
    assert browser(owner).get(address).status_code == 200


def test_a_failed_import_is_told_of_until_it_is_dismissed(team, owner):
    viewer = person("viewer")
    accounts.add_member(team=team, user=viewer, role=Role.VIEWER)
    ConversationFactory.create(team=team)
    job = Job.objects.create(team=team, kind="import", status="failed", arguments={"name": "old.json"}, error="It holds no messages.")
    assert "Dismiss" in home(owner)
    assert "old.json" not in home(viewer)  # who can't act on it is not asked to
    assert browser(viewer).post(f"/jobs/{job.id}").status_code == 403
    assert browser(owner).post(f"/jobs/{job.id}").headers["Location"] == "/"
    assert "old.json" not in home(owner)
    assert "It holds no messages." in browser(owner).get(f"/jobs/{job.id}").content.decode()


@pytest.mark.parametrize("status", ["queued", "running", "done"])
def test_only_a_failure_is_dismissed(team, owner, status):
    job = Job.objects.create(team=team, kind="import", status=status)
    browser(owner).post(f"/jobs/{job.id}")
    job.refresh_from_db()
    assert not job.dismissed


@pytest.mark.parametrize(
    ("share", "status", "near"),
    [(0.69, "active", False), (0.7, "active", True), (0.9, "idle", True), (0.9, "handed_off", False), (0.9, "expired", False)],
)
def test_only_a_window_that_fills_while_work_goes_on_is_near_its_limit(team, owner, share, status, near):
    full(team, share, status=status)
    assert ("Near their limit" in home(owner)) is near


def test_the_fullest_comes_first(team, owner):
    for share, title in ((0.8, "Fuller"), (0.9, "Fullest"), (0.75, "Full")):
        full(team, share, title=title)
    near = home(owner).split("Near their limit")[1].split("</section>")[0]
    assert near.index("Fullest<") < near.index("Fuller<") < near.index("Full<")


def test_a_failed_check_is_settled_by_a_later_handoff(team, owner):
    conversation = ConversationFactory.create(team=team)
    rows.handoff(conversation, status="failed", created_at=timezone.now() - timedelta(hours=1))
    rows.handoff(conversation)
    assert "Failed their check" not in home(owner)


def test_a_session_near_its_limit_leads_to_the_handoff_that_it_has(team, owner):
    with_one, resumed = full(team, owner=owner), full(team, owner=owner)
    handoff = rows.handoff(with_one)
    rows.handoff(resumed, status="resumed", resumed_at=timezone.now())
    page = home(owner).split("Near their limit")[1].split("</section>")[0]
    assert (f'href="/handoffs/{handoff.id}#resume-title"' in page, f"/conversations/{with_one.id}/prepare" in page) == (True, False)
    assert ">Resume</a>" in page
    assert f"/conversations/{resumed.id}/prepare" in page
    assert "Ready to be resumed" not in home(owner), "it is told once"


def test_another_teams_work_is_not_shown(team, owner, other_team):
    full(other_team, title="Theirs")
    assert "Theirs" not in home(owner)


def test_the_cost_does_not_grow_with_rows(team, owner, teammate, django_assert_num_queries):
    def more():
        for _ in range(SHOWN + 2):
            conversation = full(team, owner=owner)
            TaskFactory.create(conversation=conversation, status=TaskStatus.BLOCKED)
            handoff = rows.handoff(conversation, status="draft", offered_to=owner, offered_by=teammate, offered_at=timezone.now())
            OfferAnswer.objects.create(team=team, handoff=handoff, giver=owner, answered_by=teammate, accepted=True)

    more()
    client = browser(owner)
    with django_assert_num_queries(QUERIES):
        client.get("/")
    more()
    with django_assert_num_queries(QUERIES):
        assert "and more" in client.get("/").content.decode()


QUERIES = 25  # the session, the person, the memberships, and the page's own


def test_the_mean_fidelity_is_of_all_packages_and_says_how_many_failed(team, owner):
    conversation = ConversationFactory.create(team=team)
    rows.handoff(conversation, status="ready", fidelity_score=0.9)
    rows.handoff(conversation, status="failed", fidelity_score=0.2)
    page = home(owner)
    assert "Mean fidelity<" in page
    assert "55.0%" in page
    assert "50% failed their check" in page


def test_tokens_are_saved_by_packages_that_were_resumed(team, owner):
    conversation = ConversationFactory.create(team=team)
    for status in ("ready", "ready", "failed", "resumed"):
        rows.handoff(conversation, status=status, context_tokens=50_000, token_count=2_000)
    (saved,) = [figure for figure in activity.figures(activity.fortnight(team, timezone.now())) if figure.name == "Tokens saved"]
    assert saved.value == 48_000
    drawn = trends.trend_of(team=team, now=timezone.now(), days=30).tokens
    assert sum(row["replaced"] - row["stated"] for row in drawn if row) == 48_000
