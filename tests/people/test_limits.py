"""Who asks too often, guesses passwords, or sends what is too large is told so."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
import redis
from axes.models import AccessAttempt
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from continuity.core.errors import TooMany
from continuity.models import Team, User
from continuity.services.accounts import rates
from continuity.services.jobs import broker
from tests.api.caller import Caller
from tests.cast import PASSWORD
from tests.web.world import browser

Settings = Any


@pytest.fixture(autouse=True)
def nothing_counted_before() -> None:
    connected = broker.client()
    for key in connected.scan_iter("LIMITS*"):
        connected.delete(key)


def guess(client: Client, email: str, times: int) -> Any:
    return [client.post("/login", {"username": email, "password": "guess"}) for _ in range(times)][-1]


def test_it_works(team: Team, settings: Settings) -> None:
    settings.CONTINUITY_API_RATE = (3, 3600)
    caller, other = Caller.of(team), Caller.of(team)
    assert [caller.get("/conversations").status_code for _ in range(4)] == [200, 200, 200, 429]
    refused = caller.get("/conversations")
    assert (refused["Content-Type"], refused.json()["code"]) == ("application/problem+json", "too_many")
    assert 1 <= int(refused["Retry-After"]) <= 3600
    assert "3 requests an hour" in refused.json()["detail"]
    assert other.get("/conversations").status_code == 200  # Each key has its own count.


def test_wrong_keys_of_one_address_are_counted(team: Team, settings: Settings) -> None:
    settings.CONTINUITY_REFUSED_RATE = (2, 3600)
    assert [Caller("cont_x_y").get("/conversations").status_code for _ in range(3)] == [401, 401, 429]


def test_nobody_is_held_up_while_the_broker_is_away(team: Team, settings: Settings, monkeypatch: Any, caplog: Any) -> None:
    settings.CONTINUITY_API_RATE = (1, 3600)

    class Away:
        def __init__(self, _: broker.Client) -> None: ...

        def hit(self, *_: object) -> bool:
            raise redis.ConnectionError("away")

    monkeypatch.setattr(rates, "_limiter", Away)
    caller = Caller.of(team)
    assert [caller.get("/conversations").status_code for _ in range(2)] == [200, 200]
    assert "while the broker is away" in caplog.text


def test_wrong_passwords_lock_the_account_for_that_address_only(team: Team, owner: User, teammate: User, settings: Settings) -> None:
    guesser = Client(REMOTE_ADDR="203.0.113.9")
    assert guess(guesser, owner.email, settings.AXES_FAILURE_LIMIT - 1).status_code == 200
    answer = guess(guesser, owner.email.upper(), 1)
    assert answer.status_code == 429
    assert b"locked for 15 minutes" in answer.content
    assert answer["Retry-After"] == "900"
    right = {"username": owner.email, "password": PASSWORD}
    assert guesser.post("/login", right).status_code == 429
    assert guesser.post("/login", right | {"username": teammate.email}).status_code == 302
    assert Client().post("/login", right).status_code == 302


def test_it_unlocks_after_a_while(team: Team, owner: User, settings: Settings) -> None:
    guesser = Client()
    guess(guesser, owner.email, settings.AXES_FAILURE_LIMIT)
    for attempt in AccessAttempt.objects.all():
        attempt.attempt_time -= settings.AXES_COOLOFF_TIME + timedelta(seconds=1)
        attempt.save()
    assert guesser.post("/login", {"username": owner.email, "password": PASSWORD}).status_code == 302


def test_the_admin_has_no_login_beside_it(team: Team, owner: User) -> None:
    answer = Client().get("/admin/login/?next=/admin/continuity/team/")
    assert answer.headers["Location"] == "/login?next=%2Fadmin%2Fcontinuity%2Fteam%2F"
    assert Client().post("/admin/login/", {"username": owner.email, "password": PASSWORD}).headers["Location"].startswith("/login")


def test_one_address_may_not_try_without_end(team: Team, owner: User, settings: Settings) -> None:
    settings.CONTINUITY_SIGN_IN_RATE = (2, 3600)
    client = Client()
    last = [client.post("/login", {"username": f"a{number}@example.com", "password": "x"}) for number in range(3)][-1]
    assert last.status_code == 429
    assert b"Too many requests" in last.content
    assert client.get("/login").status_code == 200


def test_nobody_is_flooded_with_resets(team: Team, owner: User, settings: Settings) -> None:
    settings.CONTINUITY_RESET_RATE = (1, 3600)
    askers = [Client(REMOTE_ADDR=f"203.0.113.{number}") for number in (1, 2)]
    assert [asker.post("/password/reset", {"email": owner.email}).status_code for asker in askers] == [302, 429]


@pytest.mark.parametrize(("beginning", "kind"), [(b"PK\x03\x04", "ZIP"), (b"%PDF-1.7", "PDF"), (b"\x1f\x8b\x08", "gzip")])
def test_what_is_no_text_is_refused_as_what_it_is(team: Team, owner: User, beginning: bytes, kind: str) -> None:
    assert kind in Caller.of(team).upload(beginning + b"rest").json()["detail"]
    upload = SimpleUploadedFile("session.jsonl", beginning)
    answer = browser(owner).post("/conversations/import", {"file": upload, "format": "auto"})
    assert answer.status_code == 422
    assert kind.encode() in answer.content


def test_too_many_files_are_refused_by_their_number(team: Team, owner: User, settings: Settings) -> None:
    files = {f"file{number}": SimpleUploadedFile("a.jsonl", b"{}") for number in range(settings.CONTINUITY_MAX_UPLOAD_FILES + 1)}
    answer = browser(owner).post("/conversations/import", files)
    assert answer.status_code == 413
    assert b"over the limit of 20 files" in answer.content
    told = Caller.of(team).client.post("/api/v1/conversations/import", dict(files))
    assert (told.status_code, told.json()["code"]) == (413, "too_large")


@pytest.mark.parametrize(
    ("seconds", "told"),
    [
        (1, "1 second"),
        (89, "89 seconds"),
        (90, "2 minutes"),
        (1316, "22 minutes"),
        (5399, "90 minutes"),
        (5400, "2 hours"),
        (86_400, "24 hours"),
    ],
)
def test_how_long_to_wait_is_told_as_one_says_it(seconds: int, told: str) -> None:
    assert TooMany(limit=3, noun="requests an hour", retry_after=seconds).detail.endswith(f"try again in {told}.")


def test_who_signs_in_too_often_is_told_of_minutes(owner: User, settings: Settings) -> None:
    settings.CONTINUITY_SIGN_IN_RATE = (1, 3600)
    refused = guess(Client(), owner.email, 3)
    assert refused.status_code == 429
    assert "minutes." in refused.content.decode()
    assert "seconds" not in refused.content.decode()
    assert int(refused["Retry-After"]) > 90
