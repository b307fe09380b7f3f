"""An agent that is declared dead while it writes, each on a connection of its own: what it writes is stored before that, or not at all."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any
from uuid import uuid4

import pytest
from django.apps import apps
from django.db import connection, transaction
from django.utils import timezone

from continuity.api.plain import bus as plain_bus
from continuity.models import Agent, AgentInstance, Conversation, DeadLetter, Deferral, Message, Team
from continuity.services.agents import epochs
from continuity.services.agents.epochs import NamedInstance
from tests.agents.runner import Runner
from tests.api.caller import ROOT, Caller, person
from tests.api.plain.beside import Beside, let_go, let_mark
from tests.events.test_bus import say, subscribed, taken
from tests.platform.locks import waiting_for_locks
from tests.platform.running import eventually

pytestmark = pytest.mark.django_db(transaction=True)

Answer = tuple[int, Any]
NAMED = "a/1"
ACKS = "/subscriptions/SUBSCRIPTION/acks", {"acks": [{"event_id": "EVENT"}]}
# Words in capitals stand for the ids of this world.
WRITES: dict[str, tuple[str, str, Any]] = {
    "messages": ("POST", "/conversations/CONVERSATION/messages", {"messages": [person("Late")]}),
    "conversation": ("POST", "/conversations", {"title": "Late"}),
    "invalidate": ("POST", "/conversations/CONVERSATION/invalidate", {}),
    "decision": ("POST", "/conversations/CONVERSATION/anchors", {"text": "Never use feet."}),
    "note": ("POST", "/conversations/CONVERSATION/notes", {"lessons": ["Tides turn twice a day."]}),
    "prepare": ("POST", "/conversations/CONVERSATION/handoffs", {}),
    "resume": ("POST", "/handoffs/HANDOFF/resume", {}),
    "shared state": ("PUT", "/states/team/own/plan", {"value": {"step": 1}}),
    "own state": ("PUT", "/agents/a/state", {"epoch": 1, "instance": "INSTANCE", "state": {"context": {}}}),
    "events": ("POST", "/events", {"events": [{"id": "NEW", "topic": "task:late"}]}),
    "acks": ("POST", *ACKS),
    "metrics": ("POST", "/metrics/custom", {"metrics": [{"name": "late"}]}),
}


class World:
    """An agent that works in a conversation, with a handoff that is ready and an event that it was handed."""

    def __init__(self, team: Team) -> None:
        self.team, self.runner, self.caller = team, Runner(team), Caller.of(team)
        self.runner.start("a")
        conversation = self.caller.open()
        self.caller.say(conversation, person("Use Postgres, never SQLite."))
        handoff = self.caller.post(f"/conversations/{conversation}/handoffs").json()["id"]
        self.caller.say(conversation, person("Never publish in feet."))
        subscription = subscribed(team)
        event = say(team, "task:a")[0]
        taken(subscription)
        ids = {"CONVERSATION": conversation, "HANDOFF": handoff, "SUBSCRIPTION": subscription.id, "EVENT": event, "NEW": uuid4()}
        self._ids = {**ids, "INSTANCE": self.runner.known["a"]["instance"]}

    def filled(self, text: str) -> str:
        for name, id in self._ids.items():
            text = text.replace(name, str(id))
        return text

    def write(self, method: str, path: str, body: Any) -> Answer:
        answer = self.caller.call(method, self.filled(path), self.filled(json.dumps(body)).encode(), Continuity_Agent=NAMED)
        return answer.status_code, answer.json() if answer.content else {}

    def die(self) -> None:
        with transaction.atomic():
            epochs.end(epochs.lock(team=self.team, name="a"), reason="lost", now=timezone.now())


def stored() -> dict[str, Any]:
    """How many rows there are of each kind but agents, and what stands in the conversations."""
    kinds = [kind for app in ("continuity", "handoffs", "diagnostics") for kind in apps.get_app_config(app).get_models()]
    counted: dict[str, Any] = {kind.__name__: kind.objects.count() for kind in kinds if kind not in (Agent, AgentInstance)}  # type: ignore[attr-defined]
    return counted | {"conversations": list(Conversation.objects.order_by("id").values_list("status", "version", "last_seq", "folded_seq"))}


@pytest.fixture
def world(team: Team) -> World:
    return World(team)


@pytest.fixture
def threads() -> Iterator[ThreadPoolExecutor]:
    with ThreadPoolExecutor(2) as found:
        yield found


def apart(work: Callable[[], Any]) -> Callable[[], Any]:
    """The same for a thread of its own, whose connection ends with it."""

    def done() -> Any:
        try:
            return work()
        finally:
            connection.close()

    return done


def while_it_dies(world: World, threads: ThreadPoolExecutor, write: Callable[[], Answer]) -> Answer:
    """What is answered to a write that was let in, while the death of the agent is written and not yet committed."""
    with transaction.atomic():
        world.die()
        answer = threads.submit(apart(write))
        assert eventually(lambda: waiting_for_locks() > 0) and not answer.done(), (
            "it was let in, and waits to hear whether it is still the present one"
        )
    told: Answer = answer.result(timeout=60)
    return told


@pytest.mark.parametrize("kind", WRITES)
def test_it_works(world: World, threads: ThreadPoolExecutor, kind: str) -> None:
    before = stored()
    status, told = while_it_dies(world, threads, lambda: world.write(*WRITES[kind]))
    assert (status, told["code"], told["current"], told["given"]) == (409, "fenced", 2, 1)
    assert stored() == before


@pytest.mark.parametrize("kind", WRITES)
def test_the_present_instance_stores_it(world: World, kind: str) -> None:
    before = stored()
    status, told = world.write(*WRITES[kind])
    assert status < 300, told
    assert stored() != before


@pytest.mark.parametrize("presumed", [False, True])
@pytest.mark.parametrize("kind", ["events", "acks"])
def test_so_it_is_beside_the_site(world: World, threads: ThreadPoolExecutor, kind: str, presumed: bool) -> None:
    site = Beside(plain_bus.with_plain_bus)
    _, path, body = WRITES[kind]
    try:
        if presumed:  # The key is known from the call before, and only asked after in the statement that stores.
            assert site.post(world.caller.key, f"{ROOT}/events", {"events": [{"id": str(uuid4()), "topic": "task:b"}]})[0] == 201
            let_mark()
        before = stored()
        sent = world.filled(json.dumps(body)).encode()
        post = partial(site.post, world.caller.key, ROOT + world.filled(path), sent, continuity_agent=NAMED)
        status, told = while_it_dies(world, threads, post)
        assert (status, told["code"]) == (409, "fenced")
        assert stored() == before
        assert site.came == []
    finally:
        let_go(plain_bus._threads)
        let_mark()


def test_who_declares_it_dead_waits_for_a_write_that_is_about_to_commit(
    world: World, threads: ThreadPoolExecutor, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked, go_on = threading.Event(), threading.Event()
    check = NamedInstance.check

    def checked(instance: NamedInstance) -> None:
        check(instance)
        asked.set()
        assert go_on.wait(60)

    monkeypatch.setattr(NamedInstance, "check", checked)
    answer = threads.submit(apart(lambda: world.write(*WRITES["messages"])))
    assert asked.wait(60)
    death = threads.submit(apart(world.die))
    assert eventually(lambda: waiting_for_locks() > 0) and not death.done()
    assert Agent.objects.get().epoch == 1
    go_on.set()
    assert answer.result(timeout=60)[0] == 201
    death.result(timeout=60)
    assert Agent.objects.get().epoch == 2
    assert Message.objects.count() == 3


def test_two_writes_of_one_instance_do_not_wait_for_each_other(
    world: World, threads: ThreadPoolExecutor, monkeypatch: pytest.MonkeyPatch
) -> None:
    together = threading.Barrier(2, timeout=60)
    check = NamedInstance.check

    def checked(instance: NamedInstance) -> None:
        check(instance)
        together.wait()

    monkeypatch.setattr(NamedInstance, "check", checked)
    answers = [threads.submit(apart(partial(world.write, *WRITES[kind]))) for kind in ("conversation", "shared state")]
    assert all(answer.result(timeout=60)[0] < 300 for answer in answers)


def test_what_follows_from_a_write_is_done_also_where_the_agent_died_right_after_it(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is ours, as the handoff that is due."""
    conversation = world.caller.open(max_context_tokens=1600)
    check = NamedInstance.check

    def checked(instance: NamedInstance) -> None:
        check(instance)
        transaction.on_commit(world.die)

    monkeypatch.setattr(NamedInstance, "check", checked)
    words = {"messages": [person("Use Postgres for the queue. " * 200)]}
    status, told = world.write("POST", f"/conversations/{conversation}/messages", words)
    assert (status, told["handoff_status"], Agent.objects.get().epoch) == (201, "ready", 2), told["decision"]
    assert (Deferral.objects.count(), DeadLetter.objects.count()) == (0, 0)
