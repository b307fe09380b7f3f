"""The page that sets when to hand off, and what it would have done."""

from datetime import timedelta

import pytest
from django.utils import timezone

from continuity.models import Role
from continuity.services.accounts import accounts
from handoffs.policy.lookback import look_back
from handoffs.policy.policy import Policy
from handoffs.services.packages import policies
from tests.cast import person
from tests.factories import ConversationFactory
from tests.web.world import browser

VALUES: dict[str, str | int] = {
    "approaching_at": 60,
    "long_task_at": 55,
    "fold_at": 65,
    "handoff_at": 70,
    "budget": 3000,
    "automatic": "on",
}
HTMX = {"HX-Request": "true"}


def test_it_works(team, owner):
    assert browser(owner).post("/team/policy", VALUES).status_code == 302
    found = policies.effective(team=team)
    assert (found.policy.handoff_at, found.policy.fold_at, found.policy.boundary_at, found.budget) == (0.7, 0.65, 0.65, 3000)
    assert found.policy.automatic
    page = browser(owner).get("/team/policy").content.decode()
    assert 'value="70"' in page


def test_what_it_would_have_done_is_shown_before_it_is_saved(team, owner):
    for used in (50, 72, 90):
        ConversationFactory.create(team=team, context_tokens=used, max_context_tokens=100)
    ConversationFactory.create(team=team, context_tokens=99, max_context_tokens=100, active_at=timezone.now() - timedelta(days=8))
    shown = browser(owner).get("/team/policy", VALUES, headers=HTMX).content.decode()
    assert '<strong class="number">3</strong> sessions' in shown
    assert '<strong class="number">2</strong> reached 70%: handed off' in shown
    assert "with the values on this page" in shown
    assert "As saved: 1 at 85%" in shown
    assert "The fullest session reached 90% of its window." in shown and "Preview: not saved yet" in shown
    refused = browser(owner).get("/team/policy", VALUES | {"fold_at": 71}, headers=HTMX).content.decode()
    assert "with the values as saved" in refused
    assert policies.effective(team=team).policy.handoff_at == 0.85


def test_without_scripts_one_looks_before_one_saves(team, owner, teammate):
    for used in (50, 72, 90):
        ConversationFactory.create(team=team, context_tokens=used, max_context_tokens=100)
    for reader in (owner, teammate):  # a member may look, too
        page = browser(reader).get("/team/policy").content.decode()
        assert 'name="look" value="yes">Preview</button>' in page and "not saved yet" not in page
        shown = browser(reader).post("/team/policy", VALUES | {"look": "yes"}).content.decode()
        assert '<strong class="number">2</strong> reached 70%' in shown
        assert "Preview: not saved yet" in shown
        assert 'value="70"' in shown
    refused = browser(owner).post("/team/policy", VALUES | {"fold_at": 71, "look": "yes"})
    assert (refused.status_code, b"not saved yet" in refused.content) == (422, False)
    assert policies.effective(team=team).policy.handoff_at == 0.85


@pytest.mark.parametrize(
    "wrong",
    [{"handoff_at": 0}, {"handoff_at": 101}, {"budget": 1}, {"fold_at": ""}, {"fold_at": 71}, {"long_task_at": 90}],
    ids=["zero", "more", "budget", "none", "ready after the end", "long tasks after the end"],
)
def test_what_can_not_be_is_said_at_its_field(team, owner, wrong):
    answer = browser(owner).post("/team/policy", VALUES | wrong)
    assert answer.status_code == 422
    assert "errorlist" in answer.content.decode()
    assert policies.effective(team=team).policy.handoff_at == 0.85


def test_members_read_and_operators_change(team, owner):
    for role, status in ((Role.MEMBER, 403), (Role.OPERATOR, 302)):
        user = person(role.label.lower())
        accounts.add_member(team=team, user=user, role=role)
        client = browser(user)
        assert client.get("/team/policy").status_code == 200
        assert client.post("/team/policy", VALUES).status_code == status


def test_a_session_that_filled_more_passed_every_lower_threshold():
    found = look_back([0.2, 0.76, 0.81, 0.86, 1.0], Policy())
    assert (found.sessions, found.approached, found.read_ahead, found.long_tasks, found.handed_off) == (5, 4, 3, 4, 2)


def test_what_would_have_been_handed_off_is_named_and_a_warning_that_nobody_gets_is_told(team, owner):
    full = ConversationFactory.create(team=team, title="Move readings", context_tokens=90, max_context_tokens=100)
    ConversationFactory.create(team=team, title="Small one", context_tokens=20, max_context_tokens=100)
    client = browser(owner)
    shown = client.get("/team/policy", VALUES, headers=HTMX).content.decode()
    assert f'<a href="/conversations/{full.id}">Move readings</a>' in shown
    assert "Small one" not in shown
    assert "Nobody is warned before the handoff" not in shown
    assert (
        "Nobody is warned before the handoff" in client.get("/team/policy", VALUES | {"approaching_at": 70}, headers=HTMX).content.decode()
    )
    assert "more than 5 steps left" in client.get("/team/policy").content.decode()


