"""A backup goes on where an agent failed: with a checked briefing of its conversation, and with its subscriptions."""

from __future__ import annotations

from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from continuity.models import Agent, AgentOrder, AttemptStatus, Conversation, Event, RecoveryAttempt, Subscription, Team
from continuity.services.agents import replacement
from continuity.services.events import bus
from continuity.services.recording import conversations
from continuity.services.subscriptions import event_delivery
from handoffs import tasks
from handoffs.models import Handoff, Resumption
from handoffs.services.chains import backup_handoff
from handoffs.services.packages import preparation, probe_bank
from tests.agents.runner import Monitor, Runner, resumed_order, status
from tests.api.caller import Caller
from tests.words import said

MOST_STATEMENTS = 56


def test_it_works(pair: Runner, team: Team, conversation: Conversation) -> None:
    told = pair.dies("a")
    assert (told["status"], told["action"]) == ("recovering", "wait")
    order = resumed_order(pair)
    handoff = Handoff.objects.get(id=order["handoff_id"])
    assert (handoff.conversation_id, handoff.status) == (conversation.id, "resumed")
    new = Conversation.objects.get(id=order["conversation_id"])
    assert new.resumed_from_id == conversation.id
    assert Agent.objects.get(name="backup").working_on == new
    assert pair.post("backup", f"orders/{order['id']}/ack").status_code == 204
    assert (status(team, "a"), Agent.objects.get(name="a").reason) == ("stopped", "replaced")
    assert RecoveryAttempt.objects.get().status == AttemptStatus.SUCCEEDED
    assert Event.objects.get(name="agent.replaced").payload["transition_ms"] > 0
    assert pair.orders("backup") == []


def test_the_briefing_holds_what_was_asked_and_its_check_is_kept(pair: Runner, team: Team) -> None:
    pair.dies("a")
    order = resumed_order(pair)
    answer = Caller.of(team).get(f"/handoffs/{order['handoff_id']}/directive", format="system")
    text = answer.content.decode()
    assert "Postgres" in text and "Never change the public API" in text and "Write the worker" in text
    report = Resumption.objects.get(conversation_id=order["conversation_id"]).report
    assert report["isSeamless"], report


def test_subscriptions_are_the_backups_and_the_dead_one_is_fenced(pair: Runner, team: Team) -> None:
    caller = Caller.of(team)
    mine = Subscription.objects.get(name="a")
    epoch = caller.post(f"/subscriptions/{mine.id}/begin").json()["epoch"]
    caller.post("/events", {"events": [{"topic": "task:completed"}]})
    event = take(mine, epoch)
    late = dict(pair.known["a"])
    pair.dies("a")
    order = resumed_order(pair)
    assert order["subscriptions"] == [str(mine.id)]
    mine.refresh_from_db()
    assert (mine.agent, mine.epoch) == ("backup", epoch + 1)
    acks = {"acks": [{"event_id": str(event)}], "epoch": epoch}
    assert caller.post(f"/subscriptions/{mine.id}/acks", acks).json()["code"] == "fenced"
    assert take(mine, epoch + 1) == event
    assert pair.caller.post("/agents/a/ready", late).json()["code"] == "fenced"


def take(subscription: Subscription, epoch: int) -> UUID:
    """The first event that its holder is handed."""
    taken = event_delivery.take(team=subscription.team, subscription_id=subscription.id, now=timezone.now(), epoch=epoch)
    return taken.items[0].event.id


def test_twice_is_once(pair: Runner) -> None:
    attempt = pair.dies("a")["attempt"]
    tasks.relieve(attempt)
    tasks.relieve(attempt)
    backup_handoff.relieve_pending()
    assert Handoff.objects.count() == 1
    assert Resumption.objects.count() == 1
    assert len(pair.orders("backup")) == 1


def test_a_worker_that_died_between_the_steps_is_gone_on_from(pair: Runner, monkeypatch: pytest.MonkeyPatch) -> None:
    pair.dies("a")
    with monkeypatch.context() as patched:
        patched.setattr(replacement, "take_over", dies)
        with pytest.raises(ConnectionError):
            backup_handoff.relieve_pending()
    order = resumed_order(pair)
    assert Resumption.objects.get().conversation_id == Conversation.objects.get(id=order["conversation_id"]).id


def dies(**_: Any) -> None:
    raise ConnectionError


def test_one_that_worked_on_nothing_hands_over_its_subscriptions(runner: Runner) -> None:
    runner.start("backup")
    runner.start("a", strategy="replace", backup="backup", topics=["task:*"])
    runner.dies("a")
    order = resumed_order(runner)
    assert (order["conversation_id"], order["handoff_id"], len(order["subscriptions"])) == (None, None, 1)


def test_where_the_backup_is_not_there_a_person_is_told(runner: Runner, team: Team) -> None:
    runner.start("a", strategy="replace", backup="nobody")
    assert (runner.dies("a")["status"], RecoveryAttempt.objects.get().action) == ("failed", "give_up")


