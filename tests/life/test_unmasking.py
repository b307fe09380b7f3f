"""A false positive is shown by an owner, to all who may read; the other secrets stay masked."""

from uuid import UUID

import pytest
from django.test import Client

from continuity.models import Event, Message, Role
from continuity.services.accounts import accounts
from handoffs.services.erasure import erasing
from tests.api.caller import ROOT, Caller, person

TOKEN = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
SAMPLE = "hunter2hunter2"


@pytest.fixture
def api(team):
    return Caller.of(team)


@pytest.fixture
def conversation(api):
    opened = api.open(title="Secrets")
    api.say(opened, person(f"DB_PASSWORD={SAMPLE} and the token is {TOKEN}."))
    return opened


def text(caller, conversation):
    (message,) = caller.get(f"/conversations/{conversation}/messages").json()["items"]
    return message["parts"][0]["text"]


def number_of(kind, conversation):
    spans = Message.objects.get(conversation=conversation).secrets
    return next(number for number, span in enumerate(spans) if span["kind"] == kind)


def unmask(caller, conversation, number):
    return caller.post(f"/conversations/{conversation}/messages/1/unmask", {"number": number})


def test_it_works(api, conversation):
    answer = unmask(api, conversation, number_of("password", conversation))
    assert (answer.status_code, answer.json()["secrets"]) == (200, 1)
    assert SAMPLE in text(api, conversation)
    assert TOKEN not in text(api, conversation)
    span = answer.json()["spans"][number_of("password", conversation)]
    assert (span["unmasked"]["by"], bool(span["unmasked"]["at"])) == ("key test", True)
    assert Event.objects.get(name="secret.unmasked").payload["by"] == "key test"


def test_twice_keeps_who_was_first(api, conversation):
    first, again = (unmask(api, conversation, 0).json()["spans"] for _ in range(2))
    assert first == again
    assert Event.objects.filter(name="secret.unmasked").count() == 1


@pytest.mark.parametrize(("role", "status"), [(Role.VIEWER, 403), (Role.MEMBER, 403), (Role.OPERATOR, 403), (Role.OWNER, 200)])
def test_only_an_owner_may(team, outsider, conversation, role, status):
    accounts.add_member(team=team, user=outsider, role=role)
    browser = Client()
    browser.force_login(outsider)
    path = f"{ROOT}/conversations/{conversation}/messages/1/unmask"
    assert browser.post(path, '{"number": 0}', content_type="application/json").status_code == status


@pytest.mark.parametrize(("role", "status"), [(Role.VIEWER, 403), (Role.MEMBER, 403), (Role.OPERATOR, 202)])
def test_only_an_operator_may_erase(team, outsider, conversation, role, status):
    accounts.add_member(team=team, user=outsider, role=role)
    browser = Client()
    browser.force_login(outsider)
    assert browser.post(f"{ROOT}/conversations/{conversation}/erase", "{}", content_type="application/json").status_code == status


def test_an_outsider_gets_404(other_team, conversation):
    stranger = Caller.of(other_team)
    assert unmask(stranger, conversation, 0).status_code == 404
    assert stranger.post(f"/conversations/{conversation}/erase", {}).status_code == 404


@pytest.mark.parametrize("number", [-1, 2])
def test_a_span_that_is_none_is_refused(api, conversation, number):
    assert unmask(api, conversation, number).status_code == 422


def test_what_was_unmasked_stays_so_when_other_words_of_the_message_are_erased(team, api, conversation):
    unmask(api, conversation, number_of("password", conversation))
    erasing.erase_words(team=team, conversation_id=UUID(conversation), words="the token is", by=erasing.By("x"))
    assert SAMPLE in text(api, conversation)
    assert TOKEN not in text(api, conversation)
