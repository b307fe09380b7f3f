"""Keys are shown once, kept as digests, and stop working when revoked or expired."""

from datetime import timedelta

import pytest
from django.utils import timezone

from continuity.core.errors import Invalid, KeyRefused
from continuity.models import ApiKey
from continuity.services.accounts import apikeys


def test_it_works(team):
    key, full = apikeys.issue(team=team, name="agent", scopes=["read"])
    found = apikeys.authenticate(full, now=timezone.now())
    assert found == key
    assert found.team == team


def test_the_secret_is_stored_nowhere(team):
    _key, full = apikeys.issue(team=team, name="agent")
    secret = full.split("_", 2)[2]
    stored = str(list(ApiKey.objects.values()))
    assert secret not in stored


@pytest.mark.parametrize(
    "spoil", [lambda full: full[:-1], lambda full: full + "x", lambda full: "cont_" + full, lambda full: "", lambda full: "é" * 90]
)
def test_a_wrong_key_is_refused(team, spoil):
    _key, full = apikeys.issue(team=team, name="agent")
    with pytest.raises(KeyRefused):
        apikeys.authenticate(spoil(full), now=timezone.now())


def test_a_revoked_key_is_refused(team):
    key, full = apikeys.issue(team=team, name="agent")
    apikeys.revoke(key=key)
    with pytest.raises(KeyRefused):
        apikeys.authenticate(full, now=timezone.now())


def test_an_expired_key_is_refused(team):
    _key, full = apikeys.issue(team=team, name="agent", expires_at=timezone.now() + timedelta(minutes=5))
    apikeys.authenticate(full, now=timezone.now())
    with pytest.raises(KeyRefused):
        apikeys.authenticate(full, now=timezone.now() + timedelta(minutes=6))


def test_an_unknown_scope_is_refused(team):
    with pytest.raises(Invalid, match="scopes"):
        apikeys.issue(team=team, name="agent", scopes=["everything"])
