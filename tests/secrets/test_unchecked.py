"""A text in which nothing could be looked for is masked whole: nobody knows what it holds."""

import logging

import pytest

from continuity import secrets
from continuity.models import Message
from continuity.secrets import finding
from continuity.services.recording import conversations
from tests.words import said

WORDS = "The key of Kassandra is not for you, token and all."


@pytest.fixture
def broken(monkeypatch):
    real = finding._find

    def find(text):
        if "Kassandra" in text:
            raise ValueError("Kassandra said it")
        return real(text)

    monkeypatch.setattr(finding, "_find", find)


def test_it_works(broken, caplog):
    with caplog.at_level(logging.ERROR):
        assert secrets.mask_text(WORDS) == "[secret: unchecked]"
    assert secrets.mask_text("Nothing to hide") == "Nothing to hide"
    assert "ValueError at test_unchecked.py:" in caplog.text
    assert "Kassandra" not in caplog.text


@pytest.mark.django_db
def test_the_messages_beside_it_are_stored_as_ever(broken, team):
    conversation = conversations.create(team=team)
    conversations.append(team=team, conversation_id=conversation.id, messages=[said("Go on"), said(WORDS), said("Then stop")])
    assert [[span["kind"] for span in row.secrets] for row in Message.objects.order_by("seq")] == [[], ["unchecked"], []]
