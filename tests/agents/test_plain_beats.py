"""Heartbeats beside the site: the plain ones are answered as the site would, and all else goes there as it came."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from dataclasses import asdict
from datetime import timedelta
from functools import partial
from threading import Event, Timer
from typing import Any
from uuid import UUID

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from continuity.api.plain import beats as plain_beats
from continuity.api.plain import calls
from continuity.models import Agent, ApiKey, Scope, Team
from continuity.services.accounts import apikeys
from continuity.services.accounts.known_keys import KnownKeys
from continuity.services.agents import beats, usage
from tests.agents.runner import Runner, status
from tests.api.caller import Caller
from tests.api.plain.beside import Beside, let_go

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def site() -> Iterator[BesideBeats]:
    yield BesideBeats()
    let_go(plain_beats._threads)


class BesideBeats:
    """The heartbeats' address, in front of a site that only keeps what comes to it."""

    def __init__(self) -> None:
        self._beside = Beside(plain_beats.with_plain_beats)
        self.came = self._beside.came

    def headers(self) -> dict[str, str]:
        """Of the last answer."""
        return self._beside.headers

    def post(self, runner: Runner, body: Any, path: str = plain_beats.PATH.pattern, **more: str) -> tuple[int, Any]:
        return self._beside.post(runner.caller.key, path, body, **more)


def of(runner: Runner, name: str = "a", **more: Any) -> dict[str, Any]:
    return {"runner": runner.name, "beats": [{"agent": name, **runner.known[name], **more}]}


def test_it_works(site: BesideBeats, runner: Runner, team: Team) -> None:
    """The same answer as the site's, the beat is heard, and what changes is stored."""
    runner.start("a", probe=True)
    told = of(runner, working=True)
    assert site.post(runner, told) == (200, runner.caller.post("/agents/heartbeats", told).json())
    assert status(team, "a") == "active"
    agent = Agent.objects.get().id
    assert len(beats.strips([agent])[agent]) == 2
    assert site.post(runner, of(runner, used=USED))[0] == 200
    assert asdict(usage.of([agent], now_ms=int(timezone.now().timestamp() * 1000))[agent]) == USED
    assert site.came == []


def test_orders_come_with_it(site: BesideBeats, runner: Runner, team: Team) -> None:
    runner.start("a")
    Caller.of(team).post("/agents/a/orders", {"kind": "save_state"})
    assert [each["kind"] for each in site.post(runner, of(runner))[1]["agents"][0]["orders"]] == ["save_state"]


BAD = "a" * 36
PLAIN = {"agent": "a", "epoch": 1, "instance": str(UUID(int=1))}
USED = {"cpu_cores": 0.5, "memory_bytes": 2**30, "disk_bytes_per_second": 0}
FORMS: dict[str, Any] = {
    "no JSON": b"{",
    "a list": [],
    "too deep": b"[" * 60_000,
    "no beats": {"runner": "r"},
    "none": {"beats": []},
    "too many": {"beats": [{}] * 201},
    "no object": {"beats": [1]},
    "more": {"beats": [], "more": 1},
    "a long runner": {"runner": "r" * 121, "beats": [{"agent": "a", "epoch": 1, "instance": BAD}]},
    "no instance": {"beats": [{"agent": "a", "epoch": 1, "instance": BAD}]},
    "a true epoch": {"beats": [{"agent": "a", "epoch": True, "instance": BAD}]},
    "a late epoch": {"beats": [{"agent": "a", "epoch": 2**31, "instance": BAD}]},
    "half of what is used": {"beats": [{**PLAIN, "used": {"cpu_cores": 1}}]},
    "less than nothing is used": {"beats": [{**PLAIN, "used": {**USED, "cpu_cores": -1}}]},
    "no number is used": {"beats": [{**PLAIN, "used": {**USED, "memory_bytes": 0.5}}]},
}


@pytest.mark.parametrize("form", FORMS)
def test_another_form_goes_to_the_site_as_it_came(site: BesideBeats, runner: Runner, form: str) -> None:
    assert site.post(runner, FORMS[form])[0] == 418
    assert len(site.came) == 1
    assert site.came[0] == (FORMS[form] if isinstance(FORMS[form], bytes) else json.dumps(FORMS[form]).encode())


def test_what_is_refused_goes_to_the_site(site: BesideBeats, runner: Runner, team: Team) -> None:
    runner.start("a")
    plain = of(runner)
    assert site.post(runner, plain, authorization="Bearer cont_no_key")[0] == 418
    assert site.post(runner, plain, path="/api/v1/agents")[0] == 418
    assert site.post(runner, plain, host="elsewhere.example")[0] == 418
    assert site.post(runner, plain, user_agent="continuity-client/0.0.1")[0] == 418
    assert site.post(runner, plain, continuity_agent="a/0")[0] == 418
    assert site.post(runner, plain, continuity_agent=f"a/{runner.known['a']['epoch']}")[0] == 200
    assert site.post(Runner(team, scopes=("read",)), plain)[0] == 418
    runner.dies("a")
    assert site.post(runner, plain | {"runner": "another"})[0] == 418, "all of its beats are fenced"