def test_a_backup_that_goes_before_it_was_told_is_none(pair: Runner, team: Team) -> None:
    pair.dies("a")
    pair.post("backup", "stop")
    backup_handoff.relieve_pending()
    assert (status(team, "a"), Agent.objects.get(name="a").reason) == ("failed", "backup gone")


def test_a_backup_that_could_not_is_told_of(pair: Runner, team: Team) -> None:
    pair.dies("a")
    order = resumed_order(pair)
    pair.post("backup", f"orders/{order['id']}/ack", outcome="failed", error="OSError")
    assert status(team, "a") == "failed"


def test_a_backup_is_not_told_to_go_on_for_one_that_was_started_by_hand(pair: Runner, team: Team) -> None:
    pair.dies("a")
    order = AgentOrder.objects.select_related("attempt").get(id=resumed_order(pair)["id"])
    pair.start("a")
    assert pair.orders("backup") == []
    replacement.answered(order, done=True, now=timezone.now())  # it had just read that the attempt waits
    assert status(team, "a") == "ready"
    assert RecoveryAttempt.objects.get().status == AttemptStatus.OVERTAKEN


def test_where_no_briefing_can_be_made_a_person_is_told(pair: Runner, team: Team, conversation: Conversation) -> None:
    pair.dies("a")
    Caller.of(team).post(f"/conversations/{conversation.id}/invalidate")
    backup_handoff.relieve_pending()
    assert (status(team, "a"), Agent.objects.get(name="a").reason) == ("failed", "no briefing: session_invalidated")


def test_what_is_said_while_the_briefing_is_made_is_in_it(
    pair: Runner, conversation: Conversation, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = preparation.build

    def interrupted(**given: Any) -> Any:
        found = made(**given)
        if conversation.last_seq == Conversation.objects.get(id=conversation.id).last_seq:
            late = said("Never rename the queue.")
            conversations.append(team=conversation.team, conversation_id=conversation.id, messages=[late])
        return found

    conversation.refresh_from_db()
    monkeypatch.setattr(preparation, "build", interrupted)
    pair.dies("a")
    handoff = Handoff.objects.get(id=resumed_order(pair)["handoff_id"])
    assert handoff.through_seq == conversation.last_seq + 1
    assert "Never rename the queue" in handoff.text


def test_a_replacement_reads_nothing_twice(pair: Runner, conversation: Conversation) -> None:
    """As long as nobody changes what it takes: a statement more is a reason to look."""
    probe_bank.gather(conversation_id=conversation.id)
    attempt = UUID(pair.dies("a")["attempt"])
    with CaptureQueriesContext(connection) as asked:
        backup_handoff.relieve(attempt_id=attempt)
    told = [each["sql"] for each in asked if not each["sql"].startswith(("SAVEPOINT", "RELEASE"))]
    assert len(told) <= MOST_STATEMENTS, "\n".join(each[:120] for each in told)
    assert AgentOrder.objects.filter(kind="resume").count() == 1


def test_a_backup_that_never_answers_is_not_waited_for(pair: Runner, team: Team, monitor: Monitor) -> None:
    pair.dies("a")
    monitor.look(2)
    resumed_order(pair)
    monitor.look(32, beating=lambda: pair.beat("backup"))
    assert (status(team, "a"), Agent.objects.get(name="a").reason) == ("failed", "timed_out")
    assert pair.orders("backup") == []


def test_a_runner_that_is_gone_for_a_minute_is_replaced(pair: Runner, team: Team, monitor: Monitor) -> None:
    elsewhere = Runner(team, name="elsewhere")
    elsewhere.start("backup")
    late = dict(pair.known["a"])
    monitor.look(2, beating=lambda: (pair.beat("a"), elsewhere.beat()))
    monitor.look(40, beating=elsewhere.beat)
    assert status(team, "a") == "disconnected"
    monitor.look(30, beating=elsewhere.beat)
    assert (status(team, "a"), RecoveryAttempt.objects.get().action) == ("recovering", "replace")
    order = resumed_order(elsewhere)
    elsewhere.post("backup", f"orders/{order['id']}/ack")
    beat = {"runner": pair.name, "beats": [{"agent": "a", **late}]}
    assert pair.caller.post("/agents/heartbeats", beat).json()["code"] == "fenced"


def test_a_person_lets_another_one_go_on(pair: Runner, team: Team) -> None:
    pair.start("third")
    made = Caller.of(team).post("/agents/a/orders", {"kind": "replace", "backup": "third"})
    assert (made.status_code, made.json()["status"]) == (201, "done")
    backup_handoff.relieve_pending()
    assert [each["kind"] for each in pair.orders("third")] == ["resume"]
    assert Agent.objects.get(name="a").failures == 0


def test_a_handler_sends_it_to_a_worker(pair: Runner) -> None:
    assert bus.has_handlers("agent.replacement_wanted")
    pair.dies("a")
    assert RecoveryAttempt.objects.get().created_at > timezone.now() - timedelta(minutes=1)
