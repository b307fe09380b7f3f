"""Letting a failed package pass, on its page."""

import pytest

from continuity.models import Role
from continuity.services.accounts import accounts
from handoffs.models import HandoffStatus
from handoffs.services.packages import preparation
from tests.handoffs.story import overloaded
from tests.web.world import browser

REASON = "The customer waits."


@pytest.fixture
def failed(team):
    options = preparation.options_of(budget=150)
    return preparation.prepare(team=team, conversation_id=overloaded(team).id, options=options)


def path(handoff, more=""):
    return f"/handoffs/{handoff.id}{more}"


def test_it_works(failed, owner):
    visitor = browser(owner)
    page = visitor.get(path(failed)).content.decode()
    assert path(failed, "/override") in page
    assert "remaining steps not preserved" in page
    assert visitor.post(path(failed, "/override"), {"reason": REASON}).status_code == 302
    page = visitor.get(path(failed)).content.decode()
    failed.refresh_from_db()
    assert failed.status == HandoffStatus.READY
    assert REASON in page and owner.email in page
    assert path(failed, "/override") not in page


def test_without_a_reason_the_form_says_so(failed, owner):
    answer = browser(owner).post(path(failed, "/override"), {"reason": ""})
    assert answer.status_code == 422
    failed.refresh_from_db()
    assert failed.status == HandoffStatus.FAILED


def test_a_member_may_not(failed, teammate):
    visitor = browser(teammate)
    assert path(failed, "/override") not in visitor.get(path(failed)).content.decode()
    assert visitor.post(path(failed, "/override"), {"reason": REASON}).status_code == 403


def test_an_operator_may(failed, team, outsider):
    accounts.add_member(team=team, user=outsider, role=Role.OPERATOR)
    assert browser(outsider).post(path(failed, "/override"), {"reason": REASON}).status_code == 302


def test_the_page_shows_what_the_directive_was_asked(failed, owner):
    page = browser(owner).get(path(failed)).content.decode()
    assert "What did the user say last?" in page
    assert "Please rewrite all of this." in page