def test_what_waited_for_too_long_is_not_begun(site: BesideBeats, runner: Runner, monkeypatch: pytest.MonkeyPatch) -> None:
    """While the store hangs beats pile up; when it is back, those that come now have their turn."""
    runner.start("a")
    over = Event()
    for _ in range(calls.THREADS):
        plain_beats._threads.submit(over.wait, 60)
    monkeypatch.setattr(calls, "PATIENCE_SECONDS", 0.1)
    Timer(0.5, over.set).start()
    assert site.post(runner, of(runner))[0] == 418
    agent = Agent.objects.get().id
    assert beats.strips([agent])[agent] == []
    monkeypatch.setattr(calls, "PATIENCE_SECONDS", 30.0)
    assert site.post(runner, of(runner))[0] == 200


def test_a_call_that_does_not_arrive_goes_to_the_site(runner: Runner, monkeypatch: pytest.MonkeyPatch) -> None:
    """It keeps what came so far, and waits as long as it lets others be slow."""
    monkeypatch.setattr(calls, "PATIENCE_SECONDS", 0.1)
    came: list[calls.Message] = []

    async def site(scope: calls.Scope, receive: calls.Receive, send: calls.Send) -> None:
        came.append(await receive())
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(receive(), 0.1)

    parts = [{"type": "http.request", "body": b"{", "more_body": True}]

    async def receive() -> calls.Message:
        return parts.pop() if parts else await asyncio.get_running_loop().create_future()

    sent = {"host": "localhost", "content-type": "application/json", "content-length": "99", "authorization": f"Bearer {runner.caller.key}"}
    headers = [(name.encode(), value.encode()) for name, value in sent.items()]
    scope = {"type": "http", "method": "POST", "path": plain_beats.PATH.pattern, "query_string": b"", "headers": headers}

    async def called() -> None:
        await plain_beats.with_plain_beats(site)(scope, receive, nobody_hears)

    asyncio.run(called())
    assert came == [{"type": "http.request", "body": b"{", "more_body": True}]


async def nobody_hears(message: calls.Message) -> None:
    pytest.fail(f"nothing is answered before the site: {message}")


def test_each_answer_names_its_id(site: BesideBeats, runner: Runner) -> None:
    runner.start("a")
    assert site.post(runner, of(runner), x_correlation_id="beat-17")[0] == 200
    assert site.headers()["x-correlation-id"] == "beat-17"
    assert site.post(runner, of(runner))[0] == 200
    assert len(site.headers()["x-correlation-id"]) == 32


def test_its_statement_is_prepared(runner: Runner) -> None:
    """Read and planned once on a connection."""
    runner.start("a")
    body = json.dumps(of(runner)).encode()
    headers = {b"authorization": f"Bearer {runner.caller.key}".encode()}
    keys = KnownKeys(Scope.AGENT)
    connection.close()  # What others had prepared goes with theirs.
    with connection.cursor() as cursor:
        for _ in range(3):
            assert calls._answered(keys, headers, body, plain_beats._hear, (), True) is not None
        cursor.execute("SELECT count(*) FROM pg_prepared_statements WHERE statement LIKE '%continuity_agentorder%'")
        assert cursor.fetchone() == (2,), "with the key, and without it"


def test_a_key_that_ended_is_none_at_once(site: BesideBeats, runner: Runner) -> None:
    runner.start("a")
    assert site.post(runner, of(runner))[0] == 200
    key = ApiKey.objects.get(lookup=runner.caller.key.split("_")[1])
    ApiKey.objects.filter(id=key.id).update(expires_at=timezone.now() - timedelta(seconds=1))
    assert site.post(runner, of(runner))[0] == 418
    ApiKey.objects.filter(id=key.id).update(expires_at=None)
    assert site.post(runner, of(runner))[0] == 200
    apikeys.revoke(key=key)
    assert site.post(runner, of(runner))[0] == 418


def test_who_beats_without_end_is_counted_with_all_others(site: BesideBeats, runner: Runner, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("continuity.services.accounts.known_keys.A_SECOND", 0)
    runner.start("a")
    assert site.post(runner, of(runner))[0] == 418


def test_a_known_key_is_asked_after_in_the_statement_that_reads_the_agents(runner: Runner) -> None:
    runner.start("a", "b")
    told = {"runner": runner.name, "beats": [{"agent": name, **runner.known[name]} for name in ("a", "b")]}
    headers, body = {b"authorization": f"Bearer {runner.caller.key}".encode()}, json.dumps(told).encode()
    answered = partial(calls._answered, KnownKeys(Scope.AGENT), headers, body, plain_beats._hear, (), True)
    statements = []
    for used_before in (timedelta(0), timedelta(0), timedelta(minutes=2)):
        ApiKey.objects.update(last_used_at=timezone.now() - used_before)
        with CaptureQueriesContext(connection) as asked:
            answer = answered()
        assert answer is not None and answer.status_code == 200
        statements.append(len(asked))
    assert statements[1] == 1
    assert statements[2] > 1, "once a minute it is looked at with care, and that it was used is written"
