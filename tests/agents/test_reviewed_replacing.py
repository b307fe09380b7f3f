"""A backup whose briefing a person has to approve: the team's policy asks for review."""

from __future__ import annotations

from typing import NoReturn
from uuid import UUID

import pytest

from continuity.core.errors import NotResumable
from continuity.models import Agent, Event, RecoveryAttempt, Team
from handoffs import handlers
from handoffs.models import Handoff, Resumption
from handoffs.services.chains import backup_handoff, resumption
from handoffs.services.packages import lifecycle, policies
from handoffs.services.packages.authors import Author
from tests.agents.runner import Runner, resumed_order, status


@pytest.fixture
def waiting(pair: Runner, team: Team) -> Handoff:
    """The package of a dead agent, which a person has to approve before anybody goes on from it."""
    policies.change(team=team, conversation=None, changes={"review": True}, author=Author())
    attempt = UUID(pair.dies("a")["attempt"])
    backup_handoff.relieve_pending()
    return Handoff.objects.get(id=attempt)


def test_it_works(waiting: Handoff, team: Team) -> None:
    """What was prepared outlives that nobody may go on from it yet."""
    assert (status(team, "a"), Agent.objects.get(name="a").reason) == ("failed", "briefing waits for review")
    assert (waiting.status, RecoveryAttempt.objects.get().handoff_id) == ("draft", waiting.id)
    assert not Resumption.objects.exists()
    assert set(Event.objects.filter(subject_id=waiting.id).values_list("name", flat=True)) == {"handoff.prepared"}


def test_once_a_person_approved_it_the_backup_goes_on_from_it(pair: Runner, waiting: Handoff, team: Team) -> None:
    lifecycle.make_ready(team=team, handoff_id=waiting.id, author=Author())
    handlers.go_on_after_review(Event.objects.get(name="handoff.made_ready"))
    assert status(team, "a") == "recovering"
    order = resumed_order(pair)
    assert (order["handoff_id"], Handoff.objects.get().status) == (str(waiting.id), "resumed")
    assert pair.post("backup", f"orders/{order['id']}/ack").status_code == 204
    assert (status(team, "a"), Agent.objects.get(name="a").reason) == ("stopped", "replaced")


def test_one_that_was_started_again_meanwhile_is_left_alone(pair: Runner, waiting: Handoff, team: Team) -> None:
    pair.start("a", strategy="replace", backup="backup")
    lifecycle.make_ready(team=team, handoff_id=waiting.id, author=Author())
    handlers.go_on_after_review(Event.objects.get(name="handoff.made_ready"))
    backup_handoff.relieve_pending()
    assert status(team, "a") == "ready"
    assert Handoff.objects.get().status == "ready"
    assert pair.orders("backup") == []


def test_without_its_backup_an_approved_one_waits(runner: Runner, pair: Runner, waiting: Handoff, team: Team) -> None:
    runner.dies("backup")
    lifecycle.make_ready(team=team, handoff_id=waiting.id, author=Author())
    handlers.go_on_after_review(Event.objects.get(name="handoff.made_ready"))
    assert status(team, "a") == "failed"
    assert Handoff.objects.get().status == "ready"


def test_an_approved_one_that_cannot_be_resumed_keeps_its_link(
    pair: Runner, waiting: Handoff, team: Team, monkeypatch: pytest.MonkeyPatch
) -> None:
    lifecycle.make_ready(team=team, handoff_id=waiting.id, author=Author())
    handlers.go_on_after_review(Event.objects.get(name="handoff.made_ready"))
    monkeypatch.setattr(resumption, "go_on", refused)
    backup_handoff.relieve_pending()
    first, second = RecoveryAttempt.objects.order_by("created_at")
    assert (status(team, "a"), first.handoff_id, second.handoff_id) == ("failed", waiting.id, waiting.id)


def refused(**_: object) -> NoReturn:
    raise NotResumable(handoff_status="ready")
