"""Publishing and acknowledging beside the site: answered as the site answers, and all else goes there as it came."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any
from uuid import UUID, uuid5

import pytest
from django.db import connection, transaction
from django.test import override_settings

from continuity.api.plain import bus as plain_bus
from continuity.api.plain import calls
from continuity.models import Acknowledgement, ApiKey, Delivery, Event, Membership, PublishedPayload, Role, Team
from continuity.services.accounts import apikeys
from continuity.services.subscriptions import topics
from tests.agents.runner import Runner
from tests.api.caller import ROOT, Caller
from tests.api.plain.beside import TO_THE_SITE, Beside, let_go, let_mark
from tests.events.test_bus import say, subscribed, taken
from tests.events.test_hostile import BAD_TOPICS, BODIES
from tests.factories import ConversationFactory

pytestmark = pytest.mark.django_db(transaction=True)
EVENTS = f"{ROOT}/events"
ENDED = "SELECT pg_terminate_backend(pid) FROM pg_locks WHERE NOT granted AND pg_backend_pid() = ANY(pg_blocking_pids(pid))"
Post = Callable[[str, Any], tuple[int, Any]]


@pytest.fixture
def site() -> Iterator[Beside]:
    yield Beside(plain_bus.with_plain_bus)
    let_go(plain_bus._threads)
    let_mark()


def event(id: str, topic: str = "task:a", payload: Any = None, **more: Any) -> dict[str, Any]:
    return {"id": id, "topic": topic, "payload": payload, **more}


class World:
    """A team with a subscriber and a declared topic, all of whose ids follow from their names: of two, the answers can be compared."""

    def __init__(self, team: Team, post: Post) -> None:
        self.team, self._post = team, post
        self.subscriber = subscribed(team)
        ConversationFactory.create(team=team, id=UUID(self.id("talk")))
        self.taken = [str(id) for id in say(team, "task:a", "task:b", "task:c")]
        taken(self.subscriber)
        schema = {"type": "object", "required": ["n"], "properties": {"n": {"type": "integer"}}}
        topics.declare(team=team, name="task:declared", schema=schema, critical=True)

    def id(self, name: str) -> str:
        return str(uuid5(self.team.id, name))

    def told(self) -> list[tuple[int, str]]:
        """What is answered to a list of calls, good and bad, one after the other."""
        acks = f"{ROOT}/subscriptions/{self.subscriber.id}/acks"
        secret = "the key is sk-ant-api03-" + "a" * 93 + "AA"
        bodies: list[tuple[str, Any]] = [
            (EVENTS, {"events": [event(self.id("1"), payload={"n": 1})]}),
            (EVENTS, {"events": [event(self.id("1"), payload={"n": 1})]}),
            (EVENTS, {"events": [event(self.id("1"), "task:other")]}),
            (EVENTS, {"events": [event(self.id("2")), event(self.id("3"), critical=True)], "agent": "billing"}),
            (EVENTS, {"events": [event(self.id("4")), event(self.id("4"))]}),
            (EVENTS, {"events": [event(self.id("5"), payload=[secret, "\x00\ud800", 0.5, "ä"])]}),
            (EVENTS, {"events": [event(self.id("6"), "task:declared", {"n": 1})]}),
            (EVENTS, {"events": [event(self.id("7"), "task:declared", {"n": "one"})]}),
            (EVENTS, {"events": [event(self.id("8"), conversation_id=self.id("none"))]}),
            (EVENTS, {"events": [event(self.id("11"), payload={"n": 1}, conversation_id=self.id("talk"))]}),
            (EVENTS, {"events": [event(self.id("9"), payload="x" * 65_537)]}),
            *((EVENTS, {"events": [event(self.id(f"bad {n}"), topic)]}) for n, topic in enumerate(BAD_TOPICS)),
            *((EVENTS, {"events": [event(self.id("10"), **more)]}) for more in ({"critical": "maybe"}, {"more": 1}, {"topic": 1})),
            (acks, {"acks": [{"event_id": self.taken[0]}, {"event_id": self.id("none"), "latency_ms": 1.5}]}),
            (acks, {"acks": [{"event_id": self.taken[0]}, {"event_id": self.taken[1], "outcome": "working"}], "lease": 9}),
            (acks, {"acks": [{"event_id": self.taken[1]}], "epoch": 7}),
            (acks, {"acks": [{"event_id": self.taken[1], "latency_ms": 1e9}]}),
            (acks, {"acks": [{"event_id": self.taken[2], "latency_ms": 3, "error": "Fine"}]}),
            (f"{ROOT}/subscriptions/{self.id('none')}/acks", {"acks": [{"event_id": self.taken[1]}]}),
        ]
        return [(status, self._named(json.dumps(answer))) for status, answer in (self._post(*each) for each in bodies)]

    def _named(self, text: str) -> str:
        names = [*map(str, range(12)), *(f"bad {n}" for n in range(len(BAD_TOPICS))), "none", "talk"]
        for number, id in enumerate([str(self.subscriber.id), *self.taken, *map(self.id, names)]):
            text = text.replace(id, f"id-{number}")
        return text

    def rows(self) -> list[Any]:
        events = Event.objects.filter(team=self.team).order_by("position")
        said = PublishedPayload.objects.filter(team=self.team).order_by("event__position")
        return [
            [*events.values_list("name", "topic", "payload", "critical", "publisher")],
            [(body, self._named(str(about))) for body, about in said.values_list("body", "conversation_id")],
            Acknowledgement.objects.filter(subscription=self.subscriber).count(),
            [self._named(str(id)) for id in Delivery.objects.filter(subscription=self.subscriber).values_list("event_id", flat=True)],
        ]


def test_it_works(site: Beside, team: Team, other_team: Team) -> None:
    """The same list of calls, good and bad, to both ways: the same answers, and the same rows."""
    known, elsewhere = Caller.of(team), Caller.of(other_team)

    def beside(path: str, body: Any) -> tuple[int, Any]:
        answer = site.post(known.key, path, body)
        return answer if answer[0] != TO_THE_SITE else by(known, path, body)

    ours, theirs = World(team, beside), World(other_team, lambda path, body: by(elsewhere, path, body))
    answers = theirs.told()
    assert ours.told() == answers
    assert ours.rows() == theirs.rows()
    assert {200, 201, 400, 404, 409, 413, 422} & {status for status, _ in answers} == {201, 200, 404, 409, 413, 422}
    assert len(site.came) < len(answers) / 3, "what is plain is answered here, refusals of the services among it"


def by(caller: Caller, path: str, body: Any) -> tuple[int, Any]:
    answer = caller.post(path.removeprefix(ROOT), body)
    return answer.status_code, answer.json()


@pytest.mark.parametrize("body", BODIES, ids=range(len(BODIES)))
def test_hostile_bodies_are_answered_as_by_the_site_or_go_there_as_they_came(site: Beside, team: Team, body: bytes) -> None:
    caller = Caller.of(team)
    answer = site.post(caller.key, EVENTS, body)
    assert not PublishedPayload.objects.exists()
    assert site.came == [body] if answer[0] == TO_THE_SITE else answer == by(caller, EVENTS, body)


def test_what_is_not_plain_goes_to_the_site(site: Beside, team: Team) -> None:
    caller, found = Caller.of(team), subscribed(team)
    plain = {"events": [event(str(UUID(int=7)))]}
    odd: list[dict[str, str]] = [
        {"authorization": "Bearer cont_no_key"},
        {"host": "elsewhere.example"},
        {"user_agent": "continuity-client/0.0.1"},
        {"cookie": "sessionid=1"},
        {"traceparent": "00-" + "1" * 32 + "-" + "2" * 16 + "-01"},
        {"content_type": "text/plain"},
        {"content_length": str(calls.LONGEST + 1)},
    ]
    for more in odd:
        assert site.post(caller.key, EVENTS, plain, **more)[0] == TO_THE_SITE, more
    failed = {"acks": [{"event_id": str(UUID(int=7)), "outcome": "failed"}]}
    assert site.post(caller.key, f"{ROOT}/subscriptions/{found.id}/acks", failed)[0] == TO_THE_SITE
    assert site.post(caller.key, f"{EVENTS}/", plain)[0] == TO_THE_SITE
    sent = json.dumps(plain).encode()
    headers = [(b"host", b"localhost"), (b"content-type", b"application/json"), (b"content-length", str(len(sent)).encode())]
    headers.append((b"authorization", f"Bearer {caller.key}".encode()))
    assert site.ask(EVENTS, [*headers, (b"authorization", b"Bearer cont_another")], sent)[0] == TO_THE_SITE
    assert site.ask(EVENTS, headers, sent, method="PUT")[0] == TO_THE_SITE
    assert not PublishedPayload.objects.exists()
    assert site.ask(EVENTS, headers, sent)[0] == 201


def test_who_may_not_write_goes_to_the_site(site: Beside, team: Team) -> None:
    plain = {"events": [event(str(UUID(int=7)))]}
    assert site.post(Caller.of(team, ("read", "agent")).key, EVENTS, plain)[0] == TO_THE_SITE
    member = Membership.objects.get(team=team)
    key = apikeys.issue(team=team, name="theirs", created_by=member.user)[1]
    assert site.post(key, EVENTS, plain)[0] == 201
    Membership.objects.filter(id=member.id).update(role=Role.VIEWER)
    assert site.post(key, EVENTS, plain)[0] == TO_THE_SITE
    Membership.objects.filter(id=member.id).update(role=Role.MEMBER)
    assert site.post(key, EVENTS, plain)[0] == 201
    apikeys.revoke(key=ApiKey.objects.get(name="theirs"))
    assert site.post(key, EVENTS, plain)[0] == TO_THE_SITE


def test_a_key_that_ended_stores_nothing_also_where_it_is_only_presumed_to_hold(site: Beside, team: Team) -> None:
    """It is asked for in the statement that stores, which then must not run at all."""
    world = World(team, lambda *_: (0, None))
    key = apikeys.issue(team=team, name="theirs", created_by=Membership.objects.get(team=team).user)[1]
    acks = f"{ROOT}/subscriptions/{world.subscriber.id}/acks"
    assert site.post(key, EVENTS, {"events": [event(world.id("before"))]})[0] == 201
    assert site.post(key, acks, {"acks": [{"event_id": world.taken[0]}]})[0] == 200
    apikeys.revoke(key=ApiKey.objects.get(name="theirs"))
    before = world.rows()
    for path, body in ((EVENTS, {"events": [event(world.id("after"))]}), (acks, {"acks": [{"event_id": world.taken[1]}]})):
        assert site.post(key, path, body)[0] == TO_THE_SITE
    assert world.rows() == before


def test_only_the_present_instance_of_an_agent_publishes(site: Beside, team: Team) -> None:
    runner = Runner(team, scopes=("agent", "write"))
    runner.start("a")
    plain, epoch = {"events": [event(str(UUID(int=7)))]}, runner.known["a"]["epoch"]
    for named in (f"a/{epoch}", f"a/{epoch - 1}", "b/1", "a", "a/x"):
        ours = site.post(runner.caller.key, EVENTS, plain, continuity_agent=named)
        theirs = runner.caller.post("/events", plain, Continuity_Agent=named)
        assert ours[0] == theirs.status_code, named
        assert ours[0] == 201 or ours[1] == theirs.json()
    assert site.came == []


def test_calls_are_counted_with_those_of_the_site(site: Beside, team: Team) -> None:
    caller = Caller.of(team)
    with override_settings(CONTINUITY_API_RATE=(2, 60)):
        assert caller.get("/events").status_code == 200
        assert site.post(caller.key, EVENTS, {"events": [event(str(UUID(int=7)))]})[0] == 201
        status, told = site.post(caller.key, EVENTS, {"events": [event(str(UUID(int=8)))]})
        assert (status, told["code"], caller.get("/events").status_code) == (429, "too_many", 429)
    assert int(site.headers["retry-after"]) > 0
    assert site.headers["content-type"] == "application/problem+json"


def test_what_the_store_fails_at_goes_to_the_site_and_is_stored_once(site: Beside, team: Team) -> None:
    """It is not known then whether it was stored, so only what may be sent again is answered here."""
    caller, plain = Caller.of(team), {"events": [event(str(UUID(int=7)))]}
    answers: list[tuple[int, Any]] = []
    thread = threading.Thread(target=lambda: answers.append(site.post(caller.key, EVENTS, plain)))
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SELECT FROM continuity_team WHERE id = %s FOR UPDATE", [team.id])
        thread.start()
        while not ended(cursor):
            assert thread.is_alive()
        thread.join(20)
    assert [status for status, _ in answers] == [TO_THE_SITE]
    assert by(caller, EVENTS, json.loads(site.came[0]))[1]["items"][0]["new"] is True
    assert site.post(caller.key, EVENTS, plain)[1]["items"][0]["new"] is False, "with a new connection"
    assert PublishedPayload.objects.count() == 1


def ended(cursor: Any) -> bool:
    """Whether who waits for the team's row was waiting, and lost its connection."""
    cursor.execute(ENDED)
    return bool(cursor.fetchall())


def test_while_some_wait_for_a_team_the_others_go_to_the_site(site: Beside, team: Team) -> None:
    caller, over = Caller.of(team), threading.Event()
    for _ in range(calls.THREADS):
        plain_bus._threads.submit(over.wait, 60)
    begun = time.monotonic()
    try:
        assert site.post(caller.key, EVENTS, {"events": [event(str(UUID(int=7)))]})[0] == TO_THE_SITE
        assert time.monotonic() - begun < 3
    finally:
        over.set()
    assert site.post(caller.key, EVENTS, {"events": [event(str(UUID(int=8)))]})[0] == 201
    assert PublishedPayload.objects.count() == 1, "nothing comes of the first one later"
