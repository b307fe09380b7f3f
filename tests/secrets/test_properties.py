"""Secrets in values that their names tell, and in names: as published payloads, states and the arguments of tools have them."""

from __future__ import annotations

from typing import Any

import pytest

from continuity.models import PublishedPayload, Team
from continuity.secrets import find_in_property
from continuity.secrets.message_masking import keep_unmasked, masked, spans_of
from tests.events.test_bus import say, subscribed, taken

VALUE = "hunter2hunter2"
TOKEN = "ghp_" + "a1B2" * 8


def mask(value: Any) -> Any:
    return masked([value], spans_of([value]))[0]


@pytest.mark.django_db(transaction=True)
def test_it_works(team: Team) -> None:
    """What is published is masked before it is stored, and so for who gets it."""
    found = subscribed(team)
    (id,) = say(team, "task:a", payload={"password": VALUE, "user": "ada", "inner": [{"apiKey": "k9Xz81mQ02"}], TOKEN: {"n": 1}})
    expected = {
        "password": "[secret: password]",
        "user": "ada",
        "inner": [{"apiKey": "[secret: api-key]"}],
        "[secret: github-token]": {"n": 1},
    }
    assert PublishedPayload.objects.get(event=id).body == expected
    assert taken(found).items[0].event.payload == expected


NAMES = ["password", "Passwd", "DB_PASSWORD", "passphrase", "pwd", "secret", "client_secret", "clientSecret", "token", "accessToken",
         "refresh-token", "api_key", "apiKey", "X-Api-Key", "secretAccessKey", "private_key", "authorization", "Authorization",
         "proxy-authorization", "credentials", "password2", "secrets", "secretKey"]  # fmt: skip


@pytest.mark.parametrize("name", NAMES)
def test_a_name_tells_a_secret(name: str) -> None:
    for value in (VALUE, "pa,ss'w0rd", "x9!{aB,cD7\\"):
        assert VALUE not in str(mask({name: value}))
        (span,) = find_in_property(name, value)
        assert (span.start, span.end) == (0, len(value))
    assert VALUE not in str(mask({name: [VALUE, VALUE + "x"]}))


OTHERS = ["token_count", "tokens", "secret_santa", "password_hint", "token_type", "secretary", "passwordless", "max_tokens", "key",
          "tokenizer", "monkey", "path", "user", "text", "authorization_url", ""]  # fmt: skip


@pytest.mark.parametrize("name", OTHERS)
def test_other_names_tell_none(name: str) -> None:
    assert mask({name: VALUE}) == {name: VALUE}


HARMLESS = [7, 123456789012, 1.5, True, None, "", "short1", "required", "changed-by-user", "your-token-here1", "$DB_PASSWORD1",
            "<password123>", "xxxxxxxx1", "123456789", "/run/secrets/db1", "https://example.org/a1", "config.get_token", "two words 1234",
            {"n": 5}, [1, 2]]  # fmt: skip


@pytest.mark.parametrize("value", HARMLESS, ids=str)
def test_what_does_not_look_like_one_stays(value: Any) -> None:
    for name in ("password", "token", "secret", "api_key"):
        assert mask({name: value}) == {name: value}


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("Basic dXNlcjpwYXNz", "Basic [secret: basic-auth]"),
        ("Bearer " + "a1B2c3D4" * 3, "Bearer [secret: bearer-token]"),
        ("none", "none"),
        ("user may write", "user may write"),
    ],
)
def test_an_authorization_keeps_its_scheme(value: str, expected: str) -> None:
    assert mask({"Authorization": value}) == {"Authorization": expected}


def test_the_kind_that_its_shape_tells_goes_first() -> None:
    assert mask({"token": TOKEN}) == {"token": "[secret: github-token]"}


def test_two_secrets_as_names_keep_what_stands_under_them() -> None:
    other = TOKEN + "c3"
    assert mask({TOKEN: 1, other: 2, "[secret: github-token]": 3}) == {
        "[secret: github-token] 2": 1,
        "[secret: github-token] 3": 2,
        "[secret: github-token]": 3,
    }


def test_masking_twice_changes_nothing_more() -> None:
    once = mask({"password": VALUE, TOKEN: {"token": VALUE}})
    assert mask(once) == once


def test_what_was_unmasked_stays_so_in_the_name_and_in_the_value() -> None:
    parts = [{TOKEN: TOKEN}]
    name, value = spans_of(parts)
    for shown, expected in ((name, {TOKEN: "[secret: github-token]"}), (value, {"[secret: github-token]": TOKEN})):
        before = [{**span, "unmasked": {}} if span is shown else span for span in (name, value)]
        assert masked(parts, keep_unmasked(before, spans_of(parts))) == [expected]