def test_a_value_out_of_order_is_told_at_its_field_and_kept(team, owner):
    client, told = browser(owner), "“Warn at” (80%) must not be above “Hand off at” (70%)"
    answer = client.get("/team/policy", VALUES | {"approaching_at": 80}, headers=HTMX).content.decode()
    at_field = answer.split('id="id_approaching_at_said"')[1].split("</div>")[0]
    assert told in at_field and 'hx-swap-oob="true"' in at_field and "hidden" not in at_field.split(">")[0]
    assert "hidden" in answer.split('id="id_fold_at_said"')[1].split(">")[0]
    page = client.post("/team/policy", VALUES | {"approaching_at": 80}).content.decode()
    assert told in page.split('id="id_approaching_at_said"')[1].split("</div>")[0]
    assert 'name="approaching_at" value="80"' in page


def test_sessions_of_one_title_are_told_apart_and_what_is_not_known_of_long_tasks_is_said(team, owner):
    for _ in range(2):
        conversation = ConversationFactory.create(team=team, title="The same", context_tokens=90, max_context_tokens=100)
    shown = browser(owner).get("/team/policy", VALUES, headers=HTMX).content.decode()
    told = 'reached 55%: handed off if a task had more than 5 steps left then <span class="soft">(whether one had is not known)</span></li>'
    assert told in shown
    assert "warned, with 5 turns or fewer left" in shown
    assert shown.count(f"of {timezone.localtime(conversation.active_at):%-d %b}") == 2


def test_a_threshold_that_nobody_changed_comes_along_when_the_handoff_is_lowered(team, owner):
    saved = {"approaching_at": 75, "long_task_at": 70, "fold_at": 80, "handoff_at": 85}
    lowered = VALUES | saved | {"handoff_at": 60}
    shown = browser(owner).get("/team/policy", lowered, headers=HTMX).content.decode()
    for name, share, was in (("approaching_at", 50, 75), ("long_task_at", 45, 70), ("fold_at", 55, 80)):
        told = shown.split(f'id="id_{name}_said"')[1].split("</div>")[0]
        assert f"Comes down to <strong>{share}</strong> when saved (was {was}): as far below “Hand off at” as it was before." in told
        assert "hidden" not in told.split(">")[0]
    without_scripts = browser(owner).post("/team/policy", lowered | {"look": "yes"}).content.decode()
    assert "Comes down to <strong>50</strong>" in without_scripts.split('id="id_approaching_at_said"')[1].split("</div>")[0]
    answer = browser(owner).post("/team/policy", lowered, follow=True).content.decode()
    assert "Saved: sessions are handed off at" in answer and "“Hand off a long task at” is 45% now." in answer
    found = policies.effective(team=team).policy
    assert (found.handoff_at, found.long_task_at, found.approaching_at, found.fold_at) == (0.6, 0.45, 0.5, 0.55)


def test_a_threshold_that_would_not_be_higher_stays_and_the_page_says_so(team, owner):
    saved = VALUES | {"approaching_at": 75, "long_task_at": 70, "fold_at": 80}
    page = browser(owner).get("/team/policy").content.decode()
    assert "One that would be comes down when saved, to as far below it as before; others stay." in page
    shown = browser(owner).get("/team/policy", saved | {"handoff_at": 75}, headers=HTMX).content.decode()
    assert "Comes down to <strong>70</strong>" in shown and shown.count("Comes down to") == 1
    browser(owner).post("/team/policy", saved | {"handoff_at": 75})
    found = policies.effective(team=team).policy
    assert (found.long_task_at, found.approaching_at, found.fold_at) == (0.7, 0.75, 0.7)


def test_one_click_takes_all_values_back_and_the_audit_log_tells_both(team, owner):
    visitor, saved = browser(owner), {"approaching_at": 75, "long_task_at": 70, "fold_at": 80, "handoff_at": 85}
    assert "Undo the last change" not in visitor.get("/team/policy").content.decode()
    shown = visitor.post("/team/policy", VALUES | saved | {"handoff_at": 60}, follow=True).content.decode()
    assert "hand off at 85%, long tasks at 70%, warn at 75%, read ahead at 80%" in shown
    raised = visitor.post("/team/policy", VALUES | {"approaching_at": 50, "long_task_at": 45, "fold_at": 55, "handoff_at": 85}, follow=True)
    told = "hand off at 60%, long tasks at 45%, warn at 50%, read ahead at 55%"
    assert told in raised.content.decode(), "what was lowered along is not raised along"
    visitor.post("/team/policy", {"back": "1"})
    found = policies.effective(team=team).policy
    assert (found.handoff_at, found.long_task_at, found.approaching_at, found.fold_at) == (0.6, 0.45, 0.5, 0.55)
    assert found.automatic
    assert "hand off at: 60% → 85%" in visitor.get("/team/audit").content.decode()


def test_an_undo_takes_nothing_back_that_somebody_else_set_since(team, owner):
    visitor = browser(owner)
    assert "Undo the last change" in visitor.post("/team/policy", VALUES, follow=True).content.decode()
    browser(owner).post("/team/policy", VALUES | {"handoff_at": 90})
    assert "Undo the last change" not in visitor.get("/team/policy").content.decode()
    assert visitor.post("/team/policy", {"back": "1"}).status_code == 422
    assert policies.effective(team=team).policy.handoff_at == 0.9
