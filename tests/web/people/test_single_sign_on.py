"""Signing in by OpenID Connect: only whom the provider vouches for, to us, now."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from django.conf import settings as configured
from django.test import Client
from pytest_django import Settings

from continuity.models import Event, Membership, Team, User
from tests.web.people.provider import Provider, running

BACKEND = "continuity.services.accounts.single_sign_on.SingleSignOn"


@pytest.fixture
def provider(owner: User, settings: Settings) -> Iterator[Provider]:
    with running(email=owner.email.upper(), name="Kim") as found:
        for name, value in found.settings().items():
            setattr(settings, name, value)
        settings.AUTHENTICATION_BACKENDS = [*configured.AUTHENTICATION_BACKENDS, BACKEND]
        yield found


def signed_in(provider: Provider, client: Client, **asked: str) -> Any:
    to = client.get("/sign-in/provider", asked)
    assert to.status_code == 302
    assert to.headers["Location"].startswith(provider.address)
    return client.get(provider.agree(to.headers["Location"]))


def who(client: Client) -> str | None:
    return client.session.get("_auth_user_id")


def test_it_works(provider: Provider, team: Team, owner: User) -> None:
    client = Client()
    assert "Sign in with your organisation" in client.get("/login").content.decode()
    answer = signed_in(provider, client, next="/conversations")
    assert answer.headers["Location"] == "/conversations"
    assert who(client) == str(owner.id)
    assert Event.objects.filter(name="sign_in.succeeded").exists()


def test_it_is_not_there_unless_it_is_set_up(team: Team) -> None:
    client = Client()
    assert "Sign in with" not in client.get("/login").content.decode()
    assert [client.get(address).status_code for address in ("/sign-in/provider", "/sign-in/back?code=a&state=b")] == [404, 404]


@pytest.mark.parametrize(
    "wrong",
    [{"aud": "another"}, {"iss": "https://elsewhere.example"}, {"exp": 1}, {"nonce": "old"}, {"sub": "s2"}, {"sub": None}],
    ids=["audience", "issuer", "over", "nonce", "subject", "nobody"],
)
def test_a_token_that_is_not_for_us_now_is_refused(provider: Provider, team: Team, wrong: dict[str, Any]) -> None:
    provider.token = wrong
    client = Client()
    assert signed_in(provider, client).status_code in (302, 400)
    assert who(client) is None


@pytest.mark.parametrize("claims", [{"email_verified": False}, {"email_verified": "true"}, {"email": ""}], ids=["not", "words", "none"])
def test_an_address_that_the_provider_did_not_verify_is_nobodys(provider: Provider, team: Team, claims: dict[str, Any]) -> None:
    provider.claims |= claims
    client = Client()
    assert signed_in(provider, client).headers["Location"] == "/login"
    assert who(client) is None


def test_a_state_that_we_did_not_give_is_refused(provider: Provider, team: Team) -> None:
    client = Client()
    client.get("/sign-in/provider")
    assert client.get("/sign-in/back?code=once&state=made-up").status_code == 400
    assert who(client) is None


def test_newcomers_come_in_only_where_they_have_a_team(provider: Provider, team: Team, settings: Settings) -> None:
    provider.claims["email"] = "new@example.com"
    assert signed_in(provider, Client()).headers["Location"] == "/login"
    assert not User.objects.filter(email="new@example.com").exists()
    settings.CONTINUITY_OIDC_TEAM = team.slug
    client = Client()
    signed_in(provider, client)
    user = User.objects.get(email="new@example.com")
    assert who(client) == str(user.id)
    assert Membership.objects.get(user=user).team == team
    assert not user.has_usable_password()


def test_a_provider_that_does_not_answer_leads_back_to_the_login(provider: Provider, team: Team, settings: Settings) -> None:
    settings.OIDC_OP_TOKEN_ENDPOINT = "http://127.0.0.1:9/token"
    client = Client()
    assert signed_in(provider, client).headers["Location"] == "/login"
    assert "did not work" in client.get("/login").content.decode()
