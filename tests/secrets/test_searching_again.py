"""What older detectors missed is masked after an upgrade, and what a person unmasked stays shown."""

from __future__ import annotations

import pytest

from continuity import secrets
from continuity.models import Conversation, Deferral, Message, Team
from continuity.services.knowledge import secret_spans
from continuity.services.recording import conversations
from continuity.services.search import indexing, searching
from tests.secrets.samples import letters
from tests.words import said

TOKEN = "ghp_" + letters(34)
SHOWN = "ghp_" + letters(34)


@pytest.fixture
def old(team: Team) -> Conversation:
    """A conversation whose messages were searched by detectors that knew less."""
    made = conversations.create(team=team, title="Old")
    texts = (f"One is in /srv/{TOKEN}/a.py", f"and this one {SHOWN} was unmasked", "nothing here")
    conversations.append(team=team, conversation_id=made.id, messages=[said(text) for text in texts])
    Message.objects.filter(conversation=made, seq=1).update(secrets=[])
    second = Message.objects.get(conversation=made, seq=2)
    Message.objects.filter(id=second.id).update(secrets=[{**second.secrets[0], "unmasked": {"by": "owner", "at": "then"}}])
    Conversation.objects.filter(id=made.id).update(secrets_version=1)
    indexing.catch_up()
    return made


def test_it_works(team: Team, old: Conversation) -> None:
    assert searching.find(team=team, words=TOKEN).hits

    assert secret_spans.sweep(limit=10) == 1
    indexing.catch_up()

    first, second, third = Message.objects.filter(conversation=old).order_by("seq")
    assert [span["kind"] for span in first.secrets] == ["github-token"]
    assert second.secrets[0]["unmasked"]["by"] == "owner"
    assert third.secrets == []
    assert not searching.find(team=team, words=TOKEN).hits
    assert secret_spans.sweep(limit=10) == 0


def test_new_conversations_wait_for_nothing(team: Team) -> None:
    assert conversations.create(team=team).secrets_version == secrets.VERSION
    assert secret_spans.sweep(limit=10) == 0


def test_one_that_fails_stops_no_other(team: Team, old: Conversation) -> None:
    other = conversations.create(team=team)
    conversations.append(team=team, conversation_id=other.id, messages=[said(f"in /srv/{TOKEN}/b.py")])
    Message.objects.filter(conversation=other).update(secrets=[])
    Conversation.objects.filter(id=other.id).update(secrets_version=1)
    # What no release ever stored: spans that are no list.
    Message.objects.filter(conversation=old, seq=1).update(secrets=7)

    assert secret_spans.sweep(limit=1) + secret_spans.sweep(limit=1) == 1
    assert Message.objects.get(conversation=other).secrets[0]["kind"] == "github-token"
    assert Deferral.objects.get(kind=secret_spans.KIND).conversation == old
